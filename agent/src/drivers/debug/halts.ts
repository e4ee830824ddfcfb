// Follows what passes between GDB and a debug server, to know whether the processor is halted.
import { PacketReader, textsOf } from '../../emulators/debug/packets.ts';

/** What is followed by a stop reply. Other replies may look like one. */
const waits = /^(\?|[cCsS][\da-f;]*$|vCont;|vStopped|vAttach)/;
const resumes = /^([cCsS][\da-f;]*$|vCont;|D|k$|vKill)/;

export function followHalts(onChange: (isHalted: boolean) => void) {
	const replies = new PacketReader();
	let isWaiting = false;
	let isHalted = false;
	const set = (value: boolean) => {
		if (value !== isHalted) onChange(value);
		isHalted = value;
	};
	return {
		fromDebugger(packets: readonly string[]): void {
			for (const text of packets) {
				isWaiting = waits.test(text);
				if (resumes.test(text)) set(false);
			}
		},
		fromServer(bytes: Uint8Array): void {
			for (const text of [...replies.read(bytes)].flatMap(textsOf)) {
				if (isWaiting && /^[TS]/.test(text)) set(true);
			}
		},
	};
}

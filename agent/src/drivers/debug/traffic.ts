// What passes between GDB and a debug server: what it may ask, and whether the processor is halted.
import { PacketReader, packetOf, type Received, textsOf } from '../../emulators/debug/packets.ts';

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

/** Longer than the packets of any known server. */
const maxLength = 64 * 1024;

const monitorCommands = ['reset', 'reset halt', 'reset init', 'reset run', 'halt'];
const allowedMonitors = monitorCommands.map((text) => `qrcmd,${Buffer.from(text).toString('hex')}`);

/** Files and programs of the machine of the server, and monitor commands. */
const dangerous = /^(qRcmd|vFile|vRun|R|QEnvironment|QStartup|QSetWorking)/i;

export function isAllowed(packet: string): boolean {
	return !dangerous.test(packet) || allowedMonitors.includes(packet.toLowerCase());
}

interface Ways {
	/** With the texts of the packets among the bytes. */
	toServer(bytes: Uint8Array, packets: readonly string[]): Promise<void>;
	toDebugger(bytes: Uint8Array): void;
}

/** Passes on packets that were read whole, written anew, so that the server reads nothing else than what was checked. */
export function checkPackets({ toServer, toDebugger }: Ways) {
	const reader = new PacketReader(maxLength);
	const isPassed = (received: Received) => {
		if (received.type === 'damaged') toDebugger(Buffer.from('-'));
		if (received.type !== 'packet' || isAllowed(received.text)) return true;
		toDebugger(Buffer.from('+$#00')); // not supported
		return false;
	};
	return async (bytes: Uint8Array): Promise<void> => {
		const passed = [...reader.read(bytes)].filter(isPassed);
		const written = passed.map(({ type, text }) => (type === 'packet' ? packetOf(text) : text));
		const all = written.join('');
		if (all !== '') await toServer(Buffer.from(all, 'latin1'), passed.flatMap(textsOf));
	};
}

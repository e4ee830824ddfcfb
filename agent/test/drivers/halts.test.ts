// Whether a processor is halted, by what passes between GDB and a debug server.
import { expect, test } from 'vitest';
import { followHalts } from '../../src/drivers/debug/traffic.ts';
import { packetOf } from '../../src/emulators/debug/packets.ts';

function follow() {
	const changes: boolean[] = [];
	const halts = followHalts((isHalted) => changes.push(isHalted));
	return {
		changes,
		ask: (text: string) => halts.fromDebugger([text]),
		reply: (text: string) => halts.fromServer(Buffer.from(packetOf(text))),
		halts,
	};
}

test('a processor halts when a debugger comes, and goes on when it continues, steps or leaves', () => {
	const { changes, ask, reply } = follow();
	const pairs = [
		['?', 'S05'],
		['vCont;c', 'T05hwbreak:;'],
		['s', 'T05thread:1;'],
		['c', 'S02'],
		['D', 'OK'],
	] as const;
	for (const [request, stop] of pairs) {
		ask(request);
		reply(stop);
	}
	expect(changes).toEqual([true, false, true, false, true, false, true, false]);
});

test('other replies are not taken for a halt', () => {
	const { changes, ask, reply } = follow();
	ask('qTStatus');
	reply('T0;tnotrun:0');
	ask('vCont?');
	reply('vCont;c;s');
	expect(changes).toEqual([]);
});

test('packets are found wherever the bytes are split', () => {
	const { changes, ask, halts } = follow();
	ask('?');
	for (const byte of Buffer.from(`+${packetOf('T05')}`)) halts.fromServer(Uint8Array.of(byte));
	expect(changes).toEqual([true]);
});

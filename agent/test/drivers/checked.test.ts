// What reaches a debug server, whose monitor commands could run programs on the machine of the agent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPackets, isAllowed } from '../../src/drivers/debug/traffic.ts';
import { packetOf } from '../../src/emulators/debug/packets.ts';

const monitor = (text: string) => `qRcmd,${Buffer.from(text).toString('hex')}`;

function start() {
	const seen = { server: '', debugger: '' };
	const check = checkPackets({
		async toServer(bytes) {
			seen.server += Buffer.from(bytes).toString('latin1');
		},
		toDebugger: (bytes) => {
			seen.debugger += Buffer.from(bytes).toString('latin1');
		},
	});
	return { seen, send: (text: string) => check(Buffer.from(text, 'latin1')) };
}

test.each([
	['g', true],
	['vCont;c', true],
	['X20000000,4:abcd', true],
	[monitor('reset halt'), true],
	[monitor('halt').toUpperCase().replace('QRCMD', 'qRcmd'), true],
	[monitor('exec id'), false],
	[monitor('reset; exec id'), false],
	[monitor('reset [exec id]'), false],
	['qRcmd', false],
	['vFile:open:2f6574632f706173737764,0,0', false],
	['vRun;2f62696e2f7368', false],
	['R00', false],
])('%s', (packet, allowed) => {
	expect(isAllowed(packet)).toBe(allowed);
});

test('a packet that is not allowed is answered, and what is around it passes', async () => {
	const { seen, send } = start();
	await send(`+${packetOf('g')}${packetOf(monitor('exec id'))}\x03-${packetOf('m0,4')}`);
	expect(seen).toEqual({
		server: `+${packetOf('g')}\x03-${packetOf('m0,4')}`,
		debugger: '+$#00',
	});
});

test('a server gets nothing but whole packets, however bytes are split', {
	tags: 'generated',
}, async () => {
	const piece = fc.oneof(
		fc.string({ unit: 'binary-ascii', maxLength: 12 }),
		fc.constantFrom(packetOf(monitor('exec id')), packetOf('g'), '$', '#', '}', 'qRcmd,65786563'),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
			const { seen, send } = start();
			for (const text of pieces) await send(text);
			const rest = seen.server.replaceAll('\x03', '').replaceAll(/\$[^#$]*#[\da-f]{2}|[+-]/g, '');
			expect(rest).toBe('');
			expect(seen.server).not.toMatch(/\$qRcmd,65786563/);
		}),
	);
});

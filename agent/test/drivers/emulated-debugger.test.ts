// The debugger of an emulated board, whoever else uses the board meanwhile.
import { expect, test } from 'vitest';
import { createEmulatedBoard } from '../../src/drivers/emulated.ts';
import { packetOf } from '../../src/emulators/debug/packets.ts';
import { sampleFirmware } from '../../src/samples.ts';
import { atEnd } from '../support/running.ts';

const soon = () => AbortSignal.timeout(10_000);

async function start() {
	const board = createEmulatedBoard({ emulator: 'arduino-uno', cpuShare: 1, bootRom: undefined });
	let printed = '';
	const output = (bytes: Uint8Array) => {
		printed += Buffer.from(bytes).toString();
	};
	await board.open({ output, lost() {}, connected() {} });
	atEnd(() => board.close());
	const bytes = await sampleFirmware('arduino-uno');
	await board.perform({ action: 'flash', bytes, offset: 0 }, soon());
	await expect.poll(() => printed).toContain('Hello');
	return { board, printed: () => printed };
}

async function attach({ debug }: ReturnType<typeof createEmulatedBoard>) {
	const seen = { received: '', halts: [] as boolean[], reasons: [] as string[] };
	const port = await debug?.open({
		async output(bytes) {
			seen.received += Buffer.from(bytes).toString();
		},
		halted: (isHalted) => void seen.halts.push(isHalted),
		closed: (reason) => void seen.reasons.push(reason),
	});
	if (!port) throw new Error('The board has no debugger');
	return { port, seen, ask: (packet: string) => port.write(Buffer.from(packetOf(packet))) };
}

test('a halted board keeps its input until it goes on', async () => {
	const { board, printed } = await start();
	const { port, seen, ask } = await attach(board);
	await ask('?');
	expect(seen.received).toMatch(/^\+\$T05/);
	await expect.poll(() => seen.halts).toEqual([true]);
	const before = printed();
	await board.write(Buffer.from('typed\n'));
	await ask('g');
	expect(printed()).toBe(before);
	await ask('c');
	await expect.poll(printed).toContain('TYPED');
	await expect.poll(() => seen.halts).toEqual([true, false]);
	await port.close();
	await expect(ask('?')).rejects.toThrow('The debugger is detached');
});

test('a board that is reset or flashed while it is halted stays halted, and runs when the debugger leaves', async () => {
	const { board, printed } = await start();
	const { port, seen, ask } = await attach(board);
	await ask('?');
	await board.perform({ action: 'reset' }, soon());
	const bytes = await sampleFirmware('arduino-uno');
	await board.perform({ action: 'flash', bytes, offset: 0 }, soon());
	await ask('p22');
	expect(seen.received).toMatch(/\$00000000#80$/);
	expect(printed().match(/Hello/g)).toHaveLength(1);
	await port.close();
	await expect.poll(() => printed().match(/Hello/g)).toHaveLength(2);
	expect(seen.reasons).toEqual([]);
});

test('the debugger is told that the board was closed, and cannot be attached to a closed board', async () => {
	const { board } = await start();
	const { seen, ask } = await attach(board);
	await board.close();
	await expect.poll(() => seen.reasons).toEqual(['The emulator has ended']);
	await expect(ask('?')).rejects.toThrow('The debugger is detached');
	await expect(attach(board)).rejects.toThrow('The board is not open');
});

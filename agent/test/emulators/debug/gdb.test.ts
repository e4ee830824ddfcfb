// Emulated boards under the debuggers that people use.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createEmulatedBoard } from '../../../src/drivers/emulated.ts';
import type { EmulatorName } from '../../../src/emulators/boards.ts';
import { debugFirmware, hasDebugger, serve, startDebugger } from '../../support/gdb.ts';
import { atEnd } from '../../support/running.ts';

interface Kind {
	readonly emulator: EmulatorName;
	readonly debuggerName: string;
	readonly firmware: string;
	/** The function of an interrupt that occurs every 128 microseconds. */
	readonly handler: string;
}

const kinds: readonly Kind[] = [
	{
		emulator: 'arduino-uno',
		debuggerName: 'avr-gdb',
		firmware: 'uno-debug',
		handler: '__vector_16',
	},
	{
		emulator: 'rp2040-pico',
		debuggerName: 'gdb-multiarch',
		firmware: 'pico-debug',
		handler: 'on_tick',
	},
];

const soon = () => AbortSignal.timeout(10_000);

/** A board with a debugger that is attached to it. */
async function start({ emulator, debuggerName, firmware }: Kind) {
	const board = createEmulatedBoard({ emulator, cpuShare: 1, bootRom: undefined });
	let printed = '';
	const output = (bytes: Uint8Array) => {
		printed += Buffer.from(bytes).toString();
	};
	await board.open({ output, lost() {}, connected() {} });
	atEnd(() => board.close());
	const elf = debugFirmware(firmware);
	await board.perform({ action: 'flash', bytes: await readFile(elf), offset: 0 }, soon());
	const { address, seen } = await serve(board.debug);
	const gdb = await startDebugger(debuggerName, elf);
	await gdb.run(`target remote ${address}`);
	return { board, gdb, seen, address, printed: () => printed };
}

for (const kind of kinds) describeKind(kind);

function describeKind(kind: Kind) {
	const { emulator, debuggerName, handler } = kind;
	describe.skipIf(!hasDebugger(debuggerName))(`${emulator} (needs ${debuggerName})`, () => {
		const long = { tags: 'long' } as const;

		test('is debugged: break, step, print, change', async () => {
			const { gdb } = await start(kind);
			await gdb.run('break add');
			expect(await gdb.run('continue')).toMatch(/Breakpoint 1, add \(one=\d+, other=.*1\)/);
			expect(await gdb.run('bt')).toMatch(/#1 .* (main|start) \(\)/);
			await gdb.run('set var count = 1000000');
			expect(await gdb.run('finish')).toMatch(/Value returned is .* = \d+/);
			await gdb.run('next');
			await gdb.run('set var count = 1000000');
			expect(await gdb.run('continue')).toMatch(/add \(one=1000000, /);
			expect(await gdb.run('print greeting')).toContain('"hello"');
			expect(await gdb.run('x/4xb &count')).toMatch(/0x40\s+0x42\s+0x0f\s+0x00/);
			expect(await gdb.run('info registers pc')).toContain('<add');
			expect(await gdb.run('detach')).toContain('detached');
		});

		test('takes few packets for a line that takes long, whatever interrupts it', long, async () => {
			const { gdb, seen } = await start(kind);
			await gdb.run('tbreak add');
			await gdb.run('continue');
			await gdb.run('finish');
			const lines: string[] = [];
			const before = seen.packets;
			for (let count = 0; count < 8; count++) lines.push(await gdb.run('next'));
			expect(lines.join('')).not.toContain(handler);
			expect((seen.packets - before) / lines.length).toBeLessThan(100);
			expect(await gdb.run('print ticks')).not.toMatch(/= 0$/m);
		});

		test('halts when a variable is written and read', long, async () => {
			const { gdb } = await start(kind);
			await gdb.run('watch count');
			expect(await gdb.run('continue')).toMatch(/Old value = \d+\s+New value = \d+/);
			await gdb.run('delete');
			await gdb.run('rwatch count');
			expect(await gdb.run('continue')).toMatch(/read watchpoint 2: count\s+Value = \d+/);
			await gdb.run('delete');
			await gdb.run(`break ${handler}`);
			expect(await gdb.run('continue')).toContain(handler);
		});

		test('is interrupted, left and met again, and runs on without a debugger', long, async () => {
			const { gdb, seen, address, printed } = await start(kind);
			gdb.send('continue');
			await expect.poll(() => seen.halts.at(-1)).toBe(false);
			expect(await gdb.interrupt()).toContain('SIGINT');
			expect(seen.halts).toEqual([true, false, true]);
			const before = printed().length;
			expect(await gdb.run('info registers')).toMatch(/pc .*0x/);
			expect(printed()).toHaveLength(before);
			await gdb.run('detach');
			await expect.poll(() => printed().length).toBeGreaterThan(before + 3);
			await gdb.run(`target remote ${address}`);
			await gdb.run('break add');
			expect(await gdb.run('continue')).toContain('Breakpoint 1, add');
			const whenHalted = printed().length;
			gdb.kill();
			await expect.poll(() => printed().length).toBeGreaterThan(whenHalted + 3);
		});

		test('is loaded with a program after its flash was erased', long, async () => {
			const { board, gdb } = await start(kind);
			await board.perform({ action: 'erase' }, soon());
			expect(await gdb.run('load')).toMatch(/Loading section \.text/);
			await gdb.run('monitor reset');
			await gdb.run('break add');
			expect(await gdb.run('continue')).toMatch(/add \(one=41, /);
			// The new machine has the breakpoint too, and waits as the old one did.
			await board.perform({ action: 'reset' }, soon());
			expect(await gdb.run('continue')).toMatch(/add \(one=41, /);
		});

		test('has one debugger, which is told that the power is off', long, async () => {
			const { board, gdb, seen } = await start(kind);
			const events = { async output() {}, closed() {} };
			await expect(board.debug?.open(events)).rejects.toThrow('Another debugger is attached');
			await board.perform({ action: 'power_off' }, soon());
			expect(seen.reasons).toEqual(['The board has no power']);
			expect(await gdb.run('stepi')).toMatch(/closed|not being run/);
			await expect(board.debug?.open(events)).rejects.toThrow('The board has no power');
			await board.perform({ action: 'power_on' }, soon());
			const port = await board.debug?.open(events);
			await port?.close();
		});
	});
}

// An emulated board whose emulator has stopped.
import { expect, test } from 'vitest';
import { createEmulatedBoard } from '../../src/drivers/emulated.ts';
import { unheard } from '../support/virtual.ts';

test('input to an emulator that has stopped is rejected, until an action starts it again', async () => {
	const board = createEmulatedBoard({
		emulator: 'arduino-uno',
		cpuShare: 1,
		bootRom: undefined,
	});
	const stopped = Promise.withResolvers<string>();
	await board.open({ output() {}, lost: stopped.resolve, connected() {} });
	const input = Buffer.from('x');
	await board.write(input);
	const cancelled = board.perform({ action: 'reset' }, AbortSignal.abort());
	await expect(cancelled).rejects.toThrow('Cancelled');
	await stopped.promise;
	await expect(board.write(input)).rejects.toThrow('The emulator has ended');
	await board.perform({ action: 'reset' }, AbortSignal.timeout(10_000));
	await board.write(input);
	await board.close();
});

test('input that the board has not taken is withdrawn at once', async () => {
	const board = createEmulatedBoard({ emulator: 'arduino-uno', cpuShare: 1, bootRom: undefined });
	await board.open(unheard);
	await board.write(Buffer.alloc(4096, 'x'));
	const controller = new AbortController();
	const waiting = board.write(Buffer.from('y'), controller.signal);
	controller.abort();
	await expect(waiting).rejects.toThrow('The firmware did not read them before the next action');
	await board.close();
});

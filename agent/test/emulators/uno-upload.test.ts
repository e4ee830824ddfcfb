// avrdude flashes an emulated Uno, as it flashes a real one: through a boot loader that a reset by DTR starts.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createEmulatedBoard } from '../../src/drivers/emulated.ts';
import { sampleFirmware, sampleFirmwarePath } from '../../src/samples.ts';
import { atEnd, temporaryFolder } from '../support/running.ts';

// CI installs it; elsewhere it may be missing.
const hasAvrdude =
	process.env.REQUIRE_TOOLS !== undefined || spawnSync('which', ['avrdude']).status === 0;

/** An emulated Uno; its serial port is on the network, and each connection resets it. */
async function startUno() {
	const listeners = new Set<(bytes: Uint8Array) => void>();
	let shown = '';
	const board = createEmulatedBoard({ emulator: 'arduino-uno', cpuShare: 1, bootRom: undefined });
	await board.open({
		output(bytes) {
			shown += Buffer.from(bytes).toString('latin1');
			for (const listener of listeners) listener(bytes);
		},
		lost() {},
		connected() {},
	});
	atEnd(() => board.close());
	const reset = async () => {
		await board.setLine?.({ dtr: false });
		await board.setLine?.({ dtr: true });
	};
	const server = createServer(async (socket) => {
		const send = (bytes: Uint8Array) => socket.write(bytes);
		listeners.add(send);
		socket.on('error', () => {}); // avrdude ends as it likes
		socket.on('close', () => listeners.delete(send));
		await reset();
		for await (const bytes of socket) await board.write(bytes);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	atEnd(async () => server.close());
	// An AddressInfo, because the server listens on a port and not on a path.
	const { port } = server.address() as AddressInfo;
	const avrdude = (...args: string[]) =>
		promisify(execFile)('avrdude', [
			...['-p', 'm328p', '-c', 'arduino', '-P', `net:127.0.0.1:${port}`],
			...args,
		]);
	return { board, reset, avrdude, shown: () => shown };
}

describe.skipIf(!hasAvrdude)('avrdude', () => {
	test('writes and verifies firmware, which starts then', { tags: 'long' }, async () => {
		const { avrdude, shown } = await startUno();
		const { stderr } = await avrdude('-U', `flash:w:${sampleFirmwarePath('arduino-uno')}:i`);
		expect(stderr).toMatch(/bytes of flash verified/);
		await expect.poll(shown).toContain('Hello');
	});

	test('replaces firmware that is running, and reads it back', { tags: 'long' }, async () => {
		const { board, avrdude } = await startUno();
		const bytes = await sampleFirmware('arduino-uno');
		await board.perform({ action: 'flash', bytes, offset: 0 }, AbortSignal.timeout(10_000));
		const folder = await temporaryFolder();
		const [written, read] = [join(folder, 'written'), join(folder, 'read')];
		await writeFile(written, Buffer.alloc(1024, 'firmware'));
		await avrdude('-U', `flash:w:${written}:r`);
		await avrdude('-U', `flash:r:${read}:r`);
		expect((await readFile(read)).subarray(0, 1024)).toEqual(await readFile(written));
	});

	test('writes and reads the EEPROM', { tags: 'long' }, async () => {
		const { avrdude } = await startUno();
		const folder = await temporaryFolder();
		const [written, read] = [join(folder, 'written'), join(folder, 'read')];
		await writeFile(
			written,
			Uint8Array.from({ length: 1024 }, (_, index) => index / 4),
		);
		await avrdude('-U', `eeprom:w:${written}:r`);
		await avrdude('-U', `eeprom:r:${read}:r`);
		expect(await readFile(read)).toEqual(await readFile(written));
	});
});

describe('a reset of an emulated Uno', () => {
	const never = new AbortController().signal;

	test('by DTR starts its firmware after the boot loader has waited, or has got other input', async () => {
		const { board, reset, shown } = await startUno();
		const bytes = await sampleFirmware('arduino-uno');
		await board.perform({ action: 'flash', bytes, offset: 0 }, never);
		await expect.poll(shown).toContain('Hello');
		const starts = () => shown().split('Hello').length - 1;
		await reset();
		await board.write(Buffer.from('typed\r'));
		await expect.poll(shown).toContain('TYPED');
		expect(starts()).toBe(2);
		await reset();
		await expect.poll(starts).toBe(3);
	});

	test('by an action starts the firmware at once, whatever it is sent', async () => {
		const { board, shown } = await startUno();
		const bytes = await sampleFirmware('arduino-uno');
		await board.perform({ action: 'flash', bytes, offset: 0 }, never);
		await board.write(Buffer.from('0 0 \r'));
		await expect.poll(shown).toContain('0 0 \r\n');
		expect(shown()).not.toContain('\x14\x10');
	});
});

test('an emulated board remembers how its port is set, for the lease', async () => {
	const { board } = await startUno();
	const state = await board.setLine?.({ baud: 300, parity: 'even', purge: true });
	expect(state).toMatchObject({ baud: 300, parity: 'even', data_bits: 8, dtr: true });
	expect(await board.setLine?.({})).toEqual(state);
	await board.close();
	await board.open({ output() {}, lost() {}, connected() {} });
	expect(await board.setLine?.({})).toMatchObject({ baud: 115_200, parity: 'none' });
});

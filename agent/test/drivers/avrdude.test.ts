// @module-tag long
// The preset for avrdude with the real tool and a simulated programmer.
import { spawnSync } from 'node:child_process';
import { readFirmware } from 'board-access-contract/firmware';
import { describe, expect, test } from 'vitest';
import { presets } from '../../src/drivers/presets.ts';
import { sampleFirmware } from '../../src/samples.ts';
import { atEnd, type BoardSettings, startWith } from '../support/running.ts';
import { createProgrammer } from '../support/stk500.ts';

const installed = spawnSync('which', ['avrdude']).status === 0;

async function startBoard(more: object = {}) {
	const programmer = await createProgrammer();
	atEnd(programmer.stop);
	const port = `net:127.0.0.1:${programmer.port}`;
	const board: BoardSettings = {
		id: 'real',
		type: 'arduino-uno',
		driver: 'command',
		between_leases: 'erase',
		preset: 'avrdude',
		with: { port },
		memory: { start: 0, size: 0x7e00 },
		...more,
	};
	return { programmer, ...(await startWith([board])) };
}

describe.skipIf(!installed)('a board with the preset avrdude (needs avrdude)', () => {
	test('is flashed with the content of the file, and reset', async () => {
		const { programmer, service } = await startBoard();
		const lease = service.grant('real');
		const file = await sampleFirmware('arduino-uno');
		const flashed = await service.act(lease, 'flash', { file });
		expect(flashed).toMatchObject({ status: 'done', message: expect.stringMatching(/verified/) });
		expect(flashed.progress.at(-1)).toBe(100);
		const [segment] = readFirmware(file).segments;
		expect(programmer.flash.subarray(0, segment?.data.length)).toEqual(segment?.data);
		expect(await service.act(lease, 'reset')).toMatchObject({ status: 'done' });
	});

	test('flashes a raw file at an offset', async () => {
		const { programmer, service } = await startBoard();
		const bytes = Buffer.from('raw bytes of firmware');
		const done = await service.act(service.grant('real'), 'flash', {
			file: bytes,
			offset: '0x400',
		});
		expect(done).toMatchObject({ status: 'done' });
		expect(Buffer.from(programmer.flash.subarray(0x400, 0x400 + bytes.length))).toEqual(bytes);
	});

	test('is erased after the lease through its boot loader, which ignores a chip erase and stays', async () => {
		const { programmer, service } = await startBoard();
		programmer.flash.fill(0xb0, 0x7e00);
		programmer.flash.fill(0x5e, 0, 300);
		const lease = service.grant('real');
		expect(await service.act(lease, 'reset')).toMatchObject({ status: 'done' });
		expect(programmer.flash.subarray(0, 0x7e00)).toEqual(new Uint8Array(0x7e00).fill(0xff));
		await service.act(lease, 'flash', { file: await sampleFirmware('arduino-uno') });
		expect(programmer.flash[0]).not.toBe(0xff);
		service.release(lease);
		await expect
			.poll(() => programmer.flash.subarray(0, 0x7e00).every((byte) => byte === 0xff))
			.toBe(true);
		expect(programmer.flash.subarray(0x7e00)).toEqual(new Uint8Array(0x200).fill(0xb0));
	});

	test('is not used if it was not erased', async () => {
		const { erase, read_flash } = presets.avrdude;
		const onlyChip = erase.slice(0, erase.indexOf('-e') + 1);
		const { programmer, service } = await startBoard({
			erase: onlyChip,
			read_flash: [...read_flash],
		});
		programmer.flash.fill(0x5e, 0x40, 300);
		expect(await service.act(service.grant('real'), 'reset')).toMatchObject({
			status: 'failed',
			message:
				'The board cannot be erased after its last lease: the flash has 0x5e instead of 0xff at 0x40',
		});
	});

	test('reports a missing programmer', async () => {
		const { programmer, service } = await startBoard();
		await programmer.stop();
		const file = await sampleFirmware('arduino-uno');
		expect(await service.act(service.grant('real'), 'flash', { file })).toMatchObject({
			status: 'failed',
			message: expect.stringMatching(/: avrdude exited with code 1:.*(refused|connect)/is),
		});
	});
});

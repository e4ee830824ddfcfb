// A lease from end to end with an emulated board: lease, prepare, flash, match, type, reset, release.
import { startAgent } from 'board-access-agent';
import { sampleBaseImage, sampleFirmware } from 'board-access-agent/samples';
import { afterEach, describe, expect, test } from 'vitest';
import { storeImage } from '../../../core/src/base-images/store.ts';
import { keepDownload } from '../../../core/src/leases/files/store.ts';
import { backends, onPostgres, onSqlite } from '../support/backends.ts';
import { type Bench, createUser, openBench } from '../support/bench.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts an agent with emulated boards, and waits until it is connected. */
async function emulate({ token, boardIds, baseUrl, fetch }: Bench) {
	const agent = await startAgent({
		config: {
			service: baseUrl,
			token,
			boards: boardIds.map((id) => ({ id, type: 'arduino-uno', driver: 'emulated' as const })),
		},
		fetch,
	});
	cleanups.push(() => agent.stop());
	await agent.whenConnected();
	return agent;
}

async function offerBaseImages({ services }: Bench) {
	const { query } = services.database;
	const url = 'https://images.example.com/ticks.hex';
	await keepDownload(query, { url, data: Buffer.from(await sampleBaseImage()) });
	const common = { board_type: 'lab-uno', description: '', flash_offset: '0x0', enabled: true };
	await storeImage(query, { ...common, action: 'erase', name: 'Erase', url: '' });
	await storeImage(query, { ...common, action: 'flash', name: 'Ticks', url });
}

describe.each(backends)('$name', (opening) => {
	test('a board is leased, prepared, flashed, used through its console, reset and released', async () => {
		const bench = await openBench(opening, { boardType: 'lab-uno' });
		cleanups.push(() => bench.close());
		const { user } = bench;
		await offerBaseImages(bench);
		await emulate(bench);

		const lease = await user.activeLease({ board_type: 'lab-uno' });
		const { body: prepared } = await user.json(`/leases/${lease.id}/actions`);
		expect(
			prepared.data.map(({ action, name, phase, status }: Record<string, string>) => [
				action,
				name,
				phase,
				status,
			]),
		).toEqual([
			['power_cycle', null, 'prepare', 'done'],
			['erase', 'Erase', 'prepare', 'done'],
			['flash', 'Ticks', 'prepare', 'done'],
			['reset', null, 'prepare', 'done'],
		]);
		const output = await user.console(lease.id);
		await output.see('tick');

		const flashed = await user.flash(lease.id, await sampleFirmware('arduino-uno'));
		expect(flashed).toMatchObject({ action: 'flash', phase: 'use', status: 'done' });
		await output.see('Hello from Arduino Uno');
		await user.type(lease.id, 'hello\r');
		await output.see('HELLO');
		expect(await user.act(lease.id, { action: 'reset' })).toMatchObject({ status: 'done' });
		await user.json(`/leases/${lease.id}/renew`, 'POST', { minutes: 5 });
		await user.release(lease.id);
		await output.ended;

		const again = await user.console(lease.id);
		await again.ended;
		expect(again.bytes()).toEqual(output.bytes());
		expect(output.response.headers.get('x-accel-buffering')).toBe('no');
		expect((await user.json(`/leases/${lease.id}`)).body.end_reason).toBe('released');
		expect((await user.json('/boards/brd_bench_1')).body.status).toBe('available');
	});
});

test('firmware that is not for the board is rejected before it is flashed', async () => {
	const bench = await openBench(onSqlite, { boardType: 'lab-uno' });
	cleanups.push(() => bench.close());
	const { user } = bench;
	await emulate(bench);
	const lease = await user.activeLease({ board_type: 'lab-uno' });
	const messageFor = async (file: Uint8Array | string, query?: string) => {
		const { error } = await (await user.upload(lease.id, file, query)).json();
		expect(error.code).toBe('invalid_firmware');
		return error.message;
	};
	const text = '# A file that was meant for people';
	expect(await messageFor(text)).toBe(
		'The file is neither Intel HEX, UF2 nor ELF. To flash its bytes as they are, pass raw=true.',
	);
	expect(await messageFor(await sampleFirmware('rp2040-pico'))).toMatch(
		/^The UF2 file has \d+ bytes at 0x10000000, outside the flash \(0x0 to 0x7fff\): it may be for another type of board\.$/,
	);
	expect(await messageFor(armProgram())).toBe('The ELF file is for ARM, not AVR.');
	expect(await messageFor(new Uint8Array(32 * 1024 + 1), '?raw=true')).toBe(
		'The raw file has 32769 bytes at 0x0, outside the flash (0x0 to 0x7fff).',
	);
	const raw = await user.upload(lease.id, text, '?raw=true');
	expect(raw.status).toBe(201);
	const hex = await user.upload(lease.id, await sampleFirmware('arduino-uno'));
	const messageAt = async (file: Response, flash_offset: string) => {
		const flash = { action: 'flash', file_id: (await file.json()).id, flash_offset };
		const { body } = await user.json(`/leases/${lease.id}/actions`, 'POST', flash);
		expect(body.error.code).toBe('invalid_firmware');
		return body.error.message;
	};
	expect(await messageAt(raw, '0x7fff')).toBe(
		'The raw file has 34 bytes at 0x7fff, outside the flash (0x0 to 0x7fff).',
	);
	expect(await messageAt(hex, '0x100')).toBe(
		'The file is Intel HEX, which has its own addresses; a flash offset applies to raw files only.',
	);
	expect((await user.upload(lease.id, text, '?raw=yes')).status).toBe(400);
	await user.release(lease.id);
});

/** An ELF file for ARM with four bytes to load. */
function armProgram() {
	const bytes = Buffer.alloc(88);
	bytes.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
	bytes.writeUInt16LE(40, 18);
	bytes.writeUInt32LE(52, 28);
	bytes.writeUInt16LE(32, 42);
	bytes.writeUInt16LE(1, 44);
	for (const [index, word] of [1, 84, 0, 0, 4, 4].entries()) {
		bytes.writeUInt32LE(word, 52 + index * 4);
	}
	return bytes;
}

test('the agent is on one replica and the user on another', { tags: 'long' }, async () => {
	const bench = await openBench(onPostgres, { boardType: 'lab-uno' });
	cleanups.push(() => bench.close());
	const other = await onPostgres.open({ database: bench.services.settings.database, demo: false });
	cleanups.push(() => other.close());
	await emulate(bench);

	const user = createUser(other, bench.apiKey);
	const lease = await user.activeLease({ board_type: 'lab-uno' });
	await user.flash(lease.id, await sampleFirmware('arduino-uno'));
	const output = await user.console(lease.id);
	await output.see('Hello from Arduino Uno');
	for (let count = 0; count < 20; count += 1) {
		await user.type(lease.id, `word${count}\r`);
		await output.see(`WORD${count}`);
	}
	await user.release(lease.id);
	await output.ended;
});

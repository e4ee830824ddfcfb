// Firmware is read in a thread of its own: whatever an account uploads, the others are served meanwhile.
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readFirmware } from 'board-access-contract/firmware';
import { afterEach, expect, test, vi } from 'vitest';
import { uf2Block } from '../../../agent/test/support/files.ts';
import { createClock } from '../../../core/src/database/clock.ts';
import { settingsFrom } from '../../../core/src/env.ts';
import { readInThread } from '../../../core/src/leases/files/thread.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { createLimits } from '../../src/http/limits/rate-limits.ts';
import { type Lab, openLab } from '../support/leasing.ts';

let lab: Lab | undefined;
afterEach(async () => {
	await lab?.close();
	lab = undefined;
	vi.restoreAllMocks();
});

async function openBoard() {
	const opened = await openLab('SQLite', { boards: unoBoards(1) });
	lab = opened;
	const user = await opened.account();
	const { id } = (await user.lease({ board_type: 'uno', minutes: 60 })).body;
	await addAgent(opened.query, ['brd_uno_1'], ['flash']);
	const upload = async (
		data: Buffer<ArrayBuffer>,
		{ lease = id, key }: { lease?: string; key?: string } = {},
	) => {
		const headers = {
			authorization: `Bearer ${user.key}`,
			'content-type': 'application/octet-stream',
			...(key !== undefined && { 'idempotency-key': key }),
		};
		const url = `http://localhost/v1/leases/${lease}/files`;
		const response = await opened.app.fetch(
			new Request(url, { method: 'POST', headers, body: data }),
			{},
		);
		const { error } = await response.json();
		return { status: response.status, code: error?.code, message: error?.message };
	};
	return { lab: opened, id: id as string, user, upload, other: await opened.account() };
}

const mebibyte = 1024 * 1024;

/** Half of what an upload may have, in records of a byte each, and broken in its last one. */
function slowHex() {
	const lines = [];
	for (let address = 0; address < (8 * mebibyte) / 14; address += 1) {
		if (address % 0x10000 === 0)
			lines.push(record([2, 0, 0, 4, address >> 24, (address >> 16) & 0xff]));
		lines.push(record([1, (address >> 8) & 0xff, address & 0xff, 0, 7]));
	}
	return Buffer.from(`${lines.join('\n')}\n:00000001FE\n`);
}

function record(bytes: number[]) {
	const sum = -bytes.reduce((one, other) => one + other) & 0xff;
	return `:${Buffer.from([...bytes, sum]).toString('hex')}`;
}

test('a thread that runs out of memory or time rejects the file, and the next one is read', async () => {
	const blocks = Array.from({ length: 32 * 1024 }, (_, number) =>
		uf2Block({ address: number * 512, data: Buffer.alloc(256), number, count: 32 * 1024 }),
	);
	const file = { data: Buffer.concat(blocks), raw: false };
	await expect(readInThread(file, { milliseconds: 60_000, mebibytes: 6 })).rejects.toMatchObject({
		code: 'invalid_firmware',
		message: 'The file needs too much memory to be read.',
	});
	await expect(readInThread(file, { milliseconds: 1, mebibytes: 64 })).rejects.toMatchObject({
		code: 'unavailable',
		message: 'The file was not read in time.',
	});
	expect(await readInThread(file)).toMatchObject({ format: 'uf2' });
	expect(await readInThread({ data: Buffer.from('raw'), raw: true })).toEqual({
		format: 'raw',
		sha256: createHash('sha256').update('raw').digest('hex'),
	});
});

test.runIf(process.platform === 'linux')('the thread has a lower priority', async () => {
	await readInThread({ data: Buffer.from('raw'), raw: true });
	const threads = (await readdir('/proc/self/task')).map(priorityOf);
	expect(threads).toContain(Math.min(getPriority() + 10, 19));
});

function priorityOf(thread: string) {
	try {
		return getPriority(Number(thread));
	} catch {
		return 'ended';
	}
}

test('others are served while an account uploads what takes long to read', {
	tags: 'long',
}, async () => {
	const { upload, other } = await openBoard();
	const file = slowHex();
	const began = performance.now();
	expect(() => readFirmware(file)).toThrow('the checksum does not match');
	const readingTime = performance.now() - began;
	// Also so that the code is compiled.
	expect(await upload(file)).toMatchObject({
		code: 'invalid_firmware',
		message: expect.stringMatching(/^Line \d{6}: the checksum does not match\.$/),
	});
	let uploading = true;
	const attack = (async () => {
		for (let count = 0; count < 5; count += 1) {
			// On a slow machine, it uses up the time that an account has in a minute.
			expect(['invalid_firmware', 'rate_limited']).toContain((await upload(file)).code);
		}
		uploading = false;
	})();
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	let served = 0;
	while (uploading) {
		expect((await other.send('GET', '/boards?limit=20')).status).toBe(200);
		served += 1;
		// As a request over a socket does: this one is served without leaving the turn.
		await nextTurn();
	}
	await attack;
	// Far fewer, if the service stood still while it reads.
	expect(served).toBeGreaterThan(25);
	// Not the longest one, which the other processes of a busy machine decide.
	expect(delay.percentile(95) / 1e6).toBeLessThan(readingTime / 2);
});

test('the firmware of an account is read one file after the other, and of all accounts two at a time', async () => {
	const { readFirmware: inTurn } = createLimits({ clock: createClock() }, settingsFrom({}));
	const running: string[] = [];
	const seen: string[][] = [];
	const read = (name: string) => async () => {
		running.push(name);
		seen.push([...running]);
		await new Promise((resolve) => setImmediate(resolve));
		running.splice(running.indexOf(name), 1);
	};
	const names = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd'];
	await Promise.all(names.map((name) => inTurn(name, read(name))));
	expect(seen.flat().filter((name) => name === 'a').length).toBeGreaterThanOrEqual(3);
	expect(Math.max(...seen.map(({ length }) => length))).toBe(2);
	expect(seen.filter((names) => new Set(names).size < names.length)).toEqual([]);
});

test('a key of a lease that ended gets its own upload again and has nothing else read', async () => {
	const { lab, id, user, upload } = await openBoard();
	const queued = await user.lease(
		{ board_id: 'brd_uno_1', wait_seconds: 600 },
		{ headers: { 'idempotency-key': 'of a lease' } },
	);
	expect(queued.body.status).toBe('queued');
	await user.release(queued.body.id);
	const file = Buffer.from(':00000001FF\n');
	const broken = Buffer.from(':00000001FE\n');
	const sound = Buffer.from(`${record([1, 0, 0, 0, 7])}\n${file}`);
	expect((await upload(sound, { key: 'of a file' })).status).toBe(201);
	await user.release(id);
	const read = vi.spyOn(lab.services.limits, 'readFirmware');
	for (const [lease, key] of [
		[queued.body.id, 'of a lease'],
		[queued.body.id, 'of a file'],
		[id, 'of a lease'],
	]) {
		expect(await upload(broken, { lease, key })).toMatchObject({ code: 'lease_ended' });
	}
	expect((await upload(broken, { key: 'of a file' })).code).toBe('idempotency_conflict');
	expect((await upload(sound, { key: 'of a file' })).status).toBe(201);
	expect(read).not.toHaveBeenCalled();
});

test('many accounts delay another by one file each, and its waiting uses up none of its time', async () => {
	const { readFirmware: inTurn } = createLimits({ clock: createClock() }, settingsFrom({}));
	let time = 0;
	vi.spyOn(performance, 'now').mockImplementation(() => time);
	let finished = 0;
	const slow = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		time += 2_000;
		finished += 1;
	};
	const attacks = Array.from({ length: 12 }, async (_, index) => {
		for (;;) await inTurn(`attacker ${index}`, slow);
	});
	let attacking = true;
	const ended = Promise.allSettled(attacks).then(() => {
		attacking = false;
	});
	const waitedFor: number[] = [];
	while (attacking) {
		const before = finished;
		await inTurn('victim', async () => waitedFor.push(finished - before));
	}
	await ended;
	expect(waitedFor.length).toBeGreaterThan(3);
	// One of each, and those that end while the request arrives.
	expect(Math.max(...waitedFor)).toBeLessThanOrEqual(14);
});

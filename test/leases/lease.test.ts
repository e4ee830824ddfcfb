import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BoardAccess, Lease } from 'board-access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorOf, skipWaits } from '../support/client.ts';
import { createLeaseService, type LeaseService, listen } from '../support/lease-service.ts';

let service: LeaseService;
let client: BoardAccess;
let lease: Lease;

beforeEach(async () => {
	skipWaits();
	service = createLeaseService();
	client = service.createClient();
	lease = await client.leases.create({ boardType: 'arduino-uno' });
});

afterEach(async () => {
	service.faults.length = 0;
	await lease.release();
	vi.restoreAllMocks();
});

const requestOf = (endpoint: string) => {
	const [request] = service.requests(endpoint);
	return { ...request, json: JSON.parse(new TextDecoder().decode(request?.body)) };
};

describe('an action', () => {
	it.each([
		['erase', () => lease.erase()],
		['reset', () => lease.reset()],
		['power_on', () => lease.power('on')],
		['power_off', () => lease.power('off')],
		['power_cycle', () => lease.power('cycle')],
	])('%s is requested once and waited for', async (action, perform) => {
		service.setOnAction((created) => {
			setTimeout(() => service.finish(created, 'done', 'Took 3 ms'), 20);
		});
		expect(await perform()).toMatchObject({ action, status: 'done', message: 'Took 3 ms' });
		const { json, headers } = requestOf('POST /v1/leases/actions');
		expect(json).toEqual({ action });
		expect(headers?.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
		const [poll] = service.requests('GET /v1/leases/actions/act_1');
		expect(poll?.query.get('wait')).toBe('2');
	});

	it('that fails rejects with the message of the agent', async () => {
		service.setOnAction((action) => service.finish(action, 'failed', 'avrdude: not in sync'));
		expect(await errorOf(lease.reset())).toMatchObject({
			name: 'ActionFailedError',
			code: 'action_failed',
			message: 'avrdude: not in sync',
			action: { id: 'act_1', action: 'reset', status: 'failed' },
		});
	});

	it('is awaited through temporary errors', async () => {
		let failed = 0;
		service.setOnAction((action) => {
			service.faults.push(({ path }) =>
				path.includes('/actions/') && ++failed <= 6 ? service.lost() : undefined,
			);
			service.finish(action, 'done');
		});
		expect(await lease.reset()).toMatchObject({ status: 'done' });
		expect(failed).toBe(7);
		expect(service.actions).toHaveLength(1);
	});

	it('rejects with the reason when the lease ends meanwhile', async () => {
		service.setOnAction((action) => {
			service.end('agent_lost');
			service.finish(action, 'failed', 'The lease has ended.');
		});
		expect(await errorOf(lease.reset())).toMatchObject({
			name: 'LeaseEndedError',
			reason: 'agent_lost',
		});
	});

	it('is rejected with the reason when the lease had ended unnoticed', async () => {
		service.end('admin', 'Needed elsewhere.');
		const error = await errorOf(lease.reset());
		expect(error).toMatchObject({ name: 'LeaseEndedError', reason: 'admin' });
		expect(lease).toMatchObject({ status: 'ended', endReason: 'admin' });
	});

	it('that fails rejects with its own error, even when the lease cannot be read', async () => {
		service.setOnAction((action) => service.finish(action, 'failed', 'avrdude: not in sync'));
		service.faults.push(({ method, path }) =>
			method === 'GET' && path.endsWith('/lse_1') ? service.lost() : undefined,
		);
		expect(await errorOf(lease.reset())).toMatchObject({ name: 'ActionFailedError' });
	});

	it('happens once, even when responses are lost', async () => {
		let lost = 0;
		service.lateFaults.push(({ method, path }) =>
			method === 'POST' && /(actions|files)$/.test(path) && ++lost <= 8 && lost !== 5
				? service.lost()
				: undefined,
		);
		await lease.flash(Uint8Array.of(1), { raw: true });
		expect(lost).toBe(9);
		expect(service.files).toHaveLength(1);
		expect(service.actions).toHaveLength(1);
	});

	it.each([0, -1, Number.NaN])('rejects the timeout %d', async (timeout) => {
		const { signal } = new AbortController();
		expect(await errorOf(lease.reset({ timeout, signal }))).toMatchObject({
			name: 'InputError',
			issues: [{ path: 'timeout' }],
		});
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		expect(service.actions).toEqual([]);
	});

	it('stops waiting on abort and after its timeout', async () => {
		service.setOnAction(() => {});
		const abort = new AbortController();
		const { signal } = abort;
		const waiting = errorOf(lease.reset({ signal }));
		await expect.poll(() => service.requests('GET /v1/leases/actions/act_1')).toHaveLength(1);
		const reason = new Error('enough');
		abort.abort(reason);
		expect(await waiting).toBe(reason);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		expect(await errorOf(lease.reset({ timeout: 30 }))).toMatchObject({
			name: 'RequestTimeoutError',
		});
	});

	it('is listed', async () => {
		await lease.reset();
		expect(await lease.actions()).toMatchObject([{ id: 'act_1', action: 'reset', phase: 'use' }]);
	});
});

describe('flashing', () => {
	const firmware = Uint8Array.of(1, 2, 3);

	it.each([
		['a Uint8Array', firmware],
		['a part of a buffer', new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4)],
		['an ArrayBuffer', firmware.buffer],
		['a Blob', new Blob([firmware])],
	])('uploads %s and flashes it', async (_, given) => {
		const progress: unknown[] = [];
		await lease.flash(given, {
			raw: true,
			flashOffset: '0x1000',
			name: 'blink.bin',
			onProgress: ({ step, bytes, total, percent }) => progress.push([step, bytes, total, percent]),
		});
		expect(service.files).toEqual([firmware]);
		const { json } = requestOf('POST /v1/leases/actions');
		expect(json).toEqual({
			action: 'flash',
			name: 'blink.bin',
			file_id: 'fil_1',
			flash_offset: '0x1000',
		});
		expect(progress).toEqual([
			['uploading', 0, 3, null],
			['queued', 3, 3, null],
			['flashing', 3, 3, null],
		]);
	});

	it('reports the percentages of the flash tool as the service has them', async () => {
		const begun = Promise.withResolvers<Parameters<typeof service.finish>[0]>();
		service.setOnAction((action) => {
			begun.resolve(Object.assign(action, { status: 'running', progress: 40 }));
		});
		const progress: unknown[] = [];
		const done = await lease.flash(firmware, {
			raw: true,
			async onProgress({ step, percent }) {
				progress.push([step, percent]);
				if (percent === 40)
					service.finish(Object.assign(await begun.promise, { progress: 100 }), 'done');
			},
		});
		expect(progress).toEqual([
			['uploading', null],
			['queued', null],
			['flashing', 40],
			['flashing', 100],
		]);
		expect(done).toMatchObject({ status: 'done', progress: 100 });
	});

	it('rejects bytes of no known format before the upload, except with raw', async () => {
		expect(await errorOf(lease.flash(firmware))).toMatchObject({
			name: 'InputError',
			message:
				'firmware: The file is neither Intel HEX, UF2 nor ELF. To flash its bytes as they are, pass raw: true',
		});
		expect(service.requests('POST /v1/leases/files')).toEqual([]);
		await lease.flash(firmware, { raw: true });
		expect(service.requests('POST /v1/leases/files')[0]?.query.get('raw')).toBe('true');
	});

	it('rejects the name of a file before anything is sent', async () => {
		// @ts-expect-error bytes are needed
		const error = await errorOf(lease.flash('firmware.hex'));
		expect(error).toMatchObject({ name: 'InputError', hint: expect.stringContaining('readFile') });
		expect(service.files).toEqual([]);
	});

	it('rejects with the problem that the service found in the file', async () => {
		service.faults.push(({ path }) =>
			path.endsWith('/files')
				? service.failure(400, 'invalid_firmware', 'Line 3: the checksum does not fit.')
				: undefined,
		);
		const error = await errorOf(lease.flash(firmware, { raw: true }));
		expect(error).toMatchObject({ name: 'ApiError', code: 'invalid_firmware' });
		expect(service.actions).toEqual([]);
	});
});

describe('releasing', () => {
	it('updates the fields, and changes nothing the second time', async () => {
		expect(await lease.release()).toMatchObject({ status: 'ended', endReason: 'released' });
		expect(lease).toMatchObject({ status: 'ended', endReason: 'released' });
		await lease.release();
		expect(service.requests('DELETE /v1/leases')).toHaveLength(1);
		expect(await errorOf(lease.reset())).toMatchObject({ reason: 'released' });
	});

	it('fails if only a proxy has responded, and can be repeated', async () => {
		service.faults.push(() => new Response(''));
		expect(await errorOf(lease.release())).toMatchObject({ code: 'invalid_response' });
		expect(lease.status).toBe('active');
		service.faults.length = 0;
		expect(await lease.release()).toMatchObject({ status: 'ended', endReason: 'released' });
	});

	it('happens at the end of a block, even when the block throws', async () => {
		const failing = async () => {
			await using held = await client.leases.get('lse_1');
			throw new Error(`a bug of the user of ${held.id}`);
		};
		expect(await errorOf(failing())).toMatchObject({ message: 'a bug of the user of lse_1' });
		expect(service.requests('DELETE /v1/leases')).toHaveLength(1);
	});

	it('that fails at the end of a block does not hide the error of the block', async () => {
		service.faults.push(({ method }) =>
			method === 'DELETE' ? service.failure(403, 'origin_refused', 'No') : undefined,
		);
		const failing = async () => {
			await using held = await client.leases.get('lse_1');
			throw new Error(`a bug of the user of ${held.id}`);
		};
		expect(await errorOf(failing())).toMatchObject({ message: 'a bug of the user of lse_1' });
	});
});

it('reads the lease again', async () => {
	service.end('admin', 'Needed elsewhere.');
	expect(await lease.refresh()).toMatchObject({ status: 'ended', endReason: 'admin' });
	expect(lease.endMessage).toBe('Needed elsewhere.');
});

it('does not keep the process alive', { timeout: 30_000 }, async () => {
	const server = await listen(service);
	const module = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
	const script = `
		import { BoardAccess } from '${module}';
		const client = new BoardAccess();
		const lease = await client.leases.create({ boardType: 'arduino-uno' });
		await lease.console.write('a');
		await lease.console.expect('booted');
		for await (const text of lease.console) break;
		console.log(lease.status);
	`;
	service.print('booted');
	try {
		const { stdout } = await promisify(execFile)(
			process.execPath,
			['--input-type=module', '--eval', script],
			{
				env: {
					...process.env,
					SERVICE_BASE_URL: server.baseUrl,
					SERVICE_API_KEY: `key_${'0'.repeat(48)}`,
				},
				timeout: 15_000,
			},
		);
		expect(stdout).toBe('active\n');
	} finally {
		server.close();
	}
});

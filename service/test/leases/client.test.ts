// The client's leases against the service, with an emulated board.
// biome-ignore lint/style/noRestrictedImports: a random pause; nothing is expected after it.
import { setTimeout as wait } from 'node:timers/promises';
import { BoardAccess, type LeaseProgress } from 'board-access';
import { startAgent } from 'board-access-agent';
import { sampleFirmware } from 'board-access-agent/samples';
import { afterEach, describe, expect, test } from 'vitest';
import { chattyUno, echoUno } from '../../../agent/test/support/chatty-uno.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { backends, type Opening } from '../support/backends.ts';
import { type Bench, openBench } from '../support/bench.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A client of a service that has one emulated board. */
async function open(opening: Opening) {
	const bench = await openBench(opening, { boardType: 'lab-uno' });
	cleanups.push(() => bench.close());
	const { token, boardIds, baseUrl, apiKey, fetch } = bench;
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
	return { bench, client: new BoardAccess({ baseUrl, apiKey, fetch }) };
}

/** What the service keeps for a board, and what the serial port of an emulated board keeps. */
const kept = (64 + 4) * 1024;

async function readAll(console: AsyncIterable<string>) {
	let text = '';
	for await (const part of console) text += part;
	return text;
}

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	test('a board is leased, flashed, used through its console, reset, renewed and released', async () => {
		const { client } = await open(opening);
		const memory = { start: 0, size: 32 * 1024, machine: 83 };
		const listed = await client.boards.list({ boardType: 'lab-uno' });
		expect(listed).toEqual([expect.objectContaining({ memory })]);
		expect(await client.boards.get('brd_bench_1')).toEqual(listed[0]);
		const seen: string[] = [];
		const onProgress = ({ lease, steps }: LeaseProgress) =>
			seen.push(`${lease.status} ${steps.length}`);
		const lease = await client.leases.create(
			{ boardType: 'lab-uno', waitMs: 10_000 },
			{ onProgress },
		);
		expect(lease).toMatchObject({ status: 'active', boardId: 'brd_bench_1', minutes: 2 });
		expect(seen.at(-1)).toMatch(/^active [1-9]/);
		const all = readAll(lease.console);

		expect(await lease.flash(await sampleFirmware('arduino-uno'))).toMatchObject({
			action: 'flash',
			status: 'done',
		});
		await lease.console.expect('Hello from Arduino Uno', { timeout: 20_000 });
		await lease.console.write('hello\r');
		expect(await lease.console.expect(/HELL(O)/, { timeout: 20_000 })).toMatchObject({
			matched: 'HELLO',
			groups: { 1: 'O' },
		});
		await Promise.all([...'typing\r'].map((letter) => lease.console.write(letter)));
		await lease.console.expect('TYPING', { timeout: 20_000 });
		await lease.reset();
		await lease.console.expect('Hello from Arduino Uno', { timeout: 20_000 });
		const expiresAt = Date.parse(lease.expiresAt ?? '');
		await lease.renew({ durationMs: 300_000 });
		expect(Date.parse(lease.expiresAt ?? '') - expiresAt).toBeGreaterThan(2 * 60_000);
		expect((await lease.actions()).at(-1)).toMatchObject({ action: 'reset', status: 'done' });

		await lease.release();
		expect(await all).toMatch(/Hello from Arduino Uno.*HELLO.*TYPING.*Hello from Arduino Uno/s);
		expect((await client.leases.get(lease.id)).endReason).toBe('released');
		const [ended] = await client.leases.list({ status: 'ended' });
		expect(ended?.id).toBe(lease.id);
	});

	rule('new firmware never passes by the output of the old firmware', async () => {
		const { client } = await open(opening);
		await using lease = await client.leases.create({ boardType: 'lab-uno', waitMs: 10_000 });
		for (let round = 0; round < 3; round++) {
			await lease.flash(chattyUno('PASS\n'), { raw: true });
			await lease.console.expect('PASS', { timeout: 20_000 });
			await wait(Math.random() * 50);
			const flashing = lease.flash(chattyUno('silent\n'), { raw: true });
			if (round % 2 === 0) await flashing;
			const passing = lease.console.expect('PASS', { fail: 'silent', timeout: 20_000 });
			await expect(passing).rejects.toMatchObject({ code: 'fail_seen' });
			await flashing;
			const from = lease.console.actionOffset;
			for await (const text of lease.console.text({ from })) {
				expect(text).toMatch(/^silent/);
				break;
			}
		}
	});

	rule(
		'a write to firmware that reads nothing fails with the number of bytes sent',
		{ tags: 'long' },
		async () => {
			const { bench } = await open(opening);
			const stop = new AbortController();
			let end = 0;
			const fetch: typeof bench.fetch = async (input, init) => {
				const response = await bench.fetch(input, init);
				end = Number(response.headers.get('x-console-offset') ?? end);
				if (response.status === 409 && end === kept) stop.abort('full');
				return response;
			};
			const client = new BoardAccess({ baseUrl: bench.baseUrl, apiKey: bench.apiKey, fetch });
			await using lease = await client.leases.create({ boardType: 'lab-uno', waitMs: 10_000 });
			await lease.flash(chattyUno('busy\n'), { raw: true });
			const write = lease.console.write('lost'.repeat(75_000), { signal: stop.signal });
			await expect(write).rejects.toMatchObject({
				name: 'WriteError',
				sent: kept,
				total: 300_000,
				cause: 'full',
			});

			await lease.flash(echoUno, { raw: true });
			const input = Array.from({ length: 15_000 }, (_, number) => `${number}\n`).join('');
			await lease.console.write(input);
			let output = '';
			for await (const text of lease.console.text({ from: lease.console.actionOffset })) {
				output += text;
				if (output.length >= input.length) break;
			}
			expect(output).toBe(input);
		},
	);

	test('pending calls reject when an admin ends the lease', async () => {
		const { client, bench } = await open(opening);
		const lease = await client.leases.create({ boardType: 'lab-uno' });
		const waiting = lease.console.expect('never shown', { timeout: 20_000 });
		const rejected = expect(waiting).rejects.toMatchObject({
			name: 'LeaseEndedError',
			reason: 'admin',
		});
		await endAsAdmin(bench, lease.id);
		await rejected;
		await expect(lease.reset()).rejects.toMatchObject({ reason: 'admin' });
	});
});

async function endAsAdmin({ send }: Bench, leaseId: string) {
	const response = await send(`/v1/admin/leases/${leaseId}`, { method: 'DELETE' });
	expect(response.status).toBe(200);
}

// The pins of a board: sampled while a page looks, driven from outside, and of one lease only.
import { afterEach, describe, expect, test } from 'vitest';
import { readSample, watchPins } from '../../../core/src/leases/pins/store.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { leaseEvents } from '../../../web/src/leases/stream.ts';
import { backends } from '../support/backends.ts';
import { type Bench, openBench } from '../support/bench.ts';
import { connectAgent } from '../support/scripted-agent.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const board = 'brd_bench_1';
const pins = { names: ['D2', 'A0'], analog: ['A0'], volts: 5 };
const sampleOf = (high: number) => ({
	power: true,
	leds: { L: high },
	pins: { D13: { mode: 'out', high } },
});

/** The events of an open page; each is removed as it is read. */
function openPage({ services }: Bench, lease: { id: string; account_id: string }) {
	const controller = new AbortController();
	const events: Record<string, unknown>[] = [];
	const follower = { accountId: lease.account_id, id: lease.id, fence: null, from: 0 };
	const follow = async () => {
		const pieces = leaseEvents(
			services,
			{
				...follower,
				watches: false,
				seesColleagues: true,
				readAccess: async () => 'hold',
				render: () => ({}),
			},
			controller.signal,
		);
		for await (const piece of pieces) {
			if (typeof piece === 'function') await piece();
			else
				for (const [, body = ''] of String(piece).matchAll(/^data: (.+)$/gm))
					events.push(JSON.parse(body));
		}
	};
	const ended = follow();
	cleanups.push(async () => {
		controller.abort();
		await ended;
	});
	return {
		events,
		samples: () => events.flatMap((event) => ('pins' in event ? [event.pins] : [])),
	};
}

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	async function openLeased({ known = true } = {}) {
		const bench = await openBench(opening);
		cleanups.push(() => bench.close());
		const agent = await connectAgent(bench.sendAsAgent, {
			driven: { [board]: ['reset'] },
			obliging: true,
			pins: known ? pins : undefined,
		});
		cleanups.push(() => agent.cut());
		const { id } = await bench.user.activeLease({ board_id: board });
		const { query } = bench.services.database;
		const lease = await query
			.selectFrom('leases')
			.selectAll()
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		await expect.poll(() => agent.lease(board)?.id).toBe(id);
		const drive = (pin: string, volts: number | null, headers: Record<string, string> = {}) =>
			bench.send(`/v1/leases/${id}/pins`, {
				method: 'POST',
				headers: { ...headers, 'content-type': 'application/json' },
				body: JSON.stringify({ pin, volts }),
			});
		return { bench, agent, lease, query, drive, fence: agent.fence(board) };
	}

	test('an agent samples while a page is open, and the page shows each new sample', async () => {
		const { bench, agent, lease, fence } = await openLeased();
		expect(agent.lease(board)?.watched_ms ?? 0).toBe(0);

		const page = openPage(bench, lease);
		await expect.poll(() => agent.lease(board)?.watched_ms).toBeGreaterThan(10_000);
		for (const high of [1, 0]) {
			expect((await agent.sample(lease.id, fence, sampleOf(high))).status).toBe(204);
			await expect.poll(() => page.samples().at(-1)).toEqual(sampleOf(high));
		}
		const later = openPage(bench, lease);
		await expect.poll(() => later.samples()).toEqual([sampleOf(0)]);
	});

	rule('an agent that knows no pins is not asked for them', async () => {
		const { bench, agent, lease, query, drive } = await openLeased({ known: false });
		const page = openPage(bench, lease);
		await agent.write(lease.id, { fence: agent.fence(board), offset: 0, data: 'shown' });
		await expect.poll(() => page.events.some((event) => 'output' in event)).toBe(true);

		expect(await query.selectFrom('lease_pins').selectAll().execute()).toEqual([]);
		expect(agent.lease(board)?.watched_ms).toBeUndefined();
		expect(page.samples()).toEqual([]);
		expect((await drive('D2', 0)).status).toBe(400);
	});

	test('a sample for an earlier lease is rejected, and what drove its pins is gone', async () => {
		const { bench, agent, lease, query, drive, fence } = await openLeased();
		await watchPins(query, lease);
		await drive('D2', 0);
		await expect.poll(() => agent.lease(board)?.driven_pins).toEqual({ D2: 0 });
		await bench.user.release(lease.id);
		const next = await bench.user.activeLease({ board_id: board });
		await expect.poll(() => agent.lease(board)?.id).toBe(next.id);
		await watchPins(query, { id: next.id, fence: agent.fence(board) });

		expect(agent.lease(board)?.driven_pins ?? {}).toEqual({});
		for (const id of [lease.id, next.id]) {
			const late = await agent.sample(id, fence, sampleOf(1));
			expect(late.status).toBe(409);
			expect((await late.json()).error.code).toBe('fence_outdated');
		}
		expect(await readSample(query, { id: next.id, fence: agent.fence(board) })).toBeUndefined();
	});

	rule('a sample from before nobody looked is not shown again', async () => {
		const { agent, lease, query, fence } = await openLeased();
		expect(await watchPins(query, lease)).toBe(true);
		expect(await watchPins(query, lease)).toBe(false);
		await agent.sample(lease.id, fence, sampleOf(1));
		expect(await readSample(query, lease)).toEqual(sampleOf(1));

		await query
			.updateTable('lease_pins')
			.set({ watched_until: '2026-01-01T00:00:00.000Z' })
			.execute();
		expect(await watchPins(query, lease)).toBe(true);
		expect(await readSample(query, lease)).toBeUndefined();
	});

	test('a pin is driven until it is let go, at most by the voltage of the board', async () => {
		const { agent, drive } = await openLeased();
		expect(await (await drive('A0', 2.5)).json()).toEqual({ driven: { A0: 2.5 } });
		expect(await (await drive('D2', 50)).json()).toEqual({ driven: { A0: 2.5, D2: 5 } });
		await expect.poll(() => agent.lease(board)?.driven_pins).toEqual({ A0: 2.5, D2: 5 });
		expect(await (await drive('A0', null)).json()).toEqual({ driven: { D2: 5 } });
		await expect.poll(() => agent.lease(board)?.driven_pins).toEqual({ D2: 5 });

		const unknown = await drive('D3', 0);
		expect(unknown.status).toBe(400);
		expect((await unknown.json()).error.message).toBe('pin must be a pin of this board: D2, A0.');
	});

	rule('a repeated request drives a pin once', async () => {
		const { drive } = await openLeased();
		const key = { 'idempotency-key': 'press' };
		await drive('D2', 0, key);
		await drive('D2', null);
		const replayed = await drive('D2', 0, key);

		expect(replayed.headers.get('idempotent-replayed')).toBe('true');
		expect(await replayed.json()).toEqual({ driven: {} });
		expect((await drive('D2', 5, key)).status).toBe(409);
	});
});

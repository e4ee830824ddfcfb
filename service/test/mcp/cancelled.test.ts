// What a call has taken is given back when its caller leaves.
import { describe, expect, test } from 'vitest';
import { type Mode, versions } from '../../../test/support/coding-agent.ts';
import { backends } from '../support/backends.ts';
import { connect, openBoards } from './support/agents.ts';

describe.each(backends)('$name', (opening) => {
	/** Starts a call that leases the board, and waits until the lease has the status. */
	const begin = async (
		name: string,
		given: object,
		{ mode, status }: { mode: Mode; status: string },
	) => {
		const bench = await openBoards(opening);
		if (status === 'queued') await bench.user.activeLease({ board_id: 'brd_bench_1', minutes: 5 });
		const agent = await connect(bench, bench.apiKey, { mode });
		const stop = new AbortController();
		const wanted = { boards: ['uno'], wait_seconds: 100, ...given };
		const ended = agent.call(name, wanted, { signal: stop.signal }).then(
			() => 'answered',
			() => 'left',
		);
		const found = async () => (await bench.user.json(`/leases?status=${status}`)).body.data;
		await expect.poll(found).toHaveLength(1);
		const [{ id }] = await found();
		return {
			bench,
			agent,
			stop,
			ended,
			lease: async () => (await bench.user.json(`/leases/${id}`)).body,
		};
	};

	const released = { status: 'ended', end_reason: 'released' };

	test.each(versions)(
		'a lease that waits in the queue is withdrawn over $version',
		async ({ mode }) => {
			const given = { wait_seconds: 100 };
			const { agent, ended, lease } = await begin('lease_board', given, { mode, status: 'queued' });
			expect(await lease()).toMatchObject({ status: 'queued' });
			await agent.client.close();
			expect(await ended).toBe('left');
			await expect.poll(lease).toMatchObject({ status: 'ended' });
		},
	);

	test.each(versions)(
		'a run that waits in the queue is withdrawn over $version',
		async ({ mode }) => {
			const given = { expect: ['never shown'] };
			const { agent, lease } = await begin('run_firmware', given, { mode, status: 'queued' });
			await agent.client.close();
			await expect.poll(lease).toMatchObject({ status: 'ended' });
		},
	);

	test.each(versions)('the board of a run is released over $version', async ({ mode }) => {
		const given = { expect: ['never shown'], timeout_seconds: 100 };
		const begun = await begin('run_firmware', given, { mode, status: 'active' });
		await begun.agent.client.close();
		await expect.poll(begun.lease).toMatchObject(released);
		const next = await connect(begun.bench, begun.bench.apiKey, { mode });
		await next.lease('uno');
	});

	test('a call that is cancelled over 2026-07-28 gives back its board, and the session goes on', async () => {
		const given = { expect: ['never shown'], timeout_seconds: 100 };
		const begun = await begin('run_firmware', given, { mode: 'auto', status: 'active' });
		begun.stop.abort();
		expect(await begun.ended).toBe('left');
		await expect.poll(begun.lease).toMatchObject(released);
		expect(await begun.agent.use('leases')).toMatchObject({ leases: [] });
	});

	test('a lease that was taken stays when the session ends', async () => {
		const bench = await openBoards(opening);
		const agent = await connect(bench, bench.apiKey);
		const lease_id = await agent.lease('uno');
		await agent.client.close();
		const next = await connect(bench, bench.apiKey);
		expect(await next.use('leases')).toMatchObject({ leases: [{ lease_id, status: 'active' }] });
	});
});

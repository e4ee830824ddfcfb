// The plans of SQLite: what the holder of a lease requests never reads every board or lease that there is.
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loseSilentAgents } from '../../../core/src/leases/ending/lost.ts';
import { onSqlite } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { connectAgent } from '../support/scripted-agent.ts';

const board_id = 'brd_bench_1';

function plansOf(database: DatabaseSync, statement: string) {
	const rows = database.prepare(`explain query plan ${statement}`).all();
	return rows.map(({ detail }) => String(detail));
}

/** Whole tables that a statement reads, without an index. */
function scansOf(database: DatabaseSync, statement: string) {
	return plansOf(database, statement).filter((detail) =>
		/^SCAN (boards|leases|lease_actions|console_chunks)\b(?!.*INDEX)/.test(detail),
	);
}

test('a lease is created, used and released without reading whole tables', async () => {
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	const bench = await openBench(onSqlite);
	onTestFinished(() => bench.close());
	const { user, sendAsAgent } = bench;
	const agent = await connectAgent(sendAsAgent, {
		driven: { [board_id]: ['reset'] },
		obliging: true,
	});
	prepare.mockClear();
	const lease = await user.activeLease({ board_type: 'bench', minutes: 5 });
	await expect.poll(() => agent.lease(board_id)?.id).toBe(lease.id);
	await user.json(`/leases/${lease.id}/renew`, 'POST', { minutes: 10 });
	await user.act(lease.id, { action: 'reset' });
	await agent.write(lease.id, { fence: agent.fence(board_id), offset: 0, data: 'printed' });
	await (await user.console(lease.id)).see('printed');
	expect((await user.type(lease.id, 'typed')).status).toBe(204);
	await expect.poll(() => agent.input.get(lease.id)).toBe('typed');
	await user.release(lease.id);
	await agent.cut();
	const used = prepare.mock.calls.map(([statement], index) => ({
		statement,
		database: prepare.mock.contexts[index] as DatabaseSync,
	}));
	prepare.mockRestore();
	expect(
		used.filter(({ statement }) => /\bupdate "leases"/.test(statement)).length,
	).toBeGreaterThan(4);
	for (const { statement, database } of used) {
		if (!/\b(select|update|insert|delete)\b/.test(statement)) continue;
		expect({ statement, scans: scansOf(database, statement) }).toEqual({ statement, scans: [] });
	}
});

test('the live leases of an account are listed without reading those that have ended', async () => {
	const bench = await openBench(onSqlite);
	onTestFinished(() => bench.close());
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	await bench.user.json('/leases?status=queued&status=active');
	const index = prepare.mock.calls.findIndex(([text]) => text.includes('"status" in ('));
	const [statement = ''] = prepare.mock.calls[index] ?? [];
	const database = prepare.mock.contexts[index] as DatabaseSync;
	prepare.mockRestore();
	expect(plansOf(database, statement).join()).toContain('leases_live');
});

test('an agent that stays away is read without its boards', async () => {
	const bench = await openBench(onSqlite);
	onTestFinished(() => bench.close());
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	await loseSilentAgents(bench.services, Date.now());
	const [statement = ''] = prepare.mock.calls[0] ?? [];
	const database = prepare.mock.contexts[0] as DatabaseSync;
	prepare.mockRestore();
	expect(plansOf(database, statement)).toContainEqual(
		expect.stringContaining('USING INDEX boards_driven (agent_id=?)'),
	);
});

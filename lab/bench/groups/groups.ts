// How long it takes to grant a group of three, and a single lease, in a large lab with a long queue.
import { readdirSync, readFileSync } from 'node:fs';
import { settingsFrom } from '../../../core/src/env.ts';
import { grantBoards } from '../../../core/src/leases/queue/grant.ts';
import { createLog } from '../../../core/src/log.ts';
import { openCore } from '../../../core/src/open.ts';
import { startPostgres } from '../../../core/test/support/postgres.ts';
import { newDatabase } from '../../support/database.ts';
import { shown, summaryOf, table } from '../../support/figures.ts';

const types = 100;

export async function groups(isQuick: boolean) {
	const size = isQuick ? { boards: 10_000, waiting: 1_000 } : { boards: 100_000, waiting: 10_000 };
	const rounds = isQuick ? 20 : 100;
	const postgres = await startPostgres(['-c', 'fsync=on']);
	for (const cluster of [undefined, postgres.url]) {
		await using database = await newDatabase(cluster);
		const settings = settingsFrom({}, { options: { DATABASE_URL: database.location } });
		const core = await openCore(settings, createLog('silent'));
		await populate(database, size);
		await database.run('analyze');
		const measure = (count: number) =>
			measureGrants({ core, database, cluster }, { count, rounds });
		const rows = [];
		for (const count of [1, 3]) {
			const { times, cpu } = await measure(count);
			const { p50, p95 } = summaryOf(times);
			rows.push([
				count === 1 ? 'a single lease' : 'a group of three',
				shown(p50),
				shown(p95),
				shown(cpu),
			]);
		}
		console.log(`\n${cluster ? 'PostgreSQL' : 'SQLite'}: ${JSON.stringify(size)}\n`);
		console.log(table(['granted', 'p50, ms', 'p95, ms', 'CPU of the database, ms'], rows));
		await core.close();
	}
	await postgres.remove();
}

type LabDatabase = Awaited<ReturnType<typeof newDatabase>>;

/** Boards that are all in use, and a queue of which a tenth are groups of three. */
async function populate(
	{ run, isPostgres }: LabDatabase,
	{ boards, waiting }: Record<string, number>,
) {
	const numbers = (count = 0) =>
		isPostgres
			? `generate_series(0, ${count - 1}) as s (i)`
			: `(with recursive s (i) as (select 0 union all select i + 1 from s where i < ${count - 1}) select i from s)`;
	const now = new Date().toISOString();
	await run(
		`insert into accounts (id, email, role, created_at, balance) select 'acc_' || i, i || '@example.com', 'user', '${now}', 1000 from ${numbers(1001)}`,
	);
	await run(`insert into boards (id, name, board_type, status, base_status, description, tags, created_at, updated_at, lease_id, name_key)
		select 'brd_' || i, 'b' || i, 'type-' || (i % ${types}), 'in_use', 'available', '', '{"rack":"r' || (i % 500) || '"}', '${now}', '${now}', 'lse_other', 'b' || i
		from ${numbers(boards)}`);
	// Of ten leases in a row, the first three are a group.
	await run(`insert into leases (id, account_id, board_type, wanted_tags, group_id, role, requires_agent, status, minutes,
			credits_per_minute, most_credits_per_minute, held_credits, created_at, queued_until, rank, summed)
		select 'lse_' || i, 'acc_' || (i / 10 % 1000), 'type-' || (i % ${types}), '{}',
			case when i % 10 < 3 then 'grp_' || (i / 10) end, case when i % 10 < 3 then 'r' || (i % 10) end,
			0, 'queued', 10, 0, 0, 0, '${now}', '2099-01-01T00:00:00.000Z', 1000000 + i / 10, 1
		from ${numbers(waiting)}`);
}

interface Place {
	core: Awaited<ReturnType<typeof openCore>>;
	database: LabDatabase;
	cluster: string | undefined;
}

/** A request at the head of the queue, whose boards become free. */
async function measureGrants(
	{ core, database, cluster }: Place,
	{ count, rounds }: Record<'count' | 'rounds', number>,
) {
	const times: number[] = [];
	const places = Array.from({ length: count }, (_, at) => at);
	const before = cluster ? backendTime() : 0;
	let idle = 0;
	for (let round = 0; round < rounds; round += 1) {
		const type = (at: number) => `type-${(round * 7 + at) % types}`;
		const group = count > 1 ? `'grp_own_${count}_${round}'` : 'null';
		const start = cluster ? backendTime() : 0;
		for (const at of places) {
			const id = `lse_own_${count}_${round}_${at}`;
			await database.run(`insert into leases (id, account_id, board_type, wanted_tags, group_id, role, requires_agent, status,
					minutes, credits_per_minute, most_credits_per_minute, held_credits, created_at, queued_until, rank, summed)
				values ('${id}', 'acc_1000', '${type(at)}', '{}', ${group}, ${count > 1 ? `'r${at}'` : 'null'}, 0, 'queued', 10, 0, 0, 0,
					'2026-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z', ${round}, 1)`);
			await database.run(`update boards set status = 'available', lease_id = null where id =
				(select id from boards where board_type = '${type(at)}' and lease_id = 'lse_other' limit 1)`);
		}
		idle += cluster ? backendTime() - start : 0;
		const startedAt = performance.now();
		await grantBoards(core, type(0));
		times.push(performance.now() - startedAt);
		const ids = places.map((at) => `'lse_own_${count}_${round}_${at}'`).join(', ');
		const [found] = await database.run(
			`select count(*) as granted from leases where status = 'active' and id in (${ids})`,
		);
		if (Number(found?.granted) !== count) throw new Error('Not all boards were granted');
	}
	return { times, cpu: cluster ? (backendTime() - before - idle) / rounds : Number.NaN };
}

/** Milliseconds of processor time of all processes of PostgreSQL. */
function backendTime() {
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	return pids.reduce((sum, pid) => {
		try {
			const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
			if (!/^\d+ \(postgres\)/.test(text)) return sum;
			const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
			return sum + (Number(fields[11]) + Number(fields[12])) * 10;
		} catch {
			return sum; // it has ended
		}
	}, 0);
}

// What there is at one moment: rows, bytes and timers. What is there for long must not grow.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { View } from '../history.ts';
import { day } from './plan.ts';

export interface Census {
	day: number;
	/** Leases that have ended. */
	leases: number;
	/** By name: the rows of each table, and the rest. */
	values: Record<string, number>;
}

setFlagsFromString('--expose-gc');
// The flag adds it.
const collectGarbage = runInNewContext('gc') as () => void;

/** What is kept for good, and the database that it fills, are counted for each lease. */
const keptForGood = new Set(['leases', 'credit_entries', 'KiB of the database']);

const isTable = `type = 'table' and name not like 'sqlite_%'`;

export function takeCensus({ simulation, rules, network, opened }: View): Census {
	const { connection } = opened.watched;
	const rowsOf = (from: DatabaseSync) =>
		Object.fromEntries(
			from
				.prepare(`select name from sqlite_master where ${isTable}`)
				.all()
				.map(({ name }) => [
					`rows of ${name}`,
					Number(from.prepare(`select count(*) as count from ${name}`).get()?.count),
				]),
		);
	const rows = rowsOf(connection);
	const backup = withBackup(connection, (file, bytes) => ({ bytes, rows: rowsOf(file) }));
	if (JSON.stringify(backup.rows) !== JSON.stringify(rows))
		rules.violated('a backup has everything', 'it has other rows');
	checkLedger(rules, connection);
	collectGarbage();
	return {
		day: Math.round(simulation.now / day),
		leases: rules.tally.ended,
		values: {
			...rows,
			'KiB of the database': Math.ceil(backup.bytes / 1024),
			'MiB of memory': Math.ceil(process.memoryUsage().heapUsed / 2 ** 20),
			'timers of services': simulation.timersOf('service'),
			'timers of agents': simulation.timersOf('agent'),
			'timers of clients': simulation.timersOf('ci') + simulation.timersOf('developer'),
			'open connections': network.openCount,
		},
	};
}

/** As the guide makes one: a file without empty pages. */
function withBackup<Result>(
	connection: DatabaseSync,
	read: (file: DatabaseSync, bytes: number) => Result,
) {
	const folder = mkdtempSync(join(tmpdir(), 'board-access-year-'));
	const path = join(folder, 'backup.db');
	try {
		connection.exec(`vacuum main into '${path}'`);
		const file = new DatabaseSync(path, { readOnly: true });
		try {
			return read(file, statSync(path).size);
		} finally {
			file.close();
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** No lease is lost, and what they have cost is booked. */
function checkLedger({ tally, violated }: View['rules'], connection: DatabaseSync) {
	const [leases] = connection
		.prepare(
			`select count(*) as ended, coalesce(sum(credits), 0) as credits from leases where status = 'ended'`,
		)
		.all();
	const [booked] = connection
		.prepare(
			`select coalesce(-sum(amount), 0) as credits from credit_entries where reference like 'lease %'`,
		)
		.all();
	const found = `${leases?.ended} leases for ${leases?.credits} credits, ${booked?.credits} booked`;
	const expected = `${tally.ended} leases for ${tally.credits} credits, ${tally.credits} booked`;
	if (found !== expected) violated('nothing is lost', `${found}; there were ${expected}`);
}

/** What may vary from one moment to another. */
const slack = 25;
const maxRatio = 1.5;

export interface Growth {
	name: string;
	/** The means of the first and the second half of the counts. */
	before: number;
	after: number;
	/** Of what is kept for good, for each lease. */
	ratio: number;
	grows: boolean;
}

/** Leaves the first count out: what is kept for some time is not all there yet. */
export function growthOf([, ...census]: readonly Census[]): Growth[] {
	const middle = Math.ceil(census.length / 2);
	const halves = [census.slice(0, middle), census.slice(-middle)];
	const means = (read: (census: Census) => number) =>
		halves.map((half) => half.reduce((sum, one) => sum + read(one), 0) / half.length);
	const [fewer = 1, more = 1] = means(({ leases }) => leases);
	return Object.keys(census[0]?.values ?? {}).map((name) => {
		const [before = 0, after = 0] = means(({ values }) => values[name] ?? 0);
		const isKept = keptForGood.has(name.replace('rows of ', ''));
		const expected = isKept ? (before * more) / fewer : before;
		const ratio = after / Math.max(1, expected);
		return { name, before, after, ratio, grows: ratio > maxRatio && after > expected + slack };
	});
}

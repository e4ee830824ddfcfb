// Kills the service repeatedly while it writes, and then compares what it has confirmed with
// what is in the database.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type LabDatabase, newDatabase } from '../support/database.ts';
import { type Outcome, shown } from '../support/figures.ts';
import {
	importBoards,
	type Place,
	type Progress,
	type RunningService,
	runCommand,
	seedDatabase,
	startService,
} from '../support/service.ts';

const writers = 8;
const boards = Array.from({ length: 6 }, (_, index) => ({
	id: `brd_siege_${index}`,
	name: `siege ${index}`,
	board_type: 'siege',
	credits_per_minute: 3,
}));

interface KillResult extends Outcome {
	/** How many of each the service had confirmed before it was killed. */
	confirmed: { keys: number; revocations: number; leases: number; releases: number };
}

export async function killDatabase(
	place: Place,
	{ kills, progress }: { kills: number; progress?: Progress },
): Promise<KillResult> {
	const { main } = place;
	await using database = await newDatabase(place.cluster);
	const { location } = database;
	const { email, apiKey } = await seedDatabase(main, location);
	await importBoards(main, location, boards);
	await runCommand(main, location, 'account', 'credit', email, '1000000', '--yes');
	const startedAt = performance.now();
	const writing = newWriting(apiKey);
	const all = Promise.all(Array.from({ length: writers }, (_, index) => write(writing, index)));
	for (let count = 0; count < kills; count += 1) {
		await using service = await startService({ main, database: location });
		await killWhileWriting(service, writing);
		progress?.(count + 1, kills);
	}
	writing.over.abort();
	await all;
	const { keys, leases, repeated } = writing;
	const confirmed = {
		...{ keys: keys.created.size, revocations: keys.ended.size },
		...{ leases: leases.created.size, releases: leases.ended.size },
	};
	const counts = Object.entries(confirmed).map(([noun, count]) => `${shown(count)} ${noun}`);
	const seconds = (performance.now() - startedAt) / 1000;
	return {
		attack: `${shown(kills)} SIGKILLs under write load, in ${shown(seconds)} s`,
		outcome: `confirmed: ${counts.join(', ')}; ${shown(repeated)} requests repeated after a kill`,
		problems: await findLosses(database, writing),
		confirmed,
	};
}

/** What was created, with its label, and what was ended. */
const newNotes = () => ({ created: new Map<string, string>(), ended: new Set<string>() });

function newWriting(apiKey: string) {
	return {
		apiKey,
		keys: newNotes(),
		leases: newNotes(),
		/** Requests that were sent again because the service was killed. */
		repeated: 0,
		/** Where the service runs, unless it was killed. */
		url: '',
		over: new AbortController(),
	};
}

type Writing = ReturnType<typeof newWriting>;

async function killWhileWriting(service: RunningService, writing: Writing) {
	const { keys, leases } = writing;
	const before = { keys: keys.created.size, leases: leases.ended.size };
	writing.url = service.url;
	const isWaiting = () => keys.created.size === before.keys || leases.ended.size === before.leases;
	while (isWaiting() && service.running()) await wait(5);
	await wait(Math.random() * 300);
	await service.kill();
	writing.url = '';
}

/** Creates, and ends half of the keys and all of the leases, until the siege is over. */
async function write(writing: Writing, index: number) {
	const isLease = index % 2 === 1;
	const { created, ended } = isLease ? writing.leases : writing.keys;
	const path = isLease ? '/leases' : '/auth/keys';
	for (let round = 1; !writing.over.signal.aborted; round += 1) {
		const label = `writer ${index} round ${round}`;
		const body = { label, ...(isLease && { board_type: 'siege', minutes: 5 }) };
		const { status, id } = await deliver(writing, 'POST', path, body);
		// All boards are leased: another writer releases one soon.
		if (status !== 201) await wait(5);
		if (status !== 201) continue;
		created.set(id, label);
		if (!isLease && round % 2) continue;
		if ((await deliver(writing, 'DELETE', `${path}/${id}`)).status === 200) ended.add(id);
	}
}

/** Repeats the request with its idempotency key until a service responds. */
async function deliver(writing: Writing, method: string, path: string, body?: object) {
	const headers = {
		authorization: `Bearer ${writing.apiKey}`,
		'content-type': 'application/json',
		'idempotency-key': randomUUID(),
	};
	const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
	while (!writing.over.signal.aborted) {
		try {
			if (writing.url) {
				const response = await fetch(`${writing.url}/v1${path}`, init);
				// Every response of these routes is a JSON object with the identifier of the record, if any.
				return { status: response.status, id: ((await response.json()) as { id: string }).id };
			}
		} catch {
			writing.repeated += 1;
		}
		await wait(5);
	}
	return { status: 0, id: '' };
}

async function findLosses(database: LabDatabase, { keys, leases }: Writing) {
	const ended = "case when status = 'ended' then ended_at end";
	return [
		...compare('key', keys, await entriesOf(database, 'api_keys', 'revoked_at')),
		...compare('lease', leases, await entriesOf(database, 'leases', ended)),
		...(await contradictions(database)),
	];
}

interface Entry {
	id: string;
	label: string | null;
	ended: string | null;
}

async function entriesOf(database: LabDatabase, table: string, ended: string) {
	// The statement selects these columns.
	const rows = await database.run(`select id, label, ${ended} as ended from ${table}`);
	return rows as unknown as Entry[];
}

function compare(noun: string, { created, ended }: Writing['keys'], entries: readonly Entry[]) {
	const losses: string[] = [];
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	for (const id of created.keys()) if (!byId.has(id)) losses.push(`${noun} ${id} is lost`);
	for (const id of ended) if (!byId.get(id)?.ended) losses.push(`the end of ${noun} ${id} is lost`);
	const seen = new Set<string>();
	for (const { id, label, ended: over } of entries) {
		// A key that never arrived is revoked when the repeated request creates another.
		if (!label?.startsWith('writer') || (over && !created.has(id))) continue;
		if (seen.has(label)) losses.push(`${noun} "${label}" was created twice`);
		seen.add(label);
	}
	return losses;
}

/** What each query finds must not be. */
const impossible = {
	'a board with two leases':
		"select board_id from leases where status in ('preparing', 'active') group by board_id having count(*) > 1",
	'a board that is held by no live lease':
		"select id from boards where lease_id is not null and lease_id not in (select id from leases where status in ('preparing', 'active'))",
	'a live lease whose board is not held by it':
		"select leases.id from leases left join boards on boards.lease_id = leases.id where leases.status in ('preparing', 'active') and boards.id is null",
	'a lease that is not booked as it says':
		"select leases.id from leases left join credit_entries on credit_entries.reference = 'lease ' || leases.id where leases.status = 'ended' and coalesce(leases.credits, -1) <> coalesce(-credit_entries.amount, 0)",
	'an entry of a lease that is live':
		"select credit_entries.id from credit_entries join leases on credit_entries.reference = 'lease ' || leases.id where leases.status <> 'ended'",
	'an account whose ledger does not add up': `select account_id from credit_entries group by account_id having sum(amount) < 0 or sum(amount) <> sum(case when reason = 'lease' then 0 else amount end) - (select coalesce(sum(credits), 0) from leases where leases.account_id = credit_entries.account_id)`,
};

/** Contradictions between the records of leases, boards and credits, which must never occur, and others. */
export async function contradictions(
	database: LabDatabase,
	others: Readonly<Record<string, string>> = {},
) {
	const losses: string[] = [];
	for (const [what, statement] of Object.entries({ ...impossible, ...others })) {
		const rows = await database.run(statement);
		if (rows.length > 0) losses.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
	}
	return losses;
}

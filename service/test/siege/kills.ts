// Kills the service repeatedly while it writes, and then compares what it has confirmed with
// what is in the database.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
	importBoards,
	newDatabase,
	type Place,
	type Progress,
	type RunningService,
	runCommand,
	type SiegeDatabase,
	seedDatabase,
	startService,
} from './lab.ts';

export interface KillResult {
	kills: number;
	/** What the service had confirmed before it was killed. */
	confirmed: { keys: number; revocations: number; leases: number; releases: number };
	/** Requests that were repeated with their Idempotency-Key after a kill. */
	repeated: number;
	/** What is missing, twice, or does not add up. */
	losses: string[];
	seconds: number;
}

const writers = 8;
const boards = Array.from({ length: 6 }, (_, index) => ({
	id: `brd_siege_${index}`,
	name: `siege ${index}`,
	board_type: 'siege',
	credits_per_minute: 3,
}));
const granted = 1_000_000;

export async function killDatabase(
	place: Place,
	{ kills, progress }: { kills: number; progress?: Progress },
): Promise<KillResult> {
	const { main } = place;
	const database = await newDatabase(place.cluster);
	try {
		const credentials = await seedDatabase(main, database.location);
		await importBoards(main, database.location, boards);
		const { email } = credentials;
		await runCommand(main, database.location, 'account', 'credit', email, `${granted}`, '--yes');
		const startedAt = performance.now();
		const notes = newNotes();
		const states = Array.from({ length: writers }, (_, index) => newWriter(index));
		for (let count = 0; count < kills; count += 1) {
			const service = await startService({ main, database: database.location });
			await writeUntilKilled(service, { apiKey: credentials.apiKey, notes, states });
			progress?.(count + 1, kills);
		}
		return {
			kills,
			confirmed: {
				keys: notes.keys.size,
				revocations: notes.revoked.size,
				leases: notes.leases.size,
				releases: notes.released.size,
			},
			repeated: notes.repeated,
			losses: await findLosses(database, notes),
			seconds: (performance.now() - startedAt) / 1000,
		};
	} finally {
		await database.remove();
	}
}

function newNotes() {
	return {
		/** By identifier, the label that the key or the lease was created with. */
		keys: new Map<string, string>(),
		leases: new Map<string, string>(),
		revoked: new Set<string>(),
		released: new Set<string>(),
		repeated: 0,
	};
}

type Notes = ReturnType<typeof newNotes>;

/** A creation whose response has not arrived; it is repeated after the kill. */
interface Pending {
	path: string;
	body: { label: string };
	idempotencyKey: string;
}

interface Writer {
	index: number;
	round: number;
	pending?: Pending | undefined;
	/** What it is about to end. It retries after a kill, or the boards would stay leased. */
	ending?: { lease: boolean; id: string } | undefined;
}

function newWriter(index: number): Writer {
	return { index, round: 0 };
}

interface Writing {
	apiKey: string;
	notes: Notes;
	states: Writer[];
}

async function writeUntilKilled(service: RunningService, { apiKey, notes, states }: Writing) {
	const send = async (method: string, path: string, init: { body?: object; key?: string } = {}) => {
		const response = await fetch(`${service.url}/v1${path}`, {
			method,
			headers: {
				authorization: `Bearer ${apiKey}`,
				'content-type': 'application/json',
				...(init.key && { 'idempotency-key': init.key }),
			},
			...(init.body && { body: JSON.stringify(init.body) }),
		});
		// Every response of these routes is a JSON object with the identifier of the record, if any.
		return { status: response.status, body: (await response.json()) as { id: string } };
	};
	const work = async (writer: Writer) => {
		while (service.running()) {
			try {
				await writeOnce(writer, { send, notes });
			} catch {
				return;
			}
		}
	};
	const all = Promise.all(states.map(work));
	const before = notes.keys.size;
	while (notes.keys.size === before && service.running()) await wait(5);
	await wait(Math.random() * 300);
	await service.stop('SIGKILL');
	await all;
}

type Send = (
	method: string,
	path: string,
	init?: { body?: object; key?: string },
) => Promise<{ status: number; body: { id: string } }>;

/** One creation, and half of the time its end. */
async function writeOnce(writer: Writer, { send, notes }: { send: Send; notes: Notes }) {
	if (writer.ending) return endOnce(writer, { send, notes });
	if (writer.pending) notes.repeated += 1;
	else writer.round += 1;
	const lease = writer.index % 2 === 1;
	const label = `writer ${writer.index} round ${writer.round}`;
	writer.pending ??= {
		path: lease ? '/leases' : '/auth/keys',
		body: { label, ...(lease && { board_type: 'siege', minutes: 5 }) },
		idempotencyKey: randomUUID(),
	};
	const { path, body, idempotencyKey } = writer.pending;
	const created = await send('POST', path, { body, key: idempotencyKey });
	writer.pending = undefined;
	if (created.status !== 201) {
		// All boards are leased: another writer releases one soon.
		if (created.status === 409) return wait(5);
		throw new Error(`${created.status}`);
	}
	const { id } = created.body;
	(lease ? notes.leases : notes.keys).set(id, body.label);
	if (!lease && writer.round % 2) return;
	writer.ending = { lease, id };
	await endOnce(writer, { send, notes });
}

async function endOnce(writer: Writer, { send, notes }: { send: Send; notes: Notes }) {
	if (!writer.ending) return;
	const { lease, id } = writer.ending;
	const ended = await send('DELETE', `${lease ? '/leases' : '/auth/keys'}/${id}`);
	if (ended.status === 200) (lease ? notes.released : notes.revoked).add(id);
	writer.ending = undefined;
}

async function findLosses(database: SiegeDatabase, notes: Notes) {
	const keys = await recordsOf(database, 'select id, label, revoked_at as ended from api_keys');
	const leases = await recordsOf(
		database,
		"select id, label, case when status = 'ended' then ended_at end as ended from leases",
	);
	return [
		...compare('key', { records: keys, created: notes.keys, ended: notes.revoked }),
		...compare('lease', { records: leases, created: notes.leases, ended: notes.released }),
		...(await contradictions(database)),
	];
}

interface Entry {
	id: string;
	label: string | null;
	ended: string | null;
}

async function recordsOf(database: SiegeDatabase, statement: string) {
	// The statements above select these columns.
	return (await database.run(statement)) as unknown as Entry[];
}

function compare(
	noun: string,
	{
		records,
		created,
		ended,
	}: { records: Entry[]; created: Map<string, string>; ended: Set<string> },
) {
	const losses: string[] = [];
	const byId = new Map(records.map((record) => [record.id, record]));
	for (const id of created.keys()) if (!byId.has(id)) losses.push(`${noun} ${id} is lost`);
	for (const id of ended) if (!byId.get(id)?.ended) losses.push(`the end of ${noun} ${id} is lost`);
	const seen = new Set<string>();
	for (const { id, label, ended: over } of records) {
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

/** Contradictions between the records of leases, boards and credits, which must never occur. */
export async function contradictions(database: SiegeDatabase) {
	const losses: string[] = [];
	for (const [what, statement] of Object.entries(impossible)) {
		const rows = await database.run(statement);
		if (rows.length > 0) losses.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
	}
	return losses;
}

// Writes the activity log, in the transaction of the change where there is one.
import { hash, randomBytes } from 'node:crypto';
import { redact } from 'board-access-contract';
import { timeIn } from '../database/clock.ts';
import type { ActivityRow, Db } from '../database/schema.ts';
import { currentActor } from './actor.ts';

export interface Change {
	kind: ActivityRow['kind'];
	/** By default, the account that makes the change. */
	accountId?: string | null | undefined;
	subjectId?: string | undefined;
	/** Names and numbers for the reader, never a secret. */
	details?: Record<string, string | number | boolean | null | readonly string[]>;
}

export async function record(db: Db, change: Change) {
	await db.insertInto('activity').values(entryOf(db, change)).execute();
}

/** Records what anybody can repeat without end, such as failed log-ins: at most 16 entries of a kind an hour. */
export async function recordRepeat(db: Db, change: Change) {
	const entry = entryOf(db, change);
	const { kind, account_id, address, last_at } = entry;
	const hour = last_at.slice(0, '2027-01-31T00'.length);
	const bucket = hash('sha256', address ?? '').slice(0, 1);
	const repeat_key = [kind, account_id, hour, bucket].join(' ');
	await db
		.insertInto('activity')
		.values({ ...entry, repeat_key })
		.onConflict((conflict) =>
			conflict.column('repeat_key').doUpdateSet(({ ref, eb }) => ({
				count: eb('activity.count', '+', 1),
				last_at: ref('excluded.last_at'),
				address: ref('excluded.address'),
			})),
		)
		.execute();
}

/** Records what changes nothing, such as opening a lease, once a day for each actor and subject. */
export async function recordDaily(db: Db, change: Change) {
	const entry = entryOf(db, change);
	const { kind, subject_id, actor_id, created_at } = entry;
	const day = created_at.slice(0, '2027-01-31'.length);
	const repeat_key = [kind, subject_id, actor_id, day].join(' ');
	const recorded = db.selectFrom('activity').select('id').where('repeat_key', '=', repeat_key);
	if (await recorded.executeTakeFirst()) return;
	await db
		.insertInto('activity')
		.values({ ...entry, repeat_key })
		.onConflict((conflict) => conflict.column('repeat_key').doNothing())
		.execute();
}

let made = 0;

/** Ids sort by time and, within a millisecond, in the order in which this process makes them. */
function nextId(createdAt: string) {
	made = (made + 1) % 0x1000000;
	const time = Date.parse(createdAt).toString(16).padStart(12, '0');
	return `evt_${time}${made.toString(16).padStart(6, '0')}${randomBytes(3).toString('hex')}`;
}

function entryOf(db: Db, { kind, accountId, subjectId, details = {} }: Change): ActivityRow {
	const actor = currentActor();
	const created_at = timeIn(db);
	return {
		id: nextId(created_at),
		created_at,
		kind,
		account_id: accountId === undefined ? (actor.accountId ?? null) : accountId,
		actor_id: actor.accountId ?? null,
		via: actor.via,
		api_key_id: actor.keyId ?? null,
		session_id: actor.sessionId ?? null,
		address: actor.address ?? null,
		subject_id: subjectId ?? null,
		// Somebody may have pasted a key as a label.
		details: redact(JSON.stringify(details)),
		repeat_key: null,
		count: 1,
		last_at: created_at,
	};
}

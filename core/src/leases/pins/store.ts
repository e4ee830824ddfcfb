// The pins of a board: until when they are watched, the last sample, and what drives them.
import type { drivenPins, pinInput, pinSample } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { boardChange } from '../../announcements.ts';
import { once } from '../../claims.ts';
import { timeIn } from '../../database/clock.ts';
import type { Db, LeaseRow, Owned } from '../../database/schema.ts';
import type { Command } from '../../gate.ts';
import { invalid } from '../../validation.ts';
import { type FencedReport, fencedLease, fenceOutdated } from '../fence.ts';
import { countChange } from '../live.ts';
import { lockLease } from '../lock.ts';
import { endGrace } from '../minutes.ts';
import { requireActive, requireDriven } from '../requirements.ts';
import { accessTo } from '../sharing/access.ts';

type PinSample = z.output<typeof pinSample>;

/** For how many milliseconds the agent sends samples after a page has asked for them. */
const watchTime = 20_000;
/** The watch is extended when less than this is left. */
const renewTime = 12_000;

/** An agent sends at least a sample every 4 seconds, so an older one comes from an agent that is away. */
const maxSilence = 10_000;

type OnBoard = Pick<LeaseRow, 'id' | 'fence'>;

/** Keeps the agent sending samples. Returns whether it has to be told. */
export async function watchPins(db: Db, { id, fence }: OnBoard) {
	const until = timeIn(db, watchTime);
	// Drops samples from before the watch ended, and everything of an earlier board.
	const { numAffectedRows } = await sql`
		insert into lease_pins (lease_id, fence, watched_until) values (${id}, ${fence}, ${until})
		on conflict (lease_id) do update set
			fence = excluded.fence,
			watched_until = excluded.watched_until,
			sample = case when lease_pins.fence = excluded.fence and lease_pins.watched_until > ${timeIn(db)}
				then lease_pins.sample end,
			driven = case when lease_pins.fence = excluded.fence then lease_pins.driven else '{}' end
		where lease_pins.fence < excluded.fence or lease_pins.watched_until < ${timeIn(db, renewTime)}
	`.execute(db);
	return numAffectedRows !== undefined && numAffectedRows > 0n;
}

export interface SampleReport extends FencedReport {
	sample: PinSample;
}

export async function storeSample(db: Db, { sample, ...report }: SampleReport) {
	const { numUpdatedRows } = await db
		.updateTable('lease_pins')
		.set({ sample: JSON.stringify(sample), sampled_at: timeIn(db) })
		.where('fence', '=', report.fence)
		.where('lease_id', 'in', fencedLease(db, report).select('leases.id'))
		.executeTakeFirst();
	if (numUpdatedRows === 0n) throw fenceOutdated();
}

/** The last sample, unless it is too old. */
export async function readSample(db: Db, onBoard: OnBoard): Promise<PinSample | undefined> {
	const row = await pinsOf(db, onBoard)
		.select('sample')
		.where('sampled_at', '>', timeIn(db, -maxSilence))
		.executeTakeFirst();
	// Written by this service.
	return row?.sample ? (JSON.parse(row.sample) as PinSample) : undefined;
}

export async function readDriven(db: Db, onBoard: OnBoard) {
	const row = await pinsOf(db, onBoard).select('driven').executeTakeFirst();
	return drivenOf(row?.driven);
}

function pinsOf(db: Db, { id, fence }: OnBoard) {
	return db.selectFrom('lease_pins').where('lease_id', '=', id).where('fence', '=', fence);
}

export function drivenOf(driven: string | null | undefined) {
	// Written by this service.
	return JSON.parse(driven ?? '{}') as z.output<typeof drivenPins>;
}

export async function deleteOldPins(db: Db) {
	await db
		.deleteFrom('lease_pins')
		.where('lease_id', 'not in', ({ selectFrom }) =>
			selectFrom('leases').select('id').where('status', '<>', 'ended'),
		)
		.execute();
}

type PinInput = z.output<typeof pinInput>;

/** Drives or releases a pin, and returns all driven pins. */
export const drivePin: Command<'drivePin'> = async (core, caller, { ids, input, claim }) => {
	const { lease, owned } = await accessTo(core.database.query, { ...caller, ...ids }, 'type');
	const { result, replayed } = await once(core, claim, {
		create: (db) => drive(db, owned, input),
		replay: async (db, id) => ({ id, board_id: null, driven: await readDriven(db, lease) }),
		mismatch: 'idempotency_conflict',
	});
	await endGrace(core, lease);
	if (result.board_id !== null) await core.dispatch({ names: [boardChange(result.board_id)] });
	return { result: { driven: result.driven }, replayed };
};

async function drive(db: Db, { id }: Owned, { pin, volts }: PinInput) {
	const lease = await lockLease(db, id);
	requireActive(lease);
	const { pins } = await requireDriven(db, id);
	if (!pins?.names.includes(pin)) {
		const known = pins && `must be a pin of this board: ${pins.names.join(', ')}`;
		throw invalid([{ path: 'pin', message: known ?? 'is not supported by this board' }]);
	}
	const driven: Record<string, number> = { ...(await readDriven(db, lease)) };
	if (volts === null) delete driven[pin];
	else driven[pin] = Math.min(volts, pins.volts);
	const row = { fence: lease.fence ?? 0, driven: JSON.stringify(driven) };
	await db
		.insertInto('lease_pins')
		.values({ lease_id: id, ...row })
		.onConflict((conflict) => conflict.column('lease_id').doUpdateSet(row))
		.execute();
	await countChange(db, [id]);
	return { id, board_id: lease.board_id, driven };
}

// The last picture of a board, taken by the camera of its agent.
import { maxPictureBytes, pictureType } from 'board-access-contract';
import { boardChange, picturesChange } from '../../announcements.ts';
import type { Core } from '../../core.ts';
import { timeIn } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { invalid } from '../../validation.ts';
import { fenceOutdated } from '../fence.ts';
import { fencedLease, maxSilence, type SampleReport, watchPins } from './store.ts';

/** Twice as long as an agent waits for its camera. */
const maxWait = 10_000;

export interface PictureReport extends Omit<SampleReport, 'sample'> {
	data: Buffer;
}

export async function storePicture(db: Db, { data, fence, ...sender }: PictureReport) {
	if (data.length > maxPictureBytes || !pictureType(data))
		throw invalid([{ path: 'body', message: 'must be a JPEG or PNG image of at most 512 KiB' }]);
	const { numUpdatedRows } = await db
		.updateTable('lease_pins')
		.set({ picture: data, pictured_at: timeIn(db) })
		.where('fence', '=', fence)
		// During a preparation, the board may still show what an earlier lease did.
		.where(
			'lease_id',
			'in',
			fencedLease(db, { ...sender, fence }).where('leases.status', '=', 'active'),
		)
		.executeTakeFirst();
	if (numUpdatedRows === 0n) throw fenceOutdated();
}

/** Keeps the agent sending pictures. Returns the last one, or waits for the first. */
export async function lookAt(
	{ database: { query }, wake, dispatch, stopping }: Core,
	lease: LeaseRow,
	caller: AbortSignal,
) {
	if (lease.status !== 'active' || lease.board_id === null) return undefined;
	const signal = AbortSignal.any([caller, stopping]);
	const watch = wake.watch([picturesChange(lease.id)]);
	try {
		if (await watchPins(query, lease)) await dispatch({ names: [boardChange(lease.board_id)] });
		const known = await readPicture(query, lease);
		if (known) return known;
		await watch.changed({ milliseconds: maxWait, signal });
		return signal.aborted ? undefined : await readPicture(query, lease);
	} finally {
		watch.close();
	}
}

/** The last picture, unless it is too old. */
async function readPicture(db: Db, { id, fence }: LeaseRow) {
	const row = await db
		.selectFrom('lease_pins')
		.innerJoin('leases', 'leases.id', 'lease_id')
		.select('picture')
		.where('lease_id', '=', id)
		.where('lease_pins.fence', '=', fence)
		.where('status', '=', 'active')
		.where('pictured_at', '>', timeIn(db, -maxSilence))
		.executeTakeFirst();
	return row?.picture ?? undefined;
}

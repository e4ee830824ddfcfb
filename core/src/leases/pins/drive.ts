// Drives the pins of a board from outside.
import type { pinInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { boardChange } from '../../announcements.ts';
import { once } from '../../claims.ts';
import type { Db, Owned } from '../../database/schema.ts';
import type { Command } from '../../gate.ts';
import { invalid } from '../../validation.ts';
import { lockLease } from '../lock.ts';
import { endGrace } from '../minutes.ts';
import { requireActive, requireDriven } from '../requirements.ts';
import { accessTo } from '../sharing/access.ts';
import { readDriven, storeDriven } from './store.ts';

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
	await storeDriven(db, lease, JSON.stringify(driven));
	return { id, board_id: lease.board_id, driven };
}

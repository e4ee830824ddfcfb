// Firmware that is uploaded for a lease.
import { type Claim, once, requireEqual } from '../../claims.ts';
import type { Core } from '../../core.ts';
import type { Owned } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { lockLease } from '../lock.ts';
import { findDrivenLease, requireActive, requireDriven } from '../requirements.ts';
import { findLease } from '../store.ts';
import type { FileContent } from './content.ts';
import { requireDiskSpace } from './disk.ts';
import { createFile, findFile, findUpload } from './store.ts';
import { readInThread } from './thread.ts';

/**
 * The file that was uploaded with this key before; a repeated upload gets it even if the lease has ended. For any
 * other, the lease must have a board that can be flashed, and the disk room.
 */
export async function admitUpload(core: Core, owned: Owned, key: string | undefined) {
	const { query } = core.database;
	const upload = { leaseId: owned.id, accountId: owned.accountId, key: key ?? '' };
	const stored = await findUpload(query, upload);
	if (stored) return stored;
	await findDrivenLease(query, owned);
	await requireDiskSpace(core.settings.database);
	return undefined;
}

type Stored = NonNullable<Awaited<ReturnType<typeof findUpload>>>;

/** The response to a repeated upload. */
export function repeatUpload({ request_hash, ...file }: Stored, claim: Claim | undefined) {
	if (claim) requireEqual(claim, request_hash, 'idempotency_conflict');
	return { result: file, replayed: true };
}

/** Checks firmware for the board of a lease. It takes a while, in a thread of its own. */
export async function readFirmware(
	core: Core,
	leaseId: string,
	file: { data: Buffer; raw: boolean },
) {
	const { memory } = await requireDriven(core.database.query, leaseId);
	return readInThread({ ...file, memory });
}

/** Stores firmware that was read, once for a lease and its equal. */
export function storeFirmware(
	core: Core,
	owned: Owned,
	file: FileContent & { data: Buffer },
	claim?: Claim,
) {
	const { accountId: owner, id } = owned;
	return once(core, claim, {
		create: (db) =>
			inTransaction(db, async (db) => {
				// Locks the account, too, whose other leases share its room.
				requireActive((await lockLease(db, id)) ?? (await findLease(db, owned)));
				const upload = { lease_id: id, owner, ...file };
				return createFile(db, upload, core.settings.firmwareMibPerAccount);
			}),
		replay: (db, fileId) => findFile(db, { leaseId: id, fileId }),
		mismatch: 'idempotency_conflict',
	});
}

// Firmware that is uploaded for a lease.
import { hash } from 'node:crypto';
import { type Claim, once, requireEqual } from '../../claims.ts';
import type { Core } from '../../core.ts';
import type { Owned } from '../../database/schema.ts';
import { lockLease } from '../lock.ts';
import { requireActive, requireDriven } from '../requirements.ts';
import { findLease } from '../store.ts';
import { createFile, findFile, findUpload, requireDiskSpace } from './store.ts';
import { readInThread } from './thread.ts';

/** Finds the file of a repeated upload, even if the lease has ended. A new one needs a board with an agent, and room. */
export async function admitUpload(core: Core, owned: Owned, key: string | undefined) {
	const { query } = core.database;
	const upload = { leaseId: owned.id, accountId: owned.accountId, key: key ?? '' };
	const stored = await findUpload(query, upload);
	if (stored) return stored;
	requireActive(await findLease(query, owned));
	await requireDriven(query, owned.id);
	await requireDiskSpace(core.settings.database);
	return undefined;
}

interface Upload {
	data: Buffer;
	/** Whether a file of no known format is accepted. */
	raw: boolean;
	/** The result of `admitUpload`. */
	stored: Awaited<ReturnType<typeof admitUpload>>;
	claimFor: (sha256: string) => Claim | undefined;
	/** Reads one file of an account at a time. */
	inTurn: <Result>(read: () => Promise<Result>) => Promise<Result>;
}

export async function uploadFirmware(core: Core, owned: Owned, upload: Upload) {
	const { data, raw, stored, claimFor, inTurn } = upload;
	if (stored) {
		const { request_hash, ...file } = stored;
		const claim = claimFor(hash('sha256', data));
		if (claim) requireEqual(claim, request_hash, 'idempotency_conflict');
		return { result: file, replayed: true };
	}
	const { accountId: owner, id } = owned;
	const content = await inTurn(async () => {
		const { memory } = await requireDriven(core.database.query, id);
		return readInThread({ data, raw, memory });
	});
	return once(core, claimFor(content.sha256), {
		create: async (db) => {
			// Also locks the account, whose leases share its storage.
			requireActive(await lockLease(db, id));
			const file = { lease_id: id, owner, data, ...content };
			return createFile(db, file, core.settings.firmwareMibPerAccount);
		},
		replay: (db, fileId) => findFile(db, { leaseId: id, fileId }),
		mismatch: 'idempotency_conflict',
	});
}

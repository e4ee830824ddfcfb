// /v1/leases/{lease_id}/files: firmware to flash, as raw bytes.

import { hash } from 'node:crypto';
import { fileQuery, maxFileSize } from 'board-access-contract';
import {
	createFile,
	findDrivenLease,
	findFile,
	findUpload,
	inTransaction,
	lockLease,
	readInThread,
	requireActive,
	requireDiskSpace,
	requireDriven,
} from 'board-access-core';
import type { ServiceApp } from '../../http/environment.ts';
import { changeOf, once, requireEqual } from '../../http/idempotency.ts';
import { readQuery, readRaw } from '../../http/read.ts';
import { respondOnce } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';
import { authorizeLease } from './sharing.ts';

export function leaseFileRoutes(
	app: ServiceApp,
	{ database, authenticate, limits, settings }: Parts,
) {
	app.post('/v1/leases/:id/files', async (c) => {
		const caller = await authenticate(c);
		const { accountId } = caller;
		const query = readQuery(c, fileQuery);
		const { lease, owned } = await authorizeLease(c, database.query, caller, 'hold');
		const leaseId = owned.id;
		// A repeated upload gets its response even if the lease has ended in the meantime. No other upload
		// is read unless the lease has a board.
		const upload = { leaseId, accountId, key: c.req.header('idempotency-key') ?? '' };
		const stored = await findUpload(database.query, upload);
		if (!stored) await findDrivenLease(database.query, owned);
		// The many leases of an account that have ended share one limit.
		const limited = lease.status === 'ended' ? accountId : leaseId;
		if (!stored) await requireDiskSpace(settings.database);
		const file = await limits.upload(limited, async () => {
			const data = await readRaw(c, maxFileSize);
			const sentWith = (sha256: string) => changeOf(c, { accountId, input: { ...query, sha256 } });
			if (stored) {
				const { request_hash, ...result } = stored;
				requireEqual(sentWith(hash('sha256', data)), request_hash);
				return { result, replayed: true };
			}
			const { memory } = await requireDriven(database.query, leaseId);
			const content = await limits.readFirmware(accountId, () =>
				readInThread({ data, raw: query.raw === 'true', memory }),
			);
			return once(database, {
				...sentWith(content.sha256),
				create: (db) =>
					inTransaction(db, async (db) => {
						// Locks the account, too, whose other leases share its room.
						requireActive((await lockLease(db, leaseId)) ?? lease);
						const upload = { lease_id: leaseId, owner: accountId, data, ...content };
						return createFile(db, upload, settings.firmwareMibPerAccount);
					}),
				replay: (db, fileId) => findFile(db, { leaseId, fileId }),
			});
		});
		return respondOnce(c, file);
	});
}

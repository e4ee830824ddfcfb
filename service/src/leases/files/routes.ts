// /v1/leases/{lease_id}/files: firmware to flash, as raw bytes.

import { fileQuery, maxFileSize } from 'board-access-contract';
import { lockAccount } from '../../accounts/lock.ts';
import { inTransaction } from '../../database/transactions.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { changeOf, isKnown, once } from '../../http/idempotency.ts';
import { readQuery, readRaw } from '../../http/read.ts';
import { respondOnce } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';
import { findDrivenLease, requireActive, requireDriven } from '../requirements.ts';
import { findLease, lockLease } from '../store.ts';
import { requireDiskSpace } from './disk.ts';
import { createFile, findFile } from './store.ts';
import { readInThread } from './thread.ts';

export function leaseFileRoutes(
	app: ServiceApp,
	{ database, authenticate, limits, settings }: Parts,
) {
	app.post('/v1/leases/:id/files', async (c) => {
		const { accountId } = await authenticate(c);
		const query = readQuery(c, fileQuery);
		const leaseId = c.req.param('id');
		// A repeated upload gets its response even if the lease has ended in the meantime. No other upload
		// is read unless the lease has a board.
		const key = c.req.header('idempotency-key');
		const isRepeated = await isKnown(database.query, { key, accountId });
		const find = isRepeated ? findLease : findDrivenLease;
		const lease = await find(database.query, { accountId, id: leaseId });
		// The many leases of an account that have ended share one limit.
		const limited = lease.status === 'ended' ? accountId : leaseId;
		if (!isRepeated) await requireDiskSpace(settings.database);
		const file = await limits.upload(limited, async () => {
			const data = await readRaw(c, maxFileSize);
			const memory = isRepeated ? undefined : (await requireDriven(database.query, leaseId)).memory;
			const content = await limits.readFirmware(accountId, () =>
				readInThread({ data, raw: query.raw === 'true', memory }),
			);
			return once(database, {
				...changeOf(c, { accountId, input: { ...query, sha256: content.sha256 } }),
				create: (db) =>
					inTransaction(db, async (db) => {
						// In this order, as a renewal locks them.
						await lockAccount(db, accountId);
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

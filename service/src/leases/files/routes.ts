// /v1/leases/{lease_id}/files: firmware to flash, as raw bytes.

import { fileQuery, maxFileSize } from 'board-access-contract';
import { inTransaction } from '../../database/transactions.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { changeOf, isKnown, once } from '../../http/idempotency.ts';
import { readQuery, readRaw } from '../../http/read.ts';
import { respondOnce } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';
import { findDrivenLease, requireActive, requireDriven } from '../requirements.ts';
import { findLease, lockLease } from '../store.ts';
import { contentOf, createFile, digestOf, findFile, requireFit } from './store.ts';

export function leaseFileRoutes(app: ServiceApp, { database, authenticate, limits }: Parts) {
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
		const file = await limits.upload(limited, async () => {
			const data = await readRaw(c, maxFileSize);
			const sha256 = digestOf(data);
			// Parsing a large file blocks the event loop for up to a second.
			const firmware = await limits.costlyRead(accountId, async () =>
				contentOf(data, { raw: query.raw === 'true' }),
			);
			return once(database, {
				...changeOf(c, { accountId, input: { ...query, sha256 } }),
				create: (db) =>
					inTransaction(db, async (db) => {
						requireActive((await lockLease(db, leaseId)) ?? lease);
						requireFit(firmware, await requireDriven(db, leaseId));
						return createFile(db, { leaseId, data, sha256, format: firmware.format });
					}),
				replay: (db, fileId) => findFile(db, { leaseId, fileId }),
			});
		});
		return respondOnce(c, file);
	});
}

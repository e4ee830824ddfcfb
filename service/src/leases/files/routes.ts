// /v1/leases/{lease_id}/files: firmware to flash, as raw bytes.
import { maxFileSize } from 'board-access-contract';
import type { ServiceApp } from '../../http/environment.ts';
import { noQuery, readQuery, readRaw } from '../../http/read.ts';
import { respond } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';
import { lockLease } from '../lock.ts';
import { findDrivenLease, requireActive } from '../requirements.ts';
import { createFile, formatOf } from './store.ts';

export function leaseFileRoutes(
	app: ServiceApp,
	{ database, authenticate, limits }: Pick<Parts, 'database' | 'authenticate' | 'limits'>,
) {
	app.post('/v1/leases/:id/files', async (c) => {
		const { accountId } = await authenticate(c);
		readQuery(c, noQuery);
		const leaseId = c.req.param('id');
		const lease = await findDrivenLease(database.query, { accountId, id: leaseId });
		const file = await limits.upload(leaseId, async () => {
			const data = await readRaw(c, maxFileSize);
			// Parsing a large file blocks the event loop for up to a second.
			const format = await limits.costlyRead(accountId, async () => formatOf(data));
			return database.query.transaction().execute(async (db) => {
				requireActive((await lockLease(db, leaseId)) ?? lease);
				return createFile(db, { leaseId, data, format });
			});
		});
		return respond(c, file, { status: 201 });
	});
}

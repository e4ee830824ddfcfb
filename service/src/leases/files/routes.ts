// /v1/leases/{lease_id}/files: firmware to flash, as raw bytes.
import { maxFileSize } from 'board-access-contract';
import type { ServiceApp } from '../../http/environment.ts';
import { noQuery, readQuery, readRaw } from '../../http/read.ts';
import { respond } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';
import { lockLease } from '../lock.ts';
import { requireActive, requireDriven } from '../requirements.ts';
import { findLease } from '../store.ts';
import { createFile } from './store.ts';

export function leaseFileRoutes(
	app: ServiceApp,
	{ database, authenticate }: Pick<Parts, 'database' | 'authenticate'>,
) {
	app.post('/v1/leases/:id/files', async (c) => {
		const { accountId } = await authenticate(c);
		readQuery(c, noQuery);
		const leaseId = c.req.param('id');
		const lease = await findLease(database.query, { accountId, id: leaseId });
		requireActive(lease);
		await requireDriven(database.query, leaseId);
		const data = await readRaw(c, maxFileSize);
		const file = await database.query.transaction().execute(async (db) => {
			requireActive((await lockLease(db, leaseId)) ?? lease);
			return createFile(db, { leaseId, data });
		});
		return respond(c, file, { status: 201 });
	});
}

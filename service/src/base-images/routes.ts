// /v1/admin/base-images: what administrators put on offer for flashing and erasing.
import { baseImageInput } from 'board-access/contract';
import { requireAdmin } from '../authenticate.ts';
import { answer } from '../http/answer.ts';
import type { ServiceApp } from '../http/environment.ts';
import { noQuery, readBody, readQuery, requestDigest } from '../http/request.ts';
import { once } from '../idempotency.ts';
import type { Parts } from '../parts.ts';
import { createBaseImage, findBaseImage } from './store.ts';

export const baseImageRoutes = (app: ServiceApp, { database, authenticate }: Parts) => {
	app.post('/v1/admin/base-images', async (c) => {
		const caller = await authenticate(c);
		requireAdmin(caller);
		readQuery(c, noQuery);
		const { id: _id, created_at: _createdAt, ...input } = await readBody(c, baseImageInput);
		const { result, replayed } = await once(database, {
			key: c.req.header('idempotency-key'),
			accountId: caller.accountId,
			digest: requestDigest(c, input),
			create: (db) => createBaseImage(db, input),
			replay: findBaseImage,
		});
		return answer(c, result, {
			status: 201,
			...(replayed && { headers: { 'idempotent-replayed': 'true' } }),
		});
	});
};

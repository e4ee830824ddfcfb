// /v1/admin/base-images: what administrators put on offer for flashing and erasing.
import { baseImageInput } from 'board-access-contract';
import { requireAdmin } from '../http/authenticate.ts';
import type { ServiceApp } from '../http/environment.ts';
import { noQuery, readBody, readQuery } from '../http/read.ts';
import { respondCreated } from '../http/respond.ts';
import type { Parts } from '../parts.ts';
import { createBaseImageOnce } from './create.ts';

export function baseImageRoutes(
	app: ServiceApp,
	{ database, authenticate }: Pick<Parts, 'database' | 'authenticate'>,
) {
	app.post('/v1/admin/base-images', async (c) => {
		const caller = await authenticate(c);
		requireAdmin(caller);
		readQuery(c, noQuery);
		const created = await createBaseImageOnce(c, database, {
			key: c.req.header('idempotency-key'),
			accountId: caller.accountId,
			image: await readBody(c, baseImageInput),
		});
		return respondCreated(c, created);
	});
}

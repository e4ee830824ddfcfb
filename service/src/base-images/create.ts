// Creating a base image, from the API and from its page.
import type { Context } from 'hono';
import type { Database } from '../database/database.ts';
import { once } from '../http/idempotency.ts';
import { requestDigest } from '../http/read.ts';
import { createBaseImage, findBaseImage, type NewBaseImage } from './store.ts';

interface Creation {
	/** Names the request; without one, every request creates. */
	key: string | undefined;
	accountId: string;
	image: NewBaseImage;
}

/** Creates a base image, or answers the one that the same request has created. */
export function createBaseImageOnce(
	c: Context,
	database: Database,
	{ key, accountId, image }: Creation,
) {
	const { id: _id, created_at: _createdAt, ...input } = image;
	return once(database, {
		key,
		accountId,
		digest: requestDigest(c, input),
		create: (db) => createBaseImage(db, input),
		replay: findBaseImage,
	});
}

// Creating and changing a base image, from the API and from its page.
import { baseImageInput, type baseImageUpdate } from 'board-access-contract';
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { Database } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { once } from '../http/idempotency.ts';
import { requestDigest } from '../http/read.ts';
import { validate } from '../validation.ts';
import {
	type BaseImageRecord,
	createBaseImage,
	findBaseImage,
	type NewBaseImage,
} from './store.ts';

interface Creation {
	/** Identifies the request; without it, every request creates a base image. */
	key: string | undefined;
	accountId: string;
	image: z.output<typeof baseImageInput>;
}

/** Creates a base image, or returns the one that the same request created. */
export function createBaseImageOnce(
	c: Context,
	database: Database,
	{ key, accountId, image }: Creation,
) {
	const input = withoutAssigned(image);
	return once(database, {
		key,
		accountId,
		digest: requestDigest(c, input),
		create: (db) => createBaseImage(db, input),
		replay: async (db, id) => (await findBaseImage(db, id)) ?? deleted(id),
	});
}

/** The image with some fields changed, if the whole is still valid. */
export function mergeBaseImage(
	image: BaseImageRecord,
	update: z.output<typeof baseImageUpdate>,
): NewBaseImage {
	return withoutAssigned(validate(baseImageInput, { ...image, ...update }));
}

export function withoutAssigned({
	id: _id,
	created_at: _createdAt,
	...input
}: z.output<typeof baseImageInput>): NewBaseImage {
	return input;
}

function deleted(id: string): never {
	throw new ApiError(
		'base_image_not_found',
		`The base image ${id} was created, and deleted since.`,
	);
}

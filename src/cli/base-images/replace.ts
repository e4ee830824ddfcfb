// Replaces the base images of a board type as a whole, or shows what that would change.
import type { BaseImageInput, BoardAccess } from 'board-access';
import * as z from 'zod/mini';
import { baseImage, baseImagePlan, snakeCase } from '../../contract/index.ts';

interface Replacement {
	boardType: string;
	images: readonly BaseImageInput[];
	/** Otherwise nothing changes. */
	apply: boolean;
	signal: AbortSignal | undefined;
}

// An entry that would be added has no ID yet.
const planned = z.partial(baseImage);
const plan = z.extend(baseImagePlan, { added: z.array(planned) });

export type ImagePlan = Awaited<ReturnType<typeof replaceImages>>;

/** In one request, which the service carries out as a whole or not at all. */
export async function replaceImages(
	client: BoardAccess,
	{ boardType, images, apply, signal }: Replacement,
) {
	const json = { board_type: boardType, images: images.map(wireNames), dry_run: !apply };
	const path = '/v1/admin/base-images';
	const response = await client.request({ method: 'PUT', path, json, signal });
	const { added, changed, removed, unchanged } = z.parse(plan, response);
	return {
		boardType,
		added: added.map(ownNames),
		changed: changed.map(({ before, after }) => ({
			before: ownNames(before),
			after: ownNames(after),
		})),
		removed: removed.map(ownNames),
		unchanged,
	};
}

function wireNames(image: BaseImageInput) {
	return Object.fromEntries(Object.entries(image).map(([name, value]) => [snakeCase(name), value]));
}

/** With the names that other records have. */
function ownNames({ board_type, flash_offset, created_at, ...rest }: z.infer<typeof planned>) {
	const times = created_at === undefined ? {} : { createdAt: created_at };
	return { ...rest, boardType: board_type, flashOffset: flash_offset, ...times };
}

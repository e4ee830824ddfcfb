// The requests about base images.
import * as z from 'zod/mini';
import type { BaseImage, BaseImageQuery, BaseImages } from '../../base-images.ts';
import { baseImage, baseImageActions } from '../../contract/base-image.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { recordPath } from '../path.ts';
import { readInput, recordReader, snakeCased } from '../records.ts';
import type { RequestFunction } from '../request.ts';
import type { RequestOptions } from '../settings.ts';

// A service may have other actions than those in the contract.
const readBaseImage = recordReader({ ...baseImage.shape, action: z.string() });

const text = z.optional(z.nullable(z.string()));
const action = z.enum(baseImageActions, "must be 'flash' or 'erase'");

const fields = {
	action: z.optional(action),
	boardType: text,
	name: text,
	description: text,
	url: text,
	flashOffset: text,
	position: z.optional(z.nullable(z.number())),
	enabled: z.optional(z.nullable(z.boolean())),
};
const update = z.looseObject(fields);
const input = z.looseObject({ ...fields, action });

const queryInput = z.looseObject({
	boardType: z.optional(z.string()),
	pageSize: z.optional(z.number()),
	cursor: z.optional(z.string()),
});

const path = '/v1/admin/base-images';
const pathOf = (id: string) => recordPath(path, id, 'base image');
const read = (body: unknown) => readBaseImage(body);

/** What {@link BaseImages} does; a list is only described. */
interface BaseImageRequests extends Omit<BaseImages, 'list'> {
	list(query?: BaseImageQuery, options?: RequestOptions): ListRequest<BaseImage>;
}

export function baseImages(request: RequestFunction): BaseImageRequests {
	return {
		create: async (image, options) =>
			await request({
				method: 'POST',
				path,
				json: snakeCased(readInput(input, image)),
				options,
				read,
			}),
		list: (query = {}, options) => ({
			path,
			query: () => pageQuery(readInput(queryInput, query)),
			read: readBaseImage,
			options,
		}),
		get: async (id, options) => await request({ method: 'GET', path: pathOf(id), options, read }),
		update: async (id, changes, options) =>
			await request({
				method: 'PATCH',
				path: pathOf(id),
				json: snakeCased(readInput(update, changes)),
				options,
				read,
			}),
		delete: async (id, options) =>
			await request({ method: 'DELETE', path: pathOf(id), options, read: () => undefined }),
	};
}

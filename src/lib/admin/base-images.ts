// The requests about base images.
import * as z from 'zod/mini';
import type { BaseImage, BaseImageQuery, BaseImages } from '../../base-images.ts';
import { baseImage, baseImageActions } from '../../contract/base-image.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { readInput, recordReader } from '../records.ts';
import type { RequestFunction } from '../request.ts';
import type { RequestOptions } from '../settings.ts';
import { collectionRequests } from './collection.ts';

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

/** What {@link BaseImages} does; a list is only described. */
interface BaseImageRequests extends Omit<BaseImages, 'list'> {
	list(query?: BaseImageQuery, options?: RequestOptions): ListRequest<BaseImage>;
}

export function baseImages(request: RequestFunction): BaseImageRequests {
	return {
		...collectionRequests(request, {
			path,
			noun: 'base image',
			input,
			update,
			read: (body) => readBaseImage(body),
		}),
		list: (query = {}, options) => ({
			path,
			query: () => pageQuery(readInput(queryInput, query)),
			read: readBaseImage,
			options,
		}),
	};
}

// The requests about base images.
import * as z from 'zod/mini';
import type { BaseImage, BaseImageQuery, BaseImages } from '../../base-images.ts';
import { baseImageActions, baseImageFields } from '../../contract/base-image.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { readInput, recordReader } from '../records.ts';
import type { RequestFunction } from '../request.ts';
import type { RequestOptions } from '../settings.ts';
import { collectionRequests } from './collection.ts';

const readBaseImage = recordReader(baseImageFields);

const text = z.optional(z.nullable(z.string()));

// Not an enum of zod: as the only one, it would add its code to every program.
const wrongAction = "must be 'flash' or 'erase'";
const action = z.string(wrongAction).check(({ value, issues }) => {
	if (baseImageActions.some((each) => each === value)) return;
	issues.push({ code: 'custom', input: value, message: wrongAction });
});

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

const queryFields = {
	boardType: z.optional(z.string()),
	pageSize: z.optional(z.number()),
	cursor: z.optional(z.string()),
};

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
			input: { ...fields, action },
			update: fields,
			read: (body) => readBaseImage(body),
		}),
		list: (query = {}, options) => ({
			path,
			query: () => pageQuery(readInput(queryFields, query)),
			read: readBaseImage,
			options,
		}),
	};
}

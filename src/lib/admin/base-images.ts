// The requests about base images.
import * as z from 'zod/mini';
import type { BaseImage, BaseImageAction, BaseImageQuery, BaseImages } from '../../base-images.ts';
import { baseImageActions, baseImageFields } from '../../contract/base-image.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { fieldRule, readInput, recordReader } from '../records.ts';
import type { RequestFunction } from '../request.ts';
import type { RequestOptions } from '../settings.ts';
import { collectionRequests } from './collection.ts';

const readBaseImage = recordReader(baseImageFields);

const text = z.nullable(z.string());
const action = fieldRule(isAction, "must be 'flash' or 'erase'");

const fields = {
	action,
	boardType: text,
	name: text,
	description: text,
	url: text,
	flashOffset: text,
	position: z.nullable(z.number()),
	enabled: z.nullable(z.boolean()),
};

const queryFields = {
	boardType: z.string(),
	pageSize: z.number(),
	cursor: z.string(),
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
			fields,
			needed: { action },
			read: (body) => readBaseImage(body),
		}),
		list: (query = {}, options) => ({
			path,
			query: pageQuery(readInput(queryFields, query)),
			read: readBaseImage,
			options,
		}),
	};
}

function isAction(value: unknown): value is BaseImageAction {
	return baseImageActions.some((action) => action === value);
}

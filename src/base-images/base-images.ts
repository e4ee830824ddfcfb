// The requests about base images.
import * as z from 'zod/mini';
import { baseImageActions, baseImageFields } from '../contract/base-image.ts';
import { collectionRequests } from '../http/collection.ts';
import { createListing } from '../http/list.ts';
import type { RequestFunction } from '../http/request.ts';
import { fieldRule, listQuery, recordReader } from '../records/records.ts';
import type { BaseImageAction, BaseImages } from './types.ts';

const read = recordReader(baseImageFields);
const text = z.nullable(z.string());
const action = fieldRule(
	(value): value is BaseImageAction => baseImageActions.some((action) => action === value),
	"must be 'flash' or 'erase'",
);

const fields = {
	action,
	boardType: text,
	name: text,
	description: text,
	url: text,
	flashOffset: text,
	position: z.nullable(z.number()),
	enabled: z.nullable(z.boolean()),
	sha256: text,
};

const path = '/v1/admin/base-images';

export function createBaseImages(request: RequestFunction): BaseImages {
	return {
		...collectionRequests(request, { path, noun: 'base image', fields, needed: { action }, read }),
		list: (query, options) =>
			createListing(request, () => ({
				path,
				query: listQuery({ boardType: z.string() }, query),
				read,
				options,
			})),
	};
}

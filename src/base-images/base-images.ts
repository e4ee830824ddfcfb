// The requests about base images.
import * as z from 'zod/mini';
import { baseImageActions, baseImageFields } from '../contract/base-image.ts';
import { collectionRequests } from '../http/collection.ts';
import { createListing, readPage } from '../http/list.ts';
import type { RequestFunction } from '../http/request.ts';
import { fieldsOf, jsonBody } from '../records/json.ts';
import type { Address, InputFields } from '../records/operations.ts';
import {
	fieldRule,
	filledText,
	listQuery,
	readInput,
	recordReader,
	snakeCased,
} from '../records/records.ts';
import type { BaseImageAction, BaseImagePlan, BaseImageSet, BaseImages } from './types.ts';

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
} satisfies InputFields<'updateBaseImage'>;

const path = '/v1/admin/base-images' satisfies Address;

export function createBaseImages(request: RequestFunction): BaseImages {
	return {
		...collectionRequests(request, { path, noun: 'base image', fields, needed: { action }, read }),
		list: (query, options) =>
			createListing(request, () => ({
				path,
				query: listQuery({ boardType: filledText }, query),
				read,
				options,
			})),
		replace: async (wanted, options) =>
			await request({
				method: 'PUT',
				path,
				body: jsonBody(wireSet(wanted)),
				options,
				read: readPlan,
			}),
	};
}

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const neededInSet = { boardType: z.string(), images: fieldRule(isArray, 'must be an array') };

function wireSet(wanted: BaseImageSet) {
	const set = readInput({ dryRun: z.boolean() }, wanted, neededInSet);
	const images = wanted.images.map((image) => snakeCased(readInput(fields, image, { action })));
	return snakeCased({ ...set, images });
}

const { id: _, ...newFields } = baseImageFields;
const readNew = recordReader(newFields);

function readPlan(body: unknown): BaseImagePlan {
	const { added, changed, removed, unchanged } = fieldsOf(body);
	const readChange = (change: unknown) => {
		const { before, after } = fieldsOf(change);
		return { before: read(before), after: read(after) };
	};
	return {
		added: readPage(readNew, added).items,
		changed: readPage(readChange, changed).items,
		removed: readPage(read, removed).items,
		unchanged: Number(unchanged),
	};
}

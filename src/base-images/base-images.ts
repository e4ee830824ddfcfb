// The requests about base images.
import * as z from 'zod/mini';
import { baseImageActions, baseImageFields } from '../contract/base-image.ts';
import { call, ignored } from '../http/call.ts';
import { createListing, readPage } from '../http/list.ts';
import type { RequestFunction } from '../http/request.ts';
import { fieldsOf } from '../records/json.ts';
import type { InputFields } from '../records/operations.ts';
import { fieldRule, filledText, readInput, recordReader, snakeCased } from '../records/records.ts';
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
} satisfies InputFields<'PATCH /v1/admin/base-images/{id}'>;

export function createBaseImages(request: RequestFunction): BaseImages {
	return {
		list: (query, options) =>
			createListing(request, {
				route: 'GET /v1/admin/base-images',
				filters: { boardType: filledText },
				query,
				read,
				options,
			}),
		create: async (image, options) => {
			const json = snakeCased(readInput(fields, image, { action }));
			return await call(request, 'POST /v1/admin/base-images', { json, read, options });
		},
		get: async (id, options) =>
			await call(request, 'GET /v1/admin/base-images/{id}', { ids: { id }, read, options }),
		update: async (id, changes, options) => {
			const json = snakeCased(readInput(fields, changes));
			const ids = { id };
			return await call(request, 'PATCH /v1/admin/base-images/{id}', { ids, json, read, options });
		},
		delete: async (id, options) =>
			await call(request, 'DELETE /v1/admin/base-images/{id}', {
				ids: { id },
				read: ignored,
				options,
			}),
		replace: async (wanted, options) => {
			const json = wireSet(wanted);
			return await call(request, 'PUT /v1/admin/base-images', { json, read: readPlan, options });
		},
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
		const { before, after } = Object(change);
		return { before: read(before), after: read(after) };
	};
	return {
		added: readPage(readNew, added).items,
		changed: readPage(readChange, changed).items,
		removed: readPage(read, removed).items,
		unchanged: Number(unchanged),
	};
}

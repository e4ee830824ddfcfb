// The requests that change a collection of records, the same for boards and base images.
import { jsonBody } from '../records/json.ts';
import { type ReadRecord, readInput, type Shape, snakeCased } from '../records/records.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';
import { recordPath } from './path.ts';
import type { RequestFunction } from './request.ts';

interface Collection<Item> {
	path: string;
	/** What a record is, in error messages. */
	noun: string;
	fields: Shape;
	/** The fields that a new record must have. */
	needed: Shape;
	read: ReadRecord<Item>;
}

export function collectionRequests<Item>(
	request: RequestFunction,
	{ path, noun, fields, needed, read: readRecord }: Collection<Item>,
) {
	const read = (body: unknown) => readRecord(body);
	const pathOf = (id: string) => recordPath(path, id, noun);
	return {
		create: async (record: object, options?: CreateOptions) =>
			await request({
				method: 'POST',
				path,
				body: jsonBody(snakeCased(readInput(fields, record, needed))),
				options,
				read,
			}),
		get: async (id: string, options?: RequestOptions) =>
			await request({ method: 'GET', path: pathOf(id), options, read }),
		update: async (id: string, changes: object, options?: RequestOptions) =>
			await request({
				method: 'PATCH',
				path: pathOf(id),
				body: jsonBody(snakeCased(readInput(fields, changes))),
				options,
				read,
			}),
		delete: async (id: string, options?: RequestOptions) =>
			await request({ method: 'DELETE', path: pathOf(id), options, read: () => undefined }),
	};
}

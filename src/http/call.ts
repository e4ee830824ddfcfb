// A request of an operation of the API: the compiler checks its address, its names and its record.
import { jsonBody } from '../records/json.ts';
import type { Ids, NameIn, RecordAt, Route } from '../records/operations.ts';
import { pathWith } from './path.ts';
import type { ApiCall, Method, Read, RequestFunction } from './request.ts';

/** What a request has besides its address. */
interface CallOf<R extends Route, Result>
	extends Pick<ApiCall, 'body' | 'asStream' | 'isPatient' | 'options'> {
	query?: Named<NameIn<R, 'query'>>;
	/** The JSON body, in the names of the API. */
	json?: Named<NameIn<R, 'input'>>;
	read: Read<RecordAt<R>, Result>;
}

/** Values with these names; nothing where there are none. */
type Named<Name extends PropertyKey> = [Name] extends [never]
	? undefined
	: { readonly [Each in Name]?: unknown };

export async function call<R extends Route, Result>(
	request: RequestFunction,
	route: R,
	{ ids, json, ...rest }: Ids<R> & CallOf<R, Result>,
): Promise<Result> {
	const body = json && { body: jsonBody(json) };
	return await request({ ...addressOf(route, ids), ...rest, ...body });
}

/** Reads a response that does not matter. */
export function ignored() {}

/** Where a request is sent. */
export function addressOf(route: string, ids?: Readonly<Record<string, string>>) {
	const [method, template = ''] = route.split(' ');
	// Each route begins with a method.
	return { method: method as Method, route: template, path: pathWith(template, ids) };
}

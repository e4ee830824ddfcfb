// A request of an operation of the API: the compiler checks its address, its names and its record.
import { jsonBody } from '../records/json.ts';
import type { Ids, NameIn, Route, Sent } from '../records/operations.ts';
import { pathWith } from './path.ts';
import type { ApiCall, Method, Read, RequestFunction } from './request.ts';

type Call<R extends Route, Result> = Ids<R> &
	Pick<ApiCall, 'body' | 'asStream' | 'isPatient' | 'options'> & {
		query?: { readonly [Name in NameIn<R, 'query'>]?: unknown };
		/** The JSON body, in the names of the API. */
		json?: { readonly [Name in NameIn<R, 'input'>]?: unknown };
		read?: Read<Sent<R>, Result>;
	};

/** Sends a request. Without `read`, its response does not matter. */
export async function call<R extends Route, Result = void>(
	request: RequestFunction,
	route: R,
	{ ids, json, read, ...rest }: Call<R, Result>,
): Promise<Result> {
	const body = json && { body: jsonBody(json) };
	const ignore = () => undefined as Result; // which is void then
	return await request({ ...addressOf(route, ids), ...rest, ...body, read: read ?? ignore });
}

/** Where a request is sent. */
export function addressOf(route: string, ids?: Readonly<Record<string, string>>) {
	const [method, template = ''] = route.split(' ');
	// Each route begins with a method.
	return { method: method as Method, route: template, path: pathWith(template, ids) };
}

// One operation of the HTTP API, as a value: routes, rights, the OpenAPI document, the calls of the client and the
// tests of every endpoint follow from it.
import type * as z from 'zod/mini';
import type { ErrorCode } from '../error.ts';

export interface Operation {
	/** Whether it is for administrators, and which keys may use it, follows from the path. */
	route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /v1/${string}`;
	/** Without it, the request has no query. */
	query?: z.ZodMiniObject;
	/** The JSON body. */
	input?: z.ZodMiniType;
	/** Whether the body can be omitted, which means an empty object. */
	inputOptional?: boolean;
	/** The size of the largest body, if it is not that of all others. */
	maxBytes?: number;
	/** Whether the body is bytes, not JSON. */
	bytes?: boolean;
	/** The record of the response; without it and `streams`, the response has no body. */
	output?: z.ZodMiniType;
	/** Whether the response is a page of such records. */
	paged?: boolean;
	/** Whether the page has an ETag. */
	tagged?: boolean;
	/** Whether the response is a stream of bytes. */
	streams?: boolean;
	/** 204 without an output, otherwise 200. */
	status?: 201 | 202;
	/** Whether it must be confirmed, if not by being a change for administrators. */
	confirmed?: boolean;
	/** Whether it accepts an `Idempotency-Key`. */
	repeatable?: boolean;
	/** Whether it counts as console input, of which there is much, instead of as a request. */
	isConsoleInput?: boolean;
	/** Errors besides those that follow from the rest. */
	errors?: readonly ErrorCode[];
}

/** The ids in the path of a route. */
export type IdName<Route> = Route extends `${string}{${infer Name}}${infer Rest}`
	? Name | IdName<Rest>
	: never;

export function methodOf({ route }: Pick<Operation, 'route'>) {
	return route.slice(0, route.indexOf(' '));
}

export function pathOf({ route }: Pick<Operation, 'route'>) {
	return route.slice(route.indexOf(' ') + 1);
}

export function isForAdmins(operation: Pick<Operation, 'route'>) {
	return pathOf(operation).startsWith('/v1/admin/');
}

/** Whether a person who is logged in must have entered the password or a code lately. */
export function isConfirmed(operation: Pick<Operation, 'route' | 'confirmed'>) {
	return operation.confirmed ?? (isForAdmins(operation) && methodOf(operation) !== 'GET');
}

/** Whether a key with the scope `boards` can use it: boards and leases, but not with whom a lease is shared. */
export function isForBoards(operation: Pick<Operation, 'route'>) {
	return /^\/v1\/(?!leases\/[^/]+\/shares)(account$|(boards|leases|lease-groups)(\/|$))/.test(
		pathOf(operation),
	);
}

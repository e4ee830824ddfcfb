// The client, and its errors, for the scripts of the lease page.
import type { AnyLease, ApiError, BoardAccessError } from 'board-access';
import type * as Client from '../client.ts';
import { load } from '../dom.ts';
import { unreachable } from '../pages/connection.ts';
import { id } from './page.ts';

export const loadClient = once(() => load<typeof Client>('client.js'));

/** The lease of the page. */
export const leaseOfPage = once<AnyLease>(async () => (await loadClient()).client.leases.get(id));

/** Starts work on the first call, and again on the next one if it failed. */
function once<Value>(start: () => Promise<Value>) {
	let started: Promise<Value> | undefined;
	return () => {
		started ??= start().catch((error) => {
			started = undefined;
			throw error;
		});
		return started;
	};
}

/** Whether an error of the client has this name. */
export function isError<Name extends string>(
	error: unknown,
	name: Name,
): error is BoardAccessError & { name: Name } {
	return error instanceof Error && error.name === name;
}

/** The message to show for an error. */
export function messageOf(error: unknown) {
	const { message = '', status = 0, hint } = error as Partial<ApiError>; // others have no status
	const lost = ['ConnectionError', 'RequestTimeoutError', 'ResponseError'];
	if (status >= 500 || lost.some((name) => isError(error, name))) return unreachable;
	return isError(error, 'ApiError') && hint ? `${message} ${hint}` : message;
}

// Successful responses, as JSON.
import { ApiError } from '../errors.ts';
import type { ServiceContext } from './environment.ts';
import { completeResponse } from './headers.ts';

export function respond(
	c: ServiceContext,
	body: unknown,
	{ status = 200, headers }: { status?: 200 | 201 | 202; headers?: Record<string, string> } = {},
) {
	return completeResponse({
		body: JSON.stringify(body),
		status,
		headers: { 'content-type': 'application/json', ...headers },
		requestId: c.get('requestId'),
	});
}

/** Reads the result of a committed change. An error here is a 500: a 503 `unavailable` means that nothing changed. */
export async function afterChange<Result>(reading: Promise<Result>) {
	return reading.catch((cause: unknown) => {
		if (cause instanceof ApiError) throw cause;
		throw new Error('The change is committed, but its result cannot be read.', { cause });
	});
}

/** The response to a change that happens once, which says whether it is a replay of an earlier one. */
export function respondOnce(
	c: ServiceContext,
	{ result, replayed }: { result: unknown; replayed: boolean },
	status: 200 | 201 | 202 = 201,
) {
	return respond(c, result, { status, ...(replayed && { headers: replayedHeaders }) });
}

export const replayedHeaders = { 'idempotent-replayed': 'true' };

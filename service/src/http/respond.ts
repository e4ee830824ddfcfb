// Successful responses, as JSON.
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

/** What is read after a change is committed: an error of the database does not mean that nothing has changed. */
export async function afterChange<Result>(reading: Promise<Result>) {
	return reading.catch((cause: unknown) => {
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

// Success on the wire: JSON, never cached, with the identifier of the request.
import type { ServiceContext } from './environment.ts';

export function answer(
	c: ServiceContext,
	body: unknown,
	{ status = 200, headers }: { status?: 200 | 201 | 202; headers?: Record<string, string> } = {},
) {
	return new Response(JSON.stringify(body), {
		status,
		headers: {
			'content-type': 'application/json',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
			'x-request-id': c.get('requestId'),
			...headers,
		},
	});
}

/** The answer to a creation, which tells when the same request has been answered before. */
export function respondCreated(
	c: ServiceContext,
	{ result, replayed }: { result: unknown; replayed: boolean },
) {
	return answer(c, result, { status: 201, ...(replayed && { headers: replayedHeaders }) });
}

const replayedHeaders = { 'idempotent-replayed': 'true' };

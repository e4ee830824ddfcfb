// Waits until a board matches.

import { ResponseError, TimeoutError } from '../errors/errors.ts';
import { readPage } from '../http/list.ts';
import { isTemporary, persistently, startWait } from '../http/outages.ts';
import type { RequestFunction } from '../http/request.ts';
import { followSignals, longestTimeout } from '../http/signals.ts';
import { type RequestOptions, readHeaders, readTimeout } from '../settings/settings.ts';
import { boardsPath, readBoard, wireQuery } from './records.ts';
import type { Board, BoardQuery } from './types.ts';

const waitSeconds = 20;

export async function waitForBoards(
	request: RequestFunction,
	query: BoardQuery,
	{ timeout = longestTimeout, signal: caller, ...options }: RequestOptions = {},
): Promise<Board[]> {
	const late = () => new TimeoutError(timeout, 'matching board');
	const { signal, end } = followSignals([caller], { milliseconds: readTimeout(timeout), late });
	/** `known`: the tag of the last page; undefined for a response without waiting. */
	const ask = async (known: string | undefined) => {
		const wait = known === undefined ? undefined : waitSeconds;
		const headers = { ...readHeaders(options.headers ?? {}), 'if-none-match': known || null };
		return await request({
			method: 'GET',
			path: boardsPath,
			query: { ...wireQuery(query), wait },
			options: { ...options, signal, timeout: 2 * waitSeconds * 1000, headers },
			read: (body, { status, headers }) => ({
				boards: status === 304 ? [] : readPage(readBoard, body).items,
				tag: headers.get('etag'),
			}),
		});
	};
	// A response that is not of the API comes from a wrong address.
	const repeats = (error: unknown) => isTemporary(error) && !(error instanceof ResponseError);
	try {
		for (let known: string | undefined; ; ) {
			const pauseIfEarly = startWait(signal);
			const { boards, tag } = await persistently(() => ask(known), { signal, repeats });
			if (boards.length > 0) return boards;
			if (known !== undefined) await pauseIfEarly();
			known = tag ?? known ?? '';
		}
	} finally {
		end();
	}
}

// The console of a lease: output as an endless response, input in short requests.
import { hash } from 'node:crypto';
import { maxConsoleInput } from 'board-access-contract';
import {
	type Accessible,
	type Core,
	consoleEvents,
	nextChunk,
	openConsole,
	syncConsole,
	typeInput,
} from 'board-access-core';
import { agentHeaders, authorizeLease } from 'board-access-http/authorize-lease';
import { claimOf } from 'board-access-http/idempotency';
import { readRaw } from 'board-access-http/read';
import { replayedHeaders, respond, respondEmpty } from 'board-access-http/respond';
import { respondStream } from 'board-access-http/stream';
import type { Services } from '../../services.ts';
import type { Answers } from '../serve.ts';

export function leaseConsoleAnswers(services: Services) {
	const { limits, stopping } = services;
	return {
		async readConsole(c, caller, { query }) {
			return limits.consoleStream(caller.accountId, async (stream) => {
				const found = await authorizeLease(c, services, caller, 'look');
				const place = await openConsole(services, found, Number(query.from ?? 0));
				const source = await rawConsole(services, place, found.lease);
				return respondStream(c, { ...source, ...stream, stopping });
			});
		},

		async writeConsole(c, caller, { ids, query: { offset, piece } }) {
			const { accountId } = caller;
			const data = await readRaw(c, maxConsoleInput);
			const input = { offset, piece, sha256: hash('sha256', data) };
			const typed = {
				leaseId: ids.id,
				data,
				piece,
				offset: offset === undefined ? undefined : Number(offset),
			};
			const claim = claimOf(c, { accountId, input });
			const { next, replayed } = await typeInput(services, caller, typed, claim);
			const headers = { 'x-console-offset': String(next), ...(replayed && replayedHeaders) };
			return respondEmpty(c, headers);
		},

		async syncConsole(c, caller) {
			const found = await authorizeLease(c, services, caller, 'look');
			return respond(c, await caller.wait(() => syncConsole(services, found, c.req.raw.signal)));
		},
	} satisfies Pick<Answers, 'readConsole' | 'writeConsole' | 'syncConsole'>;
}

type ConsolePlace = Awaited<ReturnType<typeof openConsole>>;

/** The mark that replaces bytes that are no longer kept; empty if they were fewer than the mark has. */
function dropMark(bytes: number) {
	const mark = Buffer.from(`\r\n[… ${bytes} bytes dropped …]\r\n`);
	return mark.length > bytes ? Buffer.alloc(0) : mark;
}

/**
 * The bytes of the board and nothing else, but for a mark at the beginning where bytes were dropped.
 * `X-Console-Offset` is the offset of the first byte of the body. The mark takes the place of the
 * last dropped bytes, so that the offset and the bytes received always add up to the next offset. Too
 * few of them for a mark are only skipped: nothing that the board has not printed looks as if it had.
 */
async function rawConsole(core: Core, place: ConsolePlace, lease: Accessible['lease']) {
	const { from, end } = place;
	const first = await nextChunk(core.database, place);
	const mark = dropMark(first.offset - from);
	return {
		contentType: 'application/octet-stream',
		headers: {
			'x-console-offset': String(first.offset - mark.length),
			'x-console-end': String(end),
			...(await agentHeaders(core, lease)),
		},
		async *pieces(signal: AbortSignal) {
			yield first.kind === 'bytes' ? first.data : mark;
			for await (const event of consoleEvents(core, { ...place, from: first.next }, signal)) {
				if (typeof event === 'function') yield event;
				// Only has the credential confirmed.
				else if (event === 'quiet') yield Buffer.alloc(0);
				// A reader that is too slow continues from its offset, and then gets the mark.
				else if (event.kind === 'dropped') return;
				else yield event.data;
			}
		},
	};
}

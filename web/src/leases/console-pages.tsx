// The console of a lease: its last output, the download, and the events that the script of its page follows.
import { consoleQuery } from 'board-access-contract';
import { consoleBytes, type LeaseView, readTail } from 'board-access-core';
import { readQuery } from 'board-access-http/read';
import { respondStream } from 'board-access-http/stream';
import * as z from 'zod/mini';
import type { MemberVisit } from '../pages.tsx';
import { leaseEvents } from './stream.ts';
import { currentAccess, viewerOf } from './viewer.ts';

/** The last output; nothing if there is none and no agent drives the board. */
export async function consoleOf(
	{ services }: MemberVisit,
	{ lease, consoleEnd }: LeaseView,
	driven: boolean,
) {
	if (lease.board_id === null) return {};
	const tail = { leaseId: lease.id, end: consoleEnd };
	const text = await readTail(services.database, tail);
	return driven || text ? { console: text } : {};
}

export const reloadsWithoutScript = (
	<noscript>
		<meta http-equiv="refresh" content="5" />
	</noscript>
);

/** How much of the console the page has. */
const eventsQuery = z.strictObject({
	fence: z.optional(z.string().check(z.regex(/^\d{1,12}$/))),
	from: z.optional(z.string().check(z.regex(/^\d{1,12}$/))),
});

/** Follows a lease; `render` returns what changes on its page. */
export async function followLease(visit: MemberVisit, render: (view: LeaseView) => object) {
	const { c, services } = visit;
	const { fence, from = '0' } = readQuery(c, eventsQuery);
	const viewer = await viewerOf(visit);
	const page = { fence: fence === undefined ? null : Number(fence), from: Number(from) };
	const readAccess = () => currentAccess(visit, viewer);
	const follower = { ...viewer, ...page, readAccess, render };
	return services.limits.consoleStream(visit.account.id, async (stream) =>
		respondStream(c, {
			...stream,
			contentType: 'text/event-stream',
			stopping: services.stopping,
			pieces: (signal) => leaseEvents(services, follower, signal),
		}),
	);
}

export async function downloadConsole(visit: MemberVisit) {
	const { c, services } = visit;
	const { from = '0' } = readQuery(c, consoleQuery);
	return services.limits.consoleStream(visit.account.id, async (stream) => {
		const { lease } = await viewerOf(visit);
		const { id, console_end: end } = lease;
		return respondStream(c, {
			...stream,
			contentType: 'text/plain; charset=utf-8',
			headers: { 'content-disposition': `attachment; filename="${id}.txt"` },
			stopping: services.stopping,
			pieces: () => consoleBytes(services.database, { leaseId: id, from: Number(from), end }),
		});
	});
}

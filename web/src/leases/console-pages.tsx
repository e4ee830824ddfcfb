// The console of a lease for those without the script: its text, a page that reloads itself, the download;
// and the events that the script follows.

import { consoleQuery } from 'board-access-contract';
import { consoleBytes, type LeaseView, readLeaseView, readTail } from 'board-access-core';
import { readQuery } from 'board-access-http/read';
import { respondStream } from 'board-access-http/stream';
import * as z from 'zod/mini';
import { Back } from '../elements/form.tsx';
import { PageHead } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { leaseEvents } from './stream.ts';
import { currentAccess, viewerOf } from './viewer.ts';

/** The last output; nothing if there is none and nothing drives the board. */
export async function consoleOf(
	{ c, services }: MemberVisit,
	{ lease, consoleEnd }: LeaseView,
	driven: boolean,
) {
	if (lease.board_id === null) return {};
	// The script of the page has the output already.
	const end = c.req.header('prefer') === 'return=minimal' ? 0 : consoleEnd;
	const { text, isCut } = await readTail(services.database, { leaseId: lease.id, end });
	return driven || text ? { console: text, isCut } : {};
}

/** The console for those without JavaScript, apart from the line to send, which a reload would discard. */
export async function watchConsole(visit: MemberVisit) {
	const view = await readLeaseView(visit.services.database.query, await viewerOf(visit));
	const { console = '' } = await consoleOf(visit, view, true);
	const path = encodedPath(visit.c, '/leases');
	const main = (
		<>
			<Back href={path} text="Lease" />
			<PageHead
				title="Console"
				lead="The last 64 KiB. Without JavaScript, this page reloads itself."
			/>
			<pre class="console console-text" tabindex={0}>
				{console}
			</pre>
		</>
	);
	const head = view.lease.status !== 'ended' && reloadsWithoutScript;
	return { title: 'Console', main, head };
}

export const reloadsWithoutScript = (
	<noscript>
		<meta http-equiv="refresh" content="5" />
	</noscript>
);

/** The console that the page has. */
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

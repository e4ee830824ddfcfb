// The page of a lease: the workbench, or the place in the queue.
import { type LeaseView, readLeaseView, readLiveBoard } from 'board-access-core';
import { assetPath } from '../assets.ts';
import type { MemberVisit, Page } from '../pages.tsx';
import { consoleOf, followLease, reloadsWithoutScript } from './console-pages.tsx';
import type { QueuedView } from './queue/next.tsx';
import { QueuePage, queueParts, queueTitle } from './queue/page.tsx';
import { viewerOf } from './viewer.ts';
import { LeasePage, leaseParts } from './workbench/lease-page.tsx';

export async function show(visit: MemberVisit): Promise<Page> {
	// Beside the others of its group.
	const framed = visit.c.req.query('framed') !== undefined;
	const { query } = visit.services.database;
	const viewer = await viewerOf(visit);
	const view = await readLeaseView(query, viewer);
	if (isQueued(view)) return { ...queuePage(view), framed };
	const { id, board_type, status } = view.lease;
	const title = `Lease of ${view.board?.name ?? board_type}`;
	const { isDriven, ...live } = await readLiveBoard(query, viewer.lease);
	const shown = await consoleOf(visit, view, isDriven);
	const address = `${visit.services.settings.webUrl}/leases/${id}`;
	const props = { ...view, ...shown, address, ...live };
	const head = (
		<>
			<script type="module" src={assetPath('lease.js')} />
			{shown.console !== undefined && <link rel="modulepreload" href={assetPath('terminal.js')} />}
			{status === 'preparing' && reloadsWithoutScript}
		</>
	);
	return { title, main: <LeasePage {...props} />, head, workbench: true, framed };
}

function queuePage(view: QueuedView) {
	const head = (
		<>
			<script type="module" src={assetPath('queue.js')} />
			{reloadsWithoutScript}
		</>
	);
	const main = <QueuePage view={view} />;
	return { title: queueTitle(view), main, head };
}

function isQueued(view: LeaseView): view is QueuedView {
	return view.queue !== undefined;
}

export function follow(visit: MemberVisit) {
	return followLease(visit, (view) => (isQueued(view) ? queueParts(view) : leaseParts(view)));
}

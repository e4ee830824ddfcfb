// The stream that keeps a lease page up to date.
import { type Core, followLease, type LeaseView } from 'board-access-core';
import { beat } from 'board-access-http/confirm';
import { endWordsOf } from './status.tsx';

type Render = (view: LeaseView) => object;

/** What a console shows apart from its output. */
export type Marks = ReturnType<typeof marksIn>;

/** Events until the lease has ended. */
export async function* leaseEvents(
	core: Core,
	{ render, ...follower }: Parameters<typeof followLease>[1] & { render: Render },
	signal: AbortSignal,
) {
	for await (const news of followLease(core, follower, signal)) {
		if (typeof news === 'function') yield news;
		else if ('view' in news) yield event({ ...render(news.view), ...marksIn(news.view) });
		else if ('event' in news) yield event(news.event);
		// Anything but the beat is confirmed at once: the lease may no longer be shared.
		else yield news.announced ? Buffer.from(beat) : beat;
	}
}

/** What is marked in the console, and where its output ends. */
function marksIn({ lease, actions, consoleEnd, time }: LeaseView) {
	const { ended_at, end_reason } = lease;
	const end = ended_at === null ? null : { ended_at, end_reason, text: endWordsOf(lease) };
	return { actions, end, consoleEnd, time };
}

function event(body: object) {
	return Buffer.from(`data: ${JSON.stringify(body)}\n\n`);
}

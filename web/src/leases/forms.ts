// What only the pages can do with a lease. For the rest, their script uses the API through the client.
import { readLeaseView, renewLease, run, startMinutes } from 'board-access-core';
import { claimOf } from 'board-access-http/idempotency';
import { readId } from 'board-access-http/read';
import { ask } from '../elements/question.tsx';
import { goTo, type MemberVisit, onSubmit } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { show } from './show.tsx';
import { viewerOf } from './viewer.ts';

/** Also works without the script. */
export const release = onSubmit({
	again: show,
	fields: ['confirmed'],
	change: async (visit, { confirmed }) => {
		if (!confirmed && (await isBusy(visit))) return askToRelease(visit);
		const { end_reason } = await run(visit.services, visit.caller, 'releaseLease', () => ({
			ids: { id: readId(visit.c) },
		}));
		// The page says how the lease ended, but not that it had already ended before.
		const ends = end_reason === 'released' || end_reason === 'cancelled';
		return goTo(visit.c, encodedPath(visit.c, '/leases'), ends ? undefined : 'lease-had-ended');
	},
});

/** Whether an action has not finished. */
async function isBusy(visit: MemberVisit) {
	const { query } = visit.services.database;
	const { actions, lease } = await readLeaseView(query, await viewerOf(visit, 'hold'));
	return lease.status === 'active' && actions.some(({ ended_at }) => ended_at === null);
}

function askToRelease(visit: MemberVisit) {
	return ask(visit, {
		title: 'Release the board now?',
		lead: 'An action is still running on it. It is stopped, and the lease ends.',
		cancel: encodedPath(visit.c, '/leases'),
		submit: 'Release',
		values: { confirmed: 'true' },
	});
}

export async function leave({ c, services, caller }: MemberVisit) {
	await run(services, caller, 'leaveLease', () => ({ ids: { id: readId(c) } }));
	return goTo(c, '/leases', 'lease-left');
}

/** Only leases of the pages have a minute of grace, so only the pages end it early. */
export async function start(visit: MemberVisit) {
	await startMinutes(visit.services, await viewerOf(visit, 'hold'));
	return visit.c.body(null, 204);
}

/** The API counts minutes from now. The page adds the minutes on its button, for the price on it. */
export async function renew(visit: MemberVisit) {
	const { c, services, caller } = visit;
	const { id, lease } = await viewerOf(visit, 'hold');
	const renewal = { id, minutes: 10, fromEnd: true };
	const claim = claimOf(c, { accountId: caller.accountId, input: renewal });
	const { result, replayed } = await renewLease(services, caller, renewal, claim);
	const isRenewed = replayed || result.expires_at !== lease.expires_at;
	return c.json({ is_renewed: isRenewed });
}

// The list of an account's leases. Requests that wait for the same page read it once.
import { listLeases, readLeasesRevision } from 'board-access-core';
import { createRevisionCache } from 'board-access-http/revision-cache';
import { createTaggedList, type TaggedPage, tagOf } from 'board-access-http/tagged-page';
import type { Services } from '../../services.ts';
import type { Answers } from '../serve.ts';

const maxBytes = 4_000_000;

export function leaseListAnswers({ database, limits, stopping }: Services) {
	const kept = createRevisionCache<TaggedPage & { size: number }>(({ size }) => size, maxBytes);
	const respond = createTaggedList({
		readRevision: (accountId) => readLeasesRevision(database, accountId),
		every: 1_000,
		isTimed: true,
		stopping,
	});

	return {
		async listLeases(c, { accountId, wait }, { query }) {
			const { wait: seconds = 0, shared, status, ...page } = query;
			const milliseconds = Number(seconds) * 1000;
			const filter = { accountId, of: shared === 'true' ? 'shared' : 'own', status } as const;
			const readNow = async (cursor = page.cursor) =>
				taggedPage(await listLeases(database.query, filter, { ...page, cursor }));
			return respond(c, {
				owner: accountId,
				// Only a request that waits needs the revision: `undefined` has it read, '' does not.
				revision: milliseconds > 0 ? undefined : '',
				read(revision, cursor = page.cursor) {
					if (milliseconds === 0) return readNow();
					const name = JSON.stringify([filter, { ...page, cursor }]);
					return kept.get(name, revision, () =>
						limits.costlyRead(accountId, () => readNow(cursor)),
					);
				},
				milliseconds,
				wait,
			});
		},
	} satisfies Pick<Answers, 'listLeases'>;
}

/** The page with a tag that does not change while time passes. */
function taggedPage(page: Awaited<ReturnType<typeof listLeases>>) {
	const readAt = performance.now();
	const textWith = (timeLeft: (milliseconds: number) => number | null) =>
		JSON.stringify(page, (name, value) =>
			name === 'expires_in_ms' && value !== null ? timeLeft(value) : value,
		);
	const lasting = textWith(() => null);
	return {
		/** Says how much time is left when it is sent, which may be long after it was read. */
		get body() {
			const passed = performance.now() - readAt;
			return Buffer.from(textWith((left) => Math.max(0, Math.floor(left - passed))));
		},
		size: lasting.length,
		tag: tagOf(lasting),
		next: page.next_cursor,
	};
}

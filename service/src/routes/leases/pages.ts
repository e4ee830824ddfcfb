// The pages of GET /v1/leases. Requests of an account that wait for the same page read it once.
import { setTimeout as delay } from 'node:timers/promises';
import { ownLeasesQuery } from 'board-access-contract';
import { listLeases, readLeasesRevision } from 'board-access-core';
import { sharedMoment } from 'board-access-http/confirm';
import type { ServiceContext } from 'board-access-http/environment';
import { readQuery } from 'board-access-http/read';
import { createRevisionCache } from 'board-access-http/revision-cache';
import { type TaggedPage, tagOf } from 'board-access-http/tagged-page';
import type { Services } from '../../services.ts';

/** How often the revision is read while requests wait for a change. */
const lookEvery = 1_000;

const maxBytes = 4_000_000;

/** Returns what reads the list that an address asks for. */
export function createLeasePages({ database, limits }: Pick<Services, 'database' | 'limits'>) {
	const kept = createRevisionCache<TaggedPage & { size: number }>(({ size }) => size, maxBytes);

	return async (c: ServiceContext, accountId: string) => {
		const query = readQuery(c, ownLeasesQuery);
		const of = query.shared === 'true' ? 'shared' : 'own';
		const filter = { accountId, of, status: query.status } as const;
		const wait = Number(query.wait ?? 0) * 1000;
		const readNow = async (cursor = query.cursor) => {
			const page = await listLeases(database.query, filter, { ...query, cursor });
			return taggedPage(page, wait);
		};
		const readRevision = () => readLeasesRevision(database, accountId);
		return {
			// Only who waits needs it.
			revision: wait > 0 ? await readRevision() : '',
			async nextRevision(milliseconds: number) {
				await (milliseconds < lookEvery ? delay(milliseconds) : sharedMoment(lookEvery));
				return readRevision();
			},
			read(revision: string, cursor = query.cursor) {
				if (wait === 0) return readNow();
				// Each account has revisions of its own.
				const name = JSON.stringify([accountId, revision, { ...query, cursor }]);
				return kept.get(name, 0, () => limits.costlyRead(accountId, () => readNow(cursor)));
			},
		};
	};
}

/** The page with a tag that does not change while time passes. */
function taggedPage(page: Awaited<ReturnType<typeof listLeases>>, wait: number) {
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
		wait,
		isTimed: true,
	};
}

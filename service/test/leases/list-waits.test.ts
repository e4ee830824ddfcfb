// Requests that wait for a change of a list of leases: what they read, and that they miss no change.
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { leasesRevision } from '../../../core/src/database/revisions.ts';
import type { Db } from '../../../core/src/database/schema.ts';
import { unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds, readyDatabase } from '../../../core/test/support/databases.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';

const reads = vi.hoisted(() => ({
	count: 0,
	atOnce: 0,
	maxAtOnce: 0,
	/** Of the revision. */
	looks: 0,
	/** Done once after the next read. */
	after: async () => {},
}));

vi.mock(import('../../../core/src/leases/store.ts'), async (original) => {
	const { listLeases, ...others } = await original();
	const counted: typeof listLeases = async (...given) => {
		reads.count += 1;
		reads.atOnce += 1;
		reads.maxAtOnce = Math.max(reads.maxAtOnce, reads.atOnce);
		const page = await listLeases(...given);
		reads.atOnce -= 1;
		const { after } = reads;
		reads.after = async () => {};
		await after();
		return page;
	};
	return { ...others, listLeases: counted };
});

vi.mock(import('../../../core/src/database/revisions.ts'), async (original) => {
	const { readLeasesRevision, ...others } = await original();
	const counted: typeof readLeasesRevision = (...given) => {
		reads.looks += 1;
		return readLeasesRevision(...given);
	};
	return { ...others, readLeasesRevision: counted };
});

async function revisionOf(db: Db, accountId: string) {
	const { rows } = await sql<{
		revision: string;
	}>`${sql.raw(leasesRevision)} = ${accountId}`.execute(db);
	return rows[0]?.revision;
}

const many = <Result>(count: number, work: (index: number) => Promise<Result>) =>
	Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe.each(databaseKinds)('on %s', (kind) => {
	let lab: Lab;
	let user: LabAccount;
	beforeEach(async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		user = await lab.account();
		Object.assign(reads, { count: 0, atOnce: 0, maxAtOnce: 0, looks: 0 });
	});
	afterEach(() => lab.close());

	const wait = (account: LabAccount, query: string, tags = '') =>
		account.send('GET', `/leases?${query}`, { headers: tags ? { 'if-none-match': tags } : {} });

	/** The tags of all pages of a list. */
	const tagsOf = async (query: string) => {
		const tags: string[] = [];
		for (let cursor: string | null = ''; cursor !== null; ) {
			const page = await wait(user, `${query}${cursor && `&cursor=${cursor}`}`);
			tags.push(page.headers.get('etag') ?? '');
			cursor = page.body.next_cursor;
		}
		return tags;
	};

	const verifiedEmail = async () => {
		const { email } = await lab.query
			.updateTable('accounts')
			.set({ verified_at: '2026-01-05T08:00:00.000Z' })
			.where('id', '=', user.id)
			.returning('email')
			.executeTakeFirstOrThrow();
		return email;
	};

	const leases = async (count: number) => {
		for (let index = 0; index < count; index += 1) {
			await user.lease({ board_type: 'uno', wait_seconds: 600 });
		}
	};

	test('100 requests for the same pages read each of them once while nothing changes', {
		tags: 'long',
	}, async () => {
		await leases(3);
		const tags = await tagsOf('limit=1');
		reads.count = 0;
		const statuses = await many(
			100,
			async () => (await wait(user, 'limit=1&wait=3', tags.join()))?.status,
		);
		expect(new Set(statuses)).toEqual(new Set([304]));
		expect(reads.count).toBe(3);
		// Each request looks at first and at its end, and together they look once a second.
		expect(reads.looks).toBeLessThan(210);
	});

	test('a page that was read for others says how much time is left now', async () => {
		await user.lease({ board_type: 'uno' });
		const left = async () => (await wait(user, 'wait=60', '"other"')).body.data[0].expires_in_ms;
		const before = await left();
		const later = performance.now() + 60_000;
		const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
		expect(await left().finally(() => clock.mockRestore())).toBeLessThanOrEqual(before - 60_000);
		expect(reads.count).toBe(1);
	});

	test('requests for different lists read one after the other', { tags: 'long' }, async () => {
		await leases(1);
		const statuses = await many(40, async (index) => {
			return (await wait(user, `limit=${index + 1}&wait=1`)).status;
		});
		expect(statuses).toEqual(Array(40).fill(200));
		expect(reads.maxAtOnce).toBe(1);
	});

	test('a request that waits compares ten tags, and is rejected with more', {
		tags: 'long',
	}, async () => {
		await leases(10);
		const tags = await tagsOf('limit=1');
		expect(tags).toHaveLength(10);
		expect((await wait(user, 'limit=1&wait=1', tags.join())).status).toBe(304);
		expect(await wait(user, 'limit=1&wait=1', [...tags, '"other"'].join(', '))).toMatchObject({
			status: 400,
			body: {
				error: {
					code: 'invalid_request',
					param: 'If-None-Match',
					message: 'If-None-Match must have at most 10 tags in a request that waits.',
				},
			},
		});
		expect((await wait(user, 'limit=1', Array(500).fill('"other"').join())).status).toBe(200);
	});

	test('a change that is committed after the page was read ends the wait', async () => {
		const { body: lease } = await user.lease({ board_type: 'uno' });
		reads.after = async () => void (await user.release(lease.id));
		const { body } = await wait(user, 'wait=60');
		expect(body.data).toMatchObject([{ id: lease.id, status: 'ended' }]);
	});

	test('the change of a queue ends the wait of those whose position changes', {
		tags: 'long',
	}, async () => {
		const other = await lab.account();
		await other.lease({ board_type: 'uno' });
		const { body: ahead } = await other.lease({ board_type: 'uno', wait_seconds: 600 });
		await lab.query.updateTable('leases').set({ rank: 0 }).where('id', '=', ahead.id).execute();
		await user.lease({ board_type: 'uno', wait_seconds: 600 });
		const positions = async (query: string) =>
			(await wait(user, query)).body.data[0].queue_position;
		expect(await positions('')).toBe(2);
		reads.after = async () => void (await other.release(ahead.id));
		expect(await positions('wait=60')).toBe(1);
	});

	test('a lease that is shared, changes or is no longer shared ends a wait for those that are', {
		tags: 'long',
	}, async () => {
		const holder = await lab.account();
		const { body: lease } = await holder.lease({ board_type: 'uno' });
		const email = await verifiedEmail();
		const share = `/leases/${lease.id}/shares`;
		const next = async (change: () => Promise<unknown>) => {
			const { headers } = await wait(user, 'shared=true');
			const waiting = wait(user, 'shared=true&wait=60', headers.get('etag') ?? '');
			await change();
			return (await waiting).body.data;
		};
		const body = { email, access: 'look' };
		expect(await next(() => holder.send('PUT', share, { body }))).toMatchObject([
			{ id: lease.id, status: 'active', access: 'look' },
		]);
		expect(await next(() => holder.release(lease.id))).toMatchObject([{ status: 'ended' }]);
		const shares = lab.query.deleteFrom('lease_shares').where('lease_id', '=', lease.id);
		expect(await next(() => shares.execute())).toEqual([]);
	});

	test('what no list shows does not move the revision', async () => {
		const { body: lease } = await user.lease({ board_type: 'uno' });
		const before = await revisionOf(lab.query, user.id);
		const changed = { console_end: 77, input_end: 77 };
		await lab.query.updateTable('leases').set(changed).where('id', '=', lease.id).execute();
		expect(await revisionOf(lab.query, user.id)).toBe(before);
	});

	test('each column that a list shows moves the revision', async () => {
		const holder = await lab.account();
		const { body: lease } = await holder.lease({ board_type: 'uno' });
		const email = await verifiedEmail();
		await holder.send('PUT', `/leases/${lease.id}/shares`, { body: { email, access: 'look' } });
		const row = lab.query.selectFrom('leases').selectAll().where('id', '=', lease.id);
		const pages = async () =>
			[await wait(holder, ''), await wait(user, 'shared=true')].map(({ headers }) =>
				headers.get('etag'),
			);
		const revisions = async () => [
			await revisionOf(lab.query, holder.id),
			await revisionOf(lab.query, user.id),
		];
		const { status, ...columns } = await row.executeTakeFirstOrThrow();
		const texts: Record<string, string> = { status: 'preparing', ...textsOf(columns) };
		const shown: string[] = [];
		for (const column of ['status', ...Object.keys(columns)]) {
			// These never change.
			if (['id', 'account_id', 'group_id', 'role'].includes(column)) continue;
			// What the scheduler changes meanwhile is counted, too.
			const before = { revisions: await revisions(), pages: await pages() };
			const changed = { [column]: texts[column] ?? 77 };
			await lab.query.updateTable('leases').set(changed).where('id', '=', lease.id).execute();
			const after = { pages: await pages(), revisions: await revisions() };
			for (const index of [0, 1]) {
				if (before.pages[index] === after.pages[index]) continue;
				shown.push(column);
				expect(after.revisions[index], column).not.toBe(before.revisions[index]);
			}
		}
		expect(shown).toEqual(expect.arrayContaining(['status', 'label', 'console_gap_ms']));
	});
});

/** What the columns that hold text can be set to. */
function textsOf(columns: object) {
	const time = '2026-01-05T08:00:00.000Z';
	const isTime = (name: string) => /_at$|until|charged_from/.test(name);
	const isText = (name: string) => /_id$|_type$|label|reason|message|console_status/.test(name);
	const names = Object.keys(columns).filter((name) => isTime(name) || isText(name));
	return Object.fromEntries(names.map((name) => [name, isTime(name) ? time : 'other']));
}

test('a change on one replica ends the wait for a list on another', async () => {
	const first = await openLab('PostgreSQL', { boards: unoBoards(1) });
	const second = await openLab('PostgreSQL', { database: first.location });
	const user = await first.account();
	const { body: lease } = await user.lease({ board_type: 'uno' });
	reads.after = async () => void (await user.release(lease.id));
	const { body } = await second.requests(user.key).send('GET', '/leases?wait=60');
	expect(body.data).toMatchObject([{ id: lease.id, status: 'ended' }]);
	await Promise.all([first.close(), second.close()]);
});

test('on PostgreSQL, no transaction that changes a lease waits for the count of another one', async () => {
	const database = await readyDatabase('PostgreSQL');
	const lab = await openLab('PostgreSQL', { given: database, boards: unoBoards(3) });
	const user = await lab.account();
	const ids: string[] = [];
	for (let index = 0; index < 3; index += 1)
		ids.push((await user.lease({ board_type: 'uno' })).body.id);
	const change = (db: Db, index: number) =>
		db
			.updateTable('leases')
			.set({ label: 'changed' })
			.where('id', '=', ids[index] ?? '')
			.execute();
	const seen = [await revisionOf(lab.query, user.id)];
	await lab.query.transaction().execute(async (one) => {
		await change(one, 0);
		await lab.query.transaction().execute(async (two) => {
			await change(two, 1);
			await change(lab.query, 2);
			seen.push(await revisionOf(lab.query, user.id));
		});
		seen.push(await revisionOf(lab.query, user.id));
	});
	seen.push(await revisionOf(lab.query, user.id));
	expect(new Set(seen).size).toBe(4);
	await lab.close();
});

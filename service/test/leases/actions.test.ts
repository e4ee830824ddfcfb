// The actions of a lease: listed in pages, limited in number, and kept for a day after the lease.
import { BoardAccess } from 'board-access';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timeIn } from '../../../core/src/database/clock.ts';
import { deleteExpired } from '../../../core/src/housekeeping.ts';
import { newId } from '../../../core/src/identifier.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';

describe.each(databaseKinds)('the actions of a lease on %s', (kind) => {
	let lab: Lab;
	let user: LabAccount;
	let lease: string;
	beforeAll(async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		user = await lab.account();
		lease = (await user.lease({ board_id: 'brd_uno_1' })).body.id;
		// Its agent comes afterwards, so that the lease needs no preparation.
		await addAgent(lab.query, ['brd_uno_1'], ['reset']);
		await add(999);
	});
	afterAll(() => lab.close());

	/** Adds actions that are done. */
	const add = async (count: number) => {
		const [first, now] = [await countActions(), timeIn(lab.query)];
		const actions = Array.from({ length: count }, (_, index) => ({
			...({ phase: 'use', action: 'reset', status: 'done', message: '' } as const),
			...{ id: newId('act'), lease_id: lease, position: first + index },
			...{ created_at: now, ended_at: now },
		}));
		for (let from = 0; from < count; from += 100) {
			const some = actions.slice(from, from + 100);
			await lab.query.insertInto('lease_actions').values(some).execute();
		}
		return actions.map(({ id }) => id);
	};
	const path = () => `/leases/${lease}/actions`;
	const countActions = async () => {
		const { actions } = await lab.query
			.selectFrom('lease_actions')
			.select(({ fn }) => fn.countAll().as('actions'))
			.executeTakeFirstOrThrow();
		return Number(actions);
	};

	test('other than flash have no name, which a colleague could choose freely', async () => {
		const body = { action: 'reset', name: 'Erased by somebody else' };
		expect((await user.send('POST', path(), { body })).body.error).toMatchObject({
			code: 'invalid_request',
			param: 'name',
		});
	});

	test('are listed in pages of at most 200, in order and each once', async () => {
		const pages: { id: string; created_at: string }[][] = [];
		for (let cursor: string | null = ''; cursor !== null; ) {
			const query: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
			const { body } = await user.send('GET', `${path()}?limit=200${query}`);
			pages.push(body.data);
			cursor = body.next_cursor;
		}
		expect(pages.map(({ length }) => length)).toEqual([200, 200, 200, 200, 199]);
		const rows = await lab.query
			.selectFrom('lease_actions')
			.select('id')
			.where('lease_id', '=', lease)
			.orderBy('position')
			.execute();
		expect(pages.flat().map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
		expect((await user.send('GET', path())).body.data).toHaveLength(100);
		for (const wrong of ['?limit=201', '?limit=0', '?cursor=x']) {
			expect((await user.send('GET', path() + wrong)).status).toBe(400);
		}
		const other = Buffer.from(JSON.stringify(['', 'act_1', 'act_1'])).toString('base64url');
		expect((await user.send('GET', `${path()}?cursor=${other}`)).status).toBe(400);
	});

	test('are all returned by the client, page by page', async () => {
		const client = new BoardAccess({
			baseUrl: 'http://localhost',
			apiKey: user.key,
			fetch: async (input, init) => lab.app.fetch(new Request(input, init), {}),
		});
		const actions = await (await client.leases.get(lease)).actions();
		expect(new Set(actions.map(({ id }) => id)).size).toBe(999);
	});

	test('are at most 1,000, and a repeated request still gets its response', async () => {
		const reset = (key: string) =>
			user.send('POST', path(), {
				body: { action: 'reset' },
				headers: { 'idempotency-key': key },
			});
		const both = await Promise.all(['one', 'two'].map(reset));
		expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
		const rejected = both.find(({ status }) => status === 409)?.body.error;
		expect(rejected).toMatchObject({
			code: 'lease_limit',
			message: 'A lease has at most 1000 actions in all.',
			hint: 'Release it, and lease the board again.',
		});
		const accepted = both.find(({ status }) => status === 202)?.body;
		const key = both[0]?.status === 202 ? 'one' : 'two';
		expect((await reset(key)).body).toMatchObject({ id: accepted.id });
		expect(await countActions()).toBe(1000);
	});

	test('are kept for a day after the lease', async () => {
		await user.release(lease);
		const endedBefore = (milliseconds: number) =>
			lab.query
				.updateTable('leases')
				.set({ ended_at: timeIn(lab.query, -milliseconds) })
				.where('id', '=', lease)
				.execute();
		await endedBefore(23 * 60 * 60 * 1000);
		await deleteExpired(lab.query, lab.services.settings);
		expect(await countActions()).toBe(1000);
		await endedBefore(25 * 60 * 60 * 1000);
		await deleteExpired(lab.query, lab.services.settings);
		expect((await user.send('GET', path())).body).toEqual({ data: [], next_cursor: null });
		expect((await user.send('GET', `/leases/${lease}`)).body.status).toBe('ended');
	});
});

// Pages of boards: their bytes, their revision, and waiting for the next one.
import { agentConnection } from 'board-access-contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { importBoards } from '../../../core/src/boards/import.ts';
import { readBoardsPage } from '../../../core/src/boards/list.ts';
import { findBoard } from '../../../core/src/boards/store.ts';
import { summarizeBoardTypes } from '../../../core/src/boards/types.ts';
import { readBoardsRevision } from '../../../core/src/database/revisions.ts';
import { openConnection } from '../../../core/src/link/connection.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import {
	databaseKinds,
	emptyDatabase,
	readyDatabase,
} from '../../../core/test/support/databases.ts';
import { startServer } from '../../src/server.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';

const looks = vi.hoisted(() => ({ count: 0 }));

vi.mock(import('../../../core/src/database/revisions.ts'), async (original) => {
	const { readBoardsRevision, ...others } = await original();
	const counted: typeof readBoardsRevision = (...given) => {
		looks.count += 1;
		return readBoardsRevision(...given);
	};
	return { ...others, readBoardsRevision: counted };
});

describe.each(databaseKinds)('pages of boards on %s', (kind) => {
	let lab: Lab;
	let admin: LabAccount;
	let member: LabAccount;
	beforeAll(async () => {
		lab = await openLab(kind, { boards: unoBoards(5) });
		admin = await lab.account({ admin: true });
		member = await lab.account();
	});
	afterAll(() => lab.close());

	const ask = (headers: Record<string, string> = {}, query = '', signal?: AbortSignal) =>
		lab.app.fetch(
			new Request(`http://localhost/v1/boards${query}`, {
				headers: { authorization: `Bearer ${member.key}`, ...headers },
				...(signal && { signal }),
			}),
			{},
		);

	const rename = (id: string, name: string) =>
		admin.send('PATCH', `/admin/boards/${id}`, { body: { name } });

	test('the text of a page is what JSON.stringify writes', { tags: 'long' }, async () => {
		const database = await readyDatabase(kind);
		const text = fc
			.string({ unit: 'binary' })
			.filter((value) => value.isWellFormed() && !value.includes('\0'));
		const name = text.filter((value) => /\S/.test(value) && !/\p{Cc}/u.test(value));
		const input = fc.record({
			name: name.map((value) => value.trim()),
			description: text,
			tags: fc.dictionary(
				text.filter((key) => key !== '__proto__'),
				text,
			),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(input, { maxLength: 5 }),
				fc.integer({ min: 1, max: 6 }),
				async (inputs, limit) => {
					await database.query.deleteFrom('boards').execute();
					const base = { board_type: 'uno', status: 'available' as const };
					await importBoards(
						database.query,
						inputs.map((each, index) => ({ ...base, ...each, id: `brd_${index}` })),
					);
					const { json } = await readBoardsPage(database.query, {}, { limit });
					const page = JSON.parse(json) as { data: { id: string }[]; next_cursor: string | null };
					const records = await Promise.all(
						page.data.map(({ id }) => findBoard(database.query, { accountId: '', id })),
					);
					expect(json).toBe(JSON.stringify({ data: records, next_cursor: page.next_cursor }));
					expect(page.data).toHaveLength(Math.min(limit, inputs.length));
					expect(page.next_cursor === null).toBe(inputs.length <= limit);
				},
			),
			{ numRuns: 30 },
		);
		await database.close();
	});

	test('a page that has not changed is a 304 without a body', async () => {
		const first = await ask();
		expect(first.headers.get('cache-control')).toBe('private, no-cache');
		const etag = first.headers.get('etag') ?? '';
		expect(etag).toMatch(/^"[\w-]{22}"$/);
		for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
			const second = await ask({ 'if-none-match': known });
			expect([second.status, await second.text()]).toEqual([304, '']);
			expect(second.headers.get('etag')).toBe(etag);
			expect(second.headers.get('x-request-id')).toBeTruthy();
		}
		await rename('brd_uno_1', 'renamed');
		const changed = await ask({ 'if-none-match': etag });
		expect(changed.status).toBe(200);
		expect(changed.headers.get('etag')).not.toBe(etag);
		expect(await changed.text()).toContain('"renamed"');
	});

	test('a page says which boards keep earlier firmware, by what agents and base images do', async () => {
		const keeps = async () => {
			const [listed] = (await member.send('GET', '/boards?board_type=keeping')).body.data;
			const one = await member.board('brd_keeping');
			expect(listed).toEqual(one);
			return one.keeps_firmware;
		};
		const board = { ...unoBoards(1)[0], id: 'brd_keeping', board_type: 'keeping' };
		await importBoards(lab.query, [board as ReturnType<typeof unoBoards>[number]]);
		expect(await keeps()).toBeNull();
		const agent = await addAgent(lab.query, ['brd_keeping']);
		const report = async (between_leases?: 'erase' | 'power' | 'keep') => {
			const can = { actions: [], console: true };
			const sent = agentConnection.parse({
				boot_id: 'first',
				boards: { brd_keeping: { ...can, between_leases } },
			});
			await openConnection(lab.services, { agentId: agent.id, tokenHash: '', ...sent });
			return keeps();
		};
		expect(await report('erase')).toBe(false);
		expect(await report('power')).toBe(true);
		// An agent that does not say what it does.
		expect(await report()).toBe(true);
		expect(await report('keep')).toBe(true);
		const path = '/admin/base-images';
		const body = { action: 'erase', board_type: 'keeping', name: 'Erase', enabled: false };
		const image = (await admin.send('POST', path, { body })).body;
		expect(await keeps()).toBe(true);
		const enable = (enabled: boolean) =>
			admin.send('PATCH', `${path}/${image.id}`, { body: { enabled } });
		await enable(true);
		expect(await keeps()).toBe(false);
		await enable(false);
		expect(await keeps()).toBe(true);
		await enable(true);
		await admin.send('DELETE', `${path}/${image.id}`);
		expect(await keeps()).toBe(true);
		expect(
			(await summarizeBoardTypes(lab.query)).find(({ board_type }) => board_type === 'keeping'),
		).toMatchObject({ keeping: 1 });
		await lab.query.updateTable('boards').set({ capabilities: null }).execute();
		expect(await keeps()).toBeNull();
		await lab.query.deleteFrom('boards').where('id', '=', 'brd_keeping').execute();
	});

	test('a lease is on the page of the account that has it, and of no other', async () => {
		const other = await lab.account();
		const leaseOf = async (account: LabAccount) => {
			const { data } = (await account.send('GET', '/boards')).body;
			return data.find(({ id }: { id: string }) => id === 'brd_uno_2').lease_id;
		};
		expect(await leaseOf(member)).toBeNull();
		const { body: lease } = await member.lease({ board_id: 'brd_uno_2' });
		expect([await leaseOf(other), await leaseOf(member), await leaseOf(other)]).toEqual([
			null,
			lease.id,
			null,
		]);
		const { body: theirs } = await other.lease({ board_id: 'brd_uno_3' });
		expect([await leaseOf(member), await leaseOf(other)]).toEqual([lease.id, null]);
		await other.release(theirs.id);
		await member.release(lease.id);
		expect(await leaseOf(member)).toBeNull();
	});

	test('a request that waits returns once its page has changed', async () => {
		const etag = (await ask({}, '?status=offline')).headers.get('etag') ?? '';
		const waiting = ask({ 'if-none-match': etag }, '?status=offline&wait=60');
		await rename('brd_uno_3', 'not on that page');
		await admin.send('PATCH', '/admin/boards/brd_uno_4', { body: { status: 'offline' } });
		const response = await waiting;
		expect(response.status).toBe(200);
		expect((await response.json()).data).toMatchObject([{ id: 'brd_uno_4' }]);
		const late = await ask({ 'if-none-match': etag }, '?status=offline&wait=60');
		expect(late.status).toBe(200);
	});

	test('without a known page, a request waits for the first change', { tags: 'long' }, async () => {
		const before = looks.count;
		const waiting = ask({}, '?wait=60');
		// It looks for a change again and again.
		await expect.poll(() => looks.count).toBeGreaterThan(before + 2);
		await rename('brd_uno_1', 'renamed while waiting');
		expect(await (await waiting).text()).toContain('renamed while waiting');
	});

	test('a wait without a change ends after its time with a 304', async () => {
		const etag = (await ask({}, '?board_type=none')).headers.get('etag') ?? '';
		const response = await ask({ 'if-none-match': etag }, '?board_type=none&wait=1');
		expect(response.status).toBe(304);
	});

	test('a request with the tags of several pages waits for a change of any of them', {
		tags: 'long',
	}, async () => {
		const pages: { id: string; tag: string }[] = [];
		for (let cursor = ''; cursor || pages.length === 0; ) {
			const response = await ask({}, `?limit=2${cursor && `&cursor=${cursor}`}`);
			const { data, next_cursor } = await response.json();
			pages.push({ id: data[0].id, tag: response.headers.get('etag') ?? '' });
			cursor = next_cursor ?? '';
		}
		expect(pages).toHaveLength(3);
		const wait = async (order: number[], seconds = 60) => {
			const tags = order.map((index) => pages[index]?.tag).join(', ');
			return await ask({ 'if-none-match': tags }, `?limit=2&wait=${seconds}`);
		};
		expect((await wait([0, 1, 2], 1)).status).toBe(304);
		expect((await wait([0, 1], 1)).status).toBe(304);
		for (const order of [
			[0, 2, 1],
			[1, 2],
			[0, 1, 2, 2],
		]) {
			expect((await wait(order)).status).toBe(200);
		}
		const waiting = wait([0, 1, 2]);
		await rename(pages[2]?.id ?? '', 'zz');
		const response = await waiting;
		expect([response.status, response.headers.get('etag')]).toEqual([200, pages[0]?.tag]);
		expect((await response.json()).data[0].id).toBe(pages[0]?.id);
	});

	test.each(['?limit=2', '?tag=rack:b2'])(
		'60 requests of an account wait for %s',
		{ tags: 'long' },
		async (query) => {
			const first = await ask({}, query);
			const { next_cursor } = await first.json();
			const tags = [first.headers.get('etag')];
			if (next_cursor) {
				const second = await ask({}, `${query}&cursor=${next_cursor}`);
				tags.push(second.headers.get('etag'));
			}
			const headers = { 'if-none-match': tags.join(', ') };
			const waiting = Array.from({ length: 60 }, () => ask(headers, `${query}&wait=2`));
			await admin.send('PATCH', '/admin/boards/brd_uno_5', { body: { description: query } });
			const statuses = (await Promise.all(waiting)).map(({ status }) => status);
			expect(new Set(statuses)).toEqual(new Set([304]));
		},
	);

	test('a caller who leaves ends the wait', async () => {
		const leaving = new AbortController();
		const waiting = ask({}, '?wait=60', leaving.signal);
		leaving.abort();
		expect((await waiting).status).toBe(200);
	});

	test.each(['wait=61', 'wait=x', 'wait=-1'])('%s is rejected', async (query) => {
		expect((await ask({}, `?${query}`)).status).toBe(400);
	});
});

test('requests that wait end when the service stops', async () => {
	const database = await emptyDatabase('SQLite');
	const service = await startServer({ database, demo: true, port: 0, host: '127.0.0.1' });
	const headers = { authorization: `Bearer ${service.demo?.apiKey}` };
	const before = looks.count;
	const waiting = fetch(`${service.address}/v1/boards?wait=60`, { headers });
	await expect.poll(() => looks.count).toBeGreaterThan(before + 2);
	await service.stop();
	expect((await waiting).status).toBe(200);
});

test.each(databaseKinds)(
	'what was written is seen by the next request of every replica, on %s',
	{ tags: 'long' },
	async (kind) => {
		const database = await emptyDatabase(kind);
		const one = await openLab(kind, { database, boards: unoBoards(20) });
		// On SQLite, commands write to the database next to one service.
		const two = kind === 'PostgreSQL' ? await openLab(kind, { database }) : one;
		const admin = await one.account({ admin: true });
		const readers = [one, two, one, two].map((lab) => lab.requests(admin.key));
		const counts = [0, 0, 0, 0];
		let reading = true;
		const seen = Array(20).fill(0) as number[];

		// Load: readers that never stop, of several pages, and each sees at least what was written before.
		const read = async (query: string, index: number) => {
			const reader = readers[index] ?? admin;
			while (reading) {
				const before = [...seen];
				const { data } = (await reader.send('GET', `/boards${query}`)).body;
				for (const { id, description } of data as { id: string; description: string }[]) {
					const index = Number(id.replace('brd_uno_', '')) - 1;
					expect(Number(description)).toBeGreaterThanOrEqual(before[index] ?? 0);
				}
				counts[index] = (counts[index] ?? 0) + 1;
			}
		};
		const loads = ['', '?limit=3', '?board_type=uno', '?status=available'].map(read);
		const write = async (board: number, writer: (typeof readers)[number]) => {
			for (let round = 0; round < 20 || Math.min(...counts) < 6; round += 1) {
				const description = String(round + 1);
				await writer.send('PATCH', `/admin/boards/brd_uno_${board + 1}`, { body: { description } });
				seen[board] = round + 1;
			}
		};
		await Promise.all([0, 1, 2, 3].map((board) => write(board, readers[board] ?? admin)));
		reading = false;
		await Promise.all(loads);
		await Promise.all([...new Set([one, two])].map((lab) => lab.close()));
	},
);

test.each(databaseKinds)(
	'what another process writes is seen by the next request, on %s',
	async (kind) => {
		const lab = await openLab(kind, { boards: unoBoards(1) });
		const member = await lab.account();
		const { openDatabase } = await import('../../../core/src/database/database.ts');
		const beside = await openDatabase(lab.location);
		for (let round = 0; round < 20; round += 1) {
			await importBoards(beside.query, unoBoards(1, { description: `round ${round}` }));
			const { data } = (await member.send('GET', '/boards')).body;
			expect(data[0].description).toBe(`round ${round}`);
		}
		await beside.close();
		await lab.close();
	},
);

test.each(databaseKinds)(
	'many transactions that change the same boards all end, on %s',
	{ tags: 'long' },
	async (kind) => {
		const lab = await openLab(kind, { boards: unoBoards(6) });
		const accounts = await Promise.all(Array.from({ length: 6 }, () => lab.account()));
		const rounds = accounts.map(async (account, index) => {
			for (let round = 0; round < 8; round += 1) {
				const id = `brd_uno_${((index + round) % 6) + 1}`;
				const { status, body } = await account.lease({ board_id: id });
				if (status === 201) await account.release(body.id);
				else expect([status, body.error.code]).toEqual([409, 'no_board_available']);
			}
		});
		await Promise.all(rounds);
		const { data } = (await (accounts[0] as LabAccount).send('GET', '/boards?status=available'))
			.body;
		expect(data).toHaveLength(6);
		await lab.close();
	},
);

test('on PostgreSQL, every transaction that changes boards changes their revision', async () => {
	const database = await readyDatabase('PostgreSQL');
	await importBoards(database.query, unoBoards(3));
	const client = await database.pool?.connect();
	if (!client) throw new Error('PostgreSQL has a pool');
	const change = (id: string) =>
		`update boards set description = 'changed' where id = 'brd_uno_${id}'`;
	const seen = [await readBoardsRevision(database.query)];
	for (const statements of [
		[change('1'), change('2'), change('1')],
		[change('1')],
		['savepoint before', change('1'), 'rollback to before', change('2')],
		[change('1'), 'savepoint before', change('2'), 'rollback to before'],
		[
			'savepoint before',
			change('1'),
			'release before',
			"delete from boards where id = 'brd_uno_1'",
		],
		[
			"insert into boards select 'brd_new', name, board_type, status, description, tags, created_at, updated_at from boards limit 1",
		],
	]) {
		for (const statement of ['begin', ...statements, 'commit']) await client.query(statement);
		seen.push(await readBoardsRevision(database.query));
	}
	for (const statement of ['begin', change('2'), 'rollback']) await client.query(statement);
	expect(await readBoardsRevision(database.query)).toBe(seen.at(-1));
	expect(new Set(seen).size).toBe(seen.length);
	client.release();
	await database.close();
});

test('on PostgreSQL, no transaction that changes a board waits for another one', async () => {
	const database = await readyDatabase('PostgreSQL');
	await importBoards(database.query, unoBoards(3));
	const seen = [await readBoardsRevision(database.query)];
	const change = async (db: typeof database.query, id: string) => {
		await db.updateTable('boards').set({ description: 'changed' }).where('id', '=', id).execute();
	};
	await database.query.transaction().execute(async (first) => {
		await change(first, 'brd_uno_1');
		await database.query.transaction().execute(async (second) => {
			await change(second, 'brd_uno_2');
			await change(database.query, 'brd_uno_3');
			seen.push(await readBoardsRevision(database.query));
		});
		seen.push(await readBoardsRevision(database.query));
		// Back to the counter of the transaction that has ended.
		await change(first, 'brd_uno_2');
	});
	seen.push(await readBoardsRevision(database.query));
	expect(new Set(seen).size).toBe(4);
	await database.close();
});

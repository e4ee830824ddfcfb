// /v1/admin/boards, and the filters of /v1/boards.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAgent } from '../../../core/test/support/boards.ts';
import { databaseKinds, ruleTest } from '../../../core/test/support/databases.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';

const path = '/admin/boards';

describe.each(databaseKinds)('boards over HTTP on %s', (kind) => {
	const rule = ruleTest(kind);
	let lab: Lab;
	let admin: LabAccount;
	let member: LabAccount;
	beforeAll(async () => {
		lab = await openLab(kind);
		admin = await lab.account({ admin: true });
		member = await lab.account();
	});
	afterAll(() => lab.close());

	let made = 0;
	const create = async (more: object = {}) => {
		made += 1;
		const body = { name: `bench-${made}`, board_type: `type-${made}`, ...more };
		return (await admin.send('POST', path, { body })).body;
	};

	test('a board is created with its defaults, and read by everyone', async () => {
		const body = { name: 'bench', board_type: 'defaults', tags: { rack: 'b2' } };
		const { status, body: board } = await admin.send('POST', path, { body });
		expect(status).toBe(201);
		expect(board).toEqual({
			...body,
			id: expect.stringMatching(/^brd_/),
			status: 'available',
			status_reason: '',
			description: '',
			credits_per_minute: 0,
			lease_id: null,
			has_agent: false,
			memory: null,
			keeps_firmware: null,
			created_at: expect.any(String),
			updated_at: expect.any(String),
		});
		expect((await admin.send('GET', `${path}/${board.id}`)).body).toEqual(board);
		expect(await member.board(board.id)).toEqual(board);
	});

	rule('the same creation with an Idempotency-Key creates one board', async () => {
		const headers = { 'idempotency-key': 'board-1' };
		const body = { name: 'once', board_type: 'once' };
		const first = await admin.send('POST', path, { body, headers });
		const second = await admin.send('POST', path, { body, headers });
		expect(second).toMatchObject({ status: 201, body: first.body });
		const other = { ...body, name: 'twice' };
		const refused = await admin.send('POST', path, { body: other, headers });
		expect([refused.status, refused.body.error.code]).toEqual([422, 'idempotency_mismatch']);
		expect((await member.send('GET', '/boards?board_type=once')).body.data).toHaveLength(1);
	});

	rule('only the given fields change', async () => {
		const board = await create({ description: 'kept', tags: { a: '1', b: '2' } });
		const body = { name: 'renamed', tags: { a: '1' }, credits_per_minute: 3 };
		const changed = await admin.send('PATCH', `${path}/${board.id}`, { body });
		expect(changed).toMatchObject({ status: 200 });
		expect(changed.body).toEqual({ ...board, ...body, updated_at: expect.any(String) });
	});

	test('a status that is set applies while the board has no lease', async () => {
		const board = await create();
		const { body: lease } = await member.lease({ board_id: board.id });
		const body = { status: 'offline' };
		await admin.send('PATCH', `${path}/${board.id}`, { body });
		await member.release(lease.id);
		expect(await member.board(board.id)).toMatchObject({ status: 'offline' });
		await admin.send('PATCH', `${path}/${board.id}`, { body: { status: 'available' } });
		expect(await member.board(board.id)).toMatchObject({ status: 'available' });
	});

	test('a board that becomes available is granted to a waiting lease', async () => {
		const board = await create({ status: 'offline' });
		const { body: lease } = await member.lease({ board_id: board.id, wait_seconds: 60 });
		expect(lease.status).toBe('queued');
		await admin.send('PATCH', `${path}/${board.id}`, { body: { status: 'available' } });
		expect(await member.read(lease.id)).toMatchObject({ board_id: board.id });
		await member.release(lease.id);
	});

	test('a retired board is removed, its past leases are kept, and waiting leases end', async () => {
		const board = await create();
		const { body: past } = await member.lease({ board_id: board.id });
		await member.release(past.id);
		await admin.send('PATCH', `${path}/${board.id}`, { body: { status: 'offline' } });
		const { body: waiting } = await member.lease({ board_id: board.id, wait_seconds: 60 });
		const retired = await admin.send('DELETE', `${path}/${board.id}`);
		expect(retired).toMatchObject({ status: 200, body: { id: board.id } });
		for (const method of ['GET', 'DELETE']) {
			const { status, body } = await admin.send(method, `${path}/${board.id}`);
			expect([status, body.error.code]).toEqual([404, 'board_not_found']);
		}
		expect(await member.read(past.id)).toMatchObject({ board_id: board.id, status: 'ended' });
		expect(await member.read(waiting.id)).toMatchObject({
			status: 'ended',
			end_reason: 'no_board',
			end_message: 'The board was removed.',
		});
	});

	rule('a board in a lease is not retired', async () => {
		const board = await create();
		const { body: lease } = await member.lease({ board_id: board.id });
		const refused = await admin.send('DELETE', `${path}/${board.id}`);
		expect([refused.status, refused.body.error.code]).toEqual([409, 'board_in_use']);
		await member.release(lease.id);
		expect((await admin.send('DELETE', `${path}/${board.id}`)).status).toBe(200);
	});

	rule('a board leaves its agent when it is retired', async () => {
		const board = await create();
		const { id } = await addAgent(lab.query, [board.id]);
		await admin.send('DELETE', `${path}/${board.id}`);
		expect((await admin.send('GET', `/admin/agents/${id}`)).body).toMatchObject({ board_ids: [] });
	});

	rule.each([
		['POST', '', { name: 'x' }, 'board_type'],
		['POST', '', { name: 'x', board_type: 'y', colour: 'red' }, 'colour'],
		['PATCH', '/brd_none', { status: 'lost' }, 'status'],
		['PATCH', '/brd_none', { tags: { a: 1 } }, 'tags.a'],
	])('%s %s refuses %j', async (method, id, body, param) => {
		const refused = await admin.send(method, path + id, { body });
		expect(refused).toMatchObject({ status: 400, body: { error: { param } } });
	});

	rule('types and tags filter together, and may be repeated', async () => {
		await create({ name: 'f1', board_type: 'f-uno', tags: { rack: '1', room: 'a' } });
		await create({ name: 'f2', board_type: 'f-pico', tags: { rack: '1', room: 'b' } });
		await create({ name: 'f3', board_type: 'f-mega', tags: { rack: '1', room: 'a' } });
		const names = async (query: string) =>
			(await member.send('GET', `/boards?${query}`)).body.data.map(
				({ name }: { name: string }) => name,
			);
		expect(await names('board_type=f-pico&board_type=f-uno')).toEqual(['f1', 'f2']);
		expect(await names('tag=rack:1&tag=room:a')).toEqual(['f1', 'f3']);
		expect(await names('board_type=f-uno&board_type=f-pico&tag=room:b')).toEqual(['f2']);
	});

	test('boards can be limited to those that an agent drives, or that none does', async () => {
		const body = { board_type: 'driven' };
		const boards = [];
		for (const name of ['d1', 'd2', 'd3']) boards.push(await create({ ...body, name }));
		await addAgent(lab.query, [boards[0].id, boards[2].id]);
		const page = async (query: string) =>
			(await member.send('GET', `/boards?board_type=driven&${query}`)).body;
		const names = async (query: string) =>
			(await page(query)).data.map(({ name }: { name: string }) => name);
		expect(await names('has_agent=true')).toEqual(['d1', 'd3']);
		expect(await names('has_agent=false')).toEqual(['d2']);
		const { next_cursor } = await page('has_agent=true&limit=1');
		expect(await names(`has_agent=true&limit=1&cursor=${next_cursor}`)).toEqual(['d3']);
		expect((await page(`has_agent=false&cursor=${next_cursor}`)).error.param).toBe('cursor');
	});

	test.each(['1a', '板', 'ﷺ', '"'])(
		'the cursor after a long name of %s is accepted',
		async (text) => {
			const name = text.repeat(200).slice(0, 199);
			const board_type = `long-${text.codePointAt(0)}`;
			for (const end of ['x', 'y']) await create({ board_type, name: name + end });
			const list = `/boards?board_type=${board_type}&limit=1`;
			const { next_cursor } = (await member.send('GET', list)).body;
			const next = await member.send('GET', `${list}&cursor=${next_cursor}`);
			expect(next.body).toMatchObject({ data: [{ board_type }], next_cursor: null });
		},
	);

	rule.each([
		['has_agent=yes', 'has_agent'],
		['tag=rack', 'tag.0'],
		['status=offline&status=available', 'status'],
		[Array(21).fill('board_type=x').join('&'), 'board_type'],
	])('the query %s is refused', async (query, param) => {
		const refused = await member.send('GET', `/boards?${query}`);
		expect(refused).toMatchObject({ status: 400, body: { error: { param } } });
	});

	describe('an import', () => {
		const put = async (boards: unknown) => await admin.send('PUT', path, { body: { boards } });
		const listed = async (type: string) =>
			(await admin.send('GET', `/boards?board_type=${type}`)).body.data;

		test('of what was listed adds and changes boards, and changes nothing the next time', async () => {
			const board = { name: 'a', board_type: 'import', tags: { rack: 'b2' } };
			expect((await put([board])).body).toEqual({ added: 1, changed: 0, unchanged: 0 });
			const before = await listed('import');
			const none = { added: 0, changed: 0, unchanged: 1 };
			expect((await put(before)).body).toEqual(none);
			expect((await put([board])).body).toEqual(none);
			expect(await listed('import')).toEqual(before);
			const changes = [
				{ ...before[0], name: 'renamed' },
				{ ...board, name: 'b' },
			];
			expect((await put(changes)).body).toEqual({ added: 1, changed: 1, unchanged: 0 });
			const names = (await listed('import')).map(({ name }: { name: string }) => name);
			expect(names).toEqual(['b', 'renamed']);
		});

		test.each([
			['boards', (boards: unknown) => boards],
			['text', (boards: unknown) => JSON.stringify(boards)],
		])(
			'of %s does not keep a status that follows from a lease or an agent',
			async (kind, given) => {
				const [board_type, other_type] = [`momentary ${kind}`, `elsewhere ${kind}`];
				const board = await create({ board_type });
				await create({ board_type, status: 'offline' });
				const undriven = await create({ board_type });
				await addAgent(lab.query, [undriven.id]);
				await lab.query
					.updateTable('boards')
					.set({ capabilities: null, status: 'offline', status_reason: 'No agent.' })
					.where('id', '=', undriven.id)
					.execute();
				const lease = { board_id: board.id };
				const { id } = (await admin.send('POST', '/leases', { body: lease })).body;
				const before = await listed(board_type);
				const statuses = before.map(({ status }: { status: string }) => status);
				expect(statuses).toEqual(['in_use', 'offline', 'offline']);
				expect((await put(given(before))).body).toEqual({ added: 0, changed: 0, unchanged: 3 });
				const others = before.map(({ id: _, ...each }: { id: string }) => ({
					...each,
					board_type: other_type,
				}));
				expect((await put(given(others))).body).toMatchObject({ added: 3 });
				const elsewhere = await listed(other_type);
				expect(elsewhere.map(({ status }: { status: string }) => status)).toEqual([
					...['available', 'offline', 'available'],
				]);
				await admin.send('DELETE', `/leases/${id}`);
				expect(await admin.board(board.id)).toMatchObject({ status: 'available' });
			},
		);

		test('grants a board to a lease that waits for one', async () => {
			await create({ board_type: 'scarce', status: 'maintenance' });
			const wanted = { board_type: 'scarce', wait_seconds: 60 };
			const { id } = (await admin.send('POST', '/leases', { body: wanted })).body;
			await put([{ name: 'another', board_type: 'scarce' }]);
			expect((await admin.send('GET', `/leases/${id}`)).body.status).toBe('active');
			await admin.send('DELETE', `/leases/${id}`);
		});

		rule('reads the text of a file, and names the place of what is wrong in it', async () => {
			const csv = 'name,board_type,tags.rack\nc,csv,b2\n';
			expect((await put(csv)).body).toEqual({ added: 1, changed: 0, unchanged: 0 });
			expect((await put(`  ${JSON.stringify(await listed('csv'))}`)).body).toMatchObject({
				unchanged: 1,
			});
			const { status, body } = await put('name,board_type\n,csv\n');
			expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'boards' });
			expect(body.error.message).toContain('line 2: ');
		});

		rule.each([
			['boards', Array(2001).fill({}), 'boards must be at most 2000 boards.'],
			['JSON', JSON.stringify(Array(2001).fill({})), 'There are more than 2000 boards'],
			['CSV', `name${'\na'.repeat(2001)}`, 'There are more than 2001 rows'],
			['empty rows', `name${'\n'.repeat(2002)}a`, 'There are more than 2001 rows'],
		])('rejects more than 2,000 boards as %s before it reads them', async (_, boards, message) => {
			const { status, body } = await put(boards);
			expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'boards' });
			expect(body.error.message).toContain(message);
		});

		rule.each([
			['rows', `name${'\na'.repeat(2000)}`],
			['unknown columns', `${Array.from(Array(2000).keys(), (index) => `x${index}`)}\na`],
			['a long unknown column', `${'x'.repeat(900_000)}\na`],
		])('of text reports the first problems of many: %s', async (_, text) => {
			const { message } = (await put(text)).body.error;
			expect(message).toMatch(/^boards cannot be imported: line \d/);
			expect(message.split('\n').length).toBeLessThanOrEqual(51);
			expect(message.length).toBeLessThan(10_000);
		});

		rule.each([
			['a board without a name', [{ board_type: 'x' }], 'boards.0.name'],
			['an unknown field', [{ name: 'a', board_type: 'x', color: 'red' }], 'color'],
			[
				'a board that is given twice',
				Array(2).fill({ id: 'brd_t', name: 'a', board_type: 'x' }),
				'boards',
			],
			['anything else', 5, 'boards'],
		])('rejects %s, and imports nothing', async (_, boards, param) => {
			const good = { name: 'good', board_type: 'rejected' };
			const { status, body } = await put(Array.isArray(boards) ? [good, ...boards] : boards);
			expect(status).toBe(400);
			expect(body.error.param.replace('boards.1', 'boards.0')).toBe(param);
			expect(await listed('rejected')).toEqual([]);
		});
	});
});

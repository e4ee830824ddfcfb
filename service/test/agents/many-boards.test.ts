// An agent with as many boards as it can have, each with the longest ID and all that can be known of it.
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueAgent } from '../../../core/src/agents/store.ts';
import { importBoards } from '../../../core/src/boards/import.ts';
import { openConnection } from '../../../core/src/link/connection.ts';
import { backends } from '../support/backends.ts';
import { type Bench, openBench } from '../support/bench.ts';
import { connecting, sendAs } from '../support/scripted-agent.ts';

const ids = Array.from({ length: 2_000 }, (_, index) => `brd_${String(index).padStart(60, '0')}`);
const fields = { board_type: 'many', status: 'available' as const, description: '', tags: {} };
const actions = ['flash', 'erase', 'reset', 'power_on', 'power_off', 'power_cycle'] as const;

/** Everything that an agent can say of a board, in most characters. */
const known = (fence: number) => ({
	actions: [...actions],
	console: false,
	between_leases: 'erase' as const,
	memory: { start: 268_435_456, size: 2_097_152, machine: 65_535, family: 3_833_282_390 },
	fence,
	released: false,
	lease: {
		id: `lse_${'0'.repeat(24)}`,
		output: 2 ** 31 - 1,
		input: 2 ** 31 - 1,
		taken: 2 ** 31 - 1,
		console_change: 2 ** 31 - 1,
	},
});

describe.each(backends)('$name', (opening) => {
	let bench: Bench;
	beforeAll(async () => {
		bench = await openBench(opening);
		await importBoards(
			bench.services.database.query,
			ids.map((id) => ({ id, name: id, ...fields })),
		);
	}, 60_000);
	afterAll(() => bench.close());

	const boards = () => bench.services.database.query.selectFrom('boards').where('id', 'in', ids);

	test('an administrator assigns 2,000 boards, and no more', async () => {
		const create = (board_ids: readonly string[]) =>
			bench.user.json('/admin/agents', 'POST', { name: 'Many', board_ids });
		const { status, body } = await create(ids);
		expect(status).toBe(201);
		expect(body.board_ids).toHaveLength(2_000);
		const more = await create([...ids, 'brd_one_more']);
		expect(more.body.error).toMatchObject({
			code: 'invalid_request',
			errors: [{ path: 'board_ids', message: expect.stringContaining('at most 2,000 boards') }],
		});
		await bench.user.json(`/admin/agents/${body.id}`, 'DELETE');
	});

	test('their agent connects with all that it knows, in a few statements', {
		tags: 'long',
	}, async () => {
		const { query } = bench.services.database;
		const { id: agentId, token } = await issueAgent(query, { name: 'Many', board_ids: ids });
		const driven = Object.fromEntries(ids.map((id, index) => [id, known(7 + index)]));
		const sent = connecting('many', driven);
		const response = await sendAs(bench.baseUrl, token, bench.fetch)('/work', sent);
		expect(response.status).toBe(200);
		await response.body?.cancel();
		const stored = await boards().select(['fence', 'status']).orderBy('id').execute();
		expect(stored.map(({ fence }) => fence)).toEqual(ids.map((_, index) => 7 + index));
		expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(['available']));

		let statements = 0;
		const counter: KyselyPlugin = {
			transformQuery({ node }) {
				statements += 1;
				return node;
			},
			transformResult: async ({ result }) => result,
		};
		const connect = (fence: number) =>
			openConnection(
				{
					...bench.services,
					database: { ...bench.services.database, query: query.withPlugin(counter) },
				},
				{
					agentId,
					tokenHash: '',
					boot_id: 'many',
					boards: Object.fromEntries(ids.map((id) => [id, known(fence)])),
				},
			);
		await connect(10_000);
		expect(statements).toBeLessThan(15);
		const raised = await boards().select('fence').distinct().execute();
		expect(raised).toEqual([{ fence: 10_000 }]);
	});
});

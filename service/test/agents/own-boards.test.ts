// An agent can do something only to the board of a live lease, under its fence, and only while the board is its own.
// The routes are those of the application: a new one fails here until it has a request below.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { issueAgent } from '../../../core/src/agents/store.ts';
import { watchPins } from '../../../core/src/leases/pins/store.ts';
import { assemble } from '../../src/service.ts';
import { inProcess } from '../support/backends.ts';
import { type Bench, openBench } from '../support/bench.ts';
import { connectAgent, connecting, sendAs } from '../support/scripted-agent.ts';

/** A lease with what belongs to it; its agent is the one that has the board now, if the lease is live. */
interface Leased {
	lease: string;
	action: string;
	file: string;
	board: string;
	fence: number;
	agent: 'first' | 'second' | undefined;
}

type Who = 'first' | 'second' | 'revoked' | 'user';

interface Attempt {
	who: Who;
	of: Leased;
	fence: number;
	board: string;
}

const json = { 'content-type': 'application/json' };
const secret = 'what the user of another board flashes and types';

/** The request of each route, complete and valid for the agent that has the board. */
const requests: Record<string, (attempt: Attempt) => [path: string, init?: RequestInit]> = {
	'POST /v1/agent/actions/:id': ({ of, fence }) => [
		`/actions/${of.action}`,
		{ method: 'POST', headers: json, body: JSON.stringify({ fence, status: 'running' }) },
	],
	'POST /v1/agent/console/:lease_id': ({ of, fence }) => [
		`/console/${of.lease}?fence=${fence}&offset=0&input=1&console=${encodeURIComponent(
			JSON.stringify({ change: 1, status: 'connected', message: '', gap_ms: 0 }),
		)}`,
		{ method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'printed' },
	],
	'POST /v1/agent/pins/:lease_id': ({ of, fence }) => [
		`/pins/${of.lease}?fence=${fence}`,
		{
			method: 'POST',
			headers: json,
			body: JSON.stringify({ power: true, leds: {}, pins: {} }),
		},
	],
	'POST /v1/agent/channels/:id': ({ of, fence }) => [
		`/channels/chn_${of.lease}?fence=${fence}&lease_id=${of.lease}`,
		{ method: 'POST' },
	],
	'GET /v1/agent/files/:id': ({ of, fence, board }) => [
		`/files/${of.file}?fence=${fence}&board_id=${board}`,
	],
};

const boards = ['brd_bench_1', 'brd_bench_2', 'brd_bench_3'];
const fences = [0, 1, 2, 3];

test('every route of agents has a request here', async () => {
	const { app, close } = await assemble({});
	const routes = app.routes
		.filter(({ method, path }) => method !== 'ALL' && /^\/v1\/agent(\/|$)/.test(path))
		.map(({ method, path }) => `${method} ${path}`);
	await close();
	const ofNoBoard = ['work', 'contact', 'stop'].map((name) => `POST /v1/agent/${name}`);
	ofNoBoard.push('GET /v1/agent');
	expect(routes.toSorted()).toEqual([...Object.keys(requests), ...ofNoBoard].toSorted());
});

describe.each(inProcess)('an agent $name', (opening) => {
	let bench: Bench;
	let leases: Leased[];
	let send: Record<Who, ReturnType<typeof sendAs>>;
	let agents: { cut: () => Promise<void> }[] = [];

	const drive = (who: 'first' | 'second', ids: string[]) =>
		connectAgent(send[who], {
			bootId: who,
			driven: Object.fromEntries(ids.map((id) => [id, ['flash']])),
		});

	const give = async (agentId: string, ...ids: string[]) => {
		const { status } = await bench.user.json(`/admin/agents/${agentId}`, 'PATCH', {
			board_ids: ids,
		});
		expect(status).toBe(200);
	};

	const leaseOf = async (board: string, agent: Leased['agent'], fence: number) => {
		const { id: lease } = await bench.user.activeLease({ board_id: board });
		const { id: file } = await (await bench.user.upload(lease, secret, '?raw=true')).json();
		const flash = { action: 'flash', file_id: file };
		const { body } = await bench.user.json(`/leases/${lease}/actions`, 'POST', flash);
		await bench.user.type(lease, secret);
		const { query } = bench.services.database;
		await watchPins(query, { id: lease, fence });
		const nobody = { account_id: '', key_id: null, session_id: null };
		const unused = { ticket: null, agent_ticket: null, home: null, home_url: null };
		await query
			.insertInto('channels')
			.values({
				...{ id: `chn_${lease}`, lease_id: lease, fence, kind: 'serial', port: null },
				...{ ...nobody, ...unused, expires_at: '9999' },
			})
			.execute();
		return { lease, action: body.id, file, board, fence, agent };
	};

	beforeAll(async () => {
		bench = await openBench(opening, { boards: 3, agentTimeout: 300 });
		const { query } = bench.services.database;
		const second = await issueAgent(query, { name: 'Second', board_ids: [] });
		const revoked = await issueAgent(query, { name: 'Revoked', board_ids: [] });
		const as = (token: string) => sendAs(bench.baseUrl, token, bench.fetch);
		send = {
			first: as(bench.token),
			second: as(second.token),
			revoked: as(revoked.token),
			user: as(bench.apiKey),
		};
		await give(second.id, 'brd_bench_2');
		// The revoked agent once had the third board, and then the first one.
		await give(revoked.id, 'brd_bench_3');
		await bench.user.json(`/admin/agents/${revoked.id}`, 'DELETE');
		await give(bench.agentId, 'brd_bench_1', 'brd_bench_3');
		const first = await drive('first', ['brd_bench_1', 'brd_bench_3']);
		const before = await drive('second', ['brd_bench_2']);
		const ended = [
			await leaseOf('brd_bench_1', undefined, 1),
			await leaseOf('brd_bench_3', undefined, 1),
		];
		for (const { lease } of ended) await bench.user.release(lease);
		await before.cut();
		await give(second.id, 'brd_bench_2', 'brd_bench_3');
		const after = await drive('second', ['brd_bench_2', 'brd_bench_3']);
		leases = [
			...ended,
			await leaseOf('brd_bench_1', 'first', 2),
			await leaseOf('brd_bench_2', 'second', 1),
			await leaseOf('brd_bench_3', 'second', 2),
		];
		agents = [first, after];
	});

	afterAll(async () => {
		await Promise.all(agents.map(({ cut }) => cut()));
		await bench.close();
	});

	/** Everything that belongs to a lease or a board. */
	const everything = async () => {
		const { query } = bench.services.database;
		const tables = [
			'leases',
			'lease_actions',
			'console_chunks',
			'files',
			'lease_pins',
			'channels',
		] as const;
		const rows = tables.map((table) => query.selectFrom(table).selectAll().execute());
		const held = query
			.selectFrom('boards')
			.select(['id', 'agent_id', 'fence', 'lease_id', 'status']);
		const all = await Promise.all([...rows, held.orderBy('id').execute()]);
		return all.map((list) => list.map((row) => JSON.stringify(row)).sort());
	};

	const isOwn = ({ who, of, fence, board }: Attempt, route: string) =>
		of.agent === who && of.fence === fence && (!route.includes('/files/') || of.board === board);

	const attemptsAt = (route: string): Attempt[] =>
		(['first', 'second', 'revoked', 'user'] as const).flatMap((who) =>
			leases.flatMap((of) =>
				fences.flatMap((fence) =>
					(route.includes('/files/') ? boards : [of.board]).map((board) => ({
						who,
						of,
						fence,
						board,
					})),
				),
			),
		);

	test.each(Object.keys(requests))(
		'changes and reads nothing of another lease by %s',
		async (route) => {
			const attempts = attemptsAt(route);
			const own = attempts.filter((attempt) => isOwn(attempt, route));
			expect(own).toHaveLength(3);
			const before = await everything();
			for (const attempt of attempts) {
				if (own.includes(attempt)) continue;
				const [path, init] = requests[route]?.(attempt) ?? [''];
				const response = await send[attempt.who](path, init);
				const outsider = attempt.who === 'revoked' || attempt.who === 'user';
				const status = outsider ? 401 : route.startsWith('GET') ? 404 : 409;
				expect({ ...attempt, status: response.status }).toEqual({ ...attempt, status });
				expect(await response.text()).not.toContain(secret);
			}
			expect(await everything()).toEqual(before);
			// The same requests change something, or return it, for the agent that has the board.
			for (const attempt of own) {
				const [path, init] = requests[route]?.(attempt) ?? [''];
				expect((await send[attempt.who](path, init)).ok).toBe(true);
			}
		},
	);

	test('sees its own boards and whether it is connected, which is no contact', async () => {
		using heard = vi.spyOn(bench.services.contacts, 'heard');
		const own = await (await send.second('')).json();
		const [name, board_type] = [expect.any(String), expect.any(String)];
		const boards = ['brd_bench_2', 'brd_bench_3'].map((id) => ({ id, name, board_type }));
		expect(own).toEqual({ online: true, host: null, boards });
		expect((await send.second('?x=1')).status).toBe(400);
		for (const who of ['revoked', 'user'] as const) expect((await send[who]('')).status).toBe(401);
		expect(heard).not.toHaveBeenCalled();
	});

	test('that connects changes and sees only its own boards, whatever it says of others', async () => {
		const before = await everything();
		const foreign = leases.filter(({ agent }) => agent === 'first');
		const known = leases.filter(({ agent }) => agent === 'second');
		const capabilities = { actions: ['erase'], console: true };
		const claims = foreign.flatMap(({ board, fence, lease: id }) => {
			const lease = { id, output: 0, input: 0, taken: 0, console_change: 0 };
			return [
				{ ...capabilities, fence: 999 },
				{ ...capabilities, fence, released: true },
				{ ...capabilities, fence, lease: { ...lease, id: 'lse_of_nobody' } },
				{ ...capabilities, fence, lease },
			].map((claim) => [board, claim] as const);
		});
		expect(claims).toHaveLength(4);
		for (const claim of claims) {
			const own = known.map(({ board }) => [board, { ...capabilities, actions: ['flash'] }]);
			const init = connecting('second', Object.fromEntries([...own, claim]));
			const response = await send.second('/work', init);
			expect(response.status).toBe(200);
			const { value } = (await response.body?.getReader().read()) ?? {};
			const line = Buffer.from(value ?? []).toString();
			for (const { board } of known) expect(line).toContain(board);
			for (const { board, lease, action, file } of foreign) {
				for (const text of [board, lease, action, file]) expect(line).not.toContain(text);
			}
		}
		expect(await everything()).toEqual(before);
		for (const who of ['revoked', 'user'] as const) {
			expect((await send[who]('/work', connecting('second'))).status).toBe(401);
		}
	});

	test('that sends strange values gets no internal error, and changes no other board', {
		tags: 'long',
	}, async () => {
		const others = async () => {
			const foreign = leases.filter(({ agent }) => agent === 'first').map(({ lease }) => lease);
			return (await everything()).map((rows) =>
				rows.filter((row) => foreign.some((id) => row.includes(id))),
			);
		};
		const before = await others();
		const own = leases.find(({ agent }) => agent === 'second');
		const fence = fc.oneof(fc.constant(own?.fence), strangeNumber);
		const report = fc.record({
			fence,
			status: fc.constantFrom('running', 'done', 'failed', 'queued'),
			message: strangeText,
			console_offset: strangeNumber,
			cause: fc.constantFrom('board', 'agent', ''),
		});
		const written = fc.record({
			fence,
			offset: fc.oneof(fc.constant(0), strangeNumber),
			input: strangeNumber,
			synced: strangeNumber,
			console: fc
				.record({
					change: strangeNumber,
					status: fc.constantFrom('connected', 'disconnected'),
					message: strangeText,
					gap_ms: strangeNumber,
				})
				.map((state) => JSON.stringify(state)),
		});
		const bytes = { 'content-type': 'application/octet-stream' };
		const strange = fc.oneof(
			report.map(
				(body) =>
					[
						`/actions/${own?.action}`,
						{ method: 'POST', headers: json, body: JSON.stringify(body) },
					] as const,
			),
			written.map(
				(query) =>
					[
						`/console/${own?.lease}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}`,
						{ method: 'POST', headers: bytes, body: 'x' },
					] as const,
			),
			fc
				.tuple(fence, strangeText)
				.map(
					([number, board]) =>
						[
							`/files/${own?.file}?${new URLSearchParams({ fence: `${number}`, board_id: board })}`,
							{},
						] as const,
				),
		);
		const lost = { change: 2, status: 'disconnected', message: '\0', gap_ms: 0 };
		const withNul = `/console/${own?.lease}?fence=${own?.fence}&offset=0&console=${encodeURIComponent(JSON.stringify(lost))}`;
		expect((await send.second(withNul, { method: 'POST', body: 'x' })).status).toBe(400);
		await fc.assert(
			fc.asyncProperty(strange, async ([path, init]) => {
				const response = await send.second(path, init);
				await response.text();
				expect(response.status).toBeLessThan(500);
			}),
			{ numRuns: 600 },
		);
		expect(await others()).toEqual(before);
	});

	test('loses no board to another one that is in a lease by then', async () => {
		const { query } = bench.services.database;
		const held = leases.find(({ agent }) => agent === 'first');
		const table = () => query.updateTable('boards').where('id', '=', 'brd_bench_1');
		await table().set({ lease_id: null }).execute();
		let moved: ReturnType<typeof bench.user.json> | undefined;
		await query.transaction().execute(async (db) => {
			const grant = db.updateTable('boards').where('id', '=', 'brd_bench_1');
			await grant.set({ lease_id: held?.lease }).execute();
			moved = bench.user.json('/admin/agents', 'POST', {
				name: 'Third',
				board_ids: ['brd_bench_1'],
			});
			await blocked(opening.kind, query);
		});
		expect((await moved)?.body.error.code).toBe('board_in_use');
	});
});

const strangeNumber = fc.constantFrom(-1, 0, 1, 0.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 1e300);
const strangeText = fc.constantFrom('', '\0', '\ud800', '\u{1f4a5}', '__proto__', 'x'.repeat(500));

/** Until a statement on PostgreSQL waits for a lock; on SQLite, the transactions run one after the other. */
async function blocked(kind: string, query: Bench['services']['database']['query']) {
	if (kind !== 'PostgreSQL') return;
	await vi.waitFor(async () => {
		const waiting = sql`select 1 from pg_stat_activity where datname = current_database()
			and wait_event_type = 'Lock'`;
		expect((await waiting.execute(query)).rows).toHaveLength(1);
	});
}

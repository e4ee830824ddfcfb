// Several boards together, with the client and the service in memory.
import { BoardAccess, isApiError, NoBoardError } from 'board-access';
import { createTestService } from 'board-access-service/testing';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { errorOf } from '../support/client.ts';

let service: Awaited<ReturnType<typeof createTestService>>;
let client: BoardAccess;
const requests: string[] = [];

beforeAll(async () => {
	service = await createTestService();
	client = new BoardAccess({
		baseUrl: 'http://localhost',
		apiKey: service.demo?.apiKey,
		fetch: (input, init) => {
			requests.push(String(input));
			return service.fetch(input, init);
		},
	});
});
beforeEach(() => {
	requests.length = 0;
});
afterAll(() => service.close());

const live = () => client.leases.list({ status: ['queued', 'preparing', 'active'] });
const dk = { boardType: 'nrf52840-dk' };
const display = { boardType: 'esp32-s3', tags: { display: 'yes' } };

it('leases a board for each role, by type, tags or id, and gives all back', async () => {
	const seen = vi.fn();
	{
		await using bench = await client.leases.createGroup(
			{ dut: dk, peer: display, third: { boardId: 'brd_rpi-5-01' } },
			{ label: 'three', durationMs: 300_000 },
			{ onProgress: ({ lease }) => seen(lease.role) },
		);
		expect(bench.dut).toMatchObject({ status: 'active', role: 'dut', boardType: 'nrf52840-dk' });
		expect(bench.peer.boardId).toBe('brd_esp32-s3-03');
		expect(bench.third).toMatchObject({ boardId: 'brd_rpi-5-01', label: 'three', minutes: 5 });
		expect(new Set(Object.values(bench).map(({ groupId }) => groupId)).size).toBe(1);
		expect(new Set(seen.mock.calls.flat())).toEqual(new Set(['dut', 'peer', 'third']));
		await bench.dut.renew({ durationMs: 1_200_000 });
		await bench.peer.refresh();
		expect(bench.peer.expiresAt).toBe(bench.dut.expiresAt);
	}
	expect(await live()).toEqual([]);
});

it('ends with one of its leases', async () => {
	const bench = await client.leases.createGroup({ dut: dk, peer: display });
	await bench.peer.release();
	expect((await bench.dut.ended).endReason).toBe('released');
	await bench.release();
	expect(bench.peer.status).toBe('ended');
});

it('is rejected as a whole if one of the boards is taken, and holds none of them', async () => {
	await using _ = await client.leases.create(display);
	const error = await errorOf(client.leases.createGroup({ dut: dk, peer: display }));
	expect(error).toBeInstanceOf(NoBoardError);
	expect(await live()).toHaveLength(1);
});

it('waits until all are free, and gives up its place when it is aborted', async () => {
	await using held = await client.leases.create(display);
	const terms = { waitMs: 60_000 };
	const waiting = client.leases.createGroup({ dut: dk, peer: display }, terms);
	await expect.poll(live).toHaveLength(3);
	await held.release();
	await using bench = await waiting;
	expect(bench.dut.status).toBe('active');

	const controller = new AbortController();
	const aborted = client.leases.createGroup({ dut: dk, peer: display }, terms, {
		signal: controller.signal,
	});
	await expect.poll(live).toHaveLength(4);
	controller.abort();
	await errorOf(aborted);
	expect(await live()).toHaveLength(2);
});

it('says what is wrong before it asks the service', async () => {
	const wrong = async (boards: object, terms?: object) =>
		String(await errorOf(client.leases.createGroup(boards as never, terms)));
	expect(await wrong({})).toMatch('must be an object of boards by their roles');
	expect(await wrong({ Dut: dk })).toMatch('Dut: is no role: it must be lower-case letters');
	expect(await wrong({ release: dk })).toMatch('release: is no role');
	expect(await wrong({ dut: {} })).toMatch('dut.boardType: is required unless boardId is given');
	expect(await wrong({ dut: { ...dk, tags: { a: 1 } } })).toMatch(
		'tags: must be an object of text',
	);
	expect(await wrong({ dut: dk }, { waitMs: -1 })).toMatch('waitMs: must be a number');
	expect(requests).toEqual([]);
});

it('rejects a response with other roles than those requested', async () => {
	const fetch: typeof service.fetch = async (input, init) => {
		const response = await service.fetch(input, init);
		if (!String(input).endsWith('/lease-groups')) return response;
		const group = await response.json();
		return Response.json({ ...group, leases: group.leases.slice(1) }, { status: 201 });
	};
	const hostile = new BoardAccess({
		baseUrl: 'http://localhost',
		apiKey: service.demo?.apiKey,
		fetch,
	});
	const error = await errorOf(hostile.leases.createGroup({ dut: dk, peer: display }));
	expect(error).toMatchObject({ message: expect.stringContaining('other roles than those') });
	await expect.poll(live, { timeout: 5_000 }).toEqual([]);
});

it('says which role no board can have', async () => {
	const boards = { dut: dk, peer: { ...display, tags: { display: 'yess' } } };
	const error = await errorOf(client.leases.createGroup(boards));
	expect(isApiError(error, 'board_tag_not_found')).toBe(true);
	expect(error).toMatchObject({
		message: expect.stringContaining('the tag display=yess. (role peer)'),
		hint: 'Did you mean display=yes?',
		param: 'boards.peer',
	});
});

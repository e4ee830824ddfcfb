// Limits of the requests of an account that wait for a change, upload a file or read a console.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addAgent, unoBoards } from '../../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../../core/test/support/databases.ts';
import { type Lab, type LabAccount, openLab } from '../../support/leasing.ts';

const most = 102;

let lab: Lab;
afterEach(() => lab.close());

async function open(kind: (typeof databaseKinds)[number] = 'SQLite') {
	lab = await openLab(kind, { boards: unoBoards(1), leasesPerAccount: 1 });
	return { user: await lab.account(), other: await lab.account() };
}

test.each(databaseKinds)(
	'more waits than an account may have are rejected, and end for nobody else, on %s',
	{ tags: 'long' },
	async (kind) => {
		const { user, other } = await open(kind);
		const leaving = new AbortController();
		const { signal } = leaving;
		const settled: number[] = [];
		const waiting = Array.from({ length: most + 5 }, async () => {
			const { status, headers, body } = await user.send('GET', '/boards?wait=60', { signal });
			settled.push(status);
			return { status, retryAfter: headers.get('retry-after'), code: body.error?.code };
		});
		await vi.waitFor(() => expect(settled).toEqual([429, 429, 429, 429, 429]), {
			timeout: 20_000,
		});
		expect((await user.send('GET', '/boards')).status).toBe(200);
		expect((await other.send('GET', '/boards?wait=1')).status).toBe(200);

		leaving.abort();
		const rejected = (await Promise.all(waiting)).filter(({ status }) => status === 429);
		expect(new Set(rejected.map((response) => JSON.stringify(response)))).toEqual(
			new Set([JSON.stringify({ status: 429, retryAfter: '1', code: 'rate_limited' })]),
		);
		expect((await user.send('GET', '/boards?wait=1')).status).toBe(200);
	},
);

test('waits for boards, leases and actions count together, and those that do not wait do not', async () => {
	const { user } = await open();
	const { body: lease } = await user.lease({ board_id: 'brd_uno_1' });
	// Only now, so that nothing has to prepare the board.
	await addAgent(lab.query, ['brd_uno_1'], ['reset']);
	const path = `/leases/${lease.id}`;
	const { body: action } = await user.send('POST', `${path}/actions`, {
		body: { action: 'reset' },
	});
	const leaving = new AbortController();
	const { signal } = leaving;
	const waits = ['/boards?', `${path}?`, `${path}/actions/${action.id}?`];
	const settled: number[] = [];
	const waiting = Array.from({ length: most + 3 }, async (_, index) => {
		const { status } = await user.send('GET', `${waits[index % 3]}wait=60`, { signal });
		settled.push(status);
	});
	await vi.waitFor(() => expect(settled).toEqual([429, 429, 429]), { timeout: 20_000 });
	for (const address of waits)
		expect((await user.send('GET', `${address}wait=0`)).status).toBe(200);
	leaving.abort();
	await Promise.all(waiting);
	for (const address of waits)
		expect((await user.send('GET', `${address}wait=1`)).status).toBe(200);
});

test('a third upload for a lease is rejected while two are in progress', async () => {
	const { user } = await open();
	const { body: lease } = await user.lease({ board_id: 'brd_uno_1' });
	await addAgent(lab.query, ['brd_uno_1'], ['flash']);
	const upload = (body: BodyInit) =>
		lab.app.fetch(
			new Request(`http://localhost/v1/leases/${lease.id}/files?raw=true`, {
				method: 'POST',
				headers: {
					authorization: `Bearer ${user.key}`,
					'content-type': 'application/octet-stream',
				},
				body,
				// Needed for a stream, but missing from the types.
				...{ duplex: 'half' },
			}),
			{},
		);
	const slowUpload = () => {
		const { readable, writable } = new TransformStream<Uint8Array>();
		const writer = writable.getWriter();
		return { response: upload(readable), started: writer.write(Buffer.from('raw')), writer };
	};
	const slow = [slowUpload(), slowUpload()];
	await Promise.all(slow.map(({ started }) => started));
	const rejected = await upload('raw');
	expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '10']);
	expect((await rejected.json()).error.code).toBe('rate_limited');
	await Promise.all(slow.map(({ writer }) => writer.close()));
	const responses = await Promise.all(slow.map(({ response }) => response));
	expect(responses.map(({ status }) => status)).toEqual([201, 201]);
	expect((await upload('raw')).status).toBe(201);
});

describe('with three console streams per account', () => {
	const openConsole = async () => {
		lab = await openLab('SQLite', { boards: unoBoards(2), consoleStreamsPerAccount: 3 });
		const [user, other] = [await lab.account(), await lab.account()];
		const { body: lease } = await user.lease({ board_id: 'brd_uno_1' });
		const { body: others } = await other.lease({ board_id: 'brd_uno_2' });
		// Added only now, so that the boards need no preparation.
		await addAgent(lab.query, ['brd_uno_1', 'brd_uno_2']);
		const read = ({ key }: LabAccount, { id }: { id: string }, init: RequestInit = {}) =>
			lab.app.fetch(
				new Request(`http://localhost/v1/leases/${id}/console`, {
					...init,
					headers: { authorization: `Bearer ${key}`, ...init.headers },
				}),
				{},
			);
		return {
			user,
			lease,
			read: (init?: RequestInit) => read(user, lease, init),
			readOther: () => read(other, others),
		};
	};

	test('rejects a fourth one, and does not affect another account', async () => {
		const { read, readOther } = await openConsole();
		const open = [await read(), await read(), await read()];
		expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
		const rejected = await read();
		expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1']);
		expect((await rejected.json()).error).toMatchObject({
			code: 'rate_limited',
			message: expect.stringContaining('3 console streams of this account are already open'),
		});
		const others = await readOther();
		expect(others.status).toBe(200);
		await Promise.all([...open, others].map(({ body }) => body?.cancel()));
	});

	test('a stream no longer counts when its reader leaves, its lease ends, or it is not read', async () => {
		const { user, lease, read } = await openConsole();
		const leaving = new AbortController();
		const first = await read({ signal: leaving.signal });
		const [second, third] = [await read(), await read()];
		await second.body?.cancel();
		leaving.abort();
		await expect(first.text()).rejects.toThrow();
		for (let count = 0; count < 5; count += 1) {
			expect((await read({ method: 'HEAD' })).status).toBe(200);
		}
		for (let count = 0; count < 5; count += 1) {
			const gone = new AbortController();
			expect((await read({ signal: gone.signal })).status).toBe(200);
			gone.abort();
		}
		const more = [await read(), await read()];
		expect((await read()).status).toBe(429);
		await user.release(lease.id);
		await Promise.all([third, ...more].map((response) => response.text()));
		expect((await read()).status).toBe(200);
	});
});

// A change of a lease that is requested twice with one Idempotency-Key happens once.
import { sampleFirmware } from 'board-access-agent/samples';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { runs } from '../../../test/support/runs.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';

const changes = ['action', 'file', 'renewal'] as const;
type Change = (typeof changes)[number];

/** A request as a history repeats it: `variant` is its content. */
interface Sent {
	change: Change;
	lease: number;
	variant: number;
}

// Few files: an account may have firmware read for a quarter of the time.
const request = fc.record({
	change: fc.constantFrom(...changes, 'action', 'renewal'),
	lease: fc.nat(1),
	variant: fc.nat(1),
});
/** One of a few keys, so that most are used again: with the same request as before, or another. */
const step = fc.record({
	key: fc.nat(5),
	again: fc.constantFrom(true, true, true, false),
	request,
	/** The same request at the same moment; a lease receives two uploads at a time. */
	copies: fc.integer({ min: 1, max: 2 }),
});

describe.each(databaseKinds)('a change of a lease on %s', (kind) => {
	let lab: Lab;
	let user: LabAccount;
	let agent: Awaited<ReturnType<typeof addAgent>>;
	let leases: string[];
	let keys = 0;
	beforeAll(async () => {
		lab = await openLab(kind, { boards: unoBoards(2) });
		user = await lab.account();
		agent = await addAgent(lab.query, ['brd_uno_1', 'brd_uno_2'], ['flash', 'erase', 'power_on']);
		leases = [];
		for (const board_id of ['brd_uno_1', 'brd_uno_2']) {
			leases.push((await user.lease({ board_id, minutes: 60 })).body.id);
		}
	});
	afterAll(() => lab.close());

	const newKey = () => {
		keys += 1;
		return `key ${keys}`;
	};

	const firmware = sampleFirmware('arduino-uno');

	async function upload(lease: string, data: string | Buffer, key?: string) {
		const response = await lab.app.fetch(
			new Request(`http://localhost/v1/leases/${lease}/files`, {
				method: 'POST',
				body: new Uint8Array(Buffer.from(data)),
				headers: {
					authorization: `Bearer ${user.key}`,
					'content-type': 'application/octet-stream',
					...(key !== undefined && { 'idempotency-key': key }),
				},
			}),
			{},
		);
		return { status: response.status, headers: response.headers, body: await response.json() };
	}

	async function send({ change, lease: index, variant }: Sent, key?: string) {
		const lease = leases[index] ?? '';
		// The order of the lines of an HEX file is that of its addresses, an empty line changes nothing.
		if (change === 'file') return upload(lease, `${await firmware}${'\n'.repeat(variant)}`, key);
		const headers = key === undefined ? {} : { 'idempotency-key': key };
		if (change === 'renewal') {
			return user.send('POST', `/leases/${lease}/renew`, {
				body: { minutes: 90 + variant },
				headers,
			});
		}
		const body = { action: variant ? 'erase' : 'power_on' };
		return user.send('POST', `/leases/${lease}/actions`, { body, headers });
	}

	const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed');

	async function reset() {
		// On a slow machine, the tests take longer than an agent may be silent.
		await agent.contact();
		await lab.query.deleteFrom('lease_actions').execute();
		await lab.query.deleteFrom('files').execute();
		await lab.query.deleteFrom('idempotency').execute();
	}

	/** Sets an end that no renewal results in, so that a renewal shows. */
	const setEnd = (expires_at: string) =>
		lab.query.updateTable('leases').set({ expires_at }).execute();
	const renewedLeases = async (before: string) => {
		const rows = await lab.query.selectFrom('leases').select(['id', 'expires_at']).execute();
		return rows.filter(({ expires_at }) => expires_at !== before).map(({ id }) => id);
	};
	const count = async (table: 'lease_actions' | 'files') =>
		(await lab.query.selectFrom(table).select('id').execute()).length;

	test.each(changes)(
		'%s: repeated, it gets the first response and happens once',
		async (change) => {
			await reset();
			const key = newKey();
			const first = await send({ change, lease: 0, variant: 0 }, key);
			expect(first.status).toBeLessThan(300);
			expect(replayed(first)).toBeNull();
			const end = new Date(Date.now() + 30 * 60_000).toISOString();
			await setEnd(end);
			const second = await send({ change, lease: 0, variant: 0 }, key);
			expect(replayed(second)).toBe('true');
			expect({ ...second, headers: undefined }).toEqual({
				status: first.status,
				body:
					change === 'renewal'
						? { ...first.body, expires_at: end, expires_in_ms: expect.any(Number) }
						: first.body,
				headers: undefined,
			});
			expect(await renewedLeases(end)).toEqual([]);
			expect([await count('lease_actions'), await count('files')].sort()).toEqual(
				change === 'renewal' ? [0, 0] : [0, 1],
			);
			const others = [
				{ change, lease: 0, variant: 1 },
				{ change, lease: 1, variant: 0 },
			];
			for (const other of others) {
				expect(await send(other, key)).toMatchObject({
					status: 409,
					body: { error: { code: 'idempotency_conflict' } },
				});
			}
			expect(replayed(await send({ change, lease: 0, variant: 0 }, newKey()))).toBeNull();
			expect(replayed(await send({ change, lease: 0, variant: 0 }))).toBeNull();
		},
	);

	test('generated histories of lost, late and repeated requests make one change for each key', {
		timeout: 180_000,
		tags: 'generated',
	}, async () => {
		const history = fc.array(step, { minLength: 1, maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(history, async (steps) => {
				await reset();
				const first = new Map<number, Sent>();
				const prefix = newKey();
				for (const { key, again, request, copies } of steps) {
					const known = first.get(key);
					const wanted = known && again ? known : request;
					const end = new Date(Date.now() + 30 * 60_000).toISOString();
					await setEnd(end);
					const responses = await Promise.all(
						Array.from({ length: copies }, () => send(wanted, `${prefix} ${key}`)),
					);
					const same = !known || JSON.stringify(known) === JSON.stringify(wanted);
					if (!same) {
						expect(responses.map(({ body }) => body.error?.code)).toEqual(
							responses.map(() => 'idempotency_conflict'),
						);
					} else {
						expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
						expect(responses.filter((response) => !replayed(response))).toHaveLength(known ? 0 : 1);
					}
					if (!known) first.set(key, wanted);
					const renews = !known && wanted.change === 'renewal';
					expect(await renewedLeases(end)).toEqual(renews ? [leases[wanted.lease]] : []);
				}
				const done = [...first.values()].map(({ change }) => change);
				const times = (change: Change) => done.filter((each) => each === change).length;
				expect(await count('lease_actions')).toBe(times('action'));
				// Equal files of a lease are one.
				const sent = [...first.values()].filter(({ change }) => change === 'file');
				expect(await count('files')).toBe(
					new Set(sent.map(({ lease, variant }) => `${lease} ${variant}`)).size,
				);
			}),
			{ numRuns: runs(kind === 'SQLite' ? 10 : 2) },
		);
	});

	test('a request that was rejected is carried out when it is repeated', async () => {
		await reset();
		for (let open = 0; open < 16; open += 1) {
			expect((await send({ change: 'action', lease: 0, variant: 0 })).status).toBe(202);
		}
		const key = newKey();
		const one = () => send({ change: 'action', lease: 0, variant: 1 }, key);
		expect((await one()).body.error.code).toBe('lease_limit');
		await lab.query.deleteFrom('lease_actions').execute();
		const carriedOut = await one();
		expect(carriedOut.status).toBe(202);
		expect(replayed(carriedOut)).toBeNull();
	});

	test('an upload with a new key is not read unless the lease has a board', async () => {
		await reset();
		const { id } = (await user.lease({ board_id: 'brd_uno_1', wait_seconds: 60 })).body;
		const { status, body } = await upload(id, ':no firmware', newKey());
		expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'lease_not_active' });
		await user.release(id);
	});

	test('a repeated request gets its response after the end of the lease, a new one does not', async () => {
		await reset();
		const sent = changes.map((change) => ({ change, lease: 1, variant: 0, key: newKey() }));
		const before = [];
		for (const { key, ...one } of sent) before.push((await send(one, key)).body.id);
		await user.release(leases[1] ?? '');
		for (const [index, { key, ...one }] of sent.entries()) {
			const again = await send(one, key);
			expect([replayed(again), again.body.id]).toEqual(['true', before[index]]);
			expect((await send(one, newKey())).body.error.code).toBe('lease_ended');
		}
	});
});

// Uploaded firmware: how much of it an account can store, and for how long it is kept.
import type { statfs } from 'node:fs/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Db } from '../../../core/src/database/schema.ts';
import { deleteUnneededContents, findNeededFile } from '../../../core/src/leases/files/store.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { type DatabaseKind, databaseKinds } from '../../../core/test/support/databases.ts';
import { type LabAccount, openLab } from '../support/leasing.ts';

const disk = vi.hoisted(() => ({ free: Number.POSITIVE_INFINITY }));
vi.mock(import('node:fs/promises'), async (original) => ({
	...(await original()),
	// Only these fields are read.
	statfs: (async () => ({ bavail: disk.free, bsize: 1 })) as unknown as typeof statfs,
}));

const cleanups: (() => unknown)[] = [];
beforeEach(() => {
	disk.free = Number.POSITIVE_INFINITY;
});
afterEach(async () => {
	vi.useRealTimers();
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const minute = 60_000;

/** A service with four boards and a limit of one MiB for each account. */
async function open(kind: DatabaseKind, replicas = 1) {
	const lab = await openLab(kind, { boards: unoBoards(4), firmwareMibPerAccount: 1 });
	cleanups.push(() => lab.close());
	const labs = [lab];
	while (labs.length < replicas) {
		const replica = await openLab(kind, { database: lab.location, firmwareMibPerAccount: 1 });
		cleanups.push(() => replica.close());
		labs.push(replica);
	}
	const boards = unoBoards(4).map(({ id = '' }) => id);
	const agent = await addAgent(lab.query, boards, ['flash']);
	let uploads = 0;
	const upload = async (user: LabAccount, leaseId: string, data: Buffer, key?: string) => {
		uploads += 1;
		const headers = {
			authorization: `Bearer ${user.key}`,
			'content-type': 'application/octet-stream',
			...(key !== undefined && { 'idempotency-key': key }),
		};
		const url = `http://localhost/v1/leases/${leaseId}/files?raw=true`;
		const request = new Request(url, { method: 'POST', headers, body: new Uint8Array(data) });
		const response = await labs[uploads % replicas]?.app.fetch(request, {});
		return { status: response?.status, body: await response?.json() };
	};
	const lease = async (user: LabAccount, board_id: string) => {
		const { status, body } = await user.lease({ board_id, minutes: 60 });
		expect({ status, body }).toMatchObject({ status: 201, body: { status: 'active' } });
		return body.id as string;
	};
	const stored = async () => {
		const rows = await lab.query
			.selectFrom('file_contents')
			.select(({ fn }) => ['owner', 'sha256', fn<number>('length', ['data']).as('size')])
			.execute();
		return rows;
	};
	return { lab, agent, upload, lease, stored, boards };
}

/** Lets the transactions of eight requests continue at the same moment. */
function whileLeasesAreLocked<Result>(db: Db, send: () => Promise<Result>) {
	let sent: Promise<Result> | undefined;
	return db
		.transaction()
		.execute(async (transaction) => {
			await transaction.selectFrom('leases').select('id').forUpdate().execute();
			sent = send();
			const waiting = () =>
				sql`select pid from pg_stat_activity
					where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
			await vi.waitFor(async () => expect((await waiting()).rows).toHaveLength(8), {
				timeout: 15_000,
			});
		})
		.then(() => sent as Promise<Result>);
}

const file = (kibibytes: number, name: string) => Buffer.alloc(kibibytes * kibibyte, name);

describe.each(databaseKinds)('uploaded firmware on %s', (kind) => {
	test('is limited over all leases of an account, and equal files count once', async () => {
		const { lab, upload, lease, stored } = await open(kind);
		const [user, other] = [await lab.account(), await lab.account()];
		const [one, two, others] = [
			await lease(user, 'brd_uno_1'),
			await lease(user, 'brd_uno_2'),
			await lease(other, 'brd_uno_3'),
		];
		const first = await upload(user, one, file(700, 'a'));
		expect(first.status).toBe(201);
		const refused = await upload(user, two, file(700, 'b'));
		expect(refused).toMatchObject({
			status: 409,
			body: {
				error: {
					code: 'storage_limit',
					message:
						'The live leases of this account have 0.7 MiB of files. With this one, of 0.7 MiB, it would be more than 1 MiB.',
					hint: 'Release a lease: its files are then deleted. Equal files count once.',
				},
			},
		});
		const equal = await upload(user, two, file(700, 'a'));
		expect(equal.status).toBe(201);
		expect(equal.body.id).not.toBe(first.body.id);
		expect((await upload(user, one, file(700, 'a'))).body).toEqual(first.body);
		expect((await upload(other, others, file(700, 'b'))).status).toBe(201);
		expect((await stored()).map(({ owner, size }) => [owner, size])).toEqual(
			expect.arrayContaining([
				[user.id, 700 * kibibyte],
				[other.id, 700 * kibibyte],
			]),
		);
		expect(await stored()).toHaveLength(2);
	});

	test('uploads at the same moment do not exceed the limit together', async () => {
		const { lab, upload, lease, stored, boards } = await open(kind, kind === 'SQLite' ? 1 : 2);
		const user = await lab.account();
		const leases: string[] = [];
		for (const board of boards) leases.push(await lease(user, board));
		const sendAll = () =>
			Promise.all(
				leases.flatMap((id) => ['x', 'y'].map((name) => upload(user, id, file(300, id + name)))),
			);
		const responses =
			kind === 'SQLite' ? await sendAll() : await whileLeasesAreLocked(lab.query, sendAll);
		const codes = responses.map(({ status, body }) => body.error?.code ?? status);
		expect(codes.sort()).toEqual([201, 201, 201, ...Array(5).fill('storage_limit')]);
		expect((await stored()).reduce((sum, { size }) => sum + size, 0)).toBe(900 * kibibyte);
	});

	test('makes room with the end of its lease, and is deleted a minute later', async () => {
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
		const { lab, agent, upload, lease, stored } = await open(kind);
		const user = await lab.account();
		const [one, two] = [await lease(user, 'brd_uno_1'), await lease(user, 'brd_uno_2')];
		const first = await upload(user, one, file(500, 'a'), 'first');
		await upload(user, one, file(400, 'b'));
		const shared = await upload(user, two, file(400, 'b'));
		const full = await upload(user, two, file(500, 'c'));
		expect(full.body.error.code).toBe('storage_limit');
		await user.release(one);
		expect((await upload(user, two, file(500, 'c'))).status).toBe(201);
		expect(await stored()).toHaveLength(2);
		// A retry of an upload gets its response, although the bytes are gone.
		expect(await upload(user, one, file(500, 'a'), 'first')).toEqual(first);
		const { body: action } = await user.send('POST', `/leases/${two}/actions`, {
			body: { action: 'flash', file_id: shared.body.id },
		});
		expect(action.status).toBe('queued');
		vi.advanceTimersByTime(minute);
		const board = await lab.query
			.selectFrom('boards')
			.select('fence')
			.where('id', '=', 'brd_uno_2')
			.executeTakeFirstOrThrow();
		const needed = await findNeededFile(lab.query, {
			agentId: agent.id,
			boardId: 'brd_uno_2',
			fence: board.fence,
			fileId: shared.body.id,
		});
		expect(Buffer.compare(needed.data, file(400, 'b'))).toBe(0);
		await user.release(two);
		await vi.waitFor(
			async () => {
				vi.advanceTimersByTime(minute);
				expect(await stored()).toEqual([]);
			},
			{ timeout: 20_000 },
		);
		expect(await lab.query.selectFrom('files').select('id').execute()).toHaveLength(4);
	});

	test('generated histories never store too much, and keep what a live lease needs', async () => {
		const { lab, upload, lease, stored, boards } = await open(kind);
		const user = await lab.account();
		const step = fc.record({
			board: fc.nat(3),
			name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
			does: fc.constantFrom('upload', 'upload', 'upload', 'release', 'delete'),
		});
		const history = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 10 });
		await fc.assert(
			fc.asyncProperty(history, async (steps) => {
				const leases = new Map<number, string>();
				const carryOut = async ({ board, name, does }: (typeof steps)[number][number]) => {
					if (does === 'delete') return deleteUnneededContents(lab.query);
					const id = leases.get(board) ?? (await lease(user, boards[board] ?? ''));
					leases.set(board, id);
					if (does === 'release') {
						leases.delete(board);
						return user.release(id);
					}
					const { status, body } = await upload(user, id, file(300, name));
					expect([201, 409, 429]).toContain(status);
					expect([undefined, 'storage_limit', 'lease_ended', 'rate_limited']).toContain(
						body.error?.code,
					);
				};
				for (const board of [0, 1, 2, 3]) leases.set(board, await lease(user, boards[board] ?? ''));
				for (const together of steps) {
					const boardsOf = new Set(together.map(({ board }) => board));
					// Of each board one thing at a time.
					await Promise.all(
						[...boardsOf].map((board) =>
							carryOut(together.find((one) => one.board === board) as never),
						),
					);
					const kept = new Set((await stored()).map(({ sha256 }) => sha256));
					const sizes = (await stored()).reduce((sum, { size }) => sum + size, 0);
					expect(sizes).toBeLessThanOrEqual(mebibyte);
					const needed = await lab.query
						.selectFrom('files')
						.innerJoin('leases', 'leases.id', 'files.lease_id')
						.select('files.sha256')
						.where('leases.status', '<>', 'ended')
						.execute();
					for (const { sha256 } of needed) expect(kept).toContain(sha256);
				}
				for (const id of leases.values()) await user.release(id);
				await deleteUnneededContents(lab.query);
				expect(await stored()).toEqual([]);
			}),
			{ numRuns: kind === 'SQLite' ? 20 : 5 },
		);
	}, 60_000);
});

test('a full disk rejects uploads, but not the repetition of one that is stored', async () => {
	const { lab, upload, lease } = await open('SQLite');
	const user = await lab.account();
	const id = await lease(user, 'brd_uno_1');
	const first = await upload(user, id, file(1, 'a'), 'key');
	disk.free = 256 * mebibyte - 1;
	expect(await upload(user, id, file(1, 'b'))).toMatchObject({
		status: 503,
		body: { error: { code: 'unavailable', message: expect.stringContaining('almost full') } },
	});
	expect(await upload(user, id, file(1, 'a'), 'key')).toEqual(first);
	disk.free += 1;
	expect((await upload(user, id, file(1, 'b'))).status).toBe(201);
});

test('on PostgreSQL, whose disk is elsewhere, a full disk of the service rejects no upload', async () => {
	const { lab, upload, lease } = await open('PostgreSQL');
	const user = await lab.account();
	disk.free = 0;
	expect((await upload(user, await lease(user, 'brd_uno_1'), file(1, 'a'))).status).toBe(201);
});

// Boards by tag, and several together, by the commands and on both databases.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setMaintenance } from '../../src/boards/commands.ts';
import type { BoardInput } from '../../src/boards/import.ts';
import { createLeaseGroup } from '../../src/leases/commands.ts';
import { endLease } from '../../src/leases/ending/release.ts';
import { findMembers, hasOtherBoards } from '../../src/leases/queue/plan.ts';
import { plan } from '../../src/leases/rules/order.ts';
import { keepLeases } from '../../src/leases/scheduler.ts';
import { findLease } from '../../src/leases/store.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, type LabAccount, openLab, requestOf } from '../support/lab.ts';

const board = (id: string, board_type: string, tags: Record<string, string>): BoardInput => ({
	...{ id, name: id, board_type, tags, description: '', status: 'available' },
	credits_per_minute: board_type === 'pico' ? 2 : 0,
});

const boards = [
	board('brd_u1', 'uno', { bench: 'x' }),
	board('brd_u2', 'uno', { bench: 'y', radio: 'lora' }),
	board('brd_p1', 'pico', { bench: 'x' }),
	board('brd_p2', 'pico', { bench: 'y' }),
];

const uno = { board_type: 'uno' };
const pico = { board_type: 'pico' };

describe.each(databaseKinds)('groups on %s', (kind) => {
	let lab: Lab;
	let ada: LabAccount;
	let ben: LabAccount;
	beforeAll(async () => {
		lab = await openLab(kind, { boards, leasesPerAccount: 4 });
	});
	beforeEach(async () => {
		ada = await lab.account({ credits: 100 });
		ben = await lab.account({ credits: 100 });
	});
	afterAll(() => lab.close());

	test('a lease by tag gets the board that has it, and waits for it while others are free', async () => {
		const first = await ada.lease({ ...uno, tags: { radio: 'lora' } });
		expect(first.board_id).toBe('brd_u2');
		const second = await ben.lease({ ...uno, tags: { radio: null }, wait_seconds: 60 });
		expect(second).toMatchObject({ status: 'queued', queue_position: 1 });
		const third = await ben.lease({ ...uno, wait_seconds: 60 });
		expect(third.board_id).toBe('brd_u1');
		await ada.release(first.id);
		expect((await ben.read(second.id)).board_id).toBe('brd_u2');
		await ben.release(second.id);
		await ben.release(third.id);
	});

	test('a tag that no board has is an error that names the nearest', async () => {
		const asking = (tags: Record<string, string | null>) => ada.lease({ ...uno, tags });
		await expect(asking({ radio: 'lorra' })).rejects.toMatchObject({
			code: 'board_tag_not_found',
			message: 'No board of this type has the tag radio=lorra.',
			details: { hint: 'Did you mean radio=lora?' },
		});
		await expect(asking({ radios: null })).rejects.toMatchObject({
			details: { hint: 'Did you mean radio?' },
		});
		await expect(asking({ bench: 'x', radio: 'lora' })).rejects.toMatchObject({
			message: 'No board of this type has all of the tags bench=x, radio=lora.',
		});
		await expect(
			ada.group({ boards: { dut: pico, peer: { ...uno, tags: { a: 'b' } } } }),
		).rejects.toMatchObject({
			code: 'board_tag_not_found',
			message: 'No board of this type has the tag a=b. (role peer)',
			details: { param: 'boards.peer' },
		});
	});

	test('all boards of a group are granted together, become active together, and end together', async () => {
		const { id, leases } = await ada.group({ boards: { peer: uno, dut: pico }, label: 'pair' });
		expect(leases).toMatchObject([
			{ role: 'dut', group_id: id, status: 'active', board_type: 'pico', label: 'pair' },
			{ role: 'peer', group_id: id, status: 'active', board_type: 'uno' },
		]);
		const [dut, peer] = leases;
		expect(peer?.expires_at).toBe(dut?.expires_at);
		const { expires_at } = await ada.renew(peer?.id ?? '', 30);
		expect(await ada.read(dut?.id ?? '')).toMatchObject({ expires_at });
		await ada.release(dut?.id ?? '');
		expect(await ada.read(peer?.id ?? '')).toMatchObject({
			status: 'ended',
			end_reason: 'released',
			credits: 0,
		});
	});

	test('none is granted before all are free; meanwhile, what is found is kept', async () => {
		const held = [await ben.lease(pico), await ben.lease(pico)];
		const wanted = { boards: { dut: pico, one: uno, two: uno }, wait_seconds: 600 };
		const { leases } = await ada.group(wanted);
		expect(leases.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued']);
		expect(leases.map(({ queue_position }) => queue_position)).toEqual([1, 1, 1]);
		// Both are free, but kept.
		await expect(ben.lease(uno)).rejects.toMatchObject({ code: 'no_board_available' });
		const later = await ben.lease({ ...uno, wait_seconds: 600 });
		expect(later).toMatchObject({ status: 'queued', queue_position: 2 });
		await ben.release(held[0]?.id ?? '');
		const now = await Promise.all(leases.map(({ id }) => ada.read(id)));
		expect(now.map(({ status }) => status)).toEqual(['active', 'active', 'active']);
		await ada.release(leases[0]?.id ?? '');
		expect(await ben.read(later.id)).toMatchObject({ status: 'active' });
		await ben.release(later.id);
		await ben.release(held[1]?.id ?? '');
	});

	test('a board that only a lease far back in the queue can have is granted to it', async () => {
		const held = [await ben.lease({ board_id: 'brd_u1' }), await ben.lease({ board_id: 'brd_u2' })];
		const first = await ada.lease({ ...uno, tags: { bench: 'x' }, wait_seconds: 600 });
		const row = await findLease(lab.query, { accountId: ada.id, id: first.id });
		// More than are read at once.
		const copies = Array.from({ length: 505 }, (_, index) => ({ ...row, id: `lse_copy_${index}` }));
		for (let at = 0; at < copies.length; at += 101) {
			await lab.query
				.insertInto('leases')
				.values(copies.slice(at, at + 101))
				.execute();
		}
		const last = await ben.lease({ ...uno, tags: { bench: 'y' }, wait_seconds: 600 });
		await ben.release(held[1]?.id ?? '');
		expect(await ben.read(last.id)).toMatchObject({ status: 'active', board_id: 'brd_u2' });
		await ada.release(first.id);
		await lab.query.deleteFrom('leases').where('id', 'like', 'lse_copy_%').execute();
		await ben.release(last.id);
		await ben.release(held[0]?.id ?? '');
	});

	test('a group has no other boards if it needs all that there are', async () => {
		const { leases } = await ada.group({ boards: { a: uno, b: uno } });
		const other = await ben.lease(pico);
		const others = async (owner: LabAccount, id = '') => {
			const lease = await findLease(lab.query, { accountId: owner.id, id });
			return hasOtherBoards(lab.query, { leases: await findMembers(lab.query, lease) }, id);
		};
		expect(await others(ada, leases[0]?.id)).toBe(false);
		expect(await others(ben, other.id)).toBe(true);
		await ada.release(leases[0]?.id ?? '');
		await ben.release(other.id);
	});

	test('groups that cross each other both get their boards, one after the other', async () => {
		const held = [...(await ben.group({ boards: { a: uno, b: uno, c: pico, d: pico } })).leases];
		const first = await ada.group({ boards: { dut: uno, peer: pico }, wait_seconds: 600 });
		const other = await lab.account({ credits: 100 });
		const second = await other.group({ boards: { dut: pico, peer: uno }, wait_seconds: 600 });
		await ben.release(held[0]?.id ?? '');
		await keepLeases(lab.core);
		for (const [user, { leases }] of [
			[ada, first],
			[other, second],
		] as const) {
			for (const { id } of leases) expect((await user.read(id)).status).toBe('active');
			await user.release(leases[0]?.id ?? '');
		}
	});

	test('with the same tag, all boards are of one bench', async () => {
		const onX = await ben.lease({ board_id: 'brd_u1' });
		const { leases } = await ada.group({ boards: { dut: pico, peer: uno }, same_tag: 'bench' });
		expect(leases.map(({ board_id }) => board_id)).toEqual(['brd_p2', 'brd_u2']);
		const waiting = { boards: { dut: pico, peer: uno }, same_tag: 'bench', wait_seconds: 60 };
		const next = await ben.group(waiting);
		await ben.release(onX.id);
		expect((await ben.read(next.leases[0]?.id ?? '')).board_id).toBe('brd_p1');
		await ben.release(next.leases[0]?.id ?? '');
		await ada.release(leases[0]?.id ?? '');
		await expect(ada.group({ ...waiting, boards: { a: pico, b: pico } })).rejects.toMatchObject({
			code: 'no_board_available',
			message: expect.stringContaining('with the same value of the tag bench'),
		});
	});

	test('what can never be granted is an error at once, and changes nothing', async () => {
		const more = { ...uno, board_id: undefined };
		await expect(ada.group({ boards: { a: more, b: more, c: more } })).rejects.toMatchObject({
			code: 'no_board_available',
			message: expect.stringContaining('for the roles a, b, c'),
		});
		const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`t${at}`, null]));
		await expect(ada.lease({ ...uno, tags: many })).rejects.toThrow('at most 20 tags');
		const unknown = ada.group({ boards: { a: uno, b: uno }, same_tag: 'benhc' });
		await expect(unknown).rejects.toMatchObject({
			code: 'board_tag_not_found',
			details: { hint: 'Did you mean bench?' },
		});
		const five = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((role) => [role, uno]));
		await expect(ada.group({ boards: five })).rejects.toMatchObject({
			code: 'invalid_request',
			details: { param: 'boards' },
		});
		const poor = await lab.account({ credits: 50 });
		// One would cost 40.
		const dear = { boards: { dut: pico, peer: pico }, minutes: 20 };
		await expect(poor.group(dear)).rejects.toMatchObject({ code: 'credits_exhausted' });
		await poor.lease({ ...pico, minutes: 20 }).then(({ id }) => poor.release(id));
		await expect(
			ada.group({ boards: { dut: pico, peer: { board_type: 'none' } } }),
		).rejects.toMatchObject({
			code: 'board_type_not_found',
			message: expect.stringContaining('role peer'),
		});
		await expect(
			ada.group({ boards: { dut: { ...pico, requires_agent: true } } }),
		).rejects.toMatchObject({
			code: 'board_has_no_agent',
		});
		const [own] = await lab.query
			.selectFrom('leases')
			.select('id')
			.where('account_id', '=', ada.id)
			.execute();
		expect(own).toBeUndefined();
	});

	test('a group for which too few boards are in service keeps none', async () => {
		const { caller } = await lab.account({ admin: true });
		const maintain = (on: boolean) =>
			setMaintenance(
				lab.core,
				caller,
				requestOf({ ids: { id: 'brd_p1' }, input: { on, reason: '' } }),
			);
		await maintain(true);
		const boards = { dut: pico, two: pico, peer: uno };
		const { leases } = await ada.group({ boards, wait_seconds: 600 });
		expect(leases.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued']);
		const other = await ben.lease({ ...uno, wait_seconds: 600 });
		expect(other.status).toBe('active');
		await ben.release(other.id);
		await maintain(false);
		await keepLeases(lab.core);
		expect(await ada.read(leases[0]?.id ?? '')).toMatchObject({ status: 'active' });
		await ada.release(leases[0]?.id ?? '');
	});

	test('a bench is chosen among a thousand in a moment', () => {
		const waiting = (index: number) =>
			['a', 'b', 'c'].map((role) => ({
				...{
					id: `lse_${index}_${role}`,
					rank: index,
					group_id: `grp_${index}`,
					same_tag: 'serial',
				},
				...{ board_type: 'uno', wanted_board_id: null, requires_agent: 0 },
				...{ wanted_tags: JSON.stringify({ [role]: null }), most_credits_per_minute: 0 },
			}));
		const lab = Array.from({ length: 2_000 }, (_, index) => ({
			...{ id: `b${index}`, board_type: 'uno', credits_per_minute: 0, agent_id: null },
			tags: JSON.stringify({ serial: `${index % 1_000}`, a: '', b: '', c: '' }),
		}));
		const queue = Array.from({ length: 100 }, (_, index) => waiting(index)).flat();
		const startedAt = performance.now();
		expect(plan(queue, lab).granted).toEqual([]);
		const alone = performance.now() - startedAt;
		const sorting = performance.now();
		for (let count = 0; count < 50; count += 1) lab.map(({ tags }) => JSON.parse(tags));
		// Each board is compared a few times, not once for each bench.
		expect(alone).toBeLessThan(10 * (performance.now() - sorting));
	});

	test('the same request twice is one group, and an administrator ends all of it', async () => {
		const claim = { account_id: ada.id, idempotency_key: 'once', request_hash: 'a' };
		const first = await ada.group({ boards: { b: uno, a: uno } }, claim);
		const second = await ada.group({ boards: { b: uno, a: uno } }, claim);
		expect(second.leases.map(({ id }) => id)).toEqual(first.leases.map(({ id }) => id));
		const admin = await lab.account({ admin: true });
		const request = requestOf({ ids: { id: first.leases[0]?.id ?? '' } });
		await endLease(lab.core, admin.caller, request);
		expect(await ada.read(first.leases[1]?.id ?? '')).toMatchObject({ end_reason: 'admin' });
	});

	test('an operator can turn groups off', async () => {
		const core = { ...lab.core, settings: { ...lab.core.settings, groups: false } };
		const input = { boards: {}, minutes: 1, wait_seconds: 0, heartbeat: false };
		const asked = createLeaseGroup(core, ada.caller, requestOf({ input }));
		await expect(asked).rejects.toMatchObject({ code: 'not_found' });
	});
});

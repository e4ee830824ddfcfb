// The client has a method for every operation that the document describes.
import { BoardAccess } from 'board-access';
import { startAgent } from 'board-access-agent';
import { sampleFirmware } from 'board-access-agent/samples';
import { expect, test } from 'vitest';
import { operations } from '../../src/openapi/operations.ts';
import { onSqlite } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';

const openClient = async () => {
	const bench = await openBench(onSqlite, { boardType: 'lab-uno' });
	const { token, boardIds, baseUrl, apiKey } = bench;
	const boards = boardIds.map((id) => ({ id, type: 'arduino-uno', driver: 'emulated' as const }));
	const agent = await startAgent({
		config: { service: baseUrl, token, boards },
		fetch: bench.fetch,
	});
	await agent.whenConnected();
	const requested = new Set<string>();
	const fetch: typeof bench.fetch = async (input, init) => {
		const { method, url } = new Request(input, init);
		const { pathname } = new URL(url);
		const operation = operations.find(
			(each) =>
				each.method === method &&
				new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
		);
		// The frames of a channel, which the document describes where one is opened.
		if (pathname.startsWith('/v1/channels/')) return bench.fetch(input, init);
		requested.add(operation?.operationId ?? `${method} ${pathname} without an operation`);
		return bench.fetch(input, init);
	};
	return {
		client: new BoardAccess({ baseUrl, apiKey, fetch }),
		requested,
		async close() {
			await agent.stop();
			await bench.close();
		},
	};
};

const useKeys = async ({ account, keys, activity }: BoardAccess) => {
	const soon = new Date(Date.now() + 24 * 60 * 60 * 1000);
	const created = await keys.create({ label: 'soon', expiresAt: soon });
	expect(await keys.expiring({ withinDays: 2 })).toMatchObject([{ id: created.id }]);
	expect(await keys.expiring({ withinDays: 0.5 })).toEqual([]);
	await keys.revoke(created.id);
	const { key, ...who } = await account.get();
	expect(who).toEqual({
		...{ id: expect.stringMatching(/^acc_/), role: 'admin', tier: 'paid' },
		...{ balance: 1000, heldCredits: 0 },
	});
	expect(key).toMatchObject({ scope: 'full', expiresAt: null });
	expect((await activity.list()).length).toBeGreaterThan(1);
};

const useLeases = async ({ leases, admin }: BoardAccess) => {
	const lease = await leases.create({ boardType: 'lab-uno', waitMs: 10_000 });
	await lease.flash(await sampleFirmware('arduino-uno'));
	await lease.console.write('hello\r');
	await lease.console.expect('HELLO', { timeout: 20_000 });
	await expect(lease.console.expect('never', { timeout: 100 })).rejects.toThrow();
	expect((await lease.actions()).length).toBeGreaterThan(0);
	await (await lease.channel('serial')).close();
	expect(await lease.drivePin('A0', 2.5)).toEqual({ A0: 2.5 });
	const [shared, email] = [{ access: 'look' } as const, 'ada@example.com'];
	expect(await lease.share('Ada@Example.com', shared)).toMatchObject({ email, ...shared });
	expect(await lease.shares()).toMatchObject([{ email, ...shared }]);
	await lease.unshare(email);
	await expect(lease.leave()).rejects.toMatchObject({ code: 'access_insufficient' });
	expect(await lease.shares()).toEqual([]);
	await lease.renew({ durationMs: 300_000 });
	await lease.refresh();
	await lease.release();
	expect((await leases.list()).length).toBe(1);
	const group = await leases.createGroup({ dut: { boardType: 'lab-uno' } }, { waitMs: 10_000 });
	await group.release();
	const other = await leases.create({ boardType: 'lab-uno', waitMs: 10_000 });
	const [listed] = await admin.leases.list({ status: 'active' });
	expect(listed).toMatchObject({ id: other.id, accountId: expect.stringMatching(/^acc_/) });
	expect(await admin.leases.end(other.id)).toMatchObject({ endReason: 'admin' });
};

const useBoards = async ({ boards, admin }: BoardAccess) => {
	const board = await admin.boards.create({ name: 'Bench', boardType: 'spare' });
	await admin.boards.update(board.id, { tags: { rack: 'b2' } });
	const reason = 'A new cable';
	expect(await admin.boards.setMaintenance(board.id, { on: true, reason })).toMatchObject({
		status: 'maintenance',
		statusReason: reason,
	});
	expect(await boards.get(board.id)).toEqual(await admin.boards.get(board.id));
	const spare = await boards.list({ boardType: 'spare' });
	expect(await admin.boards.import(spare)).toEqual({ added: 0, changed: 0, unchanged: 1 });
	await admin.boards.delete(board.id);
};

const useAgents = async ({ admin: { agents } }: BoardAccess) => {
	const agent = await agents.create({ name: 'Lab 1' });
	expect(agent.token).toMatch(/^agt_[0-9a-f]{48}$/);
	expect(await agents.update(agent.id, { name: 'Lab 2' })).toMatchObject({ name: 'Lab 2' });
	expect(await agents.get(agent.id)).toMatchObject({ name: 'Lab 2', boardIds: [], online: false });
	expect((await agents.list()).map(({ name }) => name)).toEqual(['Bench', 'Lab 2']);
	expect((await agents.rotateToken(agent.id)).token).not.toBe(agent.token);
	expect((await agents.revoke(agent.id)).revokedAt).toEqual(expect.any(String));
};

const useBaseImages = async ({ admin: { baseImages, activity } }: BoardAccess) => {
	const image = { action: 'erase', name: 'Erase' } as const;
	const wanted = { boardType: 'spare', images: [image] };
	const plan = await baseImages.replace({ ...wanted, dryRun: true });
	expect(plan).toMatchObject({ added: [{ name: 'Erase' }], changed: [], removed: [] });
	const { added } = await baseImages.replace(wanted);
	const [listed] = await baseImages.list({ boardType: 'spare' });
	expect(added).toEqual([listed]);
	const off = [{ ...image, enabled: false }];
	expect(await baseImages.replace({ ...wanted, images: off })).toMatchObject({
		changed: [{ before: { enabled: true }, after: { id: listed?.id, enabled: false } }],
		unchanged: 0,
	});
	const second = await baseImages.create({ ...image, boardType: 'spare', name: 'Again' });
	await baseImages.get(second.id);
	await baseImages.update(second.id, { enabled: false });
	await baseImages.delete(second.id);
	expect((await activity.list()).length).toBeGreaterThan(1);
};

test('every operation is requested by a method, and no other request is sent', async () => {
	const { client, requested, close } = await openClient();
	for (const use of [useKeys, useLeases, useBoards, useAgents, useBaseImages]) await use(client);
	await close();
	expect([...requested].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

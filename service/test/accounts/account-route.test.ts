// GET /v1/account
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../../core/src/keys/store.ts';
import { unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { type Lab, openLab } from '../support/leasing.ts';

describe.each(databaseKinds)('the account on %s', (kind) => {
	let lab: Lab;
	beforeAll(async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 2 }) });
	});
	afterAll(() => lab.close());

	test('says what is left, and how much of it live leases hold', async () => {
		const account = await lab.account({ credits: 100 });
		const read = async () => (await account.send('GET', '/account')).body;
		expect(await read()).toMatchObject({
			...{ id: account.id, role: 'user', tier: 'paid', balance: 100, held_credits: 0 },
			key: { scope: 'full', expires_at: null, revoked_at: null },
		});
		await account.send('POST', '/leases', { body: { board_type: 'uno', minutes: 10 } });
		expect(await read()).toMatchObject({ balance: 100, held_credits: 20 });
	});

	test('can be read with a key for boards only, and names this key', async () => {
		const { id } = await lab.account();
		const wanted = { accountId: id, scope: 'boards', label: 'ci' } as const;
		const { key, last_used_at: _, ...record } = await issueKey(lab.query, wanted);
		const { status, body } = await lab.requests(key).send('GET', '/account');
		expect({ status, body }).toMatchObject({ status: 200, body: { tier: 'free', key: record } });
		expect(JSON.stringify(body)).not.toContain(key);
		expect((await lab.requests(key).send('GET', '/accounts')).body.error.code).toBe('not_found');
		expect((await lab.requests(key).send('GET', '/auth/keys')).status).toBe(403);
	});
});

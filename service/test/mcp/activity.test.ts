// What coding agents lease is in the activity log.
import { describe, expect, onTestFinished, test } from 'vitest';
import { issueKey } from '../../../core/src/keys/store.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { versions } from '../../../test/support/coding-agent.ts';
import { openLab } from '../support/leasing.ts';
import { boardNamed, connect, placeOf } from './support/agents.ts';

const boards = ['one', 'two', 'three'].map((name) => boardNamed(name));

describe.each(databaseKinds)('on %s', (kind) => {
	const open = async (options = {}) => {
		const lab = await openLab(kind, { boards, ...options });
		onTestFinished(() => lab.close());
		const user = await lab.account();
		const entries = async () => {
			const { body } = await user.send('GET', '/activity?kind=lease.created');
			return body.data;
		};
		const { id: keyId, key } = await issueKey(lab.query, { accountId: user.id });
		return { place: placeOf(lab), user, entries, keyId, key };
	};

	test.each(versions)(
		'a lease taken over $version names account, key, address and label',
		async ({ mode }) => {
			const { place, user, entries, keyId, key } = await open();
			const agent = await connect(place, key, { mode });
			const given = { boards: ['uno'], label: 'by an agent' };
			const [{ lease_id }] = (await agent.use('lease_board', given)).leases;
			expect(await entries()).toEqual([
				expect.objectContaining({
					kind: 'lease.created',
					via: 'mcp',
					account_id: user.id,
					actor_id: user.id,
					api_key_id: keyId,
					session_id: null,
					address: 'in-process',
					subject_id: lease_id,
					details: { label: 'by an agent' },
				}),
			]);
		},
	);

	test('the address is the one that a trusted proxy saw', async () => {
		const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
		for (const trustProxy of [true, false]) {
			const { place, entries, key } = await open({ trustProxy });
			const agent = await connect(place, key, { headers: forwarded });
			await agent.lease('uno');
			const address = trustProxy ? '203.0.113.7' : 'in-process';
			expect(await entries()).toMatchObject([{ via: 'mcp', address }]);
		}
	});

	test('each lease of a group is recorded, and a group that is not granted is not', async () => {
		const { place, entries, key } = await open();
		const agent = await connect(place, key);
		const { leases } = await agent.use('lease_board', { boards: ['dut=uno', 'peer=uno'] });
		const recorded = (await entries()).map(({ subject_id }: { subject_id: string }) => subject_id);
		expect(recorded.toSorted()).toEqual(
			leases.map(({ lease_id }: { lease_id: string }) => lease_id).toSorted(),
		);
		await agent.fail('lease_board', { boards: ['dut=uno', 'peer=uno'] });
		expect(await entries()).toHaveLength(2);
	});

	test('a lease by the plain API is not recorded, and neither is one meanwhile', async () => {
		const { place, user, entries, key } = await open();
		const agent = await connect(place, key);
		const [, plain] = await Promise.all([
			agent.lease('uno'),
			user.lease({ board_type: 'uno', minutes: 5 }),
		]);
		expect(plain.status).toBe(201);
		await user.lease({ board_type: 'uno', minutes: 5 });
		expect(await entries()).toMatchObject([{ via: 'mcp' }]);
	});
});

import { describe, expect, it } from 'vitest';
import { createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

const wire = {
	id: 'act_1',
	kind: 'key.created',
	created_at: '2026-01-02T03:04:05.678Z',
	account_id: 'acc_1',
	via: 'api_key',
	api_key_id: null,
	details: { key_label: 'ci' },
	count: 1,
};

describe('the activity log', () => {
	it('is listed in camelCase, except the names in its details', async () => {
		service()
			.get('/v1/activity')
			.query({ kind: 'key.created', limit: '5' })
			.reply(200, { data: [wire], next_cursor: null });
		const entries = await createClient().activity.list({ kind: 'key.created', pageSize: 5 });
		expect(entries).toEqual([
			{
				id: 'act_1',
				kind: 'key.created',
				createdAt: wire.created_at,
				accountId: 'acc_1',
				via: 'api_key',
				apiKeyId: null,
				details: { key_label: 'ci' },
				count: 1,
			},
		]);
	});

	it('of all accounts can be listed by account', async () => {
		service()
			.get('/v1/admin/activity')
			.query({ account_id: 'acc_1' })
			.reply(200, { data: [wire], next_cursor: null });
		const entries = await createClient().admin.activity.list({ accountId: 'acc_1' });
		expect(entries).toHaveLength(1);
	});

	it('may have unknown kinds, but no fields of another type', async () => {
		service()
			.get('/v1/activity')
			.reply(200, [{ ...wire, kind: 'door.opened' }]);
		expect(await createClient().activity.list().first(1)).toMatchObject([{ kind: 'door.opened' }]);
		service()
			.get('/v1/activity')
			.reply(200, [{ ...wire, count: 'one' }]);
		expect(await errorOf(createClient().activity.list())).toHaveProperty(
			'message',
			'The response does not have the expected form at [0].count: must be of type number',
		);
		service()
			.get('/v1/activity')
			.reply(200, [{ ...wire, details: ['a'] }]);
		expect(await errorOf(createClient().activity.list())).toHaveProperty(
			'message',
			'The response does not have the expected form at [0].details: must be of type object',
		);
	});

	it('rejects an invalid query before anything is sent', async () => {
		const error = await errorOf(createClient().activity.list({ kind: 5 as never }));
		expect(error).toMatchObject({ name: 'InputError', issues: [{ path: 'kind' }] });
	});
});

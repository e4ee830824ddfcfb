import { describe, expect, it } from 'vitest';
import { createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

const wire = { id: 'acc_1', role: 'user', tier: 'paid', balance: 90, held_credits: 30 };

describe('the account', () => {
	it('is returned in camelCase, with the key in use', async () => {
		service()
			.get('/v1/account')
			.reply(200, { ...wire, key: { id: 'key_1', label: 'ci', expires_at: null } });
		expect(await createClient().account.get()).toEqual({
			...{ id: 'acc_1', role: 'user', tier: 'paid', balance: 90, heldCredits: 30 },
			key: { id: 'key_1', label: 'ci', expiresAt: null },
		});
	});

	it('has no key with a session', async () => {
		service()
			.get('/v1/account')
			.reply(200, { ...wire, key: null });
		expect(await createClient({ apiKey: null }).account.get()).toMatchObject({ key: null });
	});

	it('names the field that is invalid', async () => {
		service()
			.get('/v1/account')
			.reply(200, { ...wire, key: { id: 5 } });
		expect(await errorOf(createClient().account.get())).toHaveProperty(
			'message',
			'The response does not have the expected form at key.id: must be of type string',
		);
	});
});

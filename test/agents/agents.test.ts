import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

const path = '/v1/admin/agents';
const wire = {
	id: 'agt_1',
	name: 'Lab 1',
	hint: 'agt_1a2b…9f0e',
	online: true,
	board_ids: ['brd_1'],
};
const token = `agt_${'0123456789abcdef'.repeat(3)}`;

describe('managing agents', () => {
	it('creates one, whose token is not printed', async () => {
		service()
			.post(path, { name: 'Lab 1', board_ids: ['brd_1'] })
			.reply(201, { ...wire, token });
		const { agents } = createClient().admin;
		const created = await agents.create({ name: 'Lab 1', boardIds: ['brd_1'] });
		expect(created).toMatchObject({ id: 'agt_1', boardIds: ['brd_1'], token });
		expect(inspect(created)).not.toContain(token);
		expect(inspect(created)).toContain("token: '[shown once]'");
		expect(JSON.parse(JSON.stringify(created)).token).toBe(token);
	});

	it('replaces the token, which is not printed', async () => {
		service()
			.post(`${path}/agt_1/token`)
			.reply(201, { ...wire, token });
		const rotated = await createClient().admin.agents.rotateToken('agt_1');
		expect(rotated).toMatchObject({ id: 'agt_1', token });
		expect(inspect(rotated)).not.toContain(token);
	});

	it.each([undefined, 5, 'agt_1', `${token}\n`])(
		'rejects %j in place of a token',
		async (given) => {
			service()
				.post(path)
				.reply(201, { ...wire, token: given });
			const work = createClient().admin.agents.create({ name: 'Lab 1' });
			expect(await errorOf(work)).toMatchObject({ code: 'invalid_response' });
		},
	);

	it('lists, gets, changes and revokes them', async () => {
		const { agents } = createClient().admin;
		service()
			.get(path)
			.reply(200, { data: [wire], next_cursor: null });
		expect(await agents.list()).toMatchObject([{ name: 'Lab 1', online: true }]);
		service().get(`${path}/agt_1`).reply(200, wire);
		expect(await agents.get('agt_1')).toMatchObject({ boardIds: ['brd_1'] });
		service()
			.patch(`${path}/agt_1`, { board_ids: [] })
			.reply(200, { ...wire, board_ids: [] });
		expect(await agents.update('agt_1', { boardIds: [] })).toMatchObject({ boardIds: [] });
		service()
			.delete(`${path}/agt_1`)
			.reply(200, { ...wire, revoked_at: '2026-01-02T03:04:05.678Z' });
		expect(await agents.revoke('agt_1')).toHaveProperty('revokedAt', '2026-01-02T03:04:05.678Z');
	});

	it('rejects invalid input before anything is sent', async () => {
		const { agents } = createClient().admin;
		const wrong = { boardIds: 'brd_1' } as never;
		expect(await errorOf(agents.create(wrong))).toMatchObject({
			issues: [
				{ path: 'name', message: 'must be of type string' },
				{ path: 'boardIds', message: 'must be an array of IDs' },
			],
		});
		for (const work of [agents.get('a/b'), agents.update('', {}), agents.revoke('..')]) {
			expect(await errorOf(work)).toMatchObject({ issues: [{ path: 'id' }] });
		}
		expect(await errorOf(agents.get(''))).toHaveProperty(
			'message',
			'id: must be text that is not empty',
		);
	});

	it('names the field of an agent that is invalid', async () => {
		service()
			.get(`${path}/agt_1`)
			.reply(200, { ...wire, board_ids: [5] });
		expect(await errorOf(createClient().admin.agents.get('agt_1'))).toHaveProperty(
			'message',
			'The response does not have the expected form at board_ids: must be an array of IDs',
		);
	});
});

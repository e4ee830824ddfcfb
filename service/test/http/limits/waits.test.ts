// Requests that wait for a change and the rate limit.
import { afterEach, expect, test, vi } from 'vitest';
import { unoBoards } from '../../../../core/test/support/boards.ts';
import { type Lab, openLab } from '../../support/leasing.ts';

let lab: Lab;
afterEach(async () => {
	vi.restoreAllMocks();
	await lab.close();
});

const open = async () => {
	const options = { boards: unoBoards(1), rateLimitPerKey: 4, rateLimitPerAccount: 100 };
	lab = await openLab('SQLite', options);
	const { send } = await lab.account();
	const statuses = async (count: number) => {
		const found: number[] = [];
		for (let i = 0; i < count; i++) found.push((await send('GET', '/account')).status);
		return found;
	};
	return { send, statuses };
};

test('a request that waited for long does not count', { tags: 'long' }, async () => {
	const { send, statuses } = await open();
	for (let i = 0; i < 2; i++) expect((await send('GET', '/boards?wait=5')).status).toBe(200);
	expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
});

test('a request that responds earlier counts', async () => {
	const { send, statuses } = await open();
	for (let i = 0; i < 2; i++) await send('GET', '/boards?wait=1');
	expect(await statuses(3)).toEqual([200, 200, 429]);
});

// An account can have only so many requests that wait for a change.
import { afterEach, expect, test, vi } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { addAgent, type Lab, openLab, unoBoards } from '../support/leasing.ts';

const most = 102;

let lab: Lab;
afterEach(() => lab.close());

async function open(kind: (typeof databaseKinds)[number] = 'SQLite') {
	lab = await openLab(kind, { boards: unoBoards(1), leasesPerAccount: 1 });
	return { user: await lab.account(), other: await lab.account() };
}

test.each(databaseKinds)(
	'more waits than an account may have are refused, and end for nobody else, on %s',
	async (kind) => {
		const { user, other } = await open(kind);
		const leaving = new AbortController();
		const { signal } = leaving;
		const settled: number[] = [];
		const waiting = Array.from({ length: most + 5 }, async () => {
			const { status, headers, body } = await user.send('GET', '/boards?wait=60', { signal });
			settled.push(status);
			return { status, retryAfter: headers.get('retry-after'), code: body.error?.code };
		});
		await vi.waitFor(() => expect(settled).toEqual([429, 429, 429, 429, 429]), {
			timeout: 20_000,
		});
		expect((await user.send('GET', '/boards')).status).toBe(200);
		expect((await other.send('GET', '/boards?wait=1')).status).toBe(200);

		leaving.abort();
		const refused = (await Promise.all(waiting)).filter(({ status }) => status === 429);
		expect(new Set(refused.map((response) => JSON.stringify(response)))).toEqual(
			new Set([JSON.stringify({ status: 429, retryAfter: '1', code: 'rate_limited' })]),
		);
		expect((await user.send('GET', '/boards?wait=1')).status).toBe(200);
	},
);

test('waits for boards, leases and actions count together, and those that do not wait do not', async () => {
	const { user } = await open();
	const { body: lease } = await user.lease({ board_id: 'brd_uno_1' });
	// Only now, so that nothing has to prepare the board.
	await addAgent(lab.query, ['brd_uno_1'], ['reset']);
	const path = `/leases/${lease.id}`;
	const { body: action } = await user.send('POST', `${path}/actions`, {
		body: { action: 'reset' },
	});
	const leaving = new AbortController();
	const { signal } = leaving;
	const waits = ['/boards?', `${path}?`, `${path}/actions/${action.id}?`];
	const settled: number[] = [];
	const waiting = Array.from({ length: most + 3 }, async (_, index) => {
		const { status } = await user.send('GET', `${waits[index % 3]}wait=60`, { signal });
		settled.push(status);
	});
	await vi.waitFor(() => expect(settled).toEqual([429, 429, 429]), { timeout: 20_000 });
	for (const address of waits)
		expect((await user.send('GET', `${address}wait=0`)).status).toBe(200);
	leaving.abort();
	await Promise.all(waiting);
	for (const address of waits)
		expect((await user.send('GET', `${address}wait=1`)).status).toBe(200);
});

// An account that makes many calls does not keep others waiting.
import { expect, test } from 'vitest';
import { chattyUno } from '../../../agent/test/support/chatty-uno.ts';
import { issueKey } from '../../../core/src/keys/store.ts';
import { paidAccount } from '../../../core/test/support/databases.ts';
import { backends } from '../support/backends.ts';
import { base64, connect, openBoards, withKey } from './support/agents.ts';

test.each(backends)(
	'the boards are listed while ten runs are in progress $name',
	async (opening) => {
		const bench = await openBoards(opening, { boards: 10 });
		const { database } = bench.services;
		const keyOf = async ({ id: accountId }: { id: string }) =>
			(await issueKey(database.query, { accountId })).key;
		const headers = withKey(await keyOf(await paidAccount(database)));
		const agent = await connect(bench, bench.apiKey);
		const firmware = base64(chattyUno('a line that many firmwares print without end\n'));
		const fail = Array.from({ length: 20 }, (_, index) => `never shown ${index}`);
		const leases: string[] = [];
		for (let count = 0; count < 10; count += 1) leases.push(await agent.lease('uno'));
		for (const lease_id of leases) {
			await agent.use('flash', { lease_id, firmware, raw_offset: '0x0' });
		}
		const runs = leases.map((lease_id) => {
			const run = { lease_id, expect: ['never shown'], fail, timeout_seconds: 100 };
			return agent.call('run_firmware', run).then(
				() => 'answered',
				() => 'left',
			);
		});
		// An eleventh call is refused, so the ten run.
		const other = await connect(bench, bench.apiKey);
		await expect.poll(async () => (await other.call('leases')).text).toContain('in progress');
		for (let count = 0; count < 20; count += 1) {
			const response = await bench.send('/v1/boards', { headers });
			expect(response.status).toBe(200);
			expect((await response.json()).data.length).toBeGreaterThan(0);
		}
		expect((await other.call('leases')).text).toContain('in progress');
		await agent.client.close();
		expect(await Promise.all(runs)).toEqual(Array(10).fill('left'));
		await expect.poll(async () => (await other.call('leases')).isError).toBe(false);
	},
);

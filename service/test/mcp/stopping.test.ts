// A service that stops ends the calls that are in progress.
import { describe, expect, test } from 'vitest';
import { onPostgres } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { callOf, message, post, withKey } from './support/agents.ts';

describe('when the service stops', () => {
	test.each([
		['lease_board', {}],
		['run_firmware', { expect: ['never shown'] }],
	])('%s ends without a result, so that nobody waits for it', async (name, given) => {
		const lines: { level: string }[] = [];
		const write = (line: string) => void lines.push(JSON.parse(line));
		const bench = await openBench(onPostgres, { boardType: 'uno', log: { write } });
		await bench.user.lease({ board_type: 'uno', minutes: 5 });
		const wanted = callOf(name, { boards: ['uno'], wait_seconds: 100, ...given });
		const headers = withKey(bench.apiKey);
		const sent = post(bench, wanted, { headers });
		const queued = async () => (await bench.user.json('/leases?status=queued')).body.data;
		await expect.poll(queued).toHaveLength(1);
		await bench.close();
		// A connection that is cut would reject.
		expect(await sent).toMatchObject({ status: 200, text: '' });
		await expect(post(bench, message('tools/list'), { headers })).rejects.toThrow('fetch failed');
		expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
	});
});

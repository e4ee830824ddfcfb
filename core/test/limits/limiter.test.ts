import { expect, test } from 'vitest';
import { createLimiter } from '../../src/limits/limiter.ts';

test('at most two run at a time, in order, and a failure lets the next one start', async () => {
	const { run } = createLimiter({ atOnce: 2 });
	const inTurn = (work: () => Promise<unknown>) => run('', work);
	const begun: number[] = [];
	const ends: PromiseWithResolvers<void>[] = [];
	const all = [0, 1, 2, 3].map((index) =>
		inTurn(() => {
			begun.push(index);
			ends[index] = Promise.withResolvers();
			return ends[index].promise;
		}),
	);
	expect(begun).toEqual([0, 1]);
	ends[1]?.reject(new Error('failed'));
	await expect(all[1]).rejects.toThrow('failed');
	expect(begun).toEqual([0, 1, 2]);
	for (const index of [0, 2, 3]) {
		ends[index]?.resolve();
		await all[index];
	}
	expect(begun).toEqual([0, 1, 2, 3]);
	await inTurn(async () => begun.push(4));
	expect(begun).toHaveLength(5);
});

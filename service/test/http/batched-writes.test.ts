import { expect, test } from 'vitest';
import { batchWrites } from '../../src/http/batched-writes.ts';

/** A store whose writes end when the test says so. */
const createStore = () => {
	const writes: { name: string; size: number; end: PromiseWithResolvers<string> }[] = [];
	const write = (name: string, size: number) => {
		const end = Promise.withResolvers<string>();
		writes.push({ name, size, end });
		return end.promise;
	};
	return { write, writes };
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('counts that arrive during a write are combined, and each knows how many came later', async () => {
	const { write, writes } = createStore();
	const count = batchWrites(write);
	const first = count('a');
	await settle();
	const others = [count('a'), count('a'), count('a')];
	await settle();
	expect(writes.map(({ size }) => size)).toEqual([1]);
	writes[0]?.end.resolve('one');
	await settle();
	expect(writes.map(({ size }) => size)).toEqual([1, 3]);
	writes[1]?.end.resolve('two');
	expect(await first).toEqual({ result: 'one', later: 0 });
	expect(await Promise.all(others)).toEqual([2, 1, 0].map((later) => ({ result: 'two', later })));
});

test('counts of different names do not wait for each other', async () => {
	const { write, writes } = createStore();
	const count = batchWrites(write);
	const both = [count('a'), count('b')];
	await settle();
	expect(writes.map(({ name }) => name)).toEqual(['a', 'b']);
	for (const { end } of writes) end.resolve('');
	await Promise.all(both);
});

test('a failed write rejects its own counts and those that wait for it, and no later ones', async () => {
	const { write, writes } = createStore();
	const count = batchWrites(write);
	const first = count('a');
	await settle();
	const second = count('a');
	writes[0]?.end.reject(new Error('away'));
	await expect(first).rejects.toThrow('away');
	await expect(second).rejects.toThrow('away');
	const third = count('a');
	await settle();
	writes[1]?.end.resolve('back');
	expect((await third).result).toBe('back');
});

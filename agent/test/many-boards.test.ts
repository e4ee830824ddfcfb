// An agent with as many boards as it can have: those without a lease cost nothing but memory.
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startWith } from './support/running.ts';

const threads = async () => (await readdir('/proc/self/task')).length;

test.runIf(process.platform === 'linux')('only a leased board of 2,000 has a thread', async () => {
	const boards = Array.from({ length: 2_000 }, (_, index) => ({
		id: `uno-${index}`,
		type: 'arduino-uno',
		driver: 'emulated' as const,
	}));
	const [threadsBefore, resources] = [await threads(), process.getActiveResourcesInfo().length];
	const { service } = await startWith(boards);
	// Node starts some threads of its own.
	expect(await threads()).toBeLessThan(threadsBefore + 20);
	expect(process.getActiveResourcesInfo().length).toBeLessThan(resources + 20);
	expect(Object.keys(service.capabilities)).toHaveLength(2_000);
	expect(await service.act(service.grant('uno-1999'), 'reset')).toMatchObject({ status: 'done' });
});

// Sends requests and measures its own memory.
import { setImmediate } from 'node:timers/promises';
import type { BoardAccessOptions } from '../../dist/index.js';

export interface MemoryTask {
	/** A server; without it, the responses come from a function in this process. */
	origin?: string;
	calls: number;
	firstLook: number;
}

export interface Look {
	calls: number;
	heap: number;
	resident: number;
}

const { origin, calls, firstLook } = JSON.parse(process.argv[2] ?? '') as MemoryTask; // as started
const { BoardAccess } = await import('../../dist/index.js');

const body = JSON.stringify({
	data: Array.from({ length: 20 }, (_, index) => ({ id: `brd_${index}`, name: 'Bench', tags: {} })),
});
// A response arrives in a later turn of the event loop, as one from a socket does.
async function fetch() {
	await setImmediate();
	return new Response(body, {
		headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' },
	});
}

const options: BoardAccessOptions = {
	apiKey: `key_${'0123456789abcdef'.repeat(3)}`,
	baseUrl: origin ?? 'http://localhost',
	...(!origin && { fetch }),
};
const client = new BoardAccess(options);
// One signal for all requests: a listener that a request leaves behind would show here.
const { signal } = new AbortController();

async function look(done: number): Promise<Look> {
	globalThis.gc?.();
	await setImmediate(); // what is freed may free more
	globalThis.gc?.();
	const { heapUsed, rss } = process.memoryUsage();
	return { calls: done, heap: heapUsed, resident: rss };
}

const looks: Look[] = [];
for (let done = 1; done <= calls; done += 1) {
	await client.boards.list({}, { signal });
	if (done === firstLook || done === calls) looks.push(await look(done));
}
process.send?.(looks);

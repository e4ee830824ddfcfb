// Whatever fails, its stack begins with the line that called the client.
import { type LeaseEndedError, Listing } from 'board-access';
import { describe, expect, it } from 'vitest';
import { createClient, errorOf, otherKey } from '../support/client.ts';
import { createLeaseService } from '../support/lease-service.ts';
import { type Method, methodsOf, validFor, validForLease } from '../support/methods.ts';

const never = () => new Promise<never>(() => {});
const refused = async (): Promise<never> => {
	// A turn of timers, after which the runtime knows nothing of the call.
	await new Promise((resolve) => setTimeout(resolve));
	throw Object.assign(new TypeError('fetch failed'), {
		cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
	});
};
const failures = {
	'a refused connection': { fetch: refused },
	'no response in time': { fetch: never, timeout: 5 },
	'an error of the service': { fetch: async () => new Response('', { status: 500 }) },
	'a page of another server': { fetch: async () => new Response('<html>') },
};

/** Reads what a method returns to its end; the line of `for await` is one of this function, too. */
async function theCaller(method: Method, values: readonly unknown[]) {
	const returned = method(...values);
	if (isIterable(returned) && !(returned instanceof Listing)) for await (const _ of returned);
	else await returned;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

const frames = (error: unknown) => String((error as Error).stack).match(/^ +at .*/gm) ?? [];

async function expectCaller(method: Method, values: readonly unknown[]) {
	const error = await errorOf(theCaller(method, values));
	expect(frames(error)[0]).toContain('callers.test.ts');
	const { name, message, stack } = error as Error;
	expect(stack?.startsWith(`${name}: ${message}\n`)).toBe(true);
	expect(frames(error).filter((frame) => frame.includes('theCaller'))).toHaveLength(1);
}

describe.each(Object.entries(failures))('after %s, an error has its caller', (_, failing) => {
	const client = createClient({ maxRetries: 0, ...failing });
	const nouns = { client, ...client, ...client.admin };
	for (const [noun, methods] of Object.entries(nouns)) {
		for (const [name, method] of methodsOf(methods)) {
			if (name === 'withOptions') continue;
			it(`of ${noun}.${name}`, async () => {
				// Watching goes on through failures.
				const limit = { maxRetries: 0, timeout: 5 };
				const values = /^(watch|waitFor)$/.test(name) ? [{}, limit] : validFor(noun, name);
				await expectCaller(method, values);
			});
		}
	}

	it('of a list that is read later', async () => {
		const list = client.boards.list();
		await expectCaller(() => list.first(1), []);
		await expectCaller(() => list.pages(), []);
		await expectCaller(() => list[Symbol.asyncIterator](), []);
	});

	it('of a list that is awaited: the line that requested it', async () => {
		await expectCaller(() => client.boards.list().catch(), []);
		await expectCaller(() => client.boards.list().finally(), []);
	});
});

/** A lease, and nothing that it requests then succeeds. */
async function failingLease() {
	const service = createLeaseService();
	const lease = await service.createClient({ maxRetries: 0 }).leases.create({ boardType: 'x' });
	service.faults.push(() => refused());
	return lease;
}

describe('an error of a lease has its caller', () => {
	const limit = { timeout: 20 };

	it('of every method', async () => {
		const lease = await failingLease();
		for (const [name, method] of methodsOf(lease)) await expectCaller(method, validForLease(name));
	});

	it('of every method of its console', { tags: 'long' }, async () => {
		const { console } = await failingLease();
		for (const [name, method] of methodsOf(console)) {
			await expectCaller(method, [...validForLease(name).slice(0, -1), limit]);
		}
	});
});

describe('an error that several calls share', () => {
	it('has a stack for each of them, and the same fields', async () => {
		const list = createClient({ fetch: refused, maxRetries: 0 }).boards.list();
		const first = async () => await list.first(1);
		const second = async () => await list.first(2);
		const [one, other] = await Promise.all([errorOf(first()), errorOf(second())]);
		expect(frames(one)[0]).toMatch(/first /);
		expect(frames(other)[0]).toMatch(/second /);
		expect(other).toBeInstanceOf((one as Error).constructor);
		expect({ ...(other as Error), cause: (other as Error).cause }).toEqual({
			...(one as Error),
			cause: (one as Error).cause,
		});
	});

	it('is of those who read the same console', async () => {
		const { console } = await failingLease();
		const one = async () => await console.lines({ timeout: 20 }).next();
		const other = async () => await console.text({ timeout: 20 }).next();
		const errors = await Promise.all([errorOf(one()), errorOf(other())]);
		expect(errors.map((error) => frames(error)[0])).toEqual([
			expect.stringMatching(/one /),
			expect.stringMatching(/other /),
		]);
	});
});

describe('the reason of a signal of the caller', () => {
	it('stays as it is, even if it is an error of this library', async () => {
		const service = createLeaseService();
		const client = service.createClient();
		const lease = await client.leases.create({ boardType: 'x' });
		const { signal } = lease;
		await lease.release();
		const { stack } = signal.reason as LeaseEndedError;
		const calls = [client.boards.list({}, { signal }), client.leases.get('lse_1', { signal })];
		for (const call of calls) expect(await errorOf(call)).toBe(signal.reason);
		const watch = client.boards.watch({}, { signal });
		expect(await errorOf(watch[Symbol.asyncIterator]().next())).toBe(signal.reason);
		expect(signal.reason.stack).toBe(stack);
	});
});

it('a key that cannot be revoked at the end of its block shows the block', async () => {
	const fetch = async (_: string, { method }: { method: string }) =>
		method === 'POST' ? Response.json({ id: 'key_1', key: otherKey }) : await refused();
	const client = createClient({ fetch, maxRetries: 0 });
	const block = async () => {
		await using _key = await client.keys.create();
	};
	expect(frames(await errorOf(block()))).toContainEqual(expect.stringMatching(/ block /));
});

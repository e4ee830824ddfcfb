// Every method with arguments of wrong types: nothing is sent, and the error says what is wrong.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BoardAccess, type Lease, Listing, readApiKey, readBaseUrl } from 'board-access';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKey, baseUrl, createClient, otherKey } from './support/client.ts';
import { createLeaseService, type LeaseService } from './support/lease-service.ts';
import { type Method, methodsOf, validFor, validForLease } from './support/methods.ts';
import { runs } from './support/runs.ts';

const wrongValues: readonly unknown[] = [
	null,
	5,
	Number.NaN,
	-1.5,
	true,
	'',
	'x',
	Symbol('x'),
	10n,
	() => 'x',
	[],
	[5],
	{},
	{ x: 5 },
	Object.create(null),
	new Date(Number.NaN),
	new Map([['x', 5]]),
];

/** The options of any call; each is given every wrong value. */
const optionNames = [
	...['signal', 'timeout', 'attemptTimeout', 'maxRetries', 'headers', 'idempotencyKey'],
	...['created', 'renew', 'raw', 'flashOffset', 'from', 'fail'],
	...['onProgress', 'onRenewFailed', 'onConnection', 'maxretries'],
];
const inputNames = [
	...['boardType', 'boardId', 'durationMs', 'minutes', 'waitMs', 'waitSeconds', 'requiresAgent'],
	...['label', 'scope', 'expiresAt', 'tags', 'status', 'pageSize', 'cursor', 'includeRevoked'],
	...['name', 'action', 'url', 'position', 'enabled', 'creditsPerMinute', 'kind', 'boardtype'],
];

const within = (names: readonly string[]) =>
	names.flatMap((name) => wrongValues.slice(0, runs(4)).map((value) => ({ [name]: value })));

const shown = (value: unknown): string => {
	if (typeof value !== 'object' || value === null) return String(value);
	const fields = Object.entries(value).map(([name, each]) => `${name}: ${shown(each)}`);
	return `{ ${fields.join(', ')} }`;
};

/** Every way to call a method whose other arguments are valid. */
function wrongCalls(valid: readonly unknown[]) {
	return valid.flatMap((argument, index) => {
		const inside =
			typeof argument === 'object' && argument !== null
				? within([...optionNames, ...inputNames]).map((extra) => ({ ...argument, ...extra }))
				: [];
		return [...wrongValues, ...inside].map((wrong) => valid.with(index, wrong));
	});
}

/** Waits for what a method returns, or for the first item of it. */
async function settle(returned: unknown) {
	if (typeof returned !== 'object' || returned === null) return;
	if (Symbol.asyncIterator in returned && !(returned instanceof Listing)) {
		const iterator = (returned as AsyncIterable<unknown>)[Symbol.asyncIterator]();
		await Promise.race([iterator.next(), nextTurn()]);
		void iterator.return?.().catch(() => {});
		return;
	}
	await returned;
}

let requests = 0;

beforeEach(() => {
	requests = 0;
});

async function complaint(call: () => unknown) {
	requests = 0;
	try {
		await settle(call());
		return undefined;
	} catch (error) {
		const { name, stack } = error as Error;
		if (name === 'InputError' || name === 'ConfigurationError') {
			return requests === 0 ? undefined : `${name} after a request`;
		}
		// A request with these values was valid here, and the stand-in for the service did not accept it.
		const isOfRequest = name === 'RequestTimeoutError' || (requests > 0 && name !== 'TypeError');
		return isOfRequest ? undefined : `${stack}`;
	}
}

async function sweep(method: Method, valid: readonly unknown[]) {
	const complaints: string[] = [];
	for (const values of wrongCalls(valid)) {
		const problem = await complaint(() => method(...values));
		if (problem) complaints.push(`(${values.map(shown).join(', ')}): ${problem.slice(0, 400)}`);
	}
	expect(complaints.slice(0, 5)).toEqual([]);
}

describe('a client', () => {
	const fetch = async () => {
		requests++;
		return Response.json({ id: 'key_1', key: otherKey, data: [{ id: 'key_1' }] });
	};
	const client = createClient({ fetch, maxRetries: 0, timeout: 50 });
	const nouns = { client, ...client, ...client.admin };
	for (const [noun, methods] of Object.entries(nouns)) {
		for (const [name, method] of methodsOf(methods)) {
			if (noun === 'leases' && name === 'create') continue;
			it(`${noun}.${name}`, { tags: 'generated' }, async () => {
				await sweep(method, validFor(noun, name));
			});
		}
	}

	it('leases.create', { tags: 'generated' }, async () => {
		const create: Method = (...values) => client.leases.create(...(values as [never, never]));
		await sweep(create, [{ boardType: 'x' }, { timeout: 20 }]);
	});

	it('first of a list', async () => {
		await sweep((count) => Listing.of([]).first(count as never), [1]);
	});
});

describe('the options of a client', () => {
	const names = [
		...['apiKey', 'baseUrl', 'timeout', 'attemptTimeout', 'maxRetries', 'headers', 'fetch'],
		...['fetchOptions', 'maxResponseSize', 'onAttempt', 'onRequest', 'logger', 'logLevel'],
		...['allowInsecureHttp', 'dangerouslyAllowBrowser', 'baseURL', '__proto__'],
	];
	it.each(names)('%s', async (name) => {
		for (const value of wrongValues) {
			const options = { apiKey, baseUrl, [name]: value };
			expect(await complaint(() => new BoardAccess(options as never))).toBeUndefined();
			expect(await complaint(() => createClient().withOptions(options as never))).toBeUndefined();
		}
	});

	it.each(wrongValues.map((value) => [shown(value), value]))('as %s', async (_, options) => {
		expect(await complaint(() => new BoardAccess(options as never))).toBeUndefined();
		expect(await complaint(() => readApiKey(options, 'a file'))).toBeUndefined();
		expect(await complaint(() => readBaseUrl(options as never, 'a file'))).toBeUndefined();
	});
});

describe('a lease', () => {
	let lease: Lease;
	let service: LeaseService;

	beforeEach(async () => {
		service = createLeaseService();
		lease = await service.createClient({ maxRetries: 0 }).leases.create({ boardType: 'x' });
		service.faults.push(() => {
			requests++;
			return service.failure(400, 'enough', 'Enough.');
		});
	});

	afterEach(async () => {
		service.faults.length = 0;
		await lease.release();
	});

	const lists = [
		'run',
		'erase',
		'reset',
		'power',
		'flash',
		'drivePin',
		'channel',
		'share',
		'unshare',
		'leave',
		'shares',
		'actions',
		'refresh',
		'renew',
		'release',
	];
	it.each(lists)('%s', async (name) => {
		const method = methodsOf(lease).get(name);
		expect(method).toBeDefined();
		if (method) await sweep(method, validForLease(name));
	});

	it('has a console whose methods are checked, too', async () => {
		for (const [name, method] of methodsOf(lease.console)) {
			await sweep(method, validForLease(name));
		}
	});

	it('has no other methods', () => {
		expect([...methodsOf(lease).keys()].sort()).toEqual([...lists].sort());
	});
});

// Every method takes headers, a signal and a timeout, and its requests have them.
import type { AnyLease, BoardAccess, FetchInit, RequestOptions } from 'board-access';
import { describe, expect, it } from 'vitest';
import { createClient, errorOf } from './support/client.ts';

type Call<Target> = (target: Target, options: RequestOptions) => PromiseLike<unknown>;

const clientCalls: Record<string, Call<BoardAccess>> = {
	'keys.create': ({ keys }, options) => keys.create({}, options),
	'keys.list': ({ keys }, options) => keys.list({}, options),
	'keys.revoke': ({ keys }, options) => keys.revoke('key_1', options),
	'keys.rotate': ({ keys }, options) => keys.rotate('key_1', {}, options),
	'boards.list': ({ boards }, options) => boards.list({}, options),
	'boards.get': ({ boards }, options) => boards.get('brd_1', options),
	'boards.waitFor': ({ boards }, options) => boards.waitFor({}, options),
	'boards.watch': ({ boards }, options) => boards.watch({}, options)[Symbol.asyncIterator]().next(),
	'leases.create': ({ leases }, options) => leases.create({ boardType: 'x' }, options),
	'leases.createGroup': ({ leases }, options) =>
		leases.createGroup({ dut: { boardType: 'x' } }, {}, options),
	'leases.get': ({ leases }, options) => leases.get('lse_1', options),
	'leases.attach': ({ leases }, options) => leases.attach('lse_1', options),
	'leases.list': ({ leases }, options) => leases.list({}, options),
	'leases.watch': ({ leases }, options) => leases.watch({}, options)[Symbol.asyncIterator]().next(),
	'activity.list': ({ activity }, options) => activity.list({}, options),
	'admin.baseImages.create': ({ admin }, options) =>
		admin.baseImages.create({ action: 'erase', boardType: 'x' }, options),
	'admin.baseImages.get': ({ admin }, options) => admin.baseImages.get('bim_1', options),
	'admin.baseImages.list': ({ admin }, options) => admin.baseImages.list({}, options),
	'admin.baseImages.update': ({ admin }, options) =>
		admin.baseImages.update('bim_1', { enabled: false }, options),
	'admin.baseImages.delete': ({ admin }, options) => admin.baseImages.delete('bim_1', options),
	'admin.boards.create': ({ admin }, options) =>
		admin.boards.create({ name: 'x', boardType: 'x' }, options),
	'admin.boards.get': ({ admin }, options) => admin.boards.get('brd_1', options),
	'admin.boards.update': ({ admin }, options) => admin.boards.update('brd_1', {}, options),
	'admin.boards.delete': ({ admin }, options) => admin.boards.delete('brd_1', options),
	'admin.activity.list': ({ admin }, options) => admin.activity.list({}, options),
	'keys.expiring': ({ keys }, options) => keys.expiring({ withinDays: 14 }, options),
	'account.get': ({ account }, options) => account.get(options),
	'admin.baseImages.replace': ({ admin }, options) =>
		admin.baseImages.replace({ boardType: 'x', images: [] }, options),
	'admin.boards.import': ({ admin }, options) => admin.boards.import([], options),
	'admin.boards.setMaintenance': ({ admin }, options) =>
		admin.boards.setMaintenance('brd_1', { on: true }, options),
	'admin.leases.list': ({ admin }, options) => admin.leases.list({}, options),
	'admin.leases.end': ({ admin }, options) => admin.leases.end('lse_1', options),
	'admin.agents.list': ({ admin }, options) => admin.agents.list(options),
	'admin.agents.get': ({ admin }, options) => admin.agents.get('agt_1', options),
	'admin.agents.create': ({ admin }, options) => admin.agents.create({ name: 'x' }, options),
	'admin.agents.update': ({ admin }, options) => admin.agents.update('agt_1', {}, options),
	'admin.agents.revoke': ({ admin }, options) => admin.agents.revoke('agt_1', options),
	'admin.agents.rotateToken': ({ admin }, options) => admin.agents.rotateToken('agt_1', options),
	request: (client, options) => client.request({ method: 'GET', path: '/', ...options }),
};

const leaseCalls: Record<string, Call<AnyLease>> = {
	flash: (lease, options) => lease.flash(new Uint8Array(4), { raw: true, ...options }),
	erase: (lease, options) => lease.erase(options),
	reset: (lease, options) => lease.reset(options),
	power: (lease, options) => lease.power('cycle', options),
	run: (lease, options) => lease.run([{ reset: true }], options),
	channel: (lease, options) => lease.channel('serial', options),
	drivePin: (lease, options) => lease.drivePin('D2', 0, options),
	actions: (lease, options) => lease.actions(options),
	refresh: (lease, options) => lease.refresh(options),
	renew: (lease, options) => lease.renew({}, options),
	release: (lease, options) => lease.release(options),
	shares: (lease, options) => lease.shares(options),
	share: (lease, options) => lease.share('a@b.example', { access: 'look' }, options),
	unshare: (lease, options) => lease.unshare('a@b.example', options),
	leave: (lease, options) => lease.leave(options),
	'console.lines': ({ console }, options) => console.lines(options).next(),
	'console.text': ({ console }, options) => console.text(options).next(),
	'console.read': ({ console }, options) => console.read(options).next(),
	'console.write': ({ console }, options) => console.write('x', options),
	'console.expect': ({ console }, options) => console.expect('x', options),
	'console.expectLine': ({ console }, options) => console.expectLine('x', options),
};

/** Their time limit does not end the request, but what is waited for: other tests show how. */
const waits = ['console.expect', 'console.expectLine'];

const lease = {
	id: 'lse_1',
	status: 'queued',
	board_type: 'x',
	minutes: 2,
	created_at: '',
	access: 'hold',
	holder_email: null,
};

/** A service that holds back its responses, except to those requests that come before. */
function holdingClient() {
	const requests: (FetchInit & { url: string })[] = [];
	const held = Promise.withResolvers<FetchInit>();
	const state = { holds: true };
	const fetch = async (url: string, init: FetchInit) => {
		const isEnd = init.method === 'DELETE' && /leases\/lse_1$/.test(url);
		const isBefore = init.method === 'POST' && url.endsWith('/v1/leases');
		requests.push({ ...init, url });
		if (!state.holds || isBefore) return Response.json(lease);
		if (isEnd && requests.length > 1) return Response.json({ ...lease, status: 'ended' });
		held.resolve(init);
		return await new Promise<Response>(() => {});
	};
	const client = createClient({ fetch, maxRetries: 0, headers: { 'x-client': 'yes' } });
	return { client, requests, held: held.promise, state };
}

async function leaseOf({ client, requests, state }: ReturnType<typeof holdingClient>) {
	state.holds = false;
	const found = await client.leases.get('lse_1');
	state.holds = true;
	requests.length = 0;
	return found;
}

/** The names of all functions below it. */
function methodsOf(value: object, path = ''): string[] {
	return Object.entries(value).flatMap(([name, member]) => {
		if (typeof member === 'function') return [path + name];
		return typeof member === 'object' ? methodsOf(member, `${path}${name}.`) : [];
	});
}

const prototypeMethods = (value: object) =>
	Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(value)))
		.filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
		.map(([name]) => name);

it('these are all methods of a client and of a lease', async () => {
	const { client } = holdingClient();
	expect(Object.keys(clientCalls).toSorted()).toEqual([...methodsOf(client), 'request'].toSorted());
	expect(prototypeMethods(client)).toEqual(['request', 'withOptions']);
	const found = await leaseOf(holdingClient());
	const ofConsole = prototypeMethods(found.console).map((name) => `console.${name}`);
	expect(Object.keys(leaseCalls).toSorted()).toEqual(
		[...prototypeMethods(found), ...ofConsole].toSorted(),
	);
	found.release().catch(() => {});
});

/** Those of a client, and those of a lease, as calls of a client that holds back its responses. */
const calls = [
	...Object.entries(clientCalls).map(
		([name, call]) =>
			[
				name,
				async (holding: ReturnType<typeof holdingClient>) => (options: RequestOptions) =>
					call(holding.client, options),
			] as const,
	),
	...Object.entries(leaseCalls).map(
		([name, call]) =>
			[
				`lease.${name}`,
				async (holding: ReturnType<typeof holdingClient>) => {
					const found = await leaseOf(holding);
					return (options: RequestOptions) => call(found, options);
				},
			] as const,
	),
];

describe.concurrent.each(calls)('%s', (name, callOf) => {
	it('sends the headers with every request, and ends with the signal', async ({ expect }) => {
		const holding = holdingClient();
		const call = await callOf(holding);
		const abort = new AbortController();
		const headers = { 'x-call': name };
		const ended = errorOf(call({ headers, signal: abort.signal }));
		const { signal } = await holding.held;
		const reason = new Error('no longer wanted');
		abort.abort(reason);
		// What is under way of a write may have been sent, which its error says.
		const error = (await ended) as Error;
		expect([error, error.cause]).toContain(reason);
		if (name !== 'lease.console.write') await expect.poll(() => signal.aborted).toBe(true);
		for (const request of holding.requests) {
			expect(request.headers).toMatchObject({ 'x-call': name, 'x-client': 'yes' });
		}
	});

	it.each([
		['timeuot', 'is not an option (did you mean timeout?)'],
		['body', expect.stringMatching(/^is not an option; the options are .*timeout, .*signal/)],
	])('rejects the unknown option %s, and sends nothing', async (option, message) => {
		const holding = holdingClient();
		const call = await callOf(holding);
		const issues = [{ path: option, message }];
		expect(await errorOf(call({ [option]: 5 }))).toMatchObject({ name: 'InputError', issues });
		expect(holding.requests).toEqual([]);
	});

	it.skipIf(waits.includes(name))('ends after the timeout', async ({ expect }) => {
		const call = await callOf(holdingClient());
		const error = (await errorOf(call({ timeout: 20 }))) as Error;
		expect([error, error.cause]).toContainEqual(expect.objectContaining({ code: 'timeout' }));
	});
});

it('a method rejects the options of another one, and lists only its own', async () => {
	const { client } = holdingClient();
	const error = await errorOf(client.boards.get('brd_1', { renew: true } as object));
	expect(error).toHaveProperty(
		'message',
		'renew: is not an option; the options are timeout, attemptTimeout, maxRetries, headers, signal, idempotencyKey',
	);
	const found = await leaseOf(holdingClient());
	const reading = found.console.lines({ form: 5 } as object).next();
	expect(await errorOf(reading)).toHaveProperty(
		'message',
		'form: is not an option (did you mean from?)',
	);
});

it.each(Object.entries(clientCalls).filter(([name]) => name.endsWith('.list')))(
	'%s rejects the names of the API',
	async (name) => {
		const { client, requests } = holdingClient();
		const noun = name.split('.').slice(0, -1);
		const { list } = noun.reduce((each, part) => Object(each)[part], client as object) as {
			list: (query: object) => PromiseLike<unknown>;
		};
		for (const wrong of ['page_size', 'limit']) {
			const message = name.includes('agents')
				? `${wrong}: is not an option; the options are`
				: `${wrong}: is not a field (did you mean pageSize?)`;
			expect(await errorOf(list({ [wrong]: 5 }))).toHaveProperty(
				'message',
				expect.stringContaining(message),
			);
		}
		expect(requests).toEqual([]);
	},
);

it('writes with different headers do not share a request', async () => {
	const holding = holdingClient();
	const { console } = await leaseOf(holding);
	const write = (name: string) => errorOf(console.write(name, { headers: { name }, timeout: 100 }));
	await Promise.all([write('a'), write('b')]);
	const names = holding.requests.map(({ body, headers }) => [`${body}`, headers.name]);
	expect(names[0]).toEqual(['97', 'a']);
});

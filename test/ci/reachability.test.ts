import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Reachability } from '../../src/ci/reachability.ts';

const address = 'http://localhost/v1/leases/lse_1';

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
	vi.useRealTimers();
});

const watched = (fetch: typeof globalThis.fetch) => {
	const events: string[] = [];
	const reachability = new Reachability(({ event }) => events.push(event));
	return { events, reachability, fetch: reachability.watching(fetch) };
};

it.each([
	['a proxy responds 502', () => new Response('', { status: 502 })],
	['a proxy responds 504', () => new Response('', { status: 504 })],
	['the service stops with 503', () => new Response('', { status: 503 })],
	['the connection fails', () => new TypeError('fetch failed')],
])('is said once when %s, and once when the service is back', async (_, outcome) => {
	let isAway = false;
	const { events, fetch } = watched(async () => {
		const away = isAway ? outcome() : new Response('{}', { status: 404 });
		if (away instanceof Error) throw away;
		return away;
	});
	for (const away of [false, true, true, false, false]) {
		isAway = away;
		await fetch(address).catch(() => {});
		await pass(250);
	}
	expect(events).toEqual(['unreachable', 'reachable']);
});

it('is not reported if an immediate retry succeeds, or without a retry', async () => {
	const outcomes = [new TypeError('fetch failed'), new Response('{}')];
	const { events, fetch } = watched(async () => {
		const outcome = outcomes.shift();
		if (outcome instanceof Response) return outcome;
		throw outcome;
	});
	await fetch(address).catch(() => {});
	await pass(249);
	await fetch(address);
	await pass(1_000);
	expect(events).toEqual([]);
});

it('is not reported for a request that its caller has aborted', async () => {
	const { events, fetch } = watched(async () => {
		throw new DOMException('aborted', 'AbortError');
	});
	await fetch(address, { signal: AbortSignal.abort() }).catch(() => {});
	expect(events).toEqual([]);
});

it('of the service does not change the state of the agent, which has its own events', async () => {
	const agents = ['true', 'false', null, 'false', 'true'];
	const { events, fetch } = watched(async () => {
		const agent = agents.shift();
		return new Response('{}', { headers: agent ? { 'x-agent-connected': agent } : {} });
	});
	while (agents.length > 0) await fetch(address);
	expect(events).toEqual(['agent_disconnected', 'agent_connected']);
});

it('follows the reader of a console', () => {
	const { events, reachability } = watched(fetch);
	reachability.onConnection?.({ connected: false });
	reachability.onConnection?.({ connected: false });
	reachability.onConnection?.({ connected: true });
	expect(events).toEqual(['unreachable', 'reachable']);
});

it('does not call a service unreachable that only has the reader of a console wait', async () => {
	const { events, reachability, fetch } = watched(async () => new Response('{}', { status: 429 }));
	const states = [
		{ connected: false, reason: 'rate_limited' },
		{ connected: false, reason: 'unreachable' },
		{ connected: false, reason: 'rate_limited' },
		{ connected: true },
	];
	for (const state of states) {
		reachability.onConnection?.(state);
		if (state.reason === 'rate_limited') await fetch(address);
	}
	expect(events).toEqual(['console_waiting', 'unreachable', 'reachable', 'console_open']);
});

describe('a request without a response', () => {
	it.each([
		[`${address}`, 2_500],
		[`${address}?wait=2&status=queued`, 4_500],
		[`${address}/console/sync`, 7_500],
	])('%s is lost after what it waits for and 2.5 seconds', async (url, milliseconds) => {
		const { promise, resolve } = Promise.withResolvers<Response>();
		const { events, fetch } = watched(() => promise);
		const sent = fetch(url);
		vi.advanceTimersByTime(milliseconds - 1);
		expect(events).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(events).toEqual(['unreachable']);
		resolve(new Response('{}'));
		await sent;
		expect(events).toEqual(['unreachable', 'reachable']);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('does not count as unreachable while it uploads a file', () => {
		const { events, fetch } = watched(() => new Promise(() => {}));
		void fetch(address, { method: 'POST', body: new Uint8Array(4) });
		vi.advanceTimersByTime(60_000);
		expect(events).toEqual([]);
	});
});

// A running agent that is drained, stopped, or gets another configuration. In virtual time.
import { expect, test } from 'vitest';
import type { AgentConfig } from '../src/index.ts';
import { address, token } from './support/fake-service.ts';
import { pass, startSeveral } from './support/virtual.ts';

const boardOf = (id: string, more: object = {}) => ({
	id,
	type: 'real-board',
	driver: 'command' as const,
	between_leases: 'keep' as const,
	...more,
});
const configOf = (...boards: AgentConfig['boards']) => ({ service: address, token, boards });
const [one, two] = [boardOf('one'), boardOf('two')];

/** Whether a promise has settled by now. */
function watched(promise: Promise<unknown>) {
	const state = { isDone: false };
	promise.then(() => {
		state.isDone = true;
	});
	return state;
}

const draining = (id: string) =>
	expect.objectContaining({ [id]: expect.objectContaining({ draining: true }) });

test('an agent that is drained says so, and waits for the leases on all its boards', async () => {
	const { agent, service, records } = await startSeveral(['one', 'two']);
	const lease = service.grant('one');
	await pass(100);
	const drain = watched(agent.drain());
	await pass(1_000);
	expect(service.capabilities).toEqual(draining('one'));
	expect(service.capabilities).toEqual(draining('two'));
	// The service may have granted it before it knew.
	const late = service.grant('two');
	service.release(lease);
	await pass(1_000);
	expect(drain.isDone).toBe(false);
	expect(records.two).toContain('open');
	service.release(late);
	await pass(1_000);
	expect(drain.isDone).toBe(true);
});

test('an agent without leases is drained once the service knows it, or cannot be reached', async () => {
	const { agent, service } = await startSeveral(['one']);
	const drain = watched(agent.drain());
	expect(drain.isDone).toBe(false);
	await pass(500);
	expect(drain.isDone).toBe(true);
	expect(service.capabilities).toEqual(draining('one'));
});

test('an agent that cannot reach the service and has no lease is drained at once', async () => {
	const { agent, service } = await startSeveral(['one']);
	service.cut();
	await pass(20_000);
	const drain = watched(agent.drain());
	await pass(1);
	expect(drain.isDone).toBe(true);
});

test('an agent says that it stops before its boards are cleared, and connects no more with them', async () => {
	const cleared = Promise.withResolvers<void>();
	const { agent, service } = await startSeveral(['one'], { clear: () => cleared.promise });
	service.grant('one');
	await pass(100);
	const stop = watched(agent.stop());
	await pass(100);
	expect(service.stopped).toEqual([agent.bootId]);
	service.disconnect();
	await pass(5_000);
	expect(service.capabilities).toEqual({});
	expect(stop.isDone).toBe(false);
	cleared.resolve();
	await pass(100);
	expect(stop.isDone).toBe(true);
});

test('another configuration touches only the boards that it changes', async () => {
	const { agent, service, records, made } = await startSeveral(['one', 'two', 'three']);
	const kept = service.grant('one');
	const changed = service.grant('two');
	await pass(100);
	service.write(kept, 'before ');
	await pass(100);
	await agent.reload(configOf(one, boardOf('two', { power_pause: 3 }), boardOf('four')));
	service.write(kept, 'after');
	await pass(1_000);
	expect(records.one).toEqual(['open', 'before ', 'after']);
	expect(kept.live).toBe(true);
	expect(Object.keys(service.capabilities)).toEqual(['one', 'two', 'four']);
	expect(made).toEqual(['one', 'two', 'three', 'two', 'four']);
	// The lease keeps what it began with.
	await service.act(changed, 'reset');
	expect(records.two).toEqual(['open', 'reset']);
	service.release(changed);
	await pass(100);
	expect(records.two).toEqual(['open', 'reset', 'close']);
	service.grant('two');
	await pass(100);
	expect(records['two again']).toEqual(['open']);
});

test('a port in a lease is given to another board only when the lease has ended', async () => {
	const { agent, service } = await startSeveral(['one', 'two']);
	const port = { console: { type: 'serial' as const, path: '/dev/ttyUSB7' } };
	await agent.reload(configOf(boardOf('one', port), two));
	const lease = service.grant('one');
	await pass(100);
	const moved = configOf(one, boardOf('two', port));
	await expect(agent.reload(moved)).rejects.toThrow(/is a port of board one .* until the lease/);
	service.release(lease);
	await pass(100);
	await agent.reload(moved);
});

test('a board that is removed keeps its lease, gets no other, and is gone afterwards', async () => {
	const { agent, service, records } = await startSeveral(['one', 'two']);
	const lease = service.grant('two');
	await pass(100);
	await agent.reload(configOf(one));
	await pass(100);
	expect(service.capabilities).toEqual(draining('two'));
	expect(service.capabilities).not.toEqual(draining('one'));
	await service.act(lease, 'reset');
	service.release(lease);
	await pass(100);
	expect(records.two).toEqual(['open', 'reset', 'close']);
	expect(Object.keys(service.capabilities)).toEqual(['one']);
});

test('an invalid configuration changes nothing, and another address needs a restart', async () => {
	const { agent, service, made, logged } = await startSeveral(['one']);
	await expect(agent.reload({ ...configOf(two), token: 'agt_' })).rejects.toThrow('token: ');
	await agent.reload({ ...configOf(one), service: 'https://elsewhere.test' });
	await pass(1_000);
	expect(made).toEqual(['one']);
	expect(Object.keys(service.capabilities)).toEqual(['one']);
	expect(logged.filter((line) => line.includes('needs a restart'))).toHaveLength(1);
});

test('another token is used once the service accepts it, and leases go on', async () => {
	const { agent, service, records } = await startSeveral(['one']);
	const lease = service.grant('one');
	const next = `agt_${'f'.repeat(48)}`;
	const reload = () => agent.reload({ ...configOf(one), token: next });
	await expect(reload()).rejects.toThrow('agent_token_invalid');
	const before = service.tokens.get(token) ?? 0;
	service.write(lease, 'x');
	await pass(1_000);
	expect(service.tokens.get(token)).toBeGreaterThan(before);
	service.tokens.set(next, 0);
	await reload();
	service.tokens.delete(token);
	service.write(lease, 'y');
	await pass(30_000);
	expect(agent.connected).toBe(true);
	expect(records.one).toEqual(['open', 'x', 'y']);
	expect(service.bootIds).toEqual([agent.bootId]);
});

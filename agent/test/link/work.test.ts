// The connection to the service in virtual time: how soon a loss is noticed and the connection replaced.
import { expect, onTestFinished, test } from 'vitest';
import { Contact } from '../../src/link/contact.ts';
import { type Service, ServiceError } from '../../src/link/service.ts';
import { followWork } from '../../src/link/work.ts';
import { pass, useVirtualTime } from '../support/virtual.ts';

/** The limit of the service, counted from the last contact. */
const agentTimeout = 30_000;

/** A network that works, that drops everything, or that refuses connections at once. */
type Network = 'works' | 'dead' | 'refuses' | 'taken' | 'ends';

const keepAlive = 4_000;

function startFollowing() {
	useVirtualTime();
	let network: Network = 'works';
	let brokenAt = 0;
	const attempts: number[] = [];
	const contacts: number[] = [];
	const work: Service['work'] = async (_, signal) => {
		const startedAt = performance.now();
		attempts.push(startedAt);
		if (network === 'refuses') throw new TypeError('fetch failed');
		if (network === 'taken') throw new ServiceError(409, { code: 'agent_connected' });
		if (network === 'dead') await aborted(signal);
		contacts.push(startedAt);
		return new ReadableStream({
			start(controller) {
				const send = (text: string) => {
					if ((network === 'works' || network === 'ends') && brokenAt <= startedAt)
						controller.enqueue(new TextEncoder().encode(text));
				};
				send('{"boards":[]}\n');
				if (network === 'ends') return controller.close();
				const timer = setInterval(send, keepAlive, '\n');
				signal.addEventListener('abort', () => clearInterval(timer));
			},
		});
	};
	const controller = new AbortController();
	const logged: string[] = [];
	const log = (_: object, message: string) => void logged.push(message);
	const states: boolean[] = [];
	const following = followWork({
		// Following work sends no other request.
		service: { work } as Service,
		connection: () => ({ boot_id: 'boot', boards: {} }),
		log: { info: log, warn: log, error: log },
		signal: controller.signal,
		onWork() {},
		onTaken() {},
		contact: new Contact(),
		onState: (state) => void (states.at(-1) === state || states.push(state)),
	});
	onTestFinished(async () => {
		controller.abort();
		await pass(0);
		await following.ended;
	});
	const become = (next: Network) => {
		if (next !== 'works') brokenAt = performance.now();
		network = next;
	};
	return { become, attempts, contacts, logged, states, following };
}

function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason), { once: true });
	});
}

test.each(
	(['dead', 'refuses'] as const).flatMap((network) =>
		[0, 1_000, 2_000, 3_000, 3_999].map((after) => [network, after] as const),
	),
)(
	'an outage of 25 s, in which the network %s, ends within the limit (%i ms after a line)',
	async (network, after) => {
		const { become, contacts } = startFollowing();
		await pass(60_000 + after);
		const lostAt = performance.now();
		become(network);
		await pass(25_000);
		become('works');
		await pass(10_000);
		expect((contacts[1] ?? Number.POSITIVE_INFINITY) - lostAt).toBeLessThan(agentTimeout);
	},
);

test('silence is noticed within 10 s, and the first attempt follows at once', async () => {
	const { become, attempts, states } = startFollowing();
	await pass(4_000);
	become('dead');
	await pass(10_000);
	expect(states).toEqual([true, false]);
	expect(attempts).toEqual([0, 13_000]);
});

test('a connection without any response is abandoned after a few seconds', async () => {
	const { become, attempts } = startFollowing();
	become('dead');
	await pass(30_000);
	const gaps = attempts.slice(2).map((at, index) => at - (attempts[index + 1] ?? 0));
	expect(gaps.length).toBeGreaterThanOrEqual(4);
	expect(Math.max(...gaps)).toBeLessThanOrEqual(4_000);
});

test('attempts become less frequent after half a minute', async () => {
	const { become, attempts } = startFollowing();
	become('refuses');
	await pass(40_000);
	const first = attempts.length;
	await pass(300_000);
	const gaps = attempts.slice(first + 1).map((at, index) => at - (attempts[first + index] ?? 0));
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_500);
	expect(Math.max(...gaps)).toBeLessThanOrEqual(5_000);
});

test('a second agent with the token logs it once, and asks every few seconds', async () => {
	const { become, attempts, logged, states } = startFollowing();
	become('taken');
	await pass(10_000);
	const before = attempts.length;
	await pass(300_000);
	expect(attempts.length - before).toBeGreaterThan(55);
	expect(attempts.length - before).toBeLessThan(125);
	expect(logged.filter((line) => line.startsWith('Another agent uses this token'))).toHaveLength(1);
	expect(states).toEqual([true, false]);
	become('works');
	await pass(30_000);
	expect(states).toEqual([true, false, true]);
});

test('connections that the service ends at once are followed by pauses, and logged once', async () => {
	const { become, following, attempts, logged } = startFollowing();
	become('ends');
	following.reconnect();
	await pass(20_000);
	expect(attempts.length).toBeLessThan(30);
	expect(logged).toEqual([expect.stringContaining('ended the connection at once')]);
});

test('a connection that is replaced on purpose is never reported as lost', async () => {
	const { following, attempts, states, logged } = startFollowing();
	await pass(2_000);
	following.reconnect();
	await pass(20_000);
	expect(attempts).toEqual([0, 2_000]);
	expect(states).toEqual([true]);
	expect(logged).toEqual([]);
});

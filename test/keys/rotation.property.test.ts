// Rotates keys while requests and responses are lost: an account never loses both keys, and never has one that
// nobody knows.
import {
	type ApiKeyInput,
	BoardAccess,
	type FetchInit,
	isBoardAccessError,
	type RotatedApiKey,
} from 'board-access';
import { createTestService } from 'board-access-service/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { skipWaits } from '../support/client.ts';
import { runs } from '../support/runs.ts';

let service: Awaited<ReturnType<typeof createTestService>>;
beforeAll(async () => {
	service = await createTestService();
	skipWaits();
});
afterAll(async () => {
	vi.restoreAllMocks();
	await service.close();
});

const faults = ['none', 'refused', 'request lost', 'response lost', '502', '502 after'] as const;
type Fault = (typeof faults)[number];

/** The n-th request meets the n-th fault. */
function faultyFetch(plan: readonly Fault[]) {
	const left = [...plan];
	return async (url: string, init: FetchInit) => {
		const fault = left.shift() ?? 'none';
		if (fault === 'refused') throw new TypeError('x', { cause: { code: 'ECONNREFUSED' } });
		if (fault === 'request lost') throw new TypeError('The connection was reset');
		if (fault === '502') return new Response('', { status: 502 });
		const response = await service.fetch(url, init);
		if (fault === 'response lost') throw new TypeError('The connection was reset');
		return fault === '502 after' ? new Response('', { status: 502 }) : response;
	};
}

const clientWith = (apiKey: string, fetch: ReturnType<typeof faultyFetch> = service.fetch) =>
	new BoardAccess({ apiKey, baseUrl: 'http://localhost', fetch });

const works = (apiKey: string) =>
	clientWith(apiKey)
		.boards.list({ pageSize: 1 })
		.first(1)
		.then(
			() => true,
			() => false,
		);

const scenario = fc.record({
	/** The key that is rotated: the client's own, or another one. */
	which: fc.constantFrom('own', 'other full', 'other boards'),
	expires: fc.boolean(),
	narrowed: fc.boolean(),
	plan: fc.array(
		fc.oneof({ weight: 2, arbitrary: fc.constant('none' as const) }, fc.constantFrom(...faults)),
		{ maxLength: 14 },
	),
	maxRetries: fc.nat(2),
	idempotencyKey: fc.option(fc.uuid(), { nil: undefined }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** One rotation for each outcome of each key. The last request is the revocation of the old key. */
const examples = (['own', 'other full', 'other boards'] as const).flatMap((which) => {
	const rotation = {
		which,
		expires: false,
		narrowed: false,
		maxRetries: 0,
		idempotencyKey: undefined,
	};
	const untilRevoked = new Array<Fault>(which === 'other boards' ? 3 : 2).fill('none');
	const plans: Fault[][] = [['refused'], [], [...untilRevoked, 'response lost']];
	return plans.map((plan): [Scenario] => [{ ...rotation, plan }]);
});
const outcomes = new Set<string>();

async function rotateOnce({ which, expires, narrowed, plan, ...options }: Scenario) {
	const owner = clientWith(service.demo?.apiKey ?? '');
	const expiresAt = expires ? new Date(Date.now() + 3_600_000) : undefined;
	const scope = which === 'other boards' ? 'boards' : 'full';
	const old = await owner.keys.create({ label: 'old', scope, expiresAt });
	const other = await owner.keys.create({ label: 'client' });
	const before = new Set((await owner.keys.list()).map(({ id }) => id));
	const client = clientWith(which === 'own' ? old.key : other.key, faultyFetch(plan));
	const wanted = narrowed ? 'boards' : scope;
	const input: ApiKeyInput = narrowed ? { scope: 'boards' } : {};
	const result: RotatedApiKey | Error = await client.keys
		.rotate(old.id, input, options)
		.catch((error: Error) => error);
	const added = (await owner.keys.list()).filter(({ id }) => !before.has(id));
	const oldWorks = await works(old.key);
	if (result instanceof Error) {
		if (!isBoardAccessError(result)) throw result;
		expect(oldWorks).toBe(true);
		for (const { id } of added) {
			expect(result.hint).toMatch(new RegExp(`${id}|A new key may exist`));
		}
	} else {
		expect(added.map(({ id }) => id)).toEqual([result.id]);
		expect(result).toMatchObject({ label: 'old', scope: wanted, expiresAt: old.expiresAt });
		expect(await works(result.key)).toBe(true);
		if (result.replaced) expect(oldWorks).toBe(false);
	}
	const outcome = result instanceof Error ? 'failed' : result.replaced ? 'replaced' : 'unsure';
	outcomes.add(`${outcome} ${which}`);
	for (const { id } of [old, other, ...added]) await owner.keys.revoke(id);
}

it('an account never loses both keys, and never has one that nobody knows', {
	timeout: 60_000,
	tags: 'generated',
}, async () => {
	await fc.assert(fc.asyncProperty(scenario, rotateOnce), {
		numRuns: runs(30),
		examples,
	});
	for (const which of ['own', 'other full', 'other boards']) {
		for (const outcome of ['failed', 'replaced', 'unsure']) {
			expect(outcomes).toContain(`${outcome} ${which}`);
		}
	}
});

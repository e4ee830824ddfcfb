// Invalid input is an InputError that says what is wrong, in a message of limited length.
import type { Lease } from 'board-access';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient, errorOf } from '../support/client.ts';
import { createLeaseService } from '../support/lease-service.ts';

type Calls = Record<string, readonly [call: () => PromiseLike<unknown>, message: RegExp]>;

const requests: string[] = [];
const client = createClient({
	fetch: async (url) => {
		requests.push(url);
		return Response.json([]);
	},
});

async function expectInputError(call: () => PromiseLike<unknown>, message: RegExp) {
	const error = await errorOf(call());
	expect(error).toMatchObject({ name: 'InputError', message: expect.stringMatching(message) });
	expect((error as Error).message.length).toBeLessThan(5_000);
}

describe('a request', () => {
	const empty = /must be text.* not empty/;
	const calls: Calls = {
		'an empty board type': [() => client.boards.list({ boardType: '' }), empty],
		'an empty board type among others': [() => client.boards.list({ boardType: ['x', ''] }), empty],
		'an empty board type of base images': [
			() => client.admin.baseImages.list({ boardType: '' }),
			empty,
		],
		'a blank status': [() => client.boards.list({ status: ' ' as never }), empty],
		'an empty kind': [() => client.activity.list({ kind: '' as never }), empty],
		'an empty account': [() => client.admin.activity.list({ accountId: '' }), empty],
		'an empty cursor': [() => client.boards.list({ cursor: '' }), empty],
		'half of a character': [() => client.boards.get('\ud800'), /half of a character/],
		'half of a character in a path': [
			() => client.request({ method: 'GET', path: '/v1/\ud800' }),
			/path only/,
		],
		'a name without end': [
			() => client.boards.list({}, { ['x'.repeat(100_000)]: 1 }),
			/is not an option/,
		],
		'very many names': [
			() =>
				client.boards.list(
					{},
					Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`x${i}`, 1])),
				),
			/and 4990 more$/,
		],
	};
	it.each(Object.entries(calls))('rejects %s', async (_, [call, message]) => {
		requests.length = 0;
		await expectInputError(call, message);
		expect(requests).toEqual([]);
	});
});

describe('a lease', () => {
	const service = createLeaseService();
	let lease: Lease;

	beforeEach(async () => {
		lease = await service.createClient().leases.create({ boardType: 'x' });
	});
	afterEach(async () => void (await lease.release()));

	it('rejects what is not an option of the method', async () => {
		const bytes = new Uint8Array(20_000);
		const other = { maxRetries: 5, timeout: 20 };
		const calls: Calls = {
			bytes: [() => lease.reset(bytes as never), /must be an object of options/],
			expect: [() => lease.console.expect('x', other), /maxRetries: is not an option/],
			run: [() => lease.run([{ reset: true }], other), /maxRetries: is not an option/],
			write: [() => lease.console.write('x', other), /maxRetries: is not an option/],
			lines: [
				() => lease.console.lines({ withOffsets: true } as never).next(),
				/withOffsets: is not an option/,
			],
			offset: [() => lease.console.text({ from: 1e15 }).next(), /from: must be a whole number/],
			half: [() => lease.console.read({ from: 1.5 }).next(), /from: must be a whole number/],
		};
		for (const [call, message] of Object.values(calls)) await expectInputError(call, message);
	});
});

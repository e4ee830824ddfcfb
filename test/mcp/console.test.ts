// Parts of a console: bounded, and nothing is lost between them.
import type { AnyLease } from 'board-access';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cutTexts, findText } from '../../src/leases/console/console.ts';
import { type Reading, readConsole, readWhole } from '../../src/mcp/console.ts';
import { createLeaseService } from '../support/lease-service.ts';
import { runs } from '../support/runs.ts';

const none = new AbortController().signal;

/** A lease that has ended, whose console arrives in these pieces. */
function leaseOf(pieces: readonly Uint8Array[]) {
	async function* chunks(from: number) {
		let next = 0;
		for (const piece of pieces) {
			next += piece.length;
			const bytes = piece.subarray(Math.max(0, from - next + piece.length));
			if (next > from) yield { bytes, next, arrivals: [] };
		}
	}
	const text = ({ from = 0 }) => cutTexts(chunks(from), findText);
	return { console: { text } } as unknown as AnyLease; // the rest is not used
}

/** Reads part after part, each from where the last one ended. */
async function readParts(pieces: readonly Uint8Array[], maxBytes: number) {
	const parts: string[] = [];
	const limits = { maxBytes, timeoutMs: 60_000, idleMs: 60_000 };
	for (let from = 0; ; ) {
		const read = await readConsole(leaseOf(pieces), { ...limits, from });
		const { text, cursor, completion_reason } = read;
		parts.push(text);
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
		expect(read.missing_bytes).toBe(0);
		if (completion_reason === 'ended') return parts;
		expect(completion_reason).toBe('max_bytes');
		expect(cursor).toBeGreaterThan(from);
		from = cursor;
	}
}

const bounds = fc.integer({ min: 16, max: 80 });

describe('all parts together are the whole', { tags: 'generated' }, () => {
	const numRuns = runs(100);

	test('of text, wherever its characters are split and cut', async () => {
		const characters = fc.string({ unit: 'binary', maxLength: 40 });
		const pieces = fc.array(fc.oneof(characters, fc.constantFrom('µ', '✓', '🙂', '\ufffd')));
		const property = fc.asyncProperty(pieces, bounds, fc.nat(9), async (texts, bound, size) => {
			const whole = Buffer.from(texts.join(''));
			const parts = await readParts(piecesOf(whole, size + 1), bound);
			expect(parts.join('')).toBe(whole.toString());
		});
		await fc.assert(property, { numRuns });
	});

	test('of text with single bytes that are none', async () => {
		const piece = fc.oneof(fc.string({ maxLength: 40 }), fc.constant(255));
		const property = fc.asyncProperty(fc.array(piece), bounds, async (pieces, bound) => {
			const bytes = pieces.map((each) => Buffer.from(typeof each === 'string' ? each : [each]));
			const whole = Buffer.concat(bytes);
			expect((await readParts([whole], bound)).join('')).toBe(whole.toString());
		});
		await fc.assert(property, { numRuns });
	});

	test('of any bytes, apart from some that may come twice', async () => {
		const property = fc.asyncProperty(
			fc.uint8Array({ maxLength: 400 }),
			bounds,
			async (whole, bound) => {
				const read = (await readParts([whole], bound)).join('');
				let at = 0;
				for (const character of Buffer.from(whole).toString().replaceAll('\ufffd', '')) {
					at = read.indexOf(character, at) + character.length;
					expect(at).toBeGreaterThanOrEqual(character.length);
				}
			},
		);
		await fc.assert(property, { numRuns });
	});
});

test('a part has exactly as many bytes as it may have, if no character is cut', async () => {
	const whole = 'x'.repeat(100);
	const parts = await readParts([Buffer.from(whole)], 40);
	expect(parts.map((part) => part.length)).toEqual([40, 40, 20]);
	expect(await readParts([Buffer.from('🙂'.repeat(10))], 18)).toEqual([
		'🙂🙂🙂🙂',
		'🙂🙂🙂🙂',
		'🙂🙂',
	]);
});

describe('a reading ends', () => {
	const usual: Reading = { from: 0, maxBytes: 1_000, timeoutMs: 60_000, idleMs: 60_000 };

	async function startReading(given: Partial<Reading>, caller = none) {
		const service = createLeaseService();
		const lease = await service.createClient().leases.create({ boardType: 'uno' });
		const reading = readConsole(lease, { ...usual, ...given }, caller);
		reading.catch(() => {}); // the test looks at it later
		await expect.poll(service.openStreams).toBe(1);
		return { service, lease, reading };
	}

	test('when it has shown a text, also in several pieces', async () => {
		const { service, reading } = await startReading({ until: 'ready' });
		service.print('boot\nrea');
		service.print('dy\n');
		expect(await reading).toMatchObject({
			text: 'boot\nready\n',
			cursor: 11,
			completion_reason: 'matched',
		});
		await expect.poll(service.openStreams).toBe(0);
	});

	test('when it matches a regular expression', async () => {
		const { service, reading } = await startReading({ until: /^tick \d$/m });
		service.print('tick\ntick 7\n');
		expect(await reading).toMatchObject({ completion_reason: 'matched' });
	});

	test('when nothing was printed for so long', async () => {
		const { service, reading } = await startReading({ idleMs: 50 });
		service.print('one');
		expect(await reading).toMatchObject({ completion_reason: 'idle' });
	});

	test.each(['released', 'expired'] as const)('with the lease that is %s', async (reason) => {
		const { service, reading } = await startReading({});
		service.print('last words');
		service.end(reason);
		expect(await reading).toMatchObject({ text: 'last words', completion_reason: 'ended' });
	});

	test('with the reason of its caller, and then nothing is read', async () => {
		const stop = new AbortController();
		const { service, reading } = await startReading({}, stop.signal);
		stop.abort(new Error('I go'));
		await expect(reading).rejects.toThrow('I go');
		await expect.poll(service.openStreams).toBe(0);
	});

	test('with what is left, where bytes are gone, and says how many', async () => {
		const service = createLeaseService();
		const lease = await service.createClient().leases.create({ boardType: 'uno' });
		service.print('gone\nhere\n');
		service.forgetOutput(5);
		const { text, missing_bytes, cursor } = await readConsole(lease, { ...usual, until: 'here' });
		expect({ text, missing_bytes, cursor }).toEqual({
			text: 'here\n',
			missing_bytes: 5,
			cursor: 10,
		});
	});

	test('at the real end, if it was to begin after that', async () => {
		const { service, reading } = await startReading({ from: 1_000, until: 'more' });
		service.print('more');
		expect(await reading).toMatchObject({ text: 'more', missing_bytes: 0, cursor: 4 });
	});
});

describe('while a board never stops printing', () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
	afterEach(() => void vi.useRealTimers());

	/** What is read while the board prints 10 times in a second. */
	async function whilePrinting<Result>(read: (lease: AnyLease) => Promise<Result>) {
		const service = createLeaseService();
		const lease = await service.createClient().leases.create({ boardType: 'uno' });
		service.print('boot\n');
		const reading = read(lease);
		for (let tick = 0; tick < 60; tick++) {
			service.print('tick\n');
			await vi.advanceTimersByTimeAsync(100);
		}
		return await reading;
	}

	test('a reading ends when its time is over, and is not idle', async () => {
		const reading = { from: 0, maxBytes: 1_000, timeoutMs: 2_000, idleMs: 500 };
		const read = await whilePrinting((lease) => readConsole(lease, reading));
		expect(read).toMatchObject({
			completion_reason: 'timeout',
			cursor: Buffer.byteLength(read.text),
		});
	});

	test('the whole console ends, too', async () => {
		const whole = await whilePrinting((lease) => readWhole(lease, none));
		expect(whole).toMatch(/^boot\n(tick\n)+$/);
	});
});

function piecesOf(bytes: Uint8Array, size: number) {
	return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
		bytes.subarray(at * size, (at + 1) * size),
	);
}

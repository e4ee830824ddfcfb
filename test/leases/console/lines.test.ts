import type { ConsoleText, Lease } from 'board-access';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { skipWaits } from '../../support/client.ts';
import { createLeaseService, type LeaseService } from '../../support/lease-service.ts';

let service: LeaseService;
let lease: Lease;

const start = async () => {
	service = createLeaseService();
	lease = await service.createClient().leases.create({ boardType: 'arduino-uno' });
};

beforeEach(async () => {
	skipWaits();
	await start();
});

afterEach(async () => {
	service.faults.length = 0;
	await lease.release();
	vi.restoreAllMocks();
});

/** All that comes until the reading ends or fails, and those so far. */
function collect<Item>(source: AsyncIterable<Item>) {
	const items: Item[] = [];
	const read = async () => {
		for await (const item of source) items.push(item);
	};
	const failure = read().catch((error: unknown) => error);
	return { items, failure, all: failure.then(() => items) };
}

const brief = ({ text, offset, nextOffset }: ConsoleText) => [text, offset, nextOffset];

const opened = () => service.requests('GET /v1/leases/console').length;

const turns = async (count: number) => {
	for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('lines', () => {
	it('end with a line feed, a carriage return or both, and know their bytes', async () => {
		service.print('5 µs\none\r\n\r\ntwo\rthree\n\rend');
		const lines = collect(lease.console.lines());
		await expect.poll(() => lines.items.length).toBe(6);
		await lease.release();
		expect((await lines.all).map(brief)).toEqual([
			['5 µs', 0, 6],
			['one', 6, 11],
			['', 11, 13],
			['two', 13, 17],
			['three', 17, 23],
			['', 23, 24],
			['end', 24, 27],
		]);
	});

	it('come as soon as they are whole; what was printed last comes before the error of the end', async () => {
		const lines = collect(lease.console.lines());
		await expect.poll(service.openStreams).toBe(1);
		service.print('one\ntw');
		await expect.poll(() => lines.items.map(brief)).toEqual([['one', 0, 4]]);
		service.print('o\r');
		await turns(5);
		expect(lines.items).toHaveLength(1);
		service.print('\n');
		await expect.poll(() => lines.items.map(brief).at(-1)).toEqual(['two', 4, 9]);
		service.print('last');
		service.end('expired');
		expect(await lines.failure).toMatchObject({ name: 'LeaseEndedError', reason: 'expired' });
		expect(lines.items.map(brief).at(-1)).toEqual(['last', 9, 13]);
	});

	it('that are not whole do not come when their reader is aborted', async () => {
		const abort = new AbortController();
		const lines = collect(lease.console.lines({ signal: abort.signal }));
		service.print('one\ntwo');
		await expect.poll(() => lines.items.length).toBe(1);
		abort.abort(new Error('enough'));
		expect(await lines.failure).toMatchObject({ message: 'enough' });
		expect(lines.items).toHaveLength(1);
	});

	it('do not go on after missing bytes', async () => {
		const lines = collect(lease.console.lines());
		await expect.poll(service.openStreams).toBe(1);
		service.print('one tw');
		await turns(5);
		service.closeStreams();
		service.print('o\nthr');
		service.forgetOutput(11);
		service.print('ee\n');
		await expect
			.poll(() => lines.items.map(brief))
			.toEqual([
				['one tw', 0, 6],
				['ee', 11, 14],
			]);
	});

	it('of more than 64 KiB come in parts, each of whole characters', async () => {
		service.print(`${'x'.repeat(65_535)}µ${'y'.repeat(10)}\nz\n`);
		const lines = collect(lease.console.lines());
		await expect.poll(() => lines.items.length).toBe(3);
		expect(lines.items.map(brief)).toEqual([
			['x'.repeat(65_535), 0, 65_535],
			[`µ${'y'.repeat(10)}`, 65_535, 65_548],
			['z', 65_548, 65_550],
		]);
	});

	it('have the time at which their first byte was received, however late they are read', async () => {
		const now = vi.spyOn(Date, 'now');
		const times = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:02.500Z', '2026-01-01T00:01:00Z'];
		const printAt = async (time: string | undefined, text: string) => {
			now.mockReturnValue(Date.parse(time ?? ''));
			service.print(text);
			await turns(5);
		};
		const reader = lease.console.lines();
		service.print('zero\n');
		await reader.next();
		await printAt(times[0], 'one\ntw');
		await printAt(times[1], 'o\nthree\n');
		await printAt(times[2], 'much later\n');
		for (const [text, time] of [
			['one', times[0]],
			['two', times[0]],
			['three', times[1]],
		]) {
			const { value } = await reader.next();
			expect(value).toMatchObject({ text, receivedAt: new Date(time ?? '') });
		}
		await reader.return();
	});
});

describe('text with offsets', () => {
	it('goes on in another client where it was left, with whole characters', async () => {
		const shown = '5 µs ✓ 😀\n';
		const bytes = new TextEncoder().encode(shown);
		const seen: ConsoleText[] = [];
		let printed = 0;
		for (let from = 0; from < bytes.length; from = seen.at(-1)?.nextOffset ?? 0) {
			const other = await service.createClient().leases.get('lse_1');
			const reader = other.console.text({ from, withOffsets: true });
			const next = reader.next();
			while (service.openStreams() === 0) await turns(1);
			for (; printed < bytes.length; printed++) {
				service.print(bytes.subarray(printed, printed + 1));
				await turns(3);
			}
			const { value } = await next;
			if (value) seen.push(value);
			await reader.return();
		}
		expect(seen.map(({ text }) => text).join('')).toBe(shown);
		expect(seen.map(brief)[0]).toEqual(['5', 0, 1]);
		expect(seen.at(-1)?.nextOffset).toBe(bytes.length);
	});

	it('shows the bytes that do not become a character when the console ends', async () => {
		service.print(Uint8Array.of(0x41, 0xe2, 0x82));
		const texts = collect(lease.console.text({ withOffsets: true }));
		await expect.poll(() => texts.items.map(brief)).toEqual([['A', 0, 1]]);
		await lease.release();
		expect((await texts.all).map(brief).at(-1)).toEqual(['\ufffd', 1, 3]);
	});
});

describe('a match', () => {
	it('knows its bytes, and when they were received', async () => {
		const now = vi.spyOn(Date, 'now');
		const [first, second] = [new Date(1_000_000), new Date(1_000_500)];
		now.mockReturnValue(first.getTime());
		const match = lease.console.expect(/PASS(ED)?\n/);
		await expect.poll(service.openStreams).toBe(1);
		service.print('5 µs: PA');
		await turns(5);
		now.mockReturnValue(second.getTime());
		service.print('SS\nready\n');
		expect(await match).toMatchObject({ offset: 7, nextOffset: 12, receivedAt: first });
		expect(await lease.console.expectLine(/ad/)).toMatchObject({
			offset: 14,
			nextOffset: 17,
			receivedAt: second,
		});
	});

	it('that begins within a character consumes the whole of it', async () => {
		service.print('a😀b');
		expect(await lease.console.expect(/[\udc00-\udfff]/)).toMatchObject({ nextOffset: 5 });
		expect(await lease.console.expect(/.*b/)).toMatchObject({ matched: 'b', offset: 5 });
	});
});

describe('one connection', () => {
	it('serves all kinds of readers of a lease', async () => {
		service.print('boot\n');
		const readers = [
			collect(lease.console.lines()),
			collect(lease.console.text()),
			collect(lease.console.read()),
			collect(lease.console.lines({ from: 0 })),
		];
		await lease.console.expectLine('boot');
		service.print('ready\n');
		await lease.console.expectLine('ready');
		await expect.poll(() => readers.every(({ items }) => items.length === 2)).toBe(true);
		expect(opened()).toBe(1);
	});

	it('is left only until a reader that began before the others has caught up', async () => {
		service.print('zero\none\n');
		const late = collect(lease.console.lines({ from: 5 }));
		await expect.poll(() => late.items.length).toBe(1);
		const early = collect(lease.console.lines());
		await expect.poll(() => early.items.length).toBe(2);
		await expect.poll(service.openStreams).toBe(1);
		service.print('two\n');
		await expect.poll(() => late.items.length).toBe(2);
		await expect.poll(() => early.items.length).toBe(3);
		expect(opened()).toBe(2);
	});

	it('is left only until a reader that began after the others knows where it begins', async () => {
		service.print('zero\n');
		const early = collect(lease.console.lines());
		await expect.poll(() => early.items.length).toBe(1);
		const late = collect(lease.console.lines({ from: 999_999 }));
		await expect.poll(opened).toBe(2);
		await expect.poll(service.openStreams).toBe(1);
		service.print('one\n');
		await expect.poll(() => late.items.map(brief)).toEqual([['one', 5, 9]]);
		expect(early.items).toHaveLength(2);
	});

	it('is not held up by a slow reader, which misses nothing that the service keeps', async () => {
		const slow = lease.console.read();
		const fast = collect(lease.console.read());
		const size = () => fast.items.reduce((sum, { length }) => sum + length, 0);
		service.print('x');
		await slow.next();
		let total = 1;
		const block = new Uint8Array(256 * 1024).fill(0x79);
		let received = 1;
		for (let round = 0; round < 3; round++) {
			for (let count = 0; count < 8; count++) service.print(block);
			total += 8 * block.length;
			await expect.poll(size).toBe(total);
			// It gets some of what it has missed, and then sleeps again.
			received += (await slow.next()).value?.length ?? 0;
		}
		while (received < total) received += (await slow.next()).value?.length ?? 0;
		expect(received).toBe(total);
		expect(size()).toBe(total);
		await slow.return();
		await expect.poll(service.openStreams).toBe(1);
	});

	it('that waits for its place says so, and when it has one', async () => {
		const states: unknown[] = [];
		const refused = () => new TypeError('fetch failed');
		const full = () => service.failure(429, 'rate_limited', '100 streams are open');
		service.faults.push(full);
		const onConnection = (state: unknown) => void states.push(state);
		const lines = collect(lease.console.lines({ onConnection }));
		await expect.poll(() => states.length).toBe(1);
		service.faults[0] = refused;
		await expect.poll(() => states.length).toBe(2);
		service.faults.length = 0;
		service.print('one\n');
		await expect.poll(() => lines.items.length).toBe(1);
		const error = expect.objectContaining({
			code: 'rate_limited',
			message: '100 streams are open',
		});
		expect(states).toEqual([
			{ connected: false, reason: 'rate_limited', error },
			{ connected: false, reason: 'unreachable', error: expect.any(Error) },
			{ connected: true },
		]);
	});
});

/** What happens to a console: output, and connections that end, also while output is lost. */
const happenings = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			what: fc.constant('print' as const),
			bytes: fc
				.array(fc.constantFrom(10, 13, 13, 0x41, 0x42, 0xc2, 0xb5, 0xf0, 0x9f, 0x98, 0x80, 0xff), {
					maxLength: 20,
				})
				.map((bytes) => Uint8Array.from(bytes)),
		}),
	},
	fc.record({ what: fc.constantFrom('cut', 'close', 'lose', 'pause', 'join', 'leave' as const) }),
);

/** The lines of bytes that were split at once. */
function linesOf({ bytes, offset: start }: Section) {
	const text = Buffer.from(bytes).toString('latin1');
	return [...text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)]
		.filter(({ 0: all }) => all !== '')
		.map(({ 0: { length }, 1: line = '', index }) => {
			const offset = start + index;
			return [decoded(Buffer.from(line, 'latin1')), offset, offset + length];
		});
}

interface Section {
	bytes: number[];
	offset: number;
}

const decoded = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Resolves when all that was printed has been received by those who read. */
async function received() {
	do {
		await vi.advanceTimersByTimeAsync(300);
		await turns(10);
	} while (service.openStreams() === 0);
}

it('any chunks, lost connections and lost output give the lines and offsets of the bytes', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
	onTestFinished(() => void vi.useRealTimers());
	await fc.assert(
		fc.asyncProperty(
			fc.array(happenings, { minLength: 5, maxLength: 40 }),
			fc.infiniteStream(fc.nat(1_000)),
			async (history, choices) => {
				await start();
				const choose = <Item>(items: readonly Item[]) =>
					items[(choices.next().value ?? 0) % items.length];
				const sections: Section[] = [{ bytes: [], offset: 0 }];
				let end = 0;
				const first = { from: 0, ...collect(lease.console.lines()) };
				const texts = collect(lease.console.text({ withOffsets: true }));
				const joined: { from: number; items: ConsoleText[]; all: Promise<ConsoleText[]> }[] = [];
				for (const happening of history) {
					const last = sections.at(-1);
					switch (happening.what) {
						case 'print':
							service.print(happening.bytes);
							last?.bytes.push(...happening.bytes);
							end += happening.bytes.length;
							break;
						case 'cut':
							service.cutStreams();
							break;
						case 'close':
							service.closeStreams();
							break;
						case 'lose': {
							await received();
							service.closeStreams();
							service.print('lost');
							end += 4;
							service.forgetOutput(end);
							sections.push({ bytes: [], offset: end });
							break;
						}
						case 'pause':
							await received();
							break;
						case 'join': {
							// Where any line or text has ended whose following bytes the service has.
							const kept = [...first.items, ...texts.items]
								.map(({ nextOffset }) => nextOffset)
								.filter((offset) => offset >= (last?.offset ?? 0));
							const from = choose(kept) ?? end;
							joined.push({ from, ...collect(lease.console.lines({ from })) });
							break;
						}
						case 'leave': {
							const reader = lease.console.lines({ from: last?.offset });
							await Promise.race([reader.next(), turns(3)]);
							void reader.return();
						}
					}
				}
				await received();
				await lease.release();
				const expected = sections.flatMap(linesOf);
				expect((await first.all).map(brief)).toEqual(expected);
				for (const { from, all } of joined) {
					const offsets = sections.flatMap(({ bytes, offset }) => {
						const skipped = Math.max(0, from - offset);
						return linesOf({ bytes: bytes.slice(skipped), offset: offset + skipped });
					});
					expect((await all).map(brief)).toEqual(offsets);
				}
				const whole = await texts.all;
				for (const { bytes, offset } of sections) {
					const own = whole.filter(
						(each) => each.offset >= offset && each.nextOffset <= offset + bytes.length,
					);
					expect(own.map(({ text }) => text).join('')).toBe(decoded(Uint8Array.from(bytes)));
					const offsets = own.map((each) => each.offset);
					expect(own.map(({ nextOffset }) => nextOffset)).toEqual(
						bytes.length > 0 ? [...offsets.slice(1), offset + bytes.length] : [],
					);
				}
			},
		),
		{ numRuns: 150 },
	);
});

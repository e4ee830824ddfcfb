import { getEventListeners } from 'node:events';
import { BoardAccess, type ConsoleConnection, type Fetch, type Lease } from 'board-access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiKey, errorOf, skipWaits } from '../../support/client.ts';
import { createLeaseService, type LeaseService, listen } from '../../support/lease-service.ts';

let service: LeaseService;
let lease: Lease;

beforeEach(async () => {
	skipWaits();
	service = createLeaseService();
	lease = await service.createClient().leases.create({ boardType: 'arduino-uno' });
});

afterEach(async () => {
	service.faults.length = 0;
	await lease.release();
	vi.restoreAllMocks();
});

const refused = () =>
	new TypeError('fetch failed', {
		cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
	});

/** The text until it contains the end. */
const readUntil = (end: string, source?: AsyncIterable<string>) => startReading(end, source).whole;

function startReading(end: string, source: AsyncIterable<string> = lease.console) {
	let text = '';
	const read = async () => {
		for await (const part of source) {
			text += part;
			if (text.endsWith(end)) break;
		}
		return text;
	};
	const whole = read();
	return { whole, hasRead: (part: string) => expect.poll(() => text).toContain(part) };
}

describe('reading the console', () => {
	it('starts with the first byte of the lease, in each loop', async () => {
		service.print('boot\n');
		const reading = readUntil('ready\n');
		await expect.poll(service.openStreams).toBe(1);
		service.print('ready\n');
		expect(await reading).toBe('boot\nready\n');
		expect(await readUntil('ready\n')).toBe('boot\nready\n');
	});

	it('says what a fetch without streams lacks', async () => {
		const fetch: Fetch = async (url, init) => {
			const response = await service.fetch(url, init);
			return { status: response.status, headers: response.headers, text: () => response.text() };
		};
		const attached = await service.createClient({ fetch }).leases.get('lse_1');
		const lacks = {
			name: 'ConfigurationError',
			code: 'option_invalid',
			message: expect.stringContaining(
				'must return status, headers, text(); for a console body.getReader()',
			),
		};
		expect(await errorOf(readUntil('x', attached.console))).toMatchObject(lacks);
		expect(await errorOf(attached.console.expect('x', { timeout: 5_000 }))).toMatchObject(lacks);
		expect(await attached.reset()).toMatchObject({ status: 'done' });
	});

	it('starts at an offset', async () => {
		service.print('boot\nready\n');
		expect(await readUntil('\n', lease.console.text({ from: 5 }))).toBe('ready\n');
	});

	it('never splits a character', async () => {
		const bytes = new TextEncoder().encode('5 µs ✓\n');
		const reading = (async () => {
			const parts: string[] = [];
			for await (const part of lease.console) {
				parts.push(part);
				if (part.includes('\n')) return parts;
			}
			return parts;
		})();
		for (const byte of bytes) {
			await expect.poll(service.openStreams).toBe(1);
			service.print(Uint8Array.of(byte));
		}
		const parts = await reading;
		expect(parts.join('')).toBe('5 µs ✓\n');
		expect(parts).not.toContain('');
	});

	it('returns the bytes unchanged', async () => {
		const bytes = Uint8Array.of(0, 255, 128, 10);
		service.print(bytes);
		for await (const chunk of lease.console.read()) {
			expect(chunk).toEqual(bytes);
			break;
		}
	});

	it.each(['cut', 'close'] as const)(
		'continues where it was when the connection is %s',
		async (how) => {
			service.print('one ');
			const reading = startReading('three');
			for (const [word, next] of [
				['one ', 'two '],
				['two ', 'three'],
			] as const) {
				await reading.hasRead(word);
				how === 'cut' ? service.cutStreams() : service.closeStreams();
				await expect.poll(service.openStreams).toBe(1);
				service.print(next);
			}
			expect(await reading.whole).toBe('one two three');
		},
	);

	it('continues after a time without any response', async () => {
		let refused = 0;
		service.print('one ');
		const reading = readUntil('two');
		await expect.poll(service.openStreams).toBe(1);
		service.faults.push(() =>
			++refused < 8 ? service.failure(503, 'unavailable', 'Busy') : undefined,
		);
		service.cutStreams();
		await expect.poll(service.openStreams).toBe(1);
		service.print('two');
		expect(await reading).toBe('one two');
	});

	it('continues after an outage of the service', async () => {
		service.print('one ');
		const reading = readUntil('two');
		await expect.poll(service.openStreams).toBe(1);
		let failed = 0;
		service.faults.push(() => {
			if (++failed > 7) return undefined;
			return failed % 3 ? refused() : service.failure(503, 'unavailable', 'Busy');
		});
		service.cutStreams();
		await expect.poll(service.openStreams).toBe(1);
		service.print('two');
		expect(await reading).toBe('one two');
	});

	it('continues at the offset that the service sends when the oldest bytes are gone', async () => {
		service.print('0123456789');
		service.forgetOutput(6);
		const reading = startReading('end');
		await reading.hasRead('6789');
		service.cutStreams();
		service.print('end');
		expect(await reading.whole).toBe('6789end');
	});

	it('ends when the lease is released', async () => {
		service.print('last words');
		const reading = readUntil('never');
		await expect.poll(service.openStreams).toBe(1);
		await lease.release();
		expect(await reading).toBe('last words');
	});

	it('throws the reason after the last byte when the lease ends for another reason', async () => {
		const parts: string[] = [];
		const reading = (async () => {
			for await (const part of lease.console) parts.push(part);
		})();
		await expect.poll(service.openStreams).toBe(1);
		service.print('last words');
		service.end('agent_lost', 'The agent is silent.');
		expect(await errorOf(reading)).toMatchObject({
			name: 'LeaseEndedError',
			code: 'lease_ended',
			reason: 'agent_lost',
			leaseId: 'lse_1',
			message: 'The lease lse_1 has ended: The agent is silent.',
		});
		expect(parts.join('')).toBe('last words');
	});

	it('closes its connection when the loop is left', async () => {
		service.print('x');
		await readUntil('x');
		await expect.poll(service.openStreams).toBe(0);
	});

	it('ends with the reason of an abort, and leaves no listener behind', async () => {
		const abort = new AbortController();
		const reading = readUntil('never', lease.console.text({ signal: abort.signal }));
		await expect.poll(service.openStreams).toBe(1);
		const reason = new Error('enough');
		abort.abort(reason);
		expect(await errorOf(reading)).toBe(reason);
		expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
		await expect.poll(service.openStreams).toBe(0);
	});

	it('works over a socket, through a connection that breaks', async () => {
		const server = await listen(service);
		try {
			const client = new BoardAccess({ apiKey, baseUrl: server.baseUrl });
			const attached = await client.leases.get('lse_1');
			service.print('one ');
			const reading = startReading('two', attached.console);
			await reading.hasRead('one ');
			service.cutStreams();
			await expect.poll(service.openStreams).toBe(1);
			service.print('two');
			expect(await reading.whole).toBe('one two');
			await expect.poll(service.openStreams).toBe(0);
		} finally {
			server.close();
		}
	});
});

describe('the connection to the console', () => {
	const opened = () => service.requests('GET /v1/leases/console');

	it('is shared by readers at the same time or shortly after each other', async () => {
		service.print('boot\n');
		const reading = readUntil('end');
		for (let count = 0; count < 50; count++) {
			service.print(`${count};`);
			await lease.console.expect(`${count};`);
		}
		service.print('end');
		expect(await reading).toMatch(/^boot\n0;1;.*49;end$/);
		expect(opened()).toHaveLength(1);
	});

	it('is opened for a reader at another offset', async () => {
		service.print('0123456789');
		const from = (offset: number) => readUntil('9', lease.console.text({ from: offset }));
		expect(await Promise.all([from(5), from(2), from(7)])).toEqual(['56789', '23456789', '789']);
		expect(opened().length).toBeLessThan(4);
	});

	it('begins at the end of the console if that is before the offset', async () => {
		service.print('old ');
		const reading = readUntil('new', lease.console.text({ from: 999_999 }));
		await expect.poll(service.openStreams).toBe(1);
		service.print('new');
		expect(await reading).toBe('new');
	});

	it('reports when it is lost and when it is back', async () => {
		const states: ConsoleConnection[] = [];
		const onConnection = (state: ConsoleConnection) => void states.push(state);
		const waiting = lease.console.expect('two', { onConnection });
		await expect.poll(service.openStreams).toBe(1);
		service.faults.push(refused);
		service.cutStreams();
		await expect.poll(() => states).toHaveLength(1);
		service.faults.length = 0;
		await expect.poll(() => states).toHaveLength(2);
		service.print('two');
		await waiting;
		expect(states).toEqual([
			{
				connected: false,
				reason: 'unreachable',
				error: expect.objectContaining({ name: 'ConnectionError' }),
			},
			{ connected: true },
		]);
	});

	it('reports soon that it is back, even after a long outage and on a silent board', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		try {
			vi.spyOn(Math, 'random').mockReturnValue(0);
			const states: boolean[] = [];
			const onConnection = ({ connected }: ConsoleConnection) => void states.push(connected);
			const reading = readUntil('end', lease.console.text({ onConnection }));
			await vi.advanceTimersByTimeAsync(30_000);
			service.faults.push(refused);
			service.cutStreams();
			await vi.advanceTimersByTimeAsync(600);
			service.faults.length = 0;
			await vi.advanceTimersByTimeAsync(1_000);
			expect(states).toEqual([false, true]);
			service.faults.push(refused);
			service.cutStreams();
			await vi.advanceTimersByTimeAsync(16_000);
			service.faults.length = 0;
			await vi.advanceTimersByTimeAsync(4_000);
			expect(states).toEqual([false, true, false, true]);
			service.print('end');
			await reading;
		} finally {
			vi.useRealTimers();
		}
	});

	it.each(['stops', 'freezes'])(
		'tells soon that it is lost and back when the service ends it and %s',
		async (what) => {
			vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
			try {
				vi.spyOn(Math, 'random').mockReturnValue(0);
				const thawed = Promise.withResolvers<Error>();
				const states: boolean[] = [];
				const onConnection = ({ connected }: ConsoleConnection) => void states.push(connected);
				const reading = readUntil('end', lease.console.text({ onConnection }));
				await vi.advanceTimersByTimeAsync(2_000);
				service.faults.push(() => (what === 'stops' ? refused() : thawed.promise));
				service.closeStreams();
				await vi.advanceTimersByTimeAsync(5_000);
				expect(states).toEqual([false]);
				await vi.advanceTimersByTimeAsync(20_000);
				service.faults.length = 0;
				thawed.resolve(refused());
				await vi.advanceTimersByTimeAsync(5_000);
				expect(states).toEqual([false, true]);
				service.print('end');
				await reading;
			} finally {
				vi.useRealTimers();
			}
		},
	);

	it('leaves nothing behind when it was opened for a reader at another offset', async () => {
		service.print('0123456789');
		const ahead = readUntil('end', lease.console.text({ from: 9 }));
		await expect.poll(service.openStreams).toBe(1);
		const listeners = () => getEventListeners(lease.signal, 'abort').length;
		const before = listeners();
		for (let count = 0; count < 3; count++) await readUntil('9', lease.console.text({ from: 2 }));
		await expect.poll(service.openStreams).toBe(1);
		await expect.poll(listeners).toBe(before);
		service.print('end');
		await ahead;
	});

	const page = '<html>PASS. An error occurred.</html>';

	it.each([
		['a web page', page, { 'content-type': 'text/html', 'x-console-offset': '0' }],
		['bytes without an offset', page, { 'content-type': 'application/octet-stream' }],
	])('takes nothing from a proxy that sends %s', async (_, body, headers) => {
		let count = 0;
		service.faults.push(({ method, path }) =>
			method === 'GET' && path.endsWith('/console') && ++count === 1
				? new Response(body, { headers })
				: undefined,
		);
		service.print('the board: PASS\n');
		const found = await lease.console.expect('PASS', { fail: 'error', timeout: 1_000 });
		expect(found).toMatchObject({ before: 'the board: ' });
		expect(count).toBe(2);
	});

	it('does not report a connection that is opened again at once', async () => {
		const states: ConsoleConnection[] = [];
		const onConnection = (state: ConsoleConnection) => void states.push(state);
		const reading = readUntil('two', lease.console.text({ onConnection }));
		await expect.poll(service.openStreams).toBe(1);
		service.closeStreams();
		await expect.poll(service.openStreams).toBe(1);
		service.print('two');
		await reading;
		expect(states).toEqual([]);
	});
});

describe('writing', () => {
	const typed = () => service.typed.map((bytes) => new TextDecoder().decode(bytes));

	it('sends text and bytes', async () => {
		await lease.console.write('help\r');
		await lease.console.write(Uint8Array.of(3));
		expect(service.typed).toEqual([new TextEncoder().encode('help\r'), Uint8Array.of(3)]);
		const [request] = service.requests('POST /v1/leases/console');
		expect(request?.headers.get('content-type')).toBe('application/octet-stream');
	});

	it('combines fast input into one request, in order', async () => {
		await Promise.all([...'hello'].map((letter) => lease.console.write(letter)));
		expect(typed()).toEqual(['hello']);
		const first = lease.console.write('a');
		await first;
		await Promise.all([lease.console.write('b'), lease.console.write('c')]);
		expect(typed()).toEqual(['hello', 'a', 'bc']);
	});

	it('combines what is typed while a request is under way', async () => {
		const first = lease.console.write('a');
		await vi.waitFor(() => expect(service.requests('POST /v1/leases/console')).toHaveLength(1));
		const others = ['b', 'c'].map((letter) => lease.console.write(letter));
		await Promise.all([first, ...others]);
		expect(typed()).toEqual(['a', 'bc']);
	});

	it('sends what a program writes bit by bit no more often than the service allows', {
		tags: 'long',
	}, async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		try {
			let isOver = false;
			const program = (async () => {
				while (!isOver) await lease.console.write('x');
			})();
			await vi.advanceTimersByTimeAsync(60_000);
			isOver = true;
			await vi.advanceTimersByTimeAsync(100);
			await program;
			expect(typed().length).toBeGreaterThan(2_400);
			expect(typed().length).toBeLessThan(2_600);
		} finally {
			vi.useRealTimers();
		}
	});

	it('splits input that is too long for a request', async () => {
		const text = 'x'.repeat(4096) + 'y'.repeat(10);
		await lease.console.write(text);
		expect(typed()).toEqual(['x'.repeat(4096), 'y'.repeat(10)]);
	});

	const isInput = ({ method, path }: { method: string; path: string }) =>
		method === 'POST' && path.endsWith('/console');

	/** Carries out console input, then loses this many responses. */
	const loseResponses = (count: number, instead: () => Response | Error = service.lost) => {
		let lost = 0;
		service.lateFaults.push((request) =>
			isInput(request) && lost++ < count ? instead() : undefined,
		);
	};

	it.each([
		['lost responses', () => service.lost()],
		['the 503 of a proxy', () => new Response('', { status: 503 })],
	])('writes once what is sent again after %s', async (_, instead) => {
		await lease.console.write('a');
		loseResponses(3, instead);
		await lease.console.write('b');
		await lease.console.write('c');
		expect(typed()).toEqual(['a', 'b', 'c']);
		expect(service.requests('POST /v1/leases/console')).toHaveLength(6);
	});

	it.each([
		['an empty response', () => new Response('')],
		['a web page', () => new Response('<html></html>', { headers: { 'x-console-offset': '1' } })],
	])('sends again what a proxy has confirmed with %s', async (_, respond) => {
		let count = 0;
		service.faults.push(({ method }) =>
			method === 'POST' && ++count === 1 ? respond() : undefined,
		);
		await lease.console.write('a');
		expect(typed()).toEqual(['a']);
	});

	it('writes input once that a proxy sends twice', async () => {
		service.lateFaults.push((request) => (isInput(request) ? service.repeat(request) : undefined));
		await lease.console.write('launch\r');
		await lease.console.write('launch\r');
		expect(typed()).toEqual(['launch\r', 'launch\r']);
	});

	it('does not mistake the input of another writer for its own', async () => {
		let attempts = 0;
		service.faults.push((request) => {
			if (!isInput(request) || ++attempts > 1) return undefined;
			service.typed.push(new TextEncoder().encode('x'));
			return service.lost();
		});
		await lease.console.write('x');
		expect(typed()).toEqual(['x', 'x']);
	});

	it('writes the same input as another writer, after it', async () => {
		const other = await service.createClient().leases.get('lse_1');
		await lease.console.write('x');
		await other.console.write('x');
		await lease.console.write('x');
		expect(typed()).toEqual(['x', 'x', 'x']);
	});

	/** Refuses console input while the condition holds. */
	const refuseInput = (isRefused: () => boolean, code = 'console_input_full') => {
		service.faults.push((request) =>
			isInput(request) && isRefused() ? service.failure(409, code, 'No.') : undefined,
		);
	};

	it('waits while the service rejects more input', async () => {
		let refusals = 0;
		refuseInput(() => ++refusals < 4);
		await lease.console.write('a');
		expect(typed()).toEqual(['a']);
		expect(refusals).toBe(4);
	});

	it('reports how much was sent when the board takes no more input', async () => {
		refuseInput(() => {
			const isFull = service.typed.length === 2;
			if (isFull) vi.spyOn(performance, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER);
			return isFull;
		});
		expect(await errorOf(lease.console.write('b'.repeat(10_000)))).toMatchObject({
			name: 'WriteError',
			code: 'write_incomplete',
			sent: 2 * 4096,
			total: 10_000,
			cause: { code: 'console_input_full' },
		});
	});

	it('stops when it is aborted, and reports how much was sent', async () => {
		const abort = new AbortController();
		const reason = new Error('enough');
		service.faults.push(({ method }) => {
			if (method === 'POST' && service.typed.length === 2) abort.abort(reason);
			return undefined;
		});
		const { signal } = abort;
		const long = errorOf(lease.console.write('x'.repeat(100_000), { signal }));
		const other = lease.console.write('other');
		expect(await long).toMatchObject({
			name: 'WriteError',
			message: 'Only 12288 of 100000 bytes are confirmed as sent: enough',
			sent: 3 * 4096,
			total: 100_000,
			cause: reason,
		});
		await other;
		expect(typed().join('')).toBe(`${'x'.repeat(3 * 4096)}other`);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('reports how much was sent when the lease ends', async () => {
		service.faults.push(({ method }) => {
			if (method === 'POST' && service.typed.length === 2) service.end('admin');
			return undefined;
		});
		expect(await errorOf(lease.console.write('x'.repeat(100_000)))).toMatchObject({
			name: 'WriteError',
			sent: 2 * 4096,
			cause: { name: 'LeaseEndedError', reason: 'admin' },
		});
	});

	it.each([
		['was not sent', refused, { message: 'enough' }],
		['may have been sent', () => service.lost(), { name: 'WriteError', sent: 0, total: 1 }],
	])(
		'goes on after a write that %s when it was aborted in an outage',
		async (_, fault, expected) => {
			let isDown = true;
			service.faults.push(({ method }) => (isDown && method === 'POST' ? fault() : undefined));
			const abort = new AbortController();
			const aborted = errorOf(lease.console.write('a', { signal: abort.signal }));
			await expect
				.poll(() => service.requests('POST /v1/leases/console').length)
				.toBeGreaterThan(0);
			const others = ['b', 'c'].map((text) => lease.console.write(text));
			abort.abort(new Error('enough'));
			expect(await aborted).toMatchObject(expected);
			isDown = false;
			await Promise.all(others);
			expect(typed().join('')).toBe('bc');
		},
	);

	it('writes the same input as another writer that was first while a request was lost', async () => {
		const other = await service.createClient().leases.get('lse_1');
		let posts = 0;
		service.faults.push(({ method }) =>
			method === 'POST' && ++posts === 1
				? other.console.write('\r').then(() => service.lost())
				: undefined,
		);
		await lease.console.write('\r');
		expect(typed()).toEqual(['\r', '\r']);
	});

	it('writes without a pause after what others have written', async () => {
		await (await service.createClient().leases.get('lse_1')).console.write('first\r');
		const started = performance.now();
		await lease.console.write('second\r');
		// A pause is at least 250 ms long.
		expect(performance.now() - started).toBeLessThan(250);
		expect(typed()).toEqual(['first\r', 'second\r']);
	});

	it('writes the same input as an aborted write that was stored', async () => {
		const abort = new AbortController();
		const reason = new Error('enough');
		let posts = 0;
		service.lateFaults.push((request) => {
			if (!isInput(request) || ++posts > 1) return undefined;
			abort.abort(reason);
			return service.lost();
		});
		const { signal } = abort;
		expect(await errorOf(lease.console.write('\r', { signal }))).toMatchObject({
			name: 'WriteError',
			outcome: 'unknown',
			sent: 0,
			total: 1,
			cause: reason,
		});
		await lease.console.write('\r');
		expect(typed().join('')).toBe('\r\r');
	});

	it.each([0, 1])(
		'sends again what cannot be compared only after no lost response (%i)',
		async (lost) => {
			loseResponses(lost);
			let posts = 0;
			refuseInput(() => ++posts === lost + 1, 'console_gap');
			const result = await Promise.allSettled([lease.console.write('reboot\r')]);
			const error = {
				name: 'WriteError',
				outcome: 'unknown',
				sent: 0,
				cause: { code: 'console_gap' },
			};
			expect(result).toMatchObject([lost ? { reason: error } : { status: 'fulfilled' }]);
			expect(typed().join('')).toBe('reboot\r');
		},
	);

	it('omits input that was aborted before it was sent', async () => {
		await lease.console.write('a');
		const abort = new AbortController();
		const aborted = errorOf(lease.console.write('b', { signal: abort.signal }));
		const sent = lease.console.write('c');
		const reason = new Error('enough');
		abort.abort(reason);
		expect(await aborted).toBe(reason);
		await sent;
		expect(typed()).toEqual(['a', 'c']);
		expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
	});

	it('reports that nothing was sent if the lease ended before', async () => {
		service.faults.push(({ method, path }) => {
			if (method === 'POST' && path.endsWith('/console')) service.end('admin');
			return undefined;
		});
		const [, waiting] = await Promise.all([
			errorOf(lease.console.write('x'.repeat(5_000))),
			errorOf(lease.console.write('later')),
		]);
		const notSent = { name: 'LeaseEndedError', reason: 'admin', outcome: 'not-sent' };
		expect(waiting).toMatchObject(notSent);
		expect(await errorOf(lease.console.write('too late'))).toMatchObject(notSent);
	});

	it('rejects with the reason when the lease has ended', async () => {
		service.end('admin', 'Needed elsewhere.');
		expect(await errorOf(lease.console.write('a'))).toMatchObject({
			name: 'LeaseEndedError',
			reason: 'admin',
		});
	});
});

describe('an expectation', () => {
	const onSync = (respond: () => Response | undefined) => {
		service.faults.push(({ path }) => (path.endsWith('/console/sync') ? respond() : undefined));
	};

	it('matches text over several chunks', async () => {
		const match = lease.console.expect('PASS');
		await expect.poll(service.openStreams).toBe(1);
		for (const part of ['test 1: P', 'AS', 'S in 5 ms']) service.print(part);
		expect(await match).toEqual({
			matched: 'PASS',
			before: 'test 1: ',
			groups: {},
			offset: 8,
			nextOffset: 12,
			receivedAt: expect.any(Date),
		});
	});

	it('returns the groups of an expression by number and by name', async () => {
		service.print('took 17 ms\n');
		expect(await lease.console.expect(/took (\d+) (?<unit>\w+)\n/)).toEqual({
			matched: 'took 17 ms\n',
			before: '',
			groups: { 1: '17', 2: 'ms', unit: 'ms' },
			offset: 0,
			nextOffset: 11,
			receivedAt: expect.any(Date),
		});
	});

	it('does not end with not_seen while the console of the board is disconnected', async () => {
		const missing = errorOf(lease.console.expect('PASS', { timeout: 1_000 }));
		await expect.poll(service.openStreams).toBe(1);
		service.print('at work');
		const console_lost_at = '2026-01-02T03:04:05.678Z';
		const lost = { console_status: 'disconnected', console_lost_at } as const;
		service.change({ ...lost, console_message: 'unplugged' });
		expect(await missing).toMatchObject({
			name: 'ConsoleUnavailableError',
			code: 'console_disconnected',
			message: `The console of the board is disconnected (since ${console_lost_at}): unplugged`,
		});
		expect(lease.consoleStatus).toBe('disconnected');
		service.print('PASS');
		expect(await lease.console.expect('PASS', { timeout: 1_000 })).toMatchObject({
			matched: 'PASS',
		});
	});

	it('does not end with not_seen if output is missing in the searched part', async () => {
		service.print('one\n');
		await lease.console.expect('one\n');
		service.print('two');
		service.change({ console_status: 'connected', console_gap_offset: 5, console_gap_ms: 70 });
		expect(await errorOf(lease.console.expect('PASS', { timeout: 50 }))).toMatchObject({
			code: 'console_interrupted',
			gapMs: 70,
			message: 'Part of the console output of the board is missing (0.07 s)',
		});
		await lease.console.expect('two');
		expect(await errorOf(lease.console.expect('PASS', { timeout: 50 }))).toMatchObject({
			code: 'not_seen',
		});
	});

	it('does not end with not_seen if output was dropped in the searched part', async () => {
		service.print('lost PASS\n');
		service.forgetOutput(10);
		service.print('one\n');
		const interrupted = { code: 'console_interrupted' };
		const options = { timeout: 50 };
		expect(await errorOf(lease.console.expect('PASS', options))).toMatchObject(interrupted);
		await lease.console.expect('one');
		expect(await errorOf(lease.console.expect('PASS', options))).toMatchObject({
			code: 'not_seen',
		});
		service.print('two\r\n[… 12 bytes dropped …]\r\n');
		expect(await errorOf(lease.console.expect('PASS', options))).toMatchObject(interrupted);
	});

	it('does not end with not_seen if all output is lost', async () => {
		service.print('PASS\n');
		service.forgetOutput(5);
		const unseen = lease.console.expect('PASS', { timeout: 50 });
		expect(await errorOf(unseen)).toMatchObject({ code: 'console_interrupted' });
	});

	it('that watches for failures needs all output up to its match', async () => {
		const interrupted = { code: 'console_interrupted' };
		const options = { fail: 'FAILED', timeout: 1_000 };
		service.print('FAILED\n');
		service.forgetOutput(7);
		service.print('DONE\n');
		expect(await errorOf(lease.console.expect('DONE', options))).toMatchObject(interrupted);
		service.print('one\r\n[… 12 bytes dropped …]\r\ntwo three four');
		expect(await lease.console.expect('one', options)).toMatchObject({ matched: 'one' });
		expect(await errorOf(lease.console.expect('two', options))).toMatchObject(interrupted);
		expect(await lease.console.expect('three', options)).toMatchObject({ matched: 'three' });
		service.print('\r\n[… the console is connected; 7 s of its output are missing …]\r\nfive six');
		expect(await lease.console.expect('four', options)).toMatchObject({ matched: 'four' });
		expect(await errorOf(lease.console.expect('five', options))).toMatchObject(interrupted);
		expect(await lease.console.expect('six', options)).toMatchObject({ matched: 'six' });
	});

	it('matches nothing across a notice', async () => {
		service.print('one\r\n[… the console is connected …]\r\ntwo\n');
		await lease.console.expect('two\n', { timeout: 1_000 }).then(({ before }) => {
			expect(before).toBe('one\r\n[… the console is connected …]\r\n');
		});
		service.print('three\r\n[… 4 bytes of input were lost …]\r\nfour\n');
		const spanning = lease.console.expect(/three\s+four/, { timeout: 100 });
		expect(await errorOf(spanning)).toMatchObject({ code: 'not_seen' });
		expect(await lease.console.expect(/^four\s/, { timeout: 100 })).toMatchObject({
			matched: 'four\n',
		});
	});

	it('matches nothing across bytes that are missing', async () => {
		service.print('five');
		const failing = lease.console.expect('PASS', { fail: /five\s+six/, timeout: 1_000 });
		await expect.poll(service.openStreams).toBe(1);
		service.closeStreams();
		service.print('lost');
		service.forgetOutput(8);
		service.print('six');
		expect(await errorOf(failing)).toMatchObject({ code: 'console_interrupted' });
	});

	it('that watches for failures passes while a board only restarts', async () => {
		service.print('one\r\n[… the console is connected …]\r\ntwo');
		const options = { fail: 'FAILED', timeout: 1_000 };
		expect(await lease.console.expect('two', options)).toMatchObject({ matched: 'two' });
	});

	it('does not end with not_seen if the lease had ended', async () => {
		const missing = errorOf(lease.console.expect('PASS', { timeout: 100 }));
		await expect.poll(service.openStreams).toBe(1);
		service.change({ status: 'ended', end_reason: 'agent_lost', ended_at: '2026-01-02T03:04:05Z' });
		expect(await missing).toMatchObject({ name: 'LeaseEndedError' });
	});

	it('does not end with not_seen if the status of the console is unknown', async () => {
		onSync(() => service.seenWith({ console_status: 'asleep' }));
		expect(await errorOf(lease.console.expect('PASS', { timeout: 50 }))).toMatchObject({
			code: 'console_disconnected',
			message: 'The console of the board is asleep',
		});
	});

	it('does not end with not_seen if the agent does not respond', async () => {
		service.change({ console_status: 'connected' });
		const console_message = 'The agent of the board did not respond.';
		onSync(() => service.seenWith({ console_status: 'disconnected', console_message }));
		const error = {
			name: 'ConsoleUnavailableError',
			message: `The console of the board is disconnected: ${console_message}`,
		};
		const both = ['one', 'two'].map((text) => errorOf(lease.console.expect(text, { timeout: 50 })));
		expect(await Promise.all(both)).toMatchObject([error, error]);
	});

	it('fails if the agent does not respond, whatever the lease says meanwhile', async () => {
		service.change({ console_status: 'connected' });
		let isAsked = false;
		onSync(() => {
			isAsked = true;
			return service.seenWith({ console_status: 'disconnected' });
		});
		service.faults.push(async ({ method, path }) => {
			if (isAsked && method === 'GET' && path.endsWith('/console')) await lease.refresh();
			return undefined;
		});
		expect(await errorOf(lease.console.expect('PASS', { timeout: 50 }))).toMatchObject({
			code: 'console_disconnected',
		});
		expect(lease.consoleStatus).toBe('connected');
	});

	it('matches what the agent had read but not sent at the time limit', async () => {
		onSync(() => {
			service.print('PANIC');
			return undefined;
		});
		const waiting = lease.console.expect('PASS', { fail: 'PANIC', timeout: 50 });
		expect(await errorOf(waiting)).toMatchObject({ code: 'fail_seen' });
	});

	it('ends with a lease that ended while the agent was asked', async () => {
		onSync(() => {
			service.end('agent_lost', 'The agent is gone.');
			return undefined;
		});
		expect(await errorOf(lease.console.expect('PASS', { timeout: 50 }))).toMatchObject({
			code: 'lease_ended',
		});
	});

	it('takes text literally', async () => {
		service.print('a+b aab $5 (x)');
		expect(await lease.console.expect('a+b')).toMatchObject({ before: '' });
		expect(await lease.console.expect('$5 (x)')).toMatchObject({ before: ' aab ' });
	});

	it('matches several texts in one chunk, in order', async () => {
		service.print('one two');
		const both = [lease.console.expect('one'), lease.console.expect('two')];
		expect(await Promise.all(both)).toMatchObject([{ before: '' }, { before: ' ' }]);
	});

	it('does not miss output between two expectations', async () => {
		service.print('one\n');
		await lease.console.expect('one');
		service.print('two\n');
		expect(await lease.console.expect('two')).toMatchObject({ before: '\n' });
	});

	it('never matches the same output twice, whatever bytes follow', async () => {
		service.print('PASS');
		await lease.reset();
		service.print('PASS');
		await lease.console.expect('PASS');
		service.print(new Uint8Array(200).fill(0xff));
		await lease.console.expect('\ufffd');
		service.setOnAction((action) => service.finish(action, 'done'));
		expect(await errorOf(lease.console.expect('PASS', { timeout: 50 }))).toMatchObject({
			code: 'not_seen',
		});
	});

	it('of a line waits for the end of the line', async () => {
		const match = lease.console.expectLine(/N(\d+)/, { fail: 'FAIL' });
		await expect.poll(service.openStreams).toBe(1);
		for (const part of ['\r\nfirst\r\n\r\n  N1', '23', '45 ms\r', '\nFAIL\r\n'])
			service.print(part);
		expect(await match).toEqual({
			matched: 'N12345',
			line: '  N12345 ms',
			before: '\r\nfirst\r\n\r\n  ',
			groups: { 1: '12345' },
			offset: 13,
			nextOffset: 22,
			receivedAt: expect.any(Date),
		});
		expect(await errorOf(lease.console.expectLine(/^N/, { fail: /^FAIL$/ }))).toMatchObject({
			code: 'fail_seen',
			matched: 'FAIL',
		});
	});

	it('of a line matches the last one, without an end, when the console ends', async () => {
		const match = lease.console.expectLine(/^N(\d+)$/);
		await expect.poll(service.openStreams).toBe(1);
		service.print('N12');
		service.end('expired');
		expect(await match).toMatchObject({ groups: { 1: '12' } });
	});

	it('does not match output before the last action', async () => {
		service.print('PASS of the old firmware\n');
		service.setOnAction((action) => {
			service.finish(action, 'done');
			service.print('new: PASS\n');
		});
		await lease.flash(Uint8Array.of(1), { raw: true });
		expect(await lease.console.expect('PASS')).toMatchObject({ before: 'new: ' });
	});

	it('of a lease of another process does not match output before its last action', async () => {
		service.print('PASS of the old firmware\n');
		await lease.reset();
		service.print('new: PASS\n');
		const attached = await service.createClient().leases.get('lse_1');
		expect(await attached.console.expect('PASS')).toMatchObject({ before: 'new: ' });
		expect(attached.console.actionOffset).toBe(25);
		await attached.console.expect('\n');
		expect(service.requests('GET /v1/leases/actions')).toHaveLength(1);
	});

	it('never matches the output of the old firmware', async () => {
		service.setOnAction((action) => {
			service.print('old: PASS\n');
			service.finish(action, 'done');
		});
		await lease.flash(Uint8Array.of(1), { raw: true });
		service.print('new: ready\n');
		expect(await errorOf(lease.console.expect('PASS', { timeout: 50 }))).toMatchObject({
			code: 'not_seen',
			output: 'new: ready\n',
		});
	});

	it('waits for an action that is running when it is called', async () => {
		service.setOnAction(() => {});
		const flashing = lease.flash(Uint8Array.of(1), { raw: true });
		const passing = lease.console.expect('PASS');
		await expect.poll(() => service.actions.length).toBe(1);
		service.print('old: PASS\n');
		for (const action of service.actions) service.finish(action, 'done');
		await flashing;
		service.print('new: PASS\n');
		expect(await passing).toMatchObject({ before: 'new: ' });
	});

	it('that was called before an action leaves no earlier output to the next one', async () => {
		const early = lease.console.expect('old');
		await expect.poll(service.openStreams).toBe(1);
		service.setOnAction((action) => {
			service.print('old PASS\n');
			service.finish(action, 'done');
		});
		await lease.reset();
		await early;
		service.print('new: PASS\n');
		expect(await lease.console.expect('PASS')).toMatchObject({ before: 'new: ' });
	});

	it('that was called before an action and matches after it keeps its offset', async () => {
		const early = lease.console.expect('new');
		await expect.poll(service.openStreams).toBe(1);
		service.print('old PASS\n');
		await lease.reset();
		service.print('PASS new PASS\n');
		await early;
		expect(await lease.console.expect('PASS')).toMatchObject({ before: ' ' });
	});

	it('ignores the flags g and y of an expression', async () => {
		service.print('x1 x2');
		const pattern = /x\d/gy;
		expect(await lease.console.expect(pattern)).toMatchObject({ matched: 'x1' });
		expect(await lease.console.expect(pattern)).toMatchObject({ matched: 'x2' });
	});

	it('rejects when one of several fail texts appears first', async () => {
		service.print('one PANIC two FAIL PASS\n');
		const fail = ['FAIL', /panic/i];
		expect(await errorOf(lease.console.expect('PASS', { fail }))).toMatchObject({
			code: 'fail_seen',
			matched: 'PANIC',
		});
	});

	it('knows the offset at which the output of the last action begins', async () => {
		expect(lease.console.actionOffset).toBe(0);
		service.print('base image\n');
		await lease.reset();
		expect(lease.console.actionOffset).toBe(11);
		service.print('ready\n');
		const { actionOffset: from } = lease.console;
		expect(await readUntil('ready\n', lease.console.text({ from }))).toBe('ready\n');
	});

	it('rejects when the fail text appears first', async () => {
		service.print('1 ok\n2 FAIL: timeout\nPASS\n');
		expect(await errorOf(lease.console.expect('PASS', { fail: /FAIL.*/ }))).toMatchObject({
			name: 'ExpectationError',
			code: 'fail_seen',
			matched: 'FAIL: timeout',
			output: '1 ok\n2 FAIL: timeout',
			message: 'The console showed "FAIL: timeout". Its last lines:\n  1 ok\n  2 FAIL: timeout',
		});
		expect(await lease.console.expect('PASS')).toMatchObject({ before: '\n' });
	});

	it('ignores a fail text after the match', async () => {
		service.print('PASS FAIL');
		expect(await lease.console.expect('PASS', { fail: 'FAIL' })).toMatchObject({ before: '' });
	});

	it('rejects after its timeout with the end of the console, which the next expectation can still match', async () => {
		service.print(`${'x'.repeat(5000)} nearly`);
		const error = await errorOf(lease.console.expect('PASS', { timeout: 50 }));
		expect(error).toMatchObject({
			name: 'ExpectationError',
			code: 'not_seen',
			message: `The console did not show "PASS" within 0.05 s. Its last lines:\n  ${'x'.repeat(193)} nearly`,
			from: 0,
			to: 5007,
			output: `${'x'.repeat(5000)} nearly`.slice(-4000),
		});
		expect(error).not.toHaveProperty('matched');
		expect(await lease.console.expect('nearly')).toMatchObject({ matched: 'nearly' });
	});

	it('reports when only line ends were printed', async () => {
		service.print('\r\n');
		expect(await errorOf(lease.console.expect('PASS', { timeout: 50 }))).toMatchObject({
			message: 'The console did not show "PASS" within 0.05 s. It printed only line ends.',
		});
	});

	it.each([
		['the service cannot be reached', refused, { name: 'ConnectionError' }],
		[
			'the limit of requests is reached',
			() => service.failure(429, 'rate_limited', 'Too many requests.'),
			{ name: 'ApiError', code: 'rate_limited' },
		],
	])(
		'does not say that a text was not shown if %s',
		{ tags: 'long' },
		async (_, fault, expected) => {
			service.faults.push(fault);
			const error = await errorOf(lease.console.expect('PASS', { timeout: 50 }));
			expect(error).toMatchObject(expected);
		},
	);

	it('that was interrupted continues until its time limit, and reports which bytes it has read', async () => {
		service.print('one\r\n\u001b[31mtwo\r\n');
		const waiting = errorOf(lease.console.expect('PASS', { timeout: 1_500 }));
		await expect.poll(service.openStreams).toBe(1);
		const refuse = vi.fn(refused);
		service.faults.push(refuse);
		service.cutStreams();
		await expect.poll(() => refuse.mock.calls.length).toBeGreaterThan(0);
		service.faults.length = 0;
		service.print('three');
		expect(await waiting).toMatchObject({
			code: 'not_seen',
			message:
				'The console did not show "PASS" within 1.5 s. Its last lines:\n  one\n  \\x1b[31mtwo\n  three',
		});
	});

	it('rejects with the reason when anyone ends the lease', async () => {
		const waiting = errorOf(lease.console.expect('PASS'));
		await expect.poll(service.openStreams).toBe(1);
		service.end('expired');
		expect(await waiting).toMatchObject({ name: 'LeaseEndedError', reason: 'expired' });
	});

	it('rejects when the lease is released', async () => {
		const waiting = errorOf(lease.console.expect('PASS'));
		await expect.poll(service.openStreams).toBe(1);
		await lease.release();
		expect(await waiting).toMatchObject({ name: 'LeaseEndedError', reason: 'released' });
	});

	it('still matches output from before the end', async () => {
		const waiting = lease.console.expect('PASS');
		await expect.poll(service.openStreams).toBe(1);
		service.print('PASS');
		service.end('expired');
		expect(await waiting).toMatchObject({ matched: 'PASS' });
	});

	it('rejects with the reason of an abort, and the next expectation still works', async () => {
		const abort = new AbortController();
		const { signal } = abort;
		const waiting = errorOf(lease.console.expect('PASS', { signal }));
		const next = lease.console.expect('ready');
		await expect.poll(service.openStreams).toBe(1);
		const reason = new Error('enough');
		abort.abort(reason);
		expect(await waiting).toBe(reason);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		await expect.poll(service.openStreams).toBe(1);
		service.print('ready');
		expect(await next).toMatchObject({ matched: 'ready' });
		await expect.poll(service.openStreams).toBe(0);
	});

	it('whose turn does not come in time matches nothing, and leaves the output to earlier ones', async () => {
		const first = lease.console.expect(/two.*end/);
		const second = errorOf(lease.console.expect('two', { timeout: 50 }));
		service.print('one two ');
		expect(await second).toMatchObject({ code: 'not_seen' });
		service.print('end');
		expect(await first).toMatchObject({ matched: 'two end', before: 'one ' });
	});

	it('does not begin before the last action is known', async () => {
		service.print('PASS of the old firmware\n');
		const attached = await service.createClient().leases.get('lse_1');
		service.faults.push(({ path }) => (path.endsWith('/actions') ? refused() : undefined));
		expect(await errorOf(attached.console.expect('PASS', { timeout: 500 }))).toMatchObject({
			name: 'ConnectionError',
		});
	});

	it.each([0, Number.NaN])(
		'requires a time limit that is possible, and not %s',
		async (timeout) => {
			expect(await errorOf(lease.console.expect('PASS', { timeout }))).toMatchObject({
				name: 'InputError',
			});
		},
	);

	it('waits for the last action within its timeout', async () => {
		const attached = await service.createClient().leases.get('lse_1');
		service.setOnAction(() => {});
		const resetting = attached.reset();
		const waiting = errorOf(attached.console.expect('PASS', { timeout: 2_000 }));
		await expect.poll(() => service.actions.length).toBe(1);
		const now = performance.now();
		vi.spyOn(performance, 'now').mockReturnValue(now + 1_990);
		service.faults.push(({ path }) =>
			path.endsWith('/actions') ? new Promise<Response>(() => {}) : undefined,
		);
		for (const action of service.actions) service.finish(action, 'done');
		await resetting;
		expect(await waiting).toMatchObject({
			name: 'RequestTimeoutError',
			message: expect.stringMatching(/ within 0\.\d+ s$/),
		});
	});

	it('does not end with not_seen on a connection that may be broken', {
		tags: 'long',
	}, async () => {
		service.print('boot\n');
		const waiting = errorOf(lease.console.expect('PASS', { timeout: 100 }));
		await expect.poll(service.openStreams).toBe(1);
		// What is open stays open, and no other connection can be opened.
		service.faults.push(refused);
		expect(await waiting).toMatchObject({ name: 'ConnectionError' });
	});

	it('has its full time after an earlier outage', async () => {
		let opened = 0;
		service.faults.push(({ method, path }) => {
			if (method !== 'GET' || !path.endsWith('/console')) return undefined;
			return ++opened === 2
				? service.failure(400, 'invalid_request', 'No.')
				: opened < 5
					? refused()
					: undefined;
		});
		expect(await errorOf(lease.console.expect('PASS'))).toMatchObject({ name: 'ApiError' });
		const now = performance.now.bind(performance);
		vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000);
		service.print('PASS');
		expect(await lease.console.expect('PASS')).toMatchObject({ matched: 'PASS' });
		expect(opened).toBe(5);
	});

	it('of a line does not match the rest of a line', async () => {
		service.print('lost PASS\n[… 1 bytes dropped …]\r\n');
		service.forgetOutput(5);
		service.print('PASS\r\n[… 100 bytes dropped …]\r\nPASS\nwhole PASS\n');
		expect(await lease.console.expectLine(/.*PASS$/)).toMatchObject({
			matched: 'whole PASS',
		});
	});

	it('never matches a notice of the agent, however it arrives', async () => {
		service.print('ready');
		await lease.console.expect('ready');
		const seen = lease.console.expect(/(\d+) bytes/, {
			fail: [/[[\]…]/, 'input', 'not connected'],
		});
		await expect.poll(service.openStreams).toBe(1);
		const notices =
			'[… 12 bytes of input were lost …]\r\n\r\n[… the console is not connected: 8 bytes …]\r\n';
		for (const byte of new TextEncoder().encode(`\r\n${notices}7 bytes`)) {
			service.print(Uint8Array.of(byte));
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(await seen).toMatchObject({ groups: { 1: '7' } });
		service.print(`\r\n${notices}`);
		expect(await errorOf(lease.console.expect(/\s|bytes/, { timeout: 50 }))).toMatchObject({
			code: 'not_seen',
		});
	});

	it('requires a text or an expression', async () => {
		expect(await errorOf(lease.console.expect(''))).toMatchObject({ name: 'InputError' });
	});
});

// Observers of attempts: onAttempt and the log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BoardAccess, type Logger } from 'board-access';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiKey, baseUrl, createClient, errorOf } from '../support/client.ts';

afterEach(() => {
	vi.unstubAllEnvs();
	vi.restoreAllMocks();
});

const emptyList = async () => Response.json([]);

it('an onAttempt that rejects does not end the process', async () => {
	const unhandled = vi.fn();
	process.on('unhandledRejection', unhandled);
	onTestFinished(() => void process.off('unhandledRejection', unhandled));
	const onAttempt = async () => Promise.reject(new Error('the log is full'));
	expect(await createClient({ fetch: emptyList, onAttempt }).boards.list()).toEqual([]);
	await nextTurn();
	expect(unhandled).not.toHaveBeenCalled();
});

describe('a logger', () => {
	const logged = () => {
		const lines: [string, string, unknown][] = [];
		const at = (level: string) => (fields: unknown, message: string) =>
			void lines.push([level, message, fields]);
		const logger = {
			debug: at('debug'),
			info: at('info'),
			warn: at('warn'),
			error: at('error'),
		} satisfies Logger;
		return { lines, logger };
	};

	const failingOnce = () => {
		vi.spyOn(Math, 'random').mockReturnValue(-1);
		const headers = { 'x-request-id': 'req_1' };
		const responses = [new Response('', { status: 503, headers }), Response.json([])];
		return async () => responses.shift() ?? Response.json([]);
	};

	it('receives every attempt at its level', async () => {
		const { lines, logger } = logged();
		const fetch = failingOnce();
		await createClient({ fetch, logger, logLevel: 'debug' }).boards.list();
		for (const status of [404, 500]) {
			const failing = async () => new Response('', { status });
			const options = { fetch: failing, logger, logLevel: 'info', maxRetries: 0 } as const;
			await errorOf(createClient(options).boards.list());
		}
		expect(lines).toEqual([
			[
				'warn',
				expect.stringMatching(
					/^GET \/v1\/boards attempt 1: 503 http_503 after \d+ ms \(request req_1\) retry in 250 ms$/,
				),
				expect.objectContaining({ status: 503, retryInMs: 250 }),
			],
			[
				'debug',
				expect.stringMatching(/^GET \/v1\/boards attempt 2: 200 after \d+ ms$/),
				expect.anything(),
			],
			['info', expect.stringContaining('attempt 1: 404 http_404'), expect.anything()],
			['error', expect.stringContaining('attempt 1: 500 http_500'), expect.anything()],
		]);
	});

	it.each([
		[undefined, ['warn']],
		['warn', ['warn']],
		['error', []],
		['off', []],
		['info', ['warn']],
	] as const)('receives what is at least as severe as %s', async (logLevel, levels) => {
		const { lines, logger } = logged();
		await createClient({ fetch: failingOnce(), logger, logLevel }).boards.list();
		expect(lines.map(([level]) => level)).toEqual(levels);
	});

	it('never receives the key', async () => {
		const { lines, logger } = logged();
		const fetch = async () =>
			new Response(apiKey, { status: 400, headers: { 'x-request-id': apiKey } });
		await errorOf(createClient({ fetch, logger, logLevel: 'debug' }).boards.list());
		expect(lines).toHaveLength(1);
		expect(JSON.stringify(lines)).not.toContain(apiKey);
	});

	it('that throws does not break a request', async () => {
		const { logger } = logged();
		const broken = {
			...logger,
			debug: () => {
				throw new Error('the disk is full');
			},
		};
		const client = createClient({ fetch: emptyList, logger: broken, logLevel: 'debug' });
		expect(await client.boards.list()).toEqual([]);
	});
});

describe('BOARD_ACCESS_LOG', () => {
	it('logs to the console', async () => {
		const debug = vi.spyOn(console, 'debug').mockReturnValue();
		vi.stubEnv('BOARD_ACCESS_LOG', ' Debug\n');
		await new BoardAccess({ apiKey, baseUrl, fetch: emptyList }).boards.list();
		expect(debug).toHaveBeenCalledOnce();
	});

	it('is off by default', async () => {
		const spies = (['debug', 'info', 'warn', 'error'] as const).map((name) =>
			vi.spyOn(console, name).mockReturnValue(),
		);
		const fetch = async () => new Response('', { status: 404 });
		await errorOf(createClient({ fetch }).boards.list());
		for (const spy of spies) expect(spy).not.toHaveBeenCalled();
	});

	it('does not stop a program when it is misspelt', () => {
		vi.stubEnv('BOARD_ACCESS_LOG', 'verbose');
		expect(() => createClient()).not.toThrow();
	});
});

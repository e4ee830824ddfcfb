// Loggers that programs use: what they receive of attempts, and what the guides say about new keys in them.
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import type { Logger } from 'board-access';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import winston from 'winston';
import { createClient, otherKey } from '../support/client.ts';

const guide = readFileSync(
	new URL('../../docs/guides/getting-started.md', import.meta.url),
	'utf8',
);

const createKey = () =>
	createClient({
		fetch: async () => Response.json({ id: 'key_1', key: otherKey }, { status: 201 }),
	}).keys.create();

const collector = () => {
	const chunks: string[] = [];
	const stream = new Writable({
		write: (chunk, _encoding, done) => {
			chunks.push(String(chunk));
			done();
		},
	});
	return { stream, text: () => chunks.join('') };
};

describe('the fields of an attempt', () => {
	afterEach(() => vi.restoreAllMocks());

	/** The second attempt is that of a failed request. */
	const retried = async (logger: Logger) => {
		vi.spyOn(Math, 'random').mockReturnValue(-2);
		const headers = { 'x-request-id': 'req_1' };
		const fetch = async () => new Response('', { status: 503, headers });
		const client = createClient({ fetch, logger, maxRetries: 1 });
		await client.boards.get('brd_1').catch(() => {});
	};
	const fields = {
		method: 'GET',
		path: '/v1/boards/brd_1',
		route: '/v1/boards/{id}',
		attempt: 1,
		durationMs: expect.any(Number),
		status: 503,
		requestId: 'req_1',
		retryInMs: 0,
		error: 'http_503',
	};
	const { retryInMs: _, ...failed } = { ...fields, attempt: 2 };
	const message = expect.stringMatching(/^GET \/v1\/boards\/brd_1 attempt 1: 503 http_503 /);
	const parsed = (text: string) =>
		text
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line));

	it('arrive in pino', async () => {
		const output = collector();
		await retried(pino({ base: null, timestamp: false }, output.stream));
		expect(parsed(output.text())).toEqual([
			{ level: 40, ...fields, msg: message },
			{ level: 50, ...failed, msg: expect.any(String) },
		]);
	});

	it('arrive in winston', async () => {
		const output = collector();
		const transports = [new winston.transports.Stream({ stream: output.stream })];
		await retried(winston.createLogger({ transports }));
		expect(parsed(output.text())).toEqual([
			{ level: 'warn', ...fields, message },
			{ level: 'error', ...failed, message: expect.any(String) },
		]);
	});

	it('arrive in the console after the message', async () => {
		const warn = vi.spyOn(console, 'warn').mockReturnValue();
		const error = vi.spyOn(console, 'error').mockReturnValue();
		await retried(console);
		expect(warn.mock.calls).toEqual([[message, fields]]);
		expect(error.mock.calls).toEqual([[expect.any(String), failed]]);
	});

	it('arrive in a logger of your own with four methods', async () => {
		const [warn, other] = [vi.fn(), vi.fn()];
		await retried({ debug: other, info: other, warn, error: other });
		expect(warn.mock.calls).toEqual([[fields, message]]);
	});
});

describe('a new key', () => {
	it('is masked by console.log', async () => {
		expect(inspect(await createKey())).toBe(`{ id: 'key_1', key: '[shown once]' }`);
	});

	it('is printed by JSON.stringify, pino and winston', async () => {
		const created = await createKey();
		const [pinoOutput, winstonOutput] = [collector(), collector()];
		pino(pinoOutput.stream).info({ created });
		winston
			.createLogger({
				transports: [new winston.transports.Stream({ stream: winstonOutput.stream })],
			})
			.info('created', { created });
		expect(JSON.stringify(created)).toContain(otherKey);
		expect(pinoOutput.text()).toContain(otherKey);
		expect(winstonOutput.text()).toContain(otherKey);
	});

	it('is hidden from pino by its redact option, as the guide says', async () => {
		const output = collector();
		const [, paths = ''] = guide.match(/pino: `redact: \[(.*?)\]`/) ?? [];
		const logger = pino({ redact: paths.replaceAll("'", '').split(', ') }, output.stream);
		const created = await createKey();
		logger.info({ created });
		logger.info(created);
		expect(output.text()).toContain('key_1');
		expect(output.text()).not.toContain(otherKey);
	});

	it('is not in the output of pino without it', async () => {
		const output = collector();
		const { key: _, ...record } = await createKey();
		pino(output.stream).info({ record });
		expect(output.text()).not.toContain(otherKey);
	});
});

// What the guides say about new keys in logs, checked with the loggers themselves.
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
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

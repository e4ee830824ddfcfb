import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { settingsFrom, variables } from '../src/env.ts';

test('without variables the service listens on this machine only', () => {
	expect(settingsFrom({})).toMatchObject({
		host: '127.0.0.1',
		port: 8787,
		baseUrl: 'http://127.0.0.1:8787',
		webUrl: 'http://127.0.0.1:8787',
		rateLimitPerKey: 600,
	});
});

test('the web pages are at the address of the API unless they have their own', () => {
	const BASE_URL = 'https://api.example.com/';
	expect(settingsFrom({ BASE_URL }).webUrl).toBe('https://api.example.com');
	const apart = settingsFrom({ BASE_URL, WEB_URL: 'https://boards.example.com' });
	expect(apart.webUrl).toBe('https://boards.example.com');
});

test('an empty variable counts as absent', () => {
	expect(settingsFrom({ PORT: '' }).port).toBe(8787);
});

test('an empty variable does not change the defaults of demo mode', () => {
	const demo = settingsFrom({ DATABASE_URL: '', RATE_LIMIT_PER_KEY: '5' }, { demo: true });
	expect(demo).toMatchObject({ database: ':memory:', rateLimitPerKey: 5 });
});

describe('an invalid setting is reported without its value', () => {
	test.each([
		['PORT', '70000'],
		['PORT', 'secret'],
		['PORT', '  '],
		['PORT', '1e4'],
		['BASE_URL', 'ftp://secret'],
		['BASE_URL', '/secret'],
		['BASE_URL', '/'],
		['BASE_URL', 'https://secret/v1'],
		['WEB_URL', 'https://secret/lab/v1/'],
		['TRUST_PROXY', 'secret'],
		['RATE_LIMIT_PER_KEY', '0'],
		['LOG_LEVEL', 'secret'],
		['IMAGE_HOSTS', 'http://secret'],
		['IMAGE_HOSTS', 'images.lan secret'],
		['DATABASE_URL', '"postgres://u:secret@h/db"'],
		['DATABASE_URL', 'postgress://u:secret@h/db'],
		['DATABASE_URL', 'postgresql+asyncpg://u:secret@h/db'],
		['DATABASE_URL', 'mysql://u:secret@h/db'],
		['DATABASE_URL', 'postgres://u:sec#secret@h/db'],
		['DATABASE_URL', 'postgres://u:sec/secret@h/db'],
	])('%s=%s', (name, value) => {
		expect(() => settingsFrom({ [name]: value })).toThrow(new RegExp(`^${name} (?!.*secret)`));
	});

	test('with the name of its option', () => {
		const options = { PORT: 'abc', DATABASE_URL: undefined };
		const read = () => settingsFrom({ PORT: '1', DATABASE_URL: 'mysql://h' }, { options });
		expect(read).toThrow(/^--port must be a whole number\nDATABASE_URL must be a path/);
	});

	test('together with all others', () => {
		expect(() => settingsFrom({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT .*\nLOG_LEVEL /);
	});
});

test.each([
	'board-access.db',
	'file:board-access.db?mode=ro',
	'postgres:///db?host=/run/postgresql',
	'postgresql://u:p%23w@/db',
	' POSTGRES://u:pw@h/db\n',
])('the database may be at %j', (DATABASE_URL) => {
	expect(settingsFrom({ DATABASE_URL }).database).toBe(DATABASE_URL.trim());
});

test('a session lasts no longer than browsers keep its cookie', () => {
	expect(() => settingsFrom({ SESSION_MAX_HOURS: '9601' })).toThrow('must be at most 9600');
});

test('the address of the database can be in a file, which takes precedence over the variable', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-test-'));
	const file = join(folder, 'database-url');
	await writeFile(file, 'postgres://u:pw@h/db\n');
	const given = { DATABASE_URL: 'other.db', DATABASE_URL_FILE: file };
	expect(settingsFrom(given).database).toBe('postgres://u:pw@h/db');
	expect(settingsFrom(given, { options: { DATABASE_URL: 'third.db' } }).database).toBe('third.db');
	const missing = { DATABASE_URL_FILE: join(folder, 'missing') };
	expect(() => settingsFrom(missing)).toThrow('DATABASE_URL_FILE names a file that cannot be read');
	await rm(folder, { recursive: true });
});

/** The rows of the table that follow from the settings. */
const settingsTable = () =>
	Object.entries(variables).map(([name, schema]) => {
		const { default: byDefault } = z.toJSONSchema(schema, { io: 'input' });
		const meaning = z.globalRegistry.get(schema)?.description;
		return `| \`${name}\` | ${byDefault === undefined ? '' : `\`${byDefault}\``} | ${meaning} |`;
	});

test('the guide lists exactly these settings', async () => {
	const guide = await readFile(new URL('../../docs/guides/hosting.md', import.meta.url), 'utf8');
	const rows = guide.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line));
	expect(rows).toEqual(settingsTable());
});

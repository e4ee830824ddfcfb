// Finds the address of the service and the API key: in the options, the environment, or a saved login. No option
// takes a key as text, because process lists and shell histories keep it.
import { hash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readBaseUrl } from 'board-access';
import * as z from 'zod/mini';
import { reasonOf } from '../../ci/file-reason.ts';
import { apiKeyIdFrom } from '../../contract/index.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { ServiceOptions } from '../options.ts';
import { readInput, readTextFile } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';

/** An address or a key that is not checked yet, and where it comes from. */
export interface Found {
	text: string;
	source: string;
}

/** The address; empty if there is none. */
export async function findBaseUrl(
	{ baseUrl, service }: Pick<ServiceOptions, 'baseUrl' | 'service'>,
	io: Io,
	logins?: Logins,
): Promise<Found> {
	if (baseUrl !== undefined) return { text: baseUrl, source: '--base-url' };
	const fromEnvironment = { text: io.env.SERVICE_BASE_URL ?? '', source: 'SERVICE_BASE_URL' };
	if (fromEnvironment.text !== '') return fromEnvironment;
	const login = chooseLogin(logins ?? (await readLogins(io)), service);
	return login ? { text: login.baseUrl, source: 'the saved login' } : fromEnvironment;
}

export function readAddress({ text, source }: Found, options: ServiceOptions) {
	const address = text.trim();
	const hasNoScheme = /^[\w.-]+(:\d+)?(\/[\w./-]*)?$/.test(address);
	if (!hasNoScheme) return readBaseUrl(text, source, options);
	const scheme = /^(localhost|127\.|0\.)/.test(address) ? 'http' : 'https';
	throw new CliError(`The address from ${source} does not begin with http:// or https://`, {
		code: 'base_url_invalid',
		hint: `Did you mean ${scheme}://${address}?`,
	});
}

/** The ID of a key, computed without a request. */
export function keyId(key: string) {
	return apiKeyIdFrom(hash('sha256', key.toLowerCase()));
}

export async function findKey(options: ServiceOptions, io: Io): Promise<Found> {
	const { apiKeyFile: file } = options;
	if (file === '-') return { text: await readInput(io), source: 'standard input' };
	if (file !== undefined) return { text: await readTextFile(file), source: `the file ${file}` };
	const { SERVICE_API_KEY: key } = io.env;
	if (key !== undefined) return { text: key, source: 'SERVICE_API_KEY' };
	const saved = await savedKey(options, io);
	if (saved !== undefined) return { text: saved, source: 'the saved login' };
	throw new CliError('No API key', {
		code: 'api_key_missing',
		exitCode: exitCodes.credentials,
		hint: 'Set SERVICE_API_KEY, pass --api-key-file, or run "board-access login". You create a key on the API keys page of the web UI.',
	});
}

/** A saved key is only sent to the address that it was saved with. */
async function savedKey(options: ServiceOptions, io: Io) {
	const logins = await readLogins(io);
	if (logins.size === 0 && options.service === undefined) return undefined;
	const { text } = await findBaseUrl(options, io);
	const address = text.trim().replace(/\/+$/, '');
	const others = options.service === undefined ? logins.values() : [];
	const candidates = [chooseLogin(logins, options.service), ...others];
	return candidates.find((login) => login?.baseUrl === address)?.apiKey;
}

/** The name of a login that is saved without one. */
export const defaultService = 'default';

const login = z.object({ baseUrl: z.string(), apiKey: z.string() });
const savedFile = z.object({ services: z.record(z.string(), login) });

type Logins = ReadonlyMap<string, z.infer<typeof login>>;

function loginsFile({ env }: Io) {
	const base = env.XDG_CONFIG_HOME || env.APPDATA || (env.HOME && join(env.HOME, '.config'));
	return base ? join(base, 'board-access', 'logins.json') : undefined;
}

export async function readLogins(io: Io): Promise<Logins> {
	const file = loginsFile(io);
	const text = file && (await readIfPresent(file));
	if (!text) return new Map();
	try {
		return new Map(Object.entries(z.parse(savedFile, JSON.parse(text)).services));
	} catch {
		// The message of the parser would quote a key.
		throw unusable(file, 'is not valid', 'Remove the file and log in again.');
	}
}

export async function writeLogins(logins: Logins, io: Io) {
	const file = loginsFile(io);
	if (file === undefined) throw unusable('for logins', 'has no location: HOME is not set');
	const temporary = `${file}.${randomUUID()}`;
	const content = JSON.stringify({ services: Object.fromEntries(logins) }, null, '\t');
	try {
		await mkdir(dirname(file), { recursive: true, mode: 0o700 });
		await writeFile(temporary, `${content}\n`, { flag: 'wx', mode: 0o600, flush: true });
		await rename(temporary, file);
	} catch (error) {
		await unlink(temporary).catch(() => {});
		throw unusable(file, `cannot be written: ${reasonOf(error)}`);
	}
	return file;
}

/** The login that a command uses: the named one, `default`, or the only one. */
export function chooseLogin(logins: Logins, name: string | undefined) {
	const [only] = logins.size === 1 ? logins.values() : [];
	const found = name === undefined ? (logins.get(defaultService) ?? only) : logins.get(name);
	if (found || name === undefined) return found;
	throw new CliError(`There is no saved login for the service "${name}"`, {
		code: 'login_missing',
		hint:
			logins.size > 0
				? `Saved logins: ${[...logins.keys()].join(', ')}.`
				: 'Run "board-access login" with this --service first.',
	});
}

async function readIfPresent(file: string) {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
		throw unusable(file, `cannot be read: ${reasonOf(error)}`);
	}
}

function unusable(file: string, what: string, hint?: string) {
	return new CliError(`The file ${file} ${what}`, { code: 'logins_unusable', hint });
}

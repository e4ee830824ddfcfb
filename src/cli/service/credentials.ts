// Finds the address of the service and the API key: in the options, the environment, or a saved login. No option
// takes a key as text, because process lists and shell histories keep it.
import { hash } from 'node:crypto';
import { readBaseUrl } from 'board-access';
import { apiKeyIdFrom } from '../../contract/index.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { ServiceOptions } from '../options.ts';
import { readInput, readTextFile } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { chooseLogin, type Logins, readLogins } from './saved-logins.ts';

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

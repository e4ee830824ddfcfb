// Finds the API key. No option takes it as text, because process lists and shell histories keep it.
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { ServiceOptions } from '../options.ts';
import { readInput, readTextFile } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { findBaseUrl } from './base-url-source.ts';
import { chooseLogin, readLogins } from './saved-logins.ts';

export interface FoundKey {
	/** As it was given, not checked yet. */
	text: string;
	/** Where it comes from, for messages. */
	source: string;
}

type KeyOptions = Pick<ServiceOptions, 'apiKeyFile' | 'baseUrl' | 'service'>;

/** The option wins over the environment, and the environment over a saved login. */
export async function readKeyFrom(options: KeyOptions, io: Io): Promise<FoundKey> {
	const { apiKeyFile } = options;
	if (apiKeyFile === '-') return { text: await readInput(io), source: 'standard input' };
	if (apiKeyFile !== undefined) {
		return { text: await readTextFile(apiKeyFile), source: `the file ${apiKeyFile}` };
	}
	const { SERVICE_API_KEY: key } = io.env;
	if (key !== undefined) return { text: key, source: 'SERVICE_API_KEY' };
	return (await savedKey(options, io)) ?? missing();
}

/** A saved key is only sent to the address that it was saved with. */
async function savedKey(options: KeyOptions, io: Io): Promise<FoundKey | undefined> {
	const logins = await readLogins(io);
	if (logins.size === 0 && options.service === undefined) return undefined;
	const { text } = await findBaseUrl(options, io);
	const chosen = chooseLogin(logins, options.service);
	const login = [chosen, ...(options.service === undefined ? logins.values() : [])].find(
		(candidate) => candidate?.baseUrl === withoutSlash(text),
	);
	return login && { text: login.apiKey, source: 'the saved login' };
}

function withoutSlash(address: string) {
	return address.trim().replace(/\/+$/, '');
}

function missing(): never {
	throw new CliError('No API key', {
		code: 'api_key_missing',
		exitCode: exitCodes.credentials,
		hint: 'Set SERVICE_API_KEY, pass --api-key-file, or run "board-access login". You create a key on the API keys page of the web UI.',
	});
}

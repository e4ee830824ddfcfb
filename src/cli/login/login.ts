// `board-access login`: asks for an API key, checks it and saves it.
import { readApiKey } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { keyId } from '../keys/id.ts';
import type { ServiceOptions } from '../options.ts';
import { findBaseUrl, readAddress } from '../service/base-url-source.ts';
import { createClient, notePrecedence } from '../service/connect.ts';
import { chooseLogin, defaultService, readLogins, writeLogins } from '../service/saved-logins.ts';
import { ask, askSecret, readInput, readTextFile } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { note, printResult } from '../terminal/output.ts';

export interface LoginOptions extends ServiceOptions {
	browser: boolean;
}

export async function login(options: LoginOptions, io: Io) {
	const name = checkedName(options.service ?? defaultService);
	const baseUrl = await addressOf(name, options, io);
	const apiKey = await keyFor(baseUrl, options, io);
	const client = await createClient({ baseUrl, apiKey }, options, io);
	await client.boards.list({ pageSize: 1 }, { signal: io.signal }).first(1);
	const address = baseUrl.href.replace(/\/$/, '');
	const logins = new Map(await readLogins(io)).set(name, { baseUrl: address, apiKey });
	const file = await writeLogins(logins, io);
	const id = await keyId(apiKey);
	const text = `Logged in to ${address} with the key ${id}. Saved in ${file}.`;
	printResult({ service: name, baseUrl: address, keyId: id, file }, text, { options, io });
	const set = (['SERVICE_BASE_URL', 'SERVICE_API_KEY'] as const).filter((each) => io.env[each]);
	notePrecedence(set, 'the saved login', io);
}

function checkedName(name: string) {
	if (/^[a-z0-9][\w.-]{0,63}$/i.test(name)) return name;
	const hint = 'Use letters, digits, ".", "_" and "-".';
	throw new CliError(`"${name}" is not a valid name for a service`, { hint });
}

async function addressOf(name: string, options: LoginOptions, io: Io) {
	const logins = await readLogins(io);
	// A new name has no address yet; any other login is not a reason to reuse its address.
	const saved = logins.has(name) ? chooseLogin(logins, name) : undefined;
	const withoutLogins = { ...io, env: { ...io.env, XDG_CONFIG_HOME: '', APPDATA: '', HOME: '' } };
	const { service: _, ...rest } = options;
	const found = await findBaseUrl(rest, withoutLogins);
	if (found.text !== '') return readAddress(found, options);
	if (saved) return readAddress({ text: saved.baseUrl, source: 'the saved login' }, options);
	if (!io.stdin.isTTY) return readAddress(found, options);
	const text = await ask('Address of the service: ', io);
	return readAddress({ text, source: 'your input' }, options);
}

async function keyFor(baseUrl: URL, { apiKeyFile, browser }: LoginOptions, io: Io) {
	if (apiKeyFile !== undefined && apiKeyFile !== '-') {
		return readApiKey(await readTextFile(apiKeyFile), `the file ${apiKeyFile}`);
	}
	if (apiKeyFile === '-' || !io.stdin.isTTY) {
		return readApiKey(await readInput(io), 'standard input');
	}
	const page = `${baseUrl.href.replace(/\/$/, '')}/keys/new`;
	note(`Create an API key at ${page} and copy it.`, io);
	if (browser) io.openPage?.(page);
	return readApiKey(await askSecret('Paste the key (it is not shown): ', io), 'your input');
}

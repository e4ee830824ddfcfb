// `board-access login`, `logout` and `whoami`: an API key that is saved for later commands.
import { type AccountRecord, type BoardAccess, isApiError, readApiKey } from 'board-access';
import type { Command } from 'commander';
import { CliError } from '../failures/cli-error.ts';
import { addCommand, type ServiceOptions } from '../options.ts';
import { createClient, notePrecedence } from '../service/connect.ts';
import {
	chooseLogin,
	defaultService,
	findBaseUrl,
	findKey,
	keyId,
	readAddress,
	readLogins,
	writeLogins,
} from '../service/credentials.ts';
import { ask, askSecret, readInput } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { type Fields, note, printRecord, printResult } from '../terminal/output.ts';
import type { Moment } from '../terminal/table.ts';

interface LoginOptions extends ServiceOptions {
	browser: boolean;
}

interface LogoutOptions extends ServiceOptions {
	revoke?: true;
}

export function addLogin(program: Command, io: Io) {
	addCommand(program, 'login', 'save an API key for later commands', [
		'board-access login --base-url https://boards.example.com',
		'board-access login --service lab --base-url https://lab.example.com --api-key-file key.txt',
	])
		.option('--no-browser', 'print the address of the API keys page without opening it')
		.action((options: LoginOptions) => login(options, io));
	addCommand(program, 'logout', 'remove a saved API key', [
		'board-access logout',
		'board-access logout --service lab',
	])
		.option('--revoke', 'revoke the key too')
		.action((options: LogoutOptions) => logout(options, io));
	addCommand(program, 'whoami', 'show which service and which API key commands use', [
		'board-access whoami',
		'board-access whoami --service lab',
	]).action((options: ServiceOptions) => whoami(options, io));
}

async function login(options: LoginOptions, io: Io) {
	const name = checkedName(options.service ?? defaultService);
	const baseUrl = await addressOf(name, options, io);
	const apiKey = await keyFor(baseUrl, options, io);
	await checkKey(createClient({ baseUrl, apiKey }, options, io), io);
	const address = withoutSlash(baseUrl);
	const logins = new Map(await readLogins(io)).set(name, { baseUrl: address, apiKey });
	const file = await writeLogins(logins, io);
	const id = keyId(apiKey);
	const text = `Logged in to ${address} with the key ${id}. Saved in ${file}.`;
	printResult({ service: name, baseUrl: address, keyId: id, file }, text, { options, io });
	notePrecedence({}, 'the saved login', io);
}

function checkedName(name: string) {
	if (/^[a-z0-9][\w.-]{0,63}$/i.test(name)) return name;
	const hint = 'Use letters, digits, ".", "_" and "-".';
	throw new CliError(`"${name}" is not a valid name for a service`, { hint });
}

async function addressOf(name: string, options: LoginOptions, io: Io) {
	// Not the address of another login.
	const saved = [...(await readLogins(io))].filter(([each]) => each === name);
	const { service: _, ...rest } = options;
	const found = await findBaseUrl(rest, io, new Map(saved));
	if (found.text !== '' || !io.stdin.isTTY) return readAddress(found, options);
	const text = await ask('Address of the service: ', io);
	return readAddress({ text, source: 'your input' }, options);
}

async function keyFor(baseUrl: URL, options: LoginOptions, io: Io) {
	if (options.apiKeyFile !== undefined) {
		const { text, source } = await findKey(options, io);
		return readApiKey(text, source);
	}
	if (!io.stdin.isTTY) return readApiKey(await readInput(io), 'standard input');
	const page = `${withoutSlash(baseUrl)}/keys/new`;
	note(`Create an API key at ${page} and copy it.`, io);
	if (options.browser) io.openPage?.(page);
	return readApiKey(await askSecret('Paste the key (it is not shown): ', io), 'your input');
}

async function checkKey(client: BoardAccess, { signal }: Io) {
	await client.boards.list({ pageSize: 1 }, { signal }).first(1);
}

function withoutSlash({ href }: URL) {
	return href.replace(/\/$/, '');
}

async function logout(options: LogoutOptions, io: Io) {
	const { revoke: revoked = false } = options;
	const logins = new Map(await readLogins(io));
	const login = chooseLogin(logins, options.service);
	if (login === undefined) throw notLoggedIn([...logins.keys()]);
	const id = keyId(login.apiKey);
	if (revoked) {
		const client = createClient(login, options, io);
		await client.keys.revoke(id, { signal: io.signal });
	}
	const [name = ''] = [...logins].find(([, saved]) => saved === login) ?? [];
	logins.delete(name);
	await writeLogins(logins, io);
	const state = revoked ? 'is revoked' : 'remains valid until you revoke it';
	const text = `Logged out of ${login.baseUrl}. The key ${id} ${state}.`;
	printResult({ service: name, keyId: id, revoked }, text, { options, io });
}

function notLoggedIn(names: readonly string[]) {
	return new CliError('There is no saved login to remove', {
		code: 'login_missing',
		hint: names.length > 0 ? `Choose one with --service: ${names.join(', ')}.` : undefined,
	});
}

async function whoami(options: ServiceOptions, io: Io) {
	const address = await findBaseUrl(options, io);
	const baseUrl = readAddress(address, options);
	const key = await findKey(options, io);
	const apiKey = readApiKey(key.text, key.source);
	const client = createClient({ baseUrl, apiKey }, options, io);
	const { key: record, ...account }: Partial<AccountRecord> = (await accountOf(client, io)) ?? {};
	const { label = null, scope, expiresAt } = record ?? {};
	const id = keyId(apiKey);
	const services = [...(await readLogins(io)).keys()];
	const sources = { addressSource: address.source, keySource: key.source };
	const fieldsOf = (_: unknown, moment: Moment): Fields => [
		['Service', `${withoutSlash(baseUrl)} (from ${address.source})`],
		['Key', `${id} (from ${key.source})`],
		['Label', label],
		['Scope', scope],
		['Expires', moment(expiresAt)],
		['Role', account.role],
		['Tier', account.tier],
		['Credits', account.balance],
		['Held', account.heldCredits],
		['Saved', services.join(', ')],
	];
	const known = { ...sources, baseUrl, keyId: id, label, scope, expiresAt, account, services };
	printRecord(known, fieldsOf, { options, io });
}

/** Undefined if the service accepts the key but has no accounts. */
async function accountOf(client: BoardAccess, io: Io) {
	try {
		return await client.account.get({ signal: io.signal });
	} catch (error) {
		if (!isApiError(error, 'not_found')) throw error;
		return await checkKey(client, io);
	}
}

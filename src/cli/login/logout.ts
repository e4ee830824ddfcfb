// `board-access logout`: removes a saved API key.
import { BoardAccess } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { keyId } from '../keys/id.ts';
import type { ServiceOptions } from '../options.ts';
import { saidTo } from '../service/connect.ts';
import { chooseLogin, type Login, readLogins, writeLogins } from '../service/saved-logins.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson } from '../terminal/output.ts';

export interface LogoutOptions extends ServiceOptions {
	revoke?: true;
}

export async function logout(options: LogoutOptions, io: Io) {
	const logins = new Map(await readLogins(io));
	const login = chooseLogin(logins, options.service);
	if (login === undefined) throw notLoggedIn([...logins.keys()]);
	if (options.revoke) await revoke(login, options, io);
	const [name = ''] = [...logins].find(([, saved]) => saved === login) ?? [];
	logins.delete(name);
	await writeLogins(logins, io);
	const id = await keyId(login.apiKey);
	if (options.json)
		return printJson({ service: name, keyId: id, revoked: options.revoke ?? false }, io);
	const state = options.revoke ? 'is revoked' : 'remains valid until you revoke it';
	note(`Logged out of ${login.baseUrl}. The key ${id} ${state}.`, io);
}

async function revoke(login: Login, options: LogoutOptions, io: Io) {
	const client = new BoardAccess({
		...options,
		...login,
		fetch: saidTo(io, options).watching(io.fetch),
	});
	await client.keys.revoke(await keyId(login.apiKey), { signal: io.signal });
}

function notLoggedIn(names: readonly string[]) {
	return new CliError('There is no saved login to remove', {
		code: 'login_missing',
		exitCode: exitCodes.usage,
		hint: names.length > 0 ? `Choose one with --service: ${names.join(', ')}.` : undefined,
	});
}

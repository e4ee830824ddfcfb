// `board-access logout`: removes a saved API key.
import { CliError } from '../failures/cli-error.ts';
import { keyId } from '../keys/id.ts';
import type { ServiceOptions } from '../options.ts';
import { createClient } from '../service/connect.ts';
import { chooseLogin, readLogins, writeLogins } from '../service/saved-logins.ts';
import type { Io } from '../terminal/io.ts';
import { printResult } from '../terminal/output.ts';

export interface LogoutOptions extends ServiceOptions {
	revoke?: true;
}

export async function logout(options: LogoutOptions, io: Io) {
	const { revoke: revoked = false } = options;
	const logins = new Map(await readLogins(io));
	const login = chooseLogin(logins, options.service);
	if (login === undefined) throw notLoggedIn([...logins.keys()]);
	const id = await keyId(login.apiKey);
	if (revoked) {
		const client = await createClient(login, options, io);
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

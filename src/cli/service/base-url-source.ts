// Finds the address of the service.
import { CliError } from '../failures/cli-error.ts';
import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { chooseLogin, readLogins } from './saved-logins.ts';

export interface FoundAddress {
	/** As it was given, not checked yet. */
	text: string;
	/** Where it comes from, for messages. */
	source: string;
}

/** The option wins over the environment, and the environment over a saved login. */
export async function findBaseUrl(
	{ baseUrl, service }: Pick<ServiceOptions, 'baseUrl' | 'service'>,
	io: Io,
): Promise<FoundAddress> {
	if (baseUrl !== undefined) return { text: baseUrl, source: '--base-url' };
	const fromEnvironment = { text: io.env.SERVICE_BASE_URL ?? '', source: 'SERVICE_BASE_URL' };
	if (fromEnvironment.text !== '') return fromEnvironment;
	const login = chooseLogin(await readLogins(io), service);
	return login ? { text: login.baseUrl, source: 'the saved login' } : fromEnvironment;
}

/** The address, or an error that says how to write it. */
export async function readAddress({ text, source }: FoundAddress, options: ServiceOptions) {
	const { readBaseUrl } = await import('board-access');
	const trimmed = text.trim();
	if (/^[\w.-]+(:\d+)?(\/[\w./-]*)?$/.test(trimmed)) throw withoutScheme(trimmed, source);
	return readBaseUrl(text, source, options);
}

function withoutScheme(text: string, source: string) {
	const scheme = /^(localhost|127\.|0\.)/.test(text) ? 'http' : 'https';
	return new CliError(`The address from ${source} does not begin with http:// or https://`, {
		code: 'base_url_invalid',
		hint: `Did you mean ${scheme}://${text}?`,
	});
}

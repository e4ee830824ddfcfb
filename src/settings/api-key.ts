// Reads an API key as people paste it. Errors say what is invalid without showing any of it.
import { apiKeyPattern } from '../contract/api-key.ts';
import { ConfigurationError } from '../errors/errors.ts';

/** The valid beginning of a key. */
const beginning = /^(?:key_[\da-f]{0,48}|key|ke|k)?/i;

/**
 * The key without the white space around it. Throws a {@link ConfigurationError} if it is invalid,
 * whose message never contains any part of the key.
 *
 * @param text - The key as it was pasted or read.
 * @param source - Where it comes from, for the message.
 *
 * @example
 * ```ts
 * const apiKey = readApiKey(await readFile(file, 'utf8'), file);
 * ```
 */
export function readApiKey(text: unknown, source: string): string {
	if (typeof text !== 'string') throw malformed(`The API key from ${source} is not a string`);
	const key = text.trim();
	if (apiKeyPattern.test(key)) return key;
	if (key === '') {
		throw new ConfigurationError(`The API key from ${source} is empty`, {
			code: 'api_key_missing',
			hint: 'In CI, check that the secret exists and that this job may read it.',
		});
	}
	if (/^key_[0-9a-f]{24}$/i.test(key)) {
		throw malformed(
			`The API key from ${source} is the id of a key, not the key itself`,
			'The full key is shown only when it is created. If it is lost, create a new one.',
		);
	}
	throw malformed(
		`The API key from ${source} is not "key_" and 48 hexadecimal digits: it has ${key.length} characters, ${problemOf(key)}`,
		adviceFor(key),
	);
}

function malformed(message: string, hint?: string) {
	return new ConfigurationError(message, { code: 'api_key_malformed', hint });
}

function adviceFor(key: string) {
	if (/^["'`]/.test(key)) return 'Remove the quotes around it.';
	return /^bearer\b/i.test(key) ? 'Remove Bearer.' : undefined;
}

function problemOf(key: string) {
	const { length } = beginning.exec(key)?.[0] ?? '';
	return length === key.length ? 'too few' : `and character ${length + 1} is not allowed there`;
}

// Reads an API key as people paste it. Errors say what is invalid without showing any of it.
import { apiKeyPattern } from '../contract/api-key.ts';
import { ConfigurationError } from '../errors/errors.ts';

const keyLength = 'key_'.length + 48;

const advice: readonly [RegExp, string][] = [
	[/^["'`]/, 'Remove the quotes around it.'],
	[/^bearer\b/i, 'Remove Bearer.'],
];

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
		`The API key from ${source} is not "key_" and 48 hexadecimal digits: it has ${key.length} characters, and character ${firstBadPosition(key) + 1} is not allowed there`,
		advice.find(([pattern]) => pattern.test(key))?.[1],
	);
}

function malformed(message: string, hint?: string) {
	return new ConfigurationError(message, { code: 'api_key_malformed', hint });
}

function firstBadPosition(text: string) {
	const at = [...text].findIndex((character, index) =>
		index < 4 ? character !== 'key_'[index] : !/[0-9a-f]/i.test(character),
	);
	return at === -1 ? Math.min(text.length, keyLength) : at;
}

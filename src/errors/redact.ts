// Removes keys from texts and from the errors of other libraries.
import { redact } from '../contract/printable.ts';
import { fieldsOf } from '../records/json.ts';

/** Removes API keys from a text. */
export type Redact = (text: string) => string;

/** The number of digits of a key, its shortest form. */
const minForm = 48;

/** Removes all API keys, and this one also without its prefix, percent-encoded, or in base64, as a proxy may echo it. */
export function redactorFor(key: string | null): Redact {
	if (key === null) return redact;
	return (text) =>
		text.length < minForm ? text : redact(text).replace(formsOf(key), '[redacted]');
}

function formsOf(key: string) {
	const digits = key.slice('key_'.length);
	const plain = [...digits].map((digit) => `(?:${digit}|%${digit.charCodeAt(0).toString(16)})`);
	return new RegExp(
		[plain.join(''), ...[0, 1, 2].map((shift) => base64At(shift, digits))].join('|'),
		'gi',
	);
}

/** The base64 characters that depend on nothing but the text, `shift` bytes into a group of three. */
function base64At(shift: number, text: string) {
	const whole = text.length - ((shift + text.length) % 3);
	return btoa(' '.repeat(shift) + text.slice(0, whole)).slice(shift === 0 ? 0 : 4);
}

/** Also recognizes errors of another realm, as under Jest. */
export function isErrorLike(error: unknown): error is Error {
	const { name, message } = fieldsOf(error);
	return typeof name === 'string' && typeof message === 'string';
}

/** A copy of the error of another library without other fields, which may contain the whole request. */
export function redactedCause(
	error: unknown,
	clean: Redact = redact,
	depth = 0,
): Error | undefined {
	if (!isErrorLike(error) || depth > 4) return undefined;
	// Node tries all addresses of a host, and reports an error for each.
	const { 0: first } = fieldsOf(fieldsOf(error).errors);
	const cause = redactedCause(error.cause ?? first, clean, depth + 1);
	const copy: Error & { code?: string } = new Error(clean(error.message), cause && { cause });
	copy.name = clean(error.name);
	copy.stack = clean(String(error.stack ?? copy.message));
	const { code } = fieldsOf(error);
	if (typeof code === 'string') copy.code = clean(code);
	return copy;
}

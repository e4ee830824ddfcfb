// The rules for email addresses and passwords.
import * as z from 'zod/mini';
import { invalid, validate } from '../validation.ts';

const password = z
	.string()
	.check(
		z.minLength(8, 'must be at least 8 characters long'),
		z.maxLength(128, 'must be at most 128 characters long'),
	);

const credentials = z.object({
	email: z.email('is not a valid email address').check(z.maxLength(254)),
	password,
});

export function checkAddress(email: string) {
	validate(z.pick(credentials, { email: true }), { email });
}

export type Credentials = z.output<typeof credentials>;

/** Rejects invalid credentials, and lists every error. */
export async function checkCredentials(given: Credentials) {
	validate(credentials, given);
	await rejectGuessable(given, 'password');
}

/** Rejects an invalid new password for an account; `path` names the field. */
export async function checkNextPassword(next: Credentials, path = 'next') {
	validate(z.object({ [path]: password }), { [path]: next.password });
	await rejectGuessable(next, path);
}

async function rejectGuessable({ email, password }: Credentials, path: string) {
	const guess = password.toLowerCase();
	const address = email.toLowerCase();
	if (guess === address || guess === address.split('@')[0]) {
		throw invalid([{ path, message: 'must not be the email address' }]);
	}
	if (wordsOfService.has(guess.replace(/[^a-z]/g, ''))) {
		throw invalid([{ path, message: 'is too common for this service' }]);
	}
	commonPasswords ??= loadCommonPasswords();
	if ((await commonPasswords).has(guess)) {
		throw invalid([{ path, message: 'is among the most common passwords' }]);
	}
}

/** Passwords that somebody would guess first here, with any digits and signs. */
const wordsOfService = new Set('boardaccess boardfarm boards firmware arduino admin'.split(' '));

let commonPasswords: Promise<ReadonlySet<unknown>> | undefined;

// Loaded when the first password is chosen, not at start.
async function loadCommonPasswords() {
	const { dictionary } = await import('@zxcvbn-ts/language-common');
	return new Set<unknown>(dictionary['passwords-common']);
}

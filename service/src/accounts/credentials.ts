// What people log in with, and the rules it has to keep wherever it is chosen.
import * as z from 'zod/mini';
import { validate } from '../validation.ts';

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

export type Credentials = z.output<typeof credentials>;

/** Refuses credentials that an account cannot have, and lists every error. */
export function checkCredentials(given: Credentials) {
	validate(credentials, given);
}

/** Refuses what a password cannot be changed to. */
export function checkNextPassword(next: string) {
	validate(z.object({ next: password }), { next });
}

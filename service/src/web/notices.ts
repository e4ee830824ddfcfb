// What a page says about the step before it. A short-lived cookie carries the name of the sentence
// over the redirect, so that the address stays clean and a reload does not say it again.
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ServiceContext } from '../http/environment.ts';

const sentences = {
	welcome: 'Welcome. Your account is ready, on the free tier.',
	'logged-out': 'You are logged out.',
	'password-changed': 'Your password is changed. Every other session was logged out.',
	'key-revoked': 'The key is revoked. It stopped working at once.',
	'key-shown': 'That key was created and shown already. It cannot be shown a second time.',
	'topped-up': 'The credits are on your account, and you are on the paid tier.',
	'image-created': 'The base image entry is created.',
	'boards-imported': 'The boards are imported.',
	'credits-granted': 'The credits are granted.',
	'account-changed': 'The account is changed.',
} as const;

export type NoticeName = keyof typeof sentences;

const cookie = 'board_access_notice';

export function leaveNotice(c: ServiceContext, name: NoticeName) {
	return setCookie(c, cookie, name, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 30 });
}

/** The sentence that the step before has left, once. */
export function takeNotice(c: ServiceContext): string | undefined {
	const name = getCookie(c, cookie);
	if (name === undefined) return undefined;
	deleteCookie(c, cookie, { path: '/' });
	return Object.entries(sentences).find(([key]) => key === name)?.[1];
}

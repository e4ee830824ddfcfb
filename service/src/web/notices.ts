// Confirms the previous step. A short-lived cookie carries the name of the sentence over the
// redirect, so that the address stays clean and a reload does not repeat it.
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ServiceContext } from '../http/environment.ts';

const sentences = {
	welcome: 'Welcome. Your account is ready, on the free tier.',
	'logged-out': 'You are logged out.',
	'password-changed': 'Your password is changed. All your other sessions are logged out.',
	'session-ended': 'The session is logged out.',
	'sessions-ended': 'All your other sessions are logged out.',
	'two-factor-required': 'Administrators need two-factor authentication here. Set it up first.',
	'two-factor-off': 'Two-factor authentication is off.',
	'account-deleted': 'The account is deleted.',
	'password-set': 'Your password is set. Log in with it.',
	'link-sent': 'If the address has an account here, a link is on its way to it.',
	'address-verified': 'Your email address is verified.',
	'key-revoked': 'The key is revoked. It no longer works.',
	'keys-revoked': 'The keys are revoked. They no longer work.',
	'none-chosen': 'Choose the keys to revoke first.',
	'key-shown': 'That key was already created and shown. It cannot be shown again.',
	'topped-up': 'The credits are on your account, and you are on the paid tier.',
	'image-created': 'The base image is added.',
	'image-changed': 'The base image is changed.',
	'image-deleted': 'The base image is deleted.',
	'board-created': 'The board is added.',
	'board-changed': 'The board is changed.',
	'board-retired': 'The board is retired.',
	'maintenance-on': 'The board is in maintenance.',
	'maintenance-off': 'The maintenance of the board has ended.',
	'agent-changed': 'The agent is changed.',
	'agent-revoked': 'The agent is revoked. Its token no longer works.',
	'agent-shown': 'That agent was already created and its token shown. It cannot be shown again.',
	'lease-ended': 'The lease has ended.',
	'boards-imported': 'The boards are imported.',
	'credits-granted': 'The credits are granted.',
	'account-changed': 'The account is changed.',
	'lease-released': 'The board is released.',
	'lease-renewed': 'The lease is extended.',
	'action-started': 'The action is on its way to the board.',
} as const;

export type NoticeName = keyof typeof sentences;

const cookie = 'board_access_notice';

export function leaveNotice(c: ServiceContext, name: NoticeName) {
	return setCookie(c, cookie, name, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 30 });
}

/** The sentence that the previous step left, once. */
export function takeNotice(c: ServiceContext): string | undefined {
	const name = getCookie(c, cookie);
	if (name === undefined) return undefined;
	deleteCookie(c, cookie, { path: '/' });
	return Object.entries(sentences).find(([key]) => key === name)?.[1];
}

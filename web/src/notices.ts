// Notices that confirm a change. A short-lived cookie has the name of the notice during the redirect, so that a
// reload does not repeat it.
import type { Settings } from 'board-access-core';
import { serviceCookie } from 'board-access-http/cookies';
import type { ServiceContext } from 'board-access-http/environment';

const sentences = {
	welcome: 'Welcome. Your account is ready, on the free tier.',
	'logged-out': 'You are logged out.',
	'password-changed': 'Your password was changed. All your other sessions are logged out.',
	'session-ended': 'The session is logged out.',
	'sessions-ended': 'All your other sessions are logged out.',
	'two-factor-required': 'Administrators need two-factor authentication here. Set it up first.',
	'two-factor-off': 'Two-factor authentication is off.',
	'account-deleted':
		'The account was deleted. Only its ledger and the times of its leases stay, without the address.',
	'password-set': 'Your password was set. Log in with it.',
	'link-sent': 'If there is an account with this address, we have sent a link to it.',
	'address-verified': 'Your email address was verified.',
	'key-revoked': 'The key was revoked. It no longer works.',
	'key-shown': 'That key was already created and shown. It cannot be shown again.',
	'topped-up': 'The credits were added, and your account is on the paid tier.',
	'image-created': 'The base image was added.',
	'image-changed': 'The base image was changed.',
	'image-deleted': 'The base image was deleted.',
	'board-created': 'The board was added.',
	'board-changed': 'The board was changed.',
	'board-retired': 'The board was retired.',
	'maintenance-on': 'The board is in maintenance.',
	'maintenance-off': 'The maintenance of the board has ended.',
	'lease-ended': 'The lease has ended.',
	'credits-granted': 'The credits were granted.',
	'account-changed': 'The account was changed.',
	'lease-had-ended': 'The lease had already ended.',
	'lease-left': 'The lease is no longer shared with you.',
} as const;

export type NoticeName = keyof typeof sentences;

/** Passes a notice on to the next page. */
export function sendNotice(c: ServiceContext, { headers }: Response, settings: Settings) {
	const name = c.get('notice');
	if (name) headers.append('set-cookie', serviceCookie(settings, 'notice').write(name, 30));
}

/** The notice of the previous page, once. */
export function takeNotice(c: ServiceContext, settings: Settings) {
	const cookie = serviceCookie(settings, 'notice');
	const name = cookie.read(c.req.raw.headers);
	if (name === undefined) return undefined;
	c.header('set-cookie', cookie.clear(), { append: true });
	return Object.entries(sentences).find(([known]) => known === name)?.[1];
}

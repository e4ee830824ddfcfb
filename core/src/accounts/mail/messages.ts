// The texts that are sent by mail, and who gets those about changes that an intruder could make.
import { currentActor } from '../../activity/actor.ts';
import type { Core } from '../../core.ts';
import { timeIn } from '../../database/clock.ts';
import { verifiedAddress } from '../store.ts';

export function resetMessage(to: string, createLink: () => Promise<string>) {
	const text = async () => `Someone requested a new password for the Board Access account ${to}.

Open this link within an hour to choose one:
${await createLink()}

If it was not you, ignore this message. Your password does not change.
`;
	return { to, subject: 'Choose a new password', text };
}

export function verificationMessage(to: string, link: string) {
	const text = `Someone created a Board Access account with the address ${to}.

If it is yours, open this link within a day to verify the address:
${link}

If it is not, ignore this message.
`;
	return { to, subject: 'Verify your email address', text };
}

/** A change that an intruder could make. */
interface Alert {
	subject: string;
	news: (to: string) => string;
	/** What the owner should do about it, and the pages for that. */
	advice: string;
	pages: readonly string[];
}

export function newKeyAlert({ label, hint }: { label: string | null; hint: string }): Alert {
	return {
		subject: 'New API key',
		news: (to) =>
			`Your Board Access account ${to} has a new API key: ${label ?? 'no label'} (${hint}).`,
		advice: 'revoke the key and change your password',
		pages: ['/keys', '/account'],
	};
}

const lostControl = {
	advice: 'choose a new password now, then look at what was changed',
	pages: ['/forgot', '/account/activity'],
};

export const newPasswordAlert: Alert = {
	subject: 'Your password was changed',
	news: (to) =>
		`The password of your Board Access account ${to} was changed. Your other sessions have ended.`,
	...lostControl,
};

/** To the former address. */
export function newEmailAlert(contact = 'the operator of the service'): Alert {
	return {
		subject: 'Your email address was changed',
		news: (to) =>
			`The email address of your Board Access account was changed and is no longer ${to}.`,
		advice: `ask ${contact} to return the account to you`,
		pages: ['/login'],
	};
}

export function twoFactorAlert(subject: string): Alert {
	const news = (to: string) => `${subject} for your Board Access account ${to}.`;
	return { subject, news, ...lostControl };
}

export function newDeviceAlert(userAgent: string): Alert {
	const browser = userAgent.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').slice(0, 200);
	return {
		subject: 'New login to your account',
		news: (to) =>
			`Somebody logged in to your Board Access account ${to} on a new device.\nBrowser: ${browser}`,
		advice: 'change your password, which ends every other session',
		pages: ['/account'],
	};
}

/** To be called after the change. It neither delays nor fails the request. */
export function alertOwner(
	{ database: { query }, mail, settings: { webUrl } }: Core,
	accountId: string,
	alert: Alert & { byAdministrator?: boolean; to?: string },
) {
	const { byAdministrator = false, to } = alert;
	// The owner must not see an administrator's address.
	const address = byAdministrator ? undefined : currentActor().address;
	const circumstances = { at: timeIn(query), address, byAdministrator, webUrl };
	mail?.send(async () => {
		const account = await verifiedAddress(query, accountId);
		return account && alertMessage(to ?? account.email, alert, circumstances);
	});
}

interface Circumstances {
	at: string;
	address: string | undefined;
	byAdministrator: boolean;
	webUrl: string;
}

export function alertMessage(
	to: string,
	{ subject, news, advice, pages }: Alert,
	{ at, address, byAdministrator, webUrl }: Circumstances,
) {
	const lines = [
		news(to),
		`Time: ${at.slice(0, 19).replace('T', ' ')} UTC`,
		...(address ? [`Address: ${address}`] : []),
		...(byAdministrator ? ['By: an administrator'] : []),
		'',
		`If it was not you, ${advice}:`,
		...pages.map((page) => webUrl + page),
		'',
	];
	return { to, subject, text: lines.join('\n') };
}

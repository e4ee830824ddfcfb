// The texts that are sent by mail.

export function resetMessage(to: string, link: string) {
	return {
		to,
		subject: 'Choose a new password',
		text: `Someone requested a new password for the Board Access account ${to}.

Open this link within an hour to choose one:
${link}

If it was not you, ignore this message. Your password does not change.
`,
	};
}

export function verificationMessage(to: string, link: string) {
	return {
		to,
		subject: 'Verify your email address',
		text: `Someone created a Board Access account with the address ${to}.

If it is yours, open this link within a day to verify the address:
${link}

If it is not, ignore this message.
`,
	};
}

/** When and from where something was done, and where its owner can look into it. */
export interface Circumstances {
	at: string;
	address: string | undefined;
	byAdministrator: boolean;
	webUrl: string;
}

export function newKeyMessage(
	to: string,
	{ label, hint }: { label: string | null; hint: string },
	circumstances: Circumstances,
) {
	return {
		to,
		subject: 'New API key',
		text: `Your Board Access account ${to} has a new API key: ${label ?? 'no label'} (${hint}).
${occasion(circumstances)}

If it was not you, revoke the key and change your password:
${circumstances.webUrl}/keys
${circumstances.webUrl}/account
`,
	};
}

export function newPasswordMessage(to: string, circumstances: Circumstances) {
	return {
		to,
		subject: 'Your password was changed',
		text: `The password of your Board Access account ${to} was changed. Your other sessions have ended.
${occasion(circumstances)}

If it was not you, choose a new password now, then look at what was changed:
${circumstances.webUrl}/forgot
${circumstances.webUrl}/account/activity
`,
	};
}

const twoFactorChanges = {
	on: 'Two-factor authentication was turned on',
	off: 'Two-factor authentication was turned off',
	codes: 'Your recovery codes were replaced',
} as const;

export type TwoFactorChange = keyof typeof twoFactorChanges;

export function twoFactorMessage(
	to: string,
	change: TwoFactorChange,
	circumstances: Circumstances,
) {
	const subject = twoFactorChanges[change];
	return {
		to,
		subject,
		text: `${subject} for your Board Access account ${to}.
${occasion(circumstances)}

If it was not you, choose a new password now, then look at what was changed:
${circumstances.webUrl}/forgot
${circumstances.webUrl}/account/activity
`,
	};
}

export function newDeviceMessage(to: string, userAgent: string, circumstances: Circumstances) {
	return {
		to,
		subject: 'New log-in to your account',
		text: `Somebody logged in to your Board Access account ${to} on a device that is new to it.
Browser: ${userAgent.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').slice(0, 200)}
${occasion(circumstances)}

If it was not you, change your password, which ends every other session:
${circumstances.webUrl}/account
`,
	};
}

function occasion({ at, address, byAdministrator }: Circumstances) {
	const lines = [`Time: ${at.slice(0, 19).replace('T', ' ')} UTC`];
	if (address) lines.push(`Address: ${address}`);
	if (byAdministrator) lines.push('By: an administrator');
	return lines.join('\n');
}

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

// The texts that are sent by mail.

export function resetMessage(to: string, link: string) {
	return {
		to,
		subject: 'Choose a new password',
		text: `Somebody asked for a new password for the Board Access account ${to}.

Open this link within an hour to choose one:
${link}

If it was not you, ignore this message. Your password stays as it is.
`,
	};
}

export function verificationMessage(to: string, link: string) {
	return {
		to,
		subject: 'Verify your email address',
		text: `There is a new Board Access account with the address ${to}.

If it is yours, open this link within a day to verify the address:
${link}

If it is not, ignore this message.
`,
	};
}

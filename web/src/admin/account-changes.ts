// What an administrator can change about an account, and what is asked before.
import {
	type AccountRecord,
	type Core,
	deleteAccount,
	disableAccount,
	enableAccount,
	setRole,
	turnOffTwoFactor,
	vouchForAddress,
} from 'board-access-core';

export interface AccountChange {
	submit: string;
	title: string;
	lead: string;
	destructive?: boolean;
	/** Whether the request needs the password or a code, because the change gives lasting access. */
	asksAlways?: boolean;
	apply: (core: Core, id: string) => Promise<unknown>;
}

export const accountChanges = {
	verify: {
		submit: 'Mark as verified',
		title: 'Mark this address as verified?',
		lead: 'The account can then open the leases that are shared with this address.',
		asksAlways: true,
		apply: vouchForAddress,
	},
	promote: {
		submit: 'Make an administrator',
		title: 'Make this account an administrator?',
		lead: 'It is logged out. It can then change base images, boards and every other account, and use the administrator API with its keys.',
		asksAlways: true,
		apply: (core, id) => setRole(core, id, 'admin'),
	},
	demote: {
		submit: 'Make a user',
		title: 'Remove the administrator role?',
		lead: 'The account is logged out. It and its keys lose access to the administrator pages and API immediately.',
		apply: (core, id) => setRole(core, id, 'user'),
	},
	disable: {
		submit: 'Disable',
		title: 'Disable this account?',
		lead: 'It is logged out, its API keys stop working and its leases end immediately. You can enable it again.',
		destructive: true,
		apply: disableAccount,
	},
	enable: {
		submit: 'Enable',
		title: 'Enable this account?',
		lead: 'It can log in again, and its API keys work again.',
		apply: enableAccount,
	},
	'reset-two-factor': {
		submit: 'Turn off two-factor authentication',
		title: 'Turn off two-factor authentication?',
		lead: 'For somebody who lost their phone and their recovery codes. It is logged out, and the next log-in needs only the password.',
		asksAlways: true,
		apply: turnOffTwoFactor,
	},
	delete: {
		submit: 'Delete',
		title: 'Delete this account?',
		lead: 'It is logged out, its API keys stop working and its leases end immediately. Its labels, firmware, consoles and details of its activity are deleted; its ledger and its leases stay as numbers. Its email address can be used again. This cannot be undone.',
		destructive: true,
		apply: deleteAccount,
	},
} satisfies Record<string, AccountChange>;

/** The names of the changes that an account allows. */
export function changesOf({ role, disabled_at, two_factor_at, verified_at }: AccountRecord) {
	return [
		...(verified_at ? [] : (['verify'] as const)),
		role === 'admin' ? 'demote' : 'promote',
		disabled_at ? 'enable' : 'disable',
		...(two_factor_at ? (['reset-two-factor'] as const) : []),
		'delete',
	] as const;
}

// Asks before the role or the state of an account changes, and names the account.
import type { AccountRecord } from '../../accounts/search.ts';
import { Credits } from '../elements/credits.tsx';
import { Icon } from '../elements/icon.tsx';
import { Name } from '../elements/name.tsx';
import { Time } from '../elements/time.tsx';

export const accountChanges = {
	promote: {
		action: 'Make an administrator',
		question: 'Make this account an administrator?',
		effect:
			'It can then change base images, boards and every other account, and use the administrator API with its keys.',
	},
	demote: {
		action: 'Make a user',
		question: 'Remove the administrator role?',
		effect: 'The account and its keys lose access to the administrator pages and API immediately.',
	},
	disable: {
		action: 'Disable',
		question: 'Disable this account?',
		effect:
			'It is logged out, its API keys stop working and its leases end immediately. You can enable it again.',
	},
	enable: {
		action: 'Enable',
		question: 'Enable this account?',
		effect: 'It can log in again, and its API keys work again.',
	},
	'reset-two-factor': {
		action: 'Turn off two-factor authentication',
		question: 'Turn off two-factor authentication?',
		effect:
			'For somebody who lost their phone and their recovery codes. The next log-in needs only the password.',
	},
	delete: {
		action: 'Delete',
		question: 'Delete this account?',
		effect:
			'It is logged out, its API keys stop working and its leases end immediately. Its ledger stays, and its email address can be used again. This cannot be undone.',
	},
} as const;

export type AccountChange = keyof typeof accountChanges;

export function isAccountChange(text: string): text is AccountChange {
	return Object.hasOwn(accountChanges, text);
}

export function isDestructive(change: AccountChange) {
	return change === 'disable' || change === 'delete';
}

export function ChangeAccount({
	account,
	change,
}: {
	account: AccountRecord;
	change: AccountChange;
}) {
	const { action, question, effect } = accountChanges[change];
	const { id, email, credits, created_at } = account;
	return (
		<section class="card narrow" data-confirm-question>
			<h1 id="question">{question}</h1>
			<p class="lead">{effect}</p>
			{change === 'promote' && !account.verified_at && <UnverifiedWarning />}
			<dl class="facts">
				<dt>Account</dt>
				<dd>
					<strong>
						<Name>{email}</Name>
					</strong>
				</dd>
				<dt>Balance</dt>
				<dd>
					<Credits amount={credits} />
				</dd>
				<dt>Created</dt>
				<dd>
					<Time at={created_at} />
				</dd>
			</dl>
			<form method="post" action={`/admin/accounts/${id}/${change}`} class="actions">
				<a class="button" href={`/admin/accounts/${id}`} data-cancel autofocus>
					Cancel
				</a>
				<button
					type="submit"
					class={isDestructive(change) ? 'button primary danger' : 'button primary'}
				>
					{action}
				</button>
			</form>
		</section>
	);
}

export function UnverifiedWarning() {
	return (
		<p class="callout important">
			<Icon name="alert" />
			<span>
				<strong>This address was never verified.</strong> Anyone can sign up with an address that is
				not theirs: make sure that the account belongs to the person you mean.
			</span>
		</p>
	);
}

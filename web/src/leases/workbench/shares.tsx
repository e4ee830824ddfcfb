// With whom a lease is shared: its holder changes it, others read it.
import type { LeaseView } from 'board-access-core';
import { CodeBlock } from '../../elements/code.tsx';
import { Button, Field, Radios } from '../../elements/form.tsx';
import { Name } from '../../elements/text.tsx';

/** In the bar of the lease. Its holder also reads how many others wait. */
export function SharedWith({ lease, shares, watches, waiting }: LeaseView) {
	if (lease.access === 'hold') {
		const shared = shares.length > 0 && `Shared with ${shares.length}`;
		const words = [shared, waiting > 0 && `${waiting} waiting`].filter(Boolean).join(', ');
		return words && <p class="muted small">{words}</p>;
	}
	return (
		<p class="muted small">
			{watches ? 'Watching ' : `You can ${lease.access}, shared by `}
			<Name>{lease.holder_email ?? 'a deleted account'}</Name>
		</p>
	);
}

/** The form, which stays as it is while the list below it changes. */
export function ShareForm({ address }: { address: string }) {
	return (
		<details class="share-form" data-until-end>
			<summary>Share with a colleague</summary>
			<form method="dialog" data-do="share">
				<Field
					name="email"
					label="Email address"
					help="The account must have verified it."
					input={{ type: 'email' }}
				/>
				<Radios
					name="access"
					legend="They can"
					chosen="look"
					options={[
						{ value: 'look', label: 'Look', help: 'at the console, the board and the steps.' },
						{ value: 'type', label: 'Type', help: 'too, reset the board, and drive its pins.' },
					]}
				/>
				<Button text="Share" />
				<div>
					<p class="muted small">Send your colleague the address of this page:</p>
					<CodeBlock id="lease-address" what="the address" text={address} />
				</div>
			</form>
		</details>
	);
}

export function ShareList({ lease, shares }: LeaseView) {
	if (shares.length === 0) return null;
	return (
		<ul class="shares small">
			{shares.map(({ email, access }) => (
				<li>
					<span>
						<Name>{email}</Name> <span class="muted small">can {access}</span>
					</span>
					<div class="actions">
						{lease.status !== 'ended' && <ChangeAccess {...{ email, access }} />}
						<Button text="Remove" label={`Remove ${email}`} data-do="unshare" data-email={email} />
					</div>
				</li>
			))}
		</ul>
	);
}

function ChangeAccess({ email, access }: Pick<LeaseView['shares'][number], 'email' | 'access'>) {
	const [other, text] = access === 'look' ? ['type', 'Let type'] : ['look', 'Only look'];
	const data = { 'data-do': 'share', 'data-email': email, 'data-access': other };
	return <Button id={`access-${email}`} text={text} label={`${text}: ${email}`} {...data} />;
}

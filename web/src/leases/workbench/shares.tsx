// With whom a lease is shared: what its holder changes, and what others read of it.
import type { LeaseView } from 'board-access-core';
import { useContext } from 'hono/jsx';
import { CodeBlock } from '../../elements/code.tsx';
import { Button, Field, Filled, Radios } from '../../elements/form.tsx';
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
export function ShareForm({ leaseId, address }: { leaseId: string; address: string }) {
	const { error } = useContext(Filled);
	const isRejected = error?.details.errors?.some(({ path }) => path === 'email');
	return (
		<details class="share-form" open={isRejected} data-until-end>
			<summary>Share with a colleague</summary>
			<form method="post" action={`/leases/${leaseId}/shares`} data-stay="clear">
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
					<p class="help">Send your colleague the address of this page:</p>
					<CodeBlock id="lease-address" what="the address" text={address} />
				</div>
			</form>
		</details>
	);
}

export function ShareList({ lease, shares }: LeaseView) {
	if (shares.length === 0) return null;
	return (
		<ul class="shares">
			{shares.map(({ email, access }) => (
				<li>
					<span>
						<Name>{email}</Name> <span class="muted small">can {access}</span>
					</span>
					<div class="actions">
						{lease.status !== 'ended' && <ChangeAccess {...{ leaseId: lease.id, email, access }} />}
						<form method="post" action={`/leases/${lease.id}/unshare`} data-stay>
							<input type="hidden" name="email" value={email} />
							<Button text="Remove" label={`Remove ${email}`} />
						</form>
					</div>
				</li>
			))}
		</ul>
	);
}

type ChangeAccessProps = Pick<LeaseView['shares'][number], 'email' | 'access'> & {
	leaseId: string;
};

function ChangeAccess({ leaseId, email, access }: ChangeAccessProps) {
	const [other, text] = access === 'look' ? ['type', 'Let type'] : ['look', 'Only look'];
	return (
		<form method="post" action={`/leases/${leaseId}/shares`} data-stay>
			<input type="hidden" name="email" value={email} />
			<Button
				id={`access-${email}`}
				name="access"
				value={other}
				text={text}
				label={`${text}: ${email}`}
			/>
		</form>
	);
}

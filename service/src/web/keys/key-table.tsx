// The live keys in a form that revokes those that are chosen.
import { expiryOf, type keySorts, type LiveKey } from '../../keys/search.ts';
import { Name } from '../elements/name.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';

type SortColumn = (name: (typeof keySorts)[number]) => {
	direction: 'ascending' | 'descending' | undefined;
	href: string;
};

export function KeyTable({ keys, sorted }: { keys: LiveKey[]; sorted: SortColumn }) {
	return (
		<form class="wide" method="get" action="/keys/revoke">
			<Table
				caption="API keys"
				rows={keys}
				columns={[
					{ label: 'Choose', cell: Choice, class: 'bare' },
					{ label: 'Key', cell: KeyLabel, sort: sorted('label'), class: 'main-cell' },
					{ label: 'Masked key', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
					{
						label: 'Created',
						cell: ({ created_at }) => <Time at={created_at} />,
						sort: sorted('age'),
					},
					{ label: 'Last used', cell: LastUse, sort: sorted('used') },
					{ label: 'Expires', cell: Expiry, sort: sorted('expires') },
					{ label: 'Revoke', cell: RevokeLink, class: 'end' },
				]}
			/>
			<p class="actions">
				<button type="submit" class="button danger">
					Revoke the chosen keys
				</button>
			</p>
		</form>
	);
}

function nameOf({ label, hint }: LiveKey) {
	return label ?? hint;
}

function Choice(key: LiveKey) {
	return <input type="checkbox" name="id" value={key.id} aria-label={`Choose ${nameOf(key)}`} />;
}

function KeyLabel({ label }: LiveKey) {
	if (label === null) return <span class="muted">No label</span>;
	return (
		<strong>
			<Name>{label}</Name>
		</strong>
	);
}

function LastUse({ last_used_at, last_used_address }: LiveKey) {
	if (last_used_at === null) return <span class="muted">Never</span>;
	return (
		<>
			<Time at={last_used_at} />
			{last_used_address && (
				<>
					{' '}
					<code class="small">{last_used_address}</code>
				</>
			)}
		</>
	);
}

function Expiry(key: LiveKey) {
	if (key.expires_at === null) return <span class="muted">Never</span>;
	const expiry = expiryOf(key);
	if (expiry === 'later') return <Time at={key.expires_at} />;
	return (
		<span class="badge status-offline">
			{expiry === 'expired' && 'Expired '}
			<Time at={key.expires_at} />
		</span>
	);
}

function RevokeLink(key: LiveKey) {
	return (
		<a
			class="button danger"
			href={`/keys/${key.id}/revoke`}
			aria-label={`Revoke ${nameOf(key)}`}
			data-confirm
		>
			Revoke
		</a>
	);
}

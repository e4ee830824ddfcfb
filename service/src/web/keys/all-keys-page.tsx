// Every key of an account, revoked ones included, newest first.
import { Icon } from '../elements/icon.tsx';
import { Name } from '../elements/name.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../paths.ts';
import { type ApiKey, KeysHead } from './keys-page.tsx';

interface AllKeysPageProps {
	keys: ApiKey[];
	next: string | null;
	/** Whether this is a page after the first one. */
	later: boolean;
}

export function AllKeysPage({ keys, next, later }: AllKeysPageProps) {
	return (
		<>
			<KeysHead />
			<p class="filter-line">
				<a href="/keys">Hide revoked keys</a>
			</p>
			<Table
				caption="API keys, revoked ones included"
				rows={keys}
				columns={[
					{ label: 'Key', cell: KeyName, class: 'main-cell' },
					{ label: 'Masked key', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
					{ label: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
					{
						label: 'Last used',
						cell: ({ last_used_at }) =>
							last_used_at ? <Time at={last_used_at} /> : <span class="muted">Never</span>,
					},
					{ label: 'State', cell: KeyState, class: 'end' },
				]}
			/>
			<nav class="pager" aria-label="Pages">
				{later && (
					<a class="button" href="/keys?revoked=true">
						<Icon name="left" />
						Newest
					</a>
				)}
				{next && (
					<a class="button" rel="next" href={withQuery('/keys', { revoked: 'true', cursor: next })}>
						Older
						<Icon name="right" />
					</a>
				)}
			</nav>
		</>
	);
}

function KeyName({ label, revoked_at }: ApiKey) {
	if (label === null) return <span class="muted">No label</span>;
	return (
		<strong class={revoked_at ? 'struck' : undefined}>
			<Name>{label}</Name>
		</strong>
	);
}

function KeyState({ id, hint, label, revoked_at }: ApiKey) {
	return revoked_at ? (
		<span class="badge">
			Revoked <Time at={revoked_at} />
		</span>
	) : (
		<a
			class="button danger"
			href={`/keys/${id}/revoke`}
			aria-label={`Revoke ${label ?? hint}`}
			data-confirm
		>
			Revoke
		</a>
	);
}

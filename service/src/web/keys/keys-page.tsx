// The keys of an account: enough of each to tell it from the others, never the key itself.
import type { listKeys } from '../../keys/store.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { Icon } from '../elements/icon.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../paths.ts';
import { listKeysRequest } from './requests.ts';

export type ApiKey = Awaited<ReturnType<typeof listKeys>>['data'][number];

interface KeysPageProps {
	keys: ApiKey[];
	next: string | null;
	includeRevoked: boolean;
	/** Whether this is a page after the first one. */
	later: boolean;
	paid: boolean;
	baseUrl: string;
}

export function KeysPage(props: KeysPageProps) {
	const { keys, next, includeRevoked, later, baseUrl } = props;
	return (
		<>
			<PageHead title="API keys" lead="For the command line, your code and your pipelines.">
				<a class="button primary" href="/keys/new">
					<Icon name="plus" />
					Create key
				</a>
			</PageHead>
			<p class="filter-line">
				{includeRevoked ? (
					<a href="/keys">Hide revoked keys</a>
				) : (
					<a href="/keys?revoked=true">Show revoked keys too</a>
				)}
			</p>
			{keys.length === 0 && !later ? <NoKeys {...props} /> : <KeyTable keys={keys} />}
			<nav class="pager" aria-label="Pages">
				{later && (
					<a class="button" href={withQuery('/keys', revokedQuery(includeRevoked))}>
						<Icon name="left" />
						Newest
					</a>
				)}
				{next && (
					<a
						class="button"
						rel="next"
						href={withQuery('/keys', { ...revokedQuery(includeRevoked), cursor: next })}
					>
						Older
						<Icon name="right" />
					</a>
				)}
			</nav>
			<SameRequest examples={listKeysRequest(baseUrl)} />
		</>
	);
}

function revokedQuery(includeRevoked: boolean) {
	return {
		revoked: includeRevoked ? 'true' : undefined,
	};
}

function KeyTable({ keys }: { keys: ApiKey[] }) {
	return (
		<Table
			caption="API keys"
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

function KeyState(apiKey: ApiKey) {
	const { id, hint, label, revoked_at } = apiKey;
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

function NoKeys({ paid }: { paid: boolean }) {
	return (
		<EmptyState icon="key" title="You have no keys yet">
			<p>
				A key lets the command line, your code and your pipelines act for you. They read it from the
				environment variable <code>SERVICE_API_KEY</code>.
			</p>
			<p class="actions">
				<a class="button primary" href="/keys/new">
					Create your first key
				</a>
			</p>
			{!paid && (
				<p class="muted small">
					Creating keys needs the paid tier: <a href="/credits">top up credits</a> first.
				</p>
			)}
		</EmptyState>
	);
}

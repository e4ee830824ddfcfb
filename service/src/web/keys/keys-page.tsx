// The keys of an account: enough of each to tell it from the others, never the key itself.
import type { Child } from 'hono/jsx';
import { isPaidTier } from '../../credits/tier.ts';
import { pageRequest } from '../../database/pagination.ts';
import {
	expiryOf,
	keySorts,
	type LiveKey,
	liveKeys,
	mostKeysShown,
	searchKeys,
} from '../../keys/search.ts';
import { keyList, listKeys } from '../../keys/store.ts';
import { SameRequest } from '../elements/code.tsx';
import { Button, ButtonLink } from '../elements/form.tsx';
import { Icon } from '../elements/icon.tsx';
import { type Column, EmptyState, Older, Table } from '../elements/list.tsx';
import { readList, readPage, SearchedList } from '../elements/search.tsx';
import { Name, PageHead, StrongName, Time } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { listKeysRequest } from './requests.ts';

const pageSize = '50';

type ApiKey = Awaited<ReturnType<typeof listKeys>>['data'][number];

export async function showLiveKeys({ c, account, parts: { database, settings } }: MemberVisit) {
	const list = readList(c, keySorts);
	const all = await liveKeys(database.query, account.id);
	const found = searchKeys(all, { text: list.text, ...list.sort });
	const { slice, ...choice } = readPage(c.req.query(), found.length);
	const rows = found.slice(slice.offset, slice.offset + slice.limit);
	return (
		<>
			<KeysHead />
			<ExpiryWarning keys={all} />
			{all.length === 0 ? (
				<NoKeys paid={await isPaidTier(database.query, account.id)} />
			) : (
				<SearchedList
					{...choice}
					list={list}
					noun="key"
					placeholder="Label or masked key…"
					caption="API keys"
					rows={rows}
					columns={[
						{ label: 'Choose', cell: KeyChoice, class: 'bare' },
						{ label: 'Key', cell: keyName, sort: list.sorted('label'), class: 'main-cell' },
						{ label: 'Masked key', cell: maskedKey, class: 'fixed' },
						{ label: 'Created', cell: creationOf, sort: list.sorted('age') },
						{ label: 'Last used', cell: LastUse, sort: list.sorted('used') },
						{ label: 'Expires', cell: Expiry, sort: list.sorted('expires') },
						{ label: 'Revoke', cell: RevokeLink, class: 'end' },
					]}
					around={revokingChosen}
				/>
			)}
			{all.length === mostKeysShown && (
				<p class="muted small">
					{`These are the newest ${mostKeysShown.toLocaleString('en')} keys; `}
					the command line lists all of them.
				</p>
			)}
			<p class="filter-line">
				<a href="/keys?revoked=true">Show revoked keys too</a>
			</p>
			<SameRequest examples={listKeysRequest(settings.baseUrl)} />
		</>
	);
}

/** A form that revokes the keys that are chosen. */
function revokingChosen(table: Child) {
	return (
		<form class="wide" method="get" action="/keys/revoke">
			{table}
			<p class="actions">
				<Button text="Revoke the chosen keys" look="danger" />
			</p>
		</form>
	);
}

function KeyChoice({ id, label, hint }: LiveKey) {
	return <input type="checkbox" name="id" value={id} aria-label={`Choose ${label ?? hint}`} />;
}

function keyName({ label, revoked_at }: Pick<ApiKey, 'label'> & { revoked_at?: string | null }) {
	if (label === null) return <span class="muted">No label</span>;
	return <StrongName text={label} struck={Boolean(revoked_at)} />;
}

function maskedKey({ hint }: Pick<ApiKey, 'hint'>) {
	return <code>{hint}</code>;
}

function creationOf({ created_at }: Pick<ApiKey, 'created_at'>) {
	return <Time at={created_at} />;
}

function lastUseOf({ last_used_at }: Pick<ApiKey, 'last_used_at'>) {
	return <Time at={last_used_at} />;
}

function LastUse({ last_used_at, last_used_address }: LiveKey) {
	if (!last_used_at || !last_used_address) return lastUseOf({ last_used_at });
	return (
		<>
			<Time at={last_used_at} /> <code class="small">{last_used_address}</code>
		</>
	);
}

function Expiry(key: LiveKey) {
	const expiry = expiryOf(key);
	if (expiry === 'later') return <Time at={key.expires_at} />;
	return (
		<span class="badge status-offline">
			{expiry === 'expired' && 'Expired '}
			<Time at={key.expires_at} />
		</span>
	);
}

function RevokeLink({ id, label, hint }: Pick<ApiKey, 'id' | 'label' | 'hint'>) {
	const name = `Revoke ${label ?? hint}`;
	return <ButtonLink href={`/keys/${id}/revoke`} text="Revoke" look="danger" label={name} asks />;
}

/** What tells a key from others. */
export const keyColumns: readonly Column<ApiKey>[] = [
	{ label: 'Key', cell: keyName, class: 'main-cell' },
	{ label: 'Masked key', cell: maskedKey, class: 'fixed' },
	{ label: 'Created', cell: creationOf },
	{ label: 'Last used', cell: lastUseOf },
];

/** Every key of an account, revoked ones included, newest first. */
export async function showAllKeys({ c, account, parts }: MemberVisit) {
	const cursor = c.req.query('cursor');
	const owned = { accountId: account.id, includeRevoked: true };
	const page = pageRequest(keyList(account.id, true), { limit: pageSize, cursor });
	const { data, next_cursor: next } = await listKeys(parts.database.query, owned, page);
	return (
		<>
			<KeysHead />
			<p class="filter-line">
				<a href="/keys">Hide revoked keys</a>
			</p>
			<Table
				caption="API keys, revoked ones included"
				rows={data}
				columns={[...keyColumns, { label: 'State', cell: KeyState, class: 'end' }]}
			/>
			<Older href={next && withQuery('/keys', { revoked: 'true', cursor: next })}>
				{cursor && <ButtonLink href="/keys?revoked=true" text="Newest" icon="left" />}
			</Older>
		</>
	);
}

function KeyState(key: ApiKey) {
	if (!key.revoked_at) return RevokeLink(key);
	return (
		<span class="badge">
			Revoked <Time at={key.revoked_at} />
		</span>
	);
}

function KeysHead() {
	return (
		<PageHead title="API keys" lead="For the command line, your code and your pipelines.">
			<ButtonLink href="/keys/new" text="Create key" icon="plus" look="primary" />
		</PageHead>
	);
}

const mostNamed = 5;

function ExpiryWarning({ keys }: { keys: LiveKey[] }) {
	const soon = keys.filter((key) => expiryOf(key) === 'soon');
	if (soon.length === 0) return null;
	const what = soon.length === 1 ? 'A key expires' : `${soon.length} keys expire`;
	return (
		<section class="callout important" aria-label="Keys that expire soon">
			<Icon name="alert" />
			<div>
				<strong>{`${what} within a week.`}</strong> Create new ones and replace them where they are
				used.
				<ul>
					{soon.slice(0, mostNamed).map(({ label, hint, expires_at }) => (
						<li>
							<Name>{label ?? hint}</Name> <Time at={expires_at} />
						</li>
					))}
				</ul>
			</div>
		</section>
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
				<ButtonLink href="/keys/new" text="Create your first key" look="primary" />
			</p>
			{!paid && (
				<p class="muted small">
					Creating keys needs the paid tier: <a href="/credits">top up credits</a> first.
				</p>
			)}
		</EmptyState>
	);
}

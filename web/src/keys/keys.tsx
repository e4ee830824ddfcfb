// API keys: listed and revoked. A page has enough of each to tell it from the others, never the key itself.

import {
	findKey,
	isPaidTier,
	keySorts,
	maxKeysShown,
	revokeKey,
	searchKeys,
} from 'board-access-core';
import { literal, requestExamples, SameRequest } from '../elements/code.tsx';
import { ButtonLink } from '../elements/form.tsx';
import { EmptyState } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import { readList, readPage, SearchedList } from '../elements/search.tsx';
import { Icon, PageHead, StrongName, Time } from '../elements/text.tsx';
import { readForm, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { createKey, showKeyForm } from './new-key.tsx';

type ShownKey = Awaited<ReturnType<typeof searchKeys>>['all'][number];
type ApiKey = Awaited<ReturnType<typeof findKey>>;

export function keyPages({ members }: Pages) {
	members.get('/keys', list);
	members.post('/keys', createKey);
	members.get('/keys/new', showKeyForm);
	members.get('/keys/revoke', askToRevoke);
	members.post('/keys/revoke', revoke);
}

async function list({ c, account, services: { database, settings } }: MemberVisit) {
	const revoked = c.req.query('revoked') === 'true' ? 'true' : undefined;
	const includeRevoked = revoked !== undefined;
	const list = readList(c, keySorts, { revoked });
	const filter = { accountId: account.id, includeRevoked };
	const { all, found } = await searchKeys(database.query, filter, { ...list, ...list.sort });
	const { slice, ...choice } = readPage(c.req.query(), found.length);
	const main = (
		<>
			<PageHead title="API keys" lead="For the command line, your code and your pipelines.">
				<ButtonLink href="/keys/new" text="Create key" icon="plus" look="primary" />
			</PageHead>
			{expiryWarning(all)}
			{all.length === 0 ? (
				noKeys(await isPaidTier(database.query, account.id))
			) : (
				<SearchedList
					{...choice}
					list={list}
					noun="key"
					placeholder="Label or masked key…"
					caption="API keys"
					rows={found.slice(slice.offset, slice.offset + slice.limit)}
					columns={[
						{ label: 'Key', cell: KeyName, class: 'main-cell', sort: list.sorted('label') },
						{ label: 'Masked key', cell: MaskedKey, class: 'fixed' },
						{ label: 'Scope', cell: scopeOf, class: 'fixed' },
						{ label: 'Created', cell: Created, sort: list.sorted('age') },
						{ label: 'Last used', cell: LastUse, sort: list.sorted('used') },
						{ label: 'Expires', cell: Expiry, sort: list.sorted('expires') },
						{ label: 'Revoke', cell: RevokeLink, class: 'end' },
					]}
				/>
			)}
			{all.length === maxKeysShown && (
				<p class="muted small">
					{`These are the newest ${maxKeysShown.toLocaleString('en')} keys; `}
					the command line lists all of them.
				</p>
			)}
			<p class="filter-line">
				<a href={includeRevoked ? '/keys' : '/keys?revoked=true'}>
					{includeRevoked ? 'Hide revoked keys' : 'Show revoked keys too'}
				</a>
			</p>
			<SameRequest
				examples={requestExamples({
					baseUrl: settings.baseUrl,
					path: '/v1/auth/keys',
					cli: ['keys', 'list'],
					typescript: 'const keys = await client.keys.list();',
				})}
			/>
		</>
	);
	return { title: 'API keys', main };
}

function KeyName({ label, revoked_at }: ApiKey) {
	if (label === null) return <span class="muted">No label</span>;
	return <StrongName text={label} struck={revoked_at !== null} />;
}

function MaskedKey({ hint }: ApiKey) {
	return <code>{hint}</code>;
}

function scopeOf({ scope }: ApiKey) {
	return scope === 'full' ? 'Everything' : 'Boards and leases';
}

function Created({ created_at }: ApiKey) {
	return <Time at={created_at} />;
}

function LastUse({ last_used_at, last_used_address }: ShownKey) {
	return (
		<>
			<Time at={last_used_at} />{' '}
			{last_used_address && <code class="small">{last_used_address}</code>}
		</>
	);
}

function Expiry({ expiry, expires_at }: ShownKey) {
	if (expiry === 'later') return <Time at={expires_at} />;
	return (
		<span class="badge status-offline">
			{expiry === 'expired' && 'Expired '}
			<Time at={expires_at} />
		</span>
	);
}

function RevokeLink({ id, label, hint, revoked_at }: ShownKey) {
	if (revoked_at) {
		return (
			<span class="badge">
				Revoked <Time at={revoked_at} />
			</span>
		);
	}
	const name = `Revoke ${label ?? hint}`;
	return (
		<ButtonLink href={`/keys/revoke?id=${id}`} text="Revoke" look="danger" label={name} asks />
	);
}

function expiryWarning(keys: ShownKey[]) {
	const soon = keys.filter(({ revoked_at, expiry }) => !revoked_at && expiry === 'soon').length;
	if (soon === 0) return null;
	return (
		<p class="callout important">
			<Icon name="alert" />
			<span>
				<a href="/keys?sort=expires">{soon === 1 ? 'A key expires' : `${soon} keys expire`}</a>{' '}
				within a week. Create another and replace it where it is used.
			</span>
		</p>
	);
}

function noKeys(paid: boolean) {
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

async function askToRevoke(visit: MemberVisit) {
	const { c, account, services } = visit;
	const owned = { accountId: account.id, id: readLine(c, 'id') };
	const key = await findKey(services.database.query, owned);
	if (key.revoked_at) return goTo(c, '/keys?revoked=true', 'key-revoked');
	const { title, main } = ask(visit, {
		title: 'Revoke this key?',
		lead: 'It stops working immediately, wherever it is used. You cannot undo this.',
		facts: [
			['Key', <KeyName {...key} />],
			['Masked key', <MaskedKey {...key} />],
			['Scope', scopeOf(key)],
			['Created', <Created {...key} />],
			['Last used', <Time at={key.last_used_at} />],
			['Identifier', <code>{key.id}</code>],
		],
		values: { id: key.id },
		cancel: '/keys',
		keep: 'Keep the key',
		submit: 'Revoke key',
	});
	const examples = requestExamples({
		baseUrl: services.settings.baseUrl,
		method: 'DELETE',
		path: `/v1/auth/keys/${key.id}`,
		cli: ['keys', 'revoke', key.id],
		typescript: `await client.keys.revoke(${literal(key.id)});`,
	});
	return { title, main: [main, <SameRequest examples={examples} />] };
}

async function revoke({ c, account, services }: MemberVisit) {
	const { id } = await readForm(c, ['id']);
	await revokeKey(services.database.query, { accountId: account.id, id });
	return goTo(c, '/keys', 'key-revoked');
}

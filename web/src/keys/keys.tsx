// API keys: listed and revoked. A page has enough of each to tell it from the others, never the key itself.

import {
	findKeys,
	invalid,
	isPaidTier,
	keySorts,
	maxKeysShown,
	revokeKeys,
	searchKeys,
} from 'board-access-core';
import type { Child } from 'hono/jsx';
import { literal, requestExamples, SameRequest } from '../elements/code.tsx';
import { Button, ButtonLink } from '../elements/form.tsx';
import { type Column, EmptyState, Table } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import { readList, readPage, SearchedList } from '../elements/search.tsx';
import { Icon, Name, PageHead, StrongName, Time } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { createKey, showKeyForm } from './new-key.tsx';

type ShownKey = Awaited<ReturnType<typeof searchKeys>>['all'][number];
type ApiKey = Awaited<ReturnType<typeof findKeys>>[number];

/** What tells a key from others. */
const columns = {
	label: { label: 'Key', cell: KeyName, class: 'main-cell' },
	hint: { label: 'Masked key', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
	scope: {
		label: 'Scope',
		cell: ({ scope }) => (scope === 'full' ? 'Everything' : 'Boards and leases'),
		class: 'fixed',
	},
	created: { label: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
	used: { label: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
} satisfies Record<string, Column<ApiKey>>;

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
						{ label: 'Choose', cell: KeyChoice, class: 'bare' },
						{ ...columns.label, sort: list.sorted('label') },
						columns.hint,
						columns.scope,
						{ ...columns.created, sort: list.sorted('age') },
						{ label: 'Last used', cell: LastUse, sort: list.sorted('used') },
						{ label: 'Expires', cell: Expiry, sort: list.sorted('expires') },
						{ label: 'Revoke', cell: RevokeLink, class: 'end' },
					]}
					around={revokingChosen}
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

function KeyChoice({ id, label, hint, revoked_at }: ShownKey) {
	const name = `Choose ${label ?? hint}`;
	return revoked_at ? null : <input type="checkbox" name="id" value={id} aria-label={name} />;
}

function KeyName({ label, revoked_at }: ApiKey) {
	if (label === null) return <span class="muted">No label</span>;
	return <StrongName text={label} struck={revoked_at !== null} />;
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

const maxNamed = 5;

function expiryWarning(keys: ShownKey[]) {
	const soon = keys.filter(({ revoked_at, expiry }) => !revoked_at && expiry === 'soon');
	if (soon.length === 0) return null;
	const [what, advice] =
		soon.length === 1
			? ['A key expires', 'Create another and replace it where it is used.']
			: [`${soon.length} keys expire`, 'Create others and replace them where they are used.'];
	return (
		<section class="callout important" aria-label="Keys that expire soon">
			<Icon name="alert" />
			<div>
				<strong>{`${what} within a week.`}</strong> {advice}
				<ul>
					{soon.slice(0, maxNamed).map(({ label, hint, expires_at }) => (
						<li>
							<Name>{label ?? hint}</Name> <Time at={expires_at} />
						</li>
					))}
				</ul>
			</div>
		</section>
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
	const ids = [...new Set(c.req.queries('id'))].slice(0, maxKeysShown);
	if (ids.length === 0) return goTo(c, '/keys', 'none-chosen');
	const keys = await findKeys(services.database.query, { accountId: account.id, ids });
	const [key, ...others] = keys;
	if (!key) return goTo(c, '/keys');
	const shared = { cancel: '/keys', values: { id: ids } };
	if (others.length > 0) {
		return ask(visit, {
			...shared,
			title: `Revoke these ${keys.length} keys?`,
			lead: 'They stop working immediately, wherever they are used. You cannot undo this.',
			children: <Table caption="Keys to revoke" rows={keys} columns={Object.values(columns)} />,
			keep: 'Keep the keys',
			submit: 'Revoke keys',
			wide: true,
		});
	}
	if (key.revoked_at) return goTo(c, '/keys?revoked=true', 'key-revoked');
	const facts = Object.values(columns).map(({ label, cell }) => [label, cell(key)] as const);
	const { title, main } = ask(visit, {
		...shared,
		title: 'Revoke this key?',
		lead: 'It stops working immediately, wherever it is used. You cannot undo this.',
		facts: [...facts, ['Identifier', <code>{key.id}</code>]],
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
	const ids = (await readForm(c, ['id'])).id.split('\n').filter(Boolean);
	if (ids.length > maxKeysShown) throw invalid([{ path: 'id', message: 'names too many keys' }]);
	await revokeKeys(services.database.query, { accountId: account.id, ids });
	if (ids.length !== 1) return goTo(c, '/keys', 'keys-revoked');
	const [key] = await findKeys(services.database.query, { accountId: account.id, ids });
	return goTo(c, '/keys', 'key-revoked', key?.label ?? key?.hint);
}

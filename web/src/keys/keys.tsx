// API keys: listed and revoked. Pages show the masked key, never the key itself.
import { findKey, isPaidTier, revokeKey, searchKeys } from 'board-access-core';
import { requestExamples, SameRequest } from '../elements/code.tsx';
import { ButtonLink } from '../elements/form.tsx';
import { EmptyState } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import { readList, SearchedList } from '../elements/search.tsx';
import { StrongName, Time } from '../elements/text.tsx';
import { readForm, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { createKey, showKeyForm } from './new-key.tsx';

type ShownKey = Awaited<ReturnType<typeof searchKeys>>['data'][number];
type ApiKey = Awaited<ReturnType<typeof findKey>>;

export function keyPages({ members }: Pages) {
	members.get('/keys', list);
	members.post('/keys', createKey);
	members.get('/keys/new', showKeyForm);
	members.get('/keys/revoke', askToRevoke);
	members.post('/keys/revoke', revoke);
}

async function list(visit: MemberVisit) {
	const { c, account, services } = visit;
	const { query } = services.database;
	const revoked = c.req.query('revoked') === 'true' ? 'true' : undefined;
	const includeRevoked = revoked !== undefined;
	const list = readList(c, { revoked });
	const { text, page } = list;
	const filter = { accountId: account.id, includeRevoked, text };
	const { data, next_cursor } = await searchKeys(query, filter, page);
	const hasNone = data.length === 0 && !text && !page.cursor;
	const main = (
		<>
			{hasNone ? (
				noKeys(await isPaidTier(query, account.id))
			) : (
				<SearchedList
					list={list}
					kept={{ revoked }}
					noun="key"
					placeholder="Label or masked key…"
					caption="API keys"
					rows={data}
					next={next_cursor}
					columns={[
						{ label: 'Key', cell: KeyName, class: 'main-cell' },
						{ label: 'Masked key', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
						{ label: 'Scope', cell: scopeOf, class: 'fixed' },
						{ label: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
						{ label: 'Last used', cell: LastUse },
						{ label: 'Expires', cell: Expiry },
						{ label: 'Revoke', cell: RevokeLink, class: 'end' },
					]}
				/>
			)}
			<p class="small">
				<a href={includeRevoked ? '/keys' : '/keys?revoked=true'}>
					{includeRevoked ? 'Hide revoked keys' : 'Show revoked keys too'}
				</a>
			</p>
			<SameRequest
				examples={requestExamples({
					baseUrl: services.settings.baseUrl,
					path: '/v1/auth/keys',
					cli: ['keys', 'list'],
					typescript: 'const keys = await client.keys.list();',
				})}
			/>
		</>
	);
	const lead = 'For the command line, your code and your pipelines.';
	const actions = <ButtonLink href="/keys/new" text="Create key" icon="plus" look="primary" />;
	return { title: 'API keys', lead, actions, main };
}

function KeyName({ label, revoked_at }: ApiKey) {
	if (label === null) return <span class="muted">No label</span>;
	return <StrongName text={label} struck={revoked_at !== null} />;
}

function scopeOf({ scope, credit_limit }: ApiKey) {
	if (scope === 'full') return 'Everything';
	if (credit_limit === null) return 'Boards and leases';
	return `Boards and leases, credit limit ${credit_limit.toLocaleString('en')}`;
}

function LastUse({ last_used_at, last_used_address: address }: ShownKey) {
	return [<Time at={last_used_at} />, ' ', address && <code class="small">{address}</code>];
}

const week = 7 * 24 * 60 * 60 * 1000;

function Expiry({ created_at, expires_at }: ShownKey) {
	const end = expires_at === null ? Infinity : Date.parse(expires_at);
	const left = end - Date.now();
	// Unless the key was made for no longer than a week, for a job for example.
	const isSoon = left <= week && end - Date.parse(created_at) > week;
	if (left > 0 && !isSoon) return <Time at={expires_at} />;
	return (
		<span class="badge status-offline">
			{left <= 0 && 'Expired '}
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
	return <ButtonLink href={`/keys/revoke?id=${id}`} text="Revoke" look="danger" label={name} />;
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
	return ask(visit, {
		title: 'Revoke this key?',
		lead: 'It stops working immediately, wherever it is used. You cannot undo this.',
		facts: [
			['Key', <KeyName {...key} />],
			['Masked key', <code>{key.hint}</code>],
			['Scope', scopeOf(key)],
			['Created', <Time at={key.created_at} />],
			['Last used', <Time at={key.last_used_at} />],
			['Identifier', <code>{key.id}</code>],
		],
		values: { id: key.id },
		cancel: '/keys',
		submit: 'Revoke key',
	});
}

async function revoke({ c, account, services }: MemberVisit) {
	const { id } = await readForm(c, ['id']);
	await revokeKey(services.database.query, { accountId: account.id, id });
	return goTo(c, '/keys', 'key-revoked');
}

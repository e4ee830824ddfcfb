// API keys: listed, created, shown once, revoked.
import { apiKeyInput } from 'board-access-contract';
import { alertOwner } from '../../accounts/mail/alert.ts';
import { newKeyAlert } from '../../accounts/mail/messages.ts';
import { requireRecentPassword } from '../../accounts/sessions/sessions.ts';
import { requirePaidTier } from '../../credits/tier.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { once } from '../../http/idempotency.ts';
import { requestDigest } from '../../http/read.ts';
import { liveKeys, mostKeysShown } from '../../keys/search.ts';
import { createKeyWithin, findKey, noSuchKey, revokeKeys } from '../../keys/store.ts';
import { validate } from '../../validation.ts';
import { requestApi } from '../api.ts';
import { SameRequest } from '../elements/code.tsx';
import { formKey } from '../elements/form.tsx';
import { Table } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import { Name, Time } from '../elements/text.tsx';
import { readForm, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { showKey, showKeyForm } from './key-form.tsx';
import { keyColumns, showAllKeys, showLiveKeys } from './keys-page.tsx';
import { revokeKeyRequest } from './requests.ts';

export function keyPages(app: ServiceApp, { forMembers }: Pages) {
	app.get('/keys', forMembers(list));
	app.post('/keys', forMembers(create));
	app.get(
		'/keys/new',
		forMembers((visit) => showKeyForm(visit, readLine(visit.c, 'label'))),
	);
	app.get('/keys/revoke', forMembers(askToRevokeChosen));
	app.post('/keys/revoke', forMembers(revokeChosen));
	app.get('/keys/:id/revoke', forMembers(askToRevoke));
	app.post('/keys/:id/revoke', forMembers(revoke));
}

async function list(visit: MemberVisit) {
	const show = visit.c.req.query('revoked') === 'true' ? showAllKeys : showLiveKeys;
	return { title: 'API keys', main: await show(visit) };
}

async function create(visit: MemberVisit) {
	const { c, account, parts } = visit;
	requireRecentPassword(account);
	const sent = await readForm(c, ['label', 'token']);
	return submitForm({
		change: async () => {
			const { key, hint, label = null } = await createOnce(visit, sent);
			if (!key || !hint) return goTo(c, '/keys', 'key-shown');
			alertOwner(parts, account.id, newKeyAlert({ label, hint }));
			return showKey(visit, key, label);
		},
		again: (error) => showKeyForm(visit, sent.label, error),
		sentences: { label: 'Enter at most 200 characters, on one line.' },
		done: 'created a key with another label',
	});
}

/** A key with its secret the first time, and only its identifier after that. */
interface NewKey {
	id: string;
	key?: string;
	hint?: string;
	label?: string | null;
}

/** Creates the key that a form asks for; sending the form again does not create a second one. */
async function createOnce(
	{ c, account: { id: accountId }, parts: { database, settings } }: MemberVisit,
	sent: { label: string; token: string },
) {
	const { label } = validate(apiKeyInput, { label: sent.label });
	await requirePaidTier(database.query, accountId, settings.webUrl);
	const { result } = await once<NewKey>(database, {
		key: formKey(sent.token),
		accountId,
		digest: requestDigest(c, { label }),
		create: (db) => createKeyWithin(db, { accountId, label }, settings.keysPerAccount),
		replay: async (_db, id) => ({ id }),
	});
	return result;
}

async function askToRevokeChosen(visit: MemberVisit) {
	const ids = new Set(visit.c.req.queries('id'));
	if (ids.size === 0) return goTo(visit.c, '/keys', 'none-chosen');
	const all = await liveKeys(visit.parts.database.query, visit.account.id);
	const keys = all.filter(({ id }) => ids.has(id));
	if (keys.length < ids.size) throw noSuchKey();
	return ask(visit, 'Revoke keys', {
		cancel: '/keys',
		title: `Revoke these ${keys.length} keys?`,
		lead: 'They stop working immediately, wherever they are used. You cannot undo this.',
		children: <Table caption="Keys to revoke" rows={keys} columns={keyColumns} />,
		values: { id: [...ids] },
		keep: 'Keep the keys',
		submit: 'Revoke keys',
		wide: true,
	});
}

async function revokeChosen({ c, account, parts }: MemberVisit) {
	const ids = (await readForm(c, ['id'])).id.split('\n').filter(Boolean);
	if (ids.length > mostKeysShown) throw noSuchKey();
	await revokeKeys(parts.database.query, { accountId: account.id, ids });
	return goTo(c, '/keys', 'keys-revoked');
}

async function askToRevoke(visit: MemberVisit) {
	const { query } = visit.parts.database;
	const key = await findKey(query, {
		accountId: visit.account.id,
		id: visit.c.req.param('id') ?? '',
	});
	if (!key) throw noSuchKey();
	if (key.revoked_at) return goTo(visit.c, '/keys?revoked=true', 'key-revoked');
	const { label } = key;
	const page = ask(visit, 'Revoke a key', {
		cancel: '/keys',
		title: 'Revoke this key?',
		lead: 'It stops working immediately, wherever it is used. You cannot undo this.',
		facts: [
			['Label', label === null ? <span class="muted">No label</span> : <Name>{label}</Name>],
			['Masked key', <code>{key.hint}</code>],
			['Created', <Time at={key.created_at} />],
			['Last used', <Time at={key.last_used_at} />],
			['Identifier', <code>{key.id}</code>],
		],
		keep: 'Keep the key',
		submit: 'Revoke key',
	});
	const { baseUrl } = visit.parts.settings;
	return {
		...page,
		main: (
			<>
				{page.main}
				<SameRequest examples={revokeKeyRequest(baseUrl, key.id)} />
			</>
		),
	};
}

async function revoke(visit: MemberVisit) {
	await requestApi(visit, 'DELETE', encodedPath(visit.c, '/auth/keys'));
	return goTo(visit.c, '/keys', 'key-revoked');
}

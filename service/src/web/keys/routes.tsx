// API keys: listed, created, shown once, revoked.
import { liveKeys, mostKeysShown } from '../../keys/search.ts';
import { findKey, noSuchKey, revokeKeys } from '../../keys/store.ts';
import { requestApi } from '../api.ts';
import { SameRequest } from '../elements/code.tsx';
import { Table } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import { Name, Time } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { keyColumns, showAllKeys, showLiveKeys } from './keys-page.tsx';
import { createKey, showKeyForm } from './new-key.tsx';
import { revokeKeyRequest } from './requests.ts';

export function keyPages({ members }: Pages) {
	members.get('/keys', list);
	members.post('/keys', createKey);
	members.get('/keys/new', (visit) => showKeyForm(visit));
	members.get('/keys/revoke', askToRevokeChosen);
	members.post('/keys/revoke', revokeChosen);
	members.get('/keys/:id/revoke', askToRevoke);
	members.post('/keys/:id/revoke', revoke);
}

async function list(visit: MemberVisit) {
	const show = visit.c.req.query('revoked') === 'true' ? showAllKeys : showLiveKeys;
	return { title: 'API keys', main: await show(visit) };
}

async function askToRevokeChosen(visit: MemberVisit) {
	const ids = new Set(visit.c.req.queries('id'));
	if (ids.size === 0) return goTo(visit.c, '/keys', 'none-chosen');
	const all = await liveKeys(visit.parts.database.query, visit.account.id);
	const keys = all.filter(({ id }) => ids.has(id));
	if (keys.length < ids.size) throw noSuchKey();
	return ask(visit, {
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
	const { database, settings } = visit.parts;
	const owned = { accountId: visit.account.id, id: visit.c.req.param('id') ?? '' };
	const key = await findKey(database.query, owned);
	if (!key) throw noSuchKey();
	if (key.revoked_at) return goTo(visit.c, '/keys?revoked=true', 'key-revoked');
	const { id, label, hint, created_at, last_used_at } = key;
	const { title, main } = ask(visit, {
		cancel: '/keys',
		title: 'Revoke this key?',
		lead: 'It stops working immediately, wherever it is used. You cannot undo this.',
		facts: [
			['Label', label === null ? <span class="muted">No label</span> : <Name>{label}</Name>],
			['Masked key', <code>{hint}</code>],
			['Created', <Time at={created_at} />],
			['Last used', <Time at={last_used_at} />],
			['Identifier', <code>{id}</code>],
		],
		keep: 'Keep the key',
		submit: 'Revoke key',
	});
	const sameRequest = <SameRequest examples={revokeKeyRequest(settings.baseUrl, id)} />;
	return { title, main: [main, sameRequest] };
}

async function revoke(visit: MemberVisit) {
	await requestApi(visit, 'DELETE', encodedPath(visit.c, '/auth/keys'));
	return goTo(visit.c, '/keys', 'key-revoked');
}

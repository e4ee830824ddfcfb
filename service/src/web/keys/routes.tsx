// API keys: listed, created, shown once, revoked.
import { apiKeyInput } from 'board-access-contract';
import { requireRecentPassword } from '../../accounts/sessions/sessions.ts';
import { isPaidTier, requirePaidTier } from '../../credits/tier.ts';
import { pageRequest } from '../../database/pagination.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { once } from '../../http/idempotency.ts';
import { requestDigest } from '../../http/read.ts';
import { keySorts, liveKeys, mostKeysShown, searchKeys } from '../../keys/search.ts';
import {
	createKeyWithin,
	findKey,
	keyList,
	listKeys,
	noSuchKey,
	revokeKey,
	revokeKeys,
} from '../../keys/store.ts';
import type { Parts } from '../../parts.ts';
import { validate } from '../../validation.ts';
import { formKey } from '../elements/form-token.tsx';
import { readPage } from '../elements/pager.tsx';
import { readSort } from '../elements/sort.ts';
import { inPlainWords, readForm, readLine, refusal } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { AllKeysPage } from './all-keys-page.tsx';
import { CreatedKey } from './created-key.tsx';
import { KeyForm } from './key-form.tsx';
import { KeysPage } from './keys-page.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RevokeKeys } from './revoke-keys.tsx';

const pageSize = '50';

export function keyPages(
	app: ServiceApp,
	{
		database,
		payments,
		settings,
		alerts,
	}: Pick<Parts, 'database' | 'payments' | 'settings' | 'alerts'>,
	{ forMembers }: Pages,
) {
	const { query } = database;
	const { baseUrl } = settings;

	app.get(
		'/keys',
		forMembers(async ({ c, account: { id } }) => {
			const main = c.req.query('revoked') === 'true' ? await allKeys(c, id) : await live(c, id);
			return { title: 'API keys', main };
		}),
	);

	const live = async (c: ServiceContext, accountId: string) => {
		const text = readLine(c, 'q');
		const sort = readSort(c.req.query('sort'), keySorts);
		const all = await liveKeys(query, accountId);
		const found = searchKeys(all, { text, ...sort });
		const { slice, ...choice } = readPage(c.req.query(), found.length);
		return (
			<KeysPage
				{...choice}
				all={all}
				keys={found.slice(slice.offset, slice.offset + slice.limit)}
				text={text}
				sort={sort}
				names={keySorts}
				paid={await isPaidTier(query, accountId)}
				baseUrl={baseUrl}
			/>
		);
	};

	const allKeys = async (c: ServiceContext, accountId: string) => {
		const cursor = c.req.query('cursor');
		const page = pageRequest(keyList(accountId, true), { limit: pageSize, cursor });
		const keys = await listKeys(query, { accountId, includeRevoked: true }, page);
		return <AllKeysPage keys={keys.data} next={keys.next_cursor} later={cursor !== undefined} />;
	};

	const form = async ({ account }: MemberVisit, label: string, error?: ApiError) => ({
		title: 'Create a key',
		main: (
			<KeyForm
				label={label}
				error={error}
				account={account}
				paid={await isPaidTier(query, account.id)}
				canTopUp={payments !== undefined}
				contact={settings.contact}
				baseUrl={baseUrl}
			/>
		),
	});

	app.get(
		'/keys/new',
		forMembers((visit) => form(visit, readLine(visit.c, 'label'))),
	);

	/** Creates the key that a form asks for; sending the form again does not create a second one. */
	const create = async (c: ServiceContext, accountId: string, sent: KeyFormData) => {
		const { label } = validate(apiKeyInput, { label: sent.label });
		await requirePaidTier(query, accountId, settings.webUrl);
		return once<NewKey>(database, {
			key: formKey(sent.token),
			accountId,
			digest: requestDigest(c, { label }),
			create: (db) => createKeyWithin(db, { accountId, label }, settings.keysPerAccount),
			replay: async (_db, id) => ({ id }),
		});
	};

	app.post(
		'/keys',
		forMembers(async (visit) => {
			const { c, account } = visit;
			requireRecentPassword(account);
			const sent = await readForm(c, ['label', 'token']);
			const done = await create(c, account.id, sent).catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences, 'created a key with another label');
				return refused(await form(visit, sent.label, error), error);
			}
			const { key, hint, label } = done.result;
			if (!key || !hint) return goTo(c, '/keys', 'key-shown');
			alerts.newKey(account.id, { label: label ?? null, hint });
			const main = <CreatedKey apiKey={key} label={label ?? null} baseUrl={baseUrl} />;
			return { title: 'Your new key', main };
		}),
	);

	app.get(
		'/keys/revoke',
		forMembers(async ({ c, account }) => {
			const ids = new Set(c.req.queries('id'));
			if (ids.size === 0) return goTo(c, '/keys', 'none-chosen');
			const keys = (await liveKeys(query, account.id)).filter(({ id }) => ids.has(id));
			if (keys.length < ids.size) throw noSuchKey();
			return { title: 'Revoke keys', main: <RevokeKeys keys={keys} /> };
		}),
	);

	app.post(
		'/keys/revoke',
		forMembers(async ({ c, account }) => {
			const ids = (await readForm(c, ['id'])).id.split('\n').filter(Boolean);
			if (ids.length > mostKeysShown) throw noSuchKey();
			await revokeKeys(query, { accountId: account.id, ids });
			return goTo(c, '/keys', 'keys-revoked');
		}),
	);

	app.get(
		'/keys/:id/revoke',
		forMembers(async ({ c, account }) => {
			const key = await findKey(query, { accountId: account.id, id: c.req.param('id') ?? '' });
			if (!key) throw noSuchKey();
			if (key.revoked_at) return goTo(c, '/keys?revoked=true', 'key-revoked');
			return { title: 'Revoke a key', main: <RevokeKey apiKey={key} baseUrl={baseUrl} /> };
		}),
	);

	app.post(
		'/keys/:id/revoke',
		forMembers(async ({ c, account }) => {
			const owned = { accountId: account.id, id: c.req.param('id') ?? '' };
			if (!(await revokeKey(query, owned))) throw noSuchKey();
			return goTo(c, '/keys', 'key-revoked');
		}),
	);
}

interface KeyFormData {
	label: string;
	/** Identifies this form, so that sending it twice creates one key. */
	token: string;
}

/** A key with its secret the first time, and only its identifier after that. */
interface NewKey {
	id: string;
	key?: string;
	hint?: string;
	label?: string | null;
}

const sentences = { label: 'Enter at most 200 characters, on one line.' };

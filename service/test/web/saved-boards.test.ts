// What an account keeps of the list of boards: favorites and saved filters.
import { afterEach, describe, expect, test } from 'vitest';
import { deleteAccount } from '../../src/accounts/delete.ts';
import { mostFavorites, mostFilters, readFavorites } from '../../src/boards/saved.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, openLab, unoBoards } from '../support/leasing.ts';
import { openPage, sendForm, signUp } from './support/lab.ts';

let lab: Lab;
afterEach(() => lab.close());

const one = '/boards/brd_uno_1/favorite';

async function openPages(kind: (typeof databaseKinds)[number]) {
	lab = await openLab(kind, { boards: unoBoards(3) });
	const fetch = async (input: Request | URL | string, init?: RequestInit) =>
		lab.app.fetch(new Request(input, init), {});
	const [ada, bob] = [
		await signUp({ fetch }, 'ada@example.com'),
		await signUp({ fetch }, 'bob@example.com'),
	];
	return {
		bob,
		read: async (path: string, cookie = ada) => (await openPage({ fetch }, path, cookie)).text(),
		send: (path: string, fields: Record<string, string>, cookie = ada) =>
			sendForm({ fetch }, path, fields, cookie),
	};
}

const accountId = async () =>
	(
		await lab.query
			.selectFrom('accounts')
			.select('id')
			.where('email', '=', 'ada@example.com')
			.executeTakeFirstOrThrow()
	).id;

const names = (html: string) =>
	[...html.matchAll(/<strong><bdi>([\w-]+)<\/bdi><\/strong>/g)].map(([, name]) => name);

describe.each(databaseKinds)('on %s', (kind) => {
	test('a favorite has a filled star, and is found by a tab of its account only', async () => {
		const pages = await openPages(kind);
		const back = '/boards?sort=-name';
		const starred = await pages.send(one, { on: 'true', back });
		expect(starred.headers.get('location')).toBe(back);
		await pages.send(one, { on: 'true', back });
		const html = await pages.read('/boards?status=favorite');
		expect(names(html)).toEqual(['uno-1']);
		expect(html).toContain('<strong>1</strong><span>Favorites</span>');
		expect(html).toContain('<strong>3</strong><span>All</span>');
		expect(html).toContain('id="star-brd_uno_1" aria-pressed="true"');
		expect(await pages.read('/boards/brd_uno_1')).toContain('aria-pressed="true"');
		expect(names(await pages.read('/boards?status=favorite&q=uno-2'))).toEqual([]);
		expect(await pages.read('/boards', pages.bob)).not.toContain('Favorites');
		await pages.send(one, { on: 'false', back });
		expect(names(await pages.read('/boards?status=favorite'))).toEqual([]);
	});

	test('a saved filter leads to its boards, is replaced by its name, and removed', async () => {
		const pages = await openPages(kind);
		expect(await pages.read('/boards')).not.toContain('Save this filter');
		expect(await pages.read('/boards?q=uno-2')).toContain('name="query" value="q=uno-2"');
		const saved = await pages.send('/boards/filters', { name: ' My unos ', query: 'q=uno-2' });
		expect(saved.headers.get('location')).toBe('/boards?q=uno-2');
		expect(await pages.read('/boards')).toContain(
			'<a href="/boards?q=uno-2"><bdi>My unos</bdi></a>',
		);
		await pages.send('/boards/filters', { name: 'My unos', query: 'q=uno-3&status=available' });
		const html = await pages.read('/boards?q=uno-3&status=available');
		expect(html).toContain(
			'<a href="/boards?q=uno-3&amp;status=available" aria-current="true"><bdi>My unos</bdi></a>',
		);
		expect(html).toContain('Remove the filter My unos');
		expect(await pages.read('/boards?q=uno', pages.bob)).not.toContain('My unos');
		await pages.send('/boards/filters', { name: 'My unos', query: '' });
		expect(await pages.read('/boards')).not.toContain('My unos');
	});

	test('a deleted account leaves no favorites and filters, and a retired board no favorites', async () => {
		const pages = await openPages(kind);
		const admin = await lab.account({ admin: true });
		await pages.send(one, { on: 'true', back: '' });
		await pages.send('/boards/brd_uno_2/favorite', { on: 'true', back: '' });
		await pages.send('/boards/filters', { name: 'Mine', query: 'q=uno' });
		await admin.send('DELETE', '/admin/boards/brd_uno_2');
		expect(await readFavorites(lab.query, await accountId())).toEqual(['brd_uno_1']);
		await deleteAccount(lab.query, await accountId());
		expect(await lab.query.selectFrom('favorite_boards').selectAll().execute()).toEqual([]);
		expect(await lab.query.selectFrom('saved_filters').selectAll().execute()).toEqual([]);
	});
});

test('an account keeps a limited number of favorites and filters, and only of boards that exist', async () => {
	const pages = await openPages('SQLite');
	const account_id = await accountId();
	const many = (count: number) => Array.from({ length: count }, (_, index) => String(index));
	await lab.query
		.insertInto('favorite_boards')
		.values(many(mostFavorites - 1).map((board_id) => ({ account_id, board_id })))
		.execute();
	await pages.send('/boards/brd_none/favorite', { on: 'true', back: '' });
	for (const id of ['brd_uno_1', 'brd_uno_2']) {
		await pages.send(`/boards/${id}/favorite`, { on: 'true', back: '' });
	}
	const found = await lab.query.selectFrom('favorite_boards').select('board_id').execute();
	expect(found.filter(({ board_id }) => board_id.startsWith('brd_'))).toEqual([
		{ board_id: 'brd_uno_1' },
	]);
	for (const name of many(mostFilters + 1)) {
		await pages.send('/boards/filters', { name, query: 'q=uno' });
	}
	expect(await lab.query.selectFrom('saved_filters').select('name').execute()).toHaveLength(
		mostFilters,
	);
});

test('a star leads back to pages of this site only, and a filter to boards only', async () => {
	const pages = await openPages('SQLite');
	const starred = await pages.send(one, { on: 'true', back: 'https://elsewhere.example/' });
	expect(starred.headers.get('location')).toBe('/boards');
	const query = '"><script>alert(1)</script>';
	await pages.send('/boards/filters', { name: query, query });
	expect(await pages.read('/boards')).not.toContain('<script>alert');
});

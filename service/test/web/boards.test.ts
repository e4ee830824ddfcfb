// The pages about boards: the address chooses what the list shows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importBoards } from '../../../core/src/boards/import.ts';
import { searchBoards } from '../../../core/src/boards/search.ts';
import { openDatabase } from '../../../core/src/database/database.ts';
import { migrate } from '../../../core/src/database/migrations.ts';
import { databaseKinds, readyDatabase } from '../../../core/test/support/databases.ts';
import { createService } from '../../src/service.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { logInAll, openPage, type Sessions, sendForm, signUp } from './support/lab.ts';

let service: TestService;
let sessions: Sessions;
beforeAll(async () => {
	service = await createTestService();
	sessions = await logInAll(service);
});
afterAll(() => service.close());

const open = async (query: string) =>
	(await openPage(service, `/boards${query}`, sessions.free)).text();

const names = (text: string) =>
	[...text.matchAll(/<strong><bdi>([\w-]+-\d+)<\/bdi><\/strong>/g)].map(([, n]) => n ?? '');

test('lists all boards in natural order of their names', async () => {
	const shown = names(await open(''));
	expect(shown).toHaveLength(20);
	expect(shown.filter((name) => name.startsWith('nrf'))).toEqual([
		'nrf5340-dk-01',
		'nrf52840-dk-01',
		'nrf52840-dk-02',
	]);
});

test('filters by status, by type, by text, and by all three', async () => {
	expect(names(await open('?status=offline'))).toHaveLength(2);
	expect(names(await open('?board_type=esp32-s3'))).toHaveLength(3);
	expect(names(await open('?q=THREAD'))).toEqual(['esp32-c6-01', 'esp32-c6-02']);
	expect(names(await open('?q=thread&status=available'))).toEqual(['esp32-c6-01']);
});

test('announces the number of matching boards to screen readers', async () => {
	expect(await open('?q=THREAD')).toContain('<output class="unseen">2 boards match</output>');
	expect(await open('?q=esp32-c6-01')).toContain('>1 board matches</output>');
});

test('control characters in the address do not reach the examples', async () => {
	const text = await open('?board_type=esp32%03%1b[201~&q=%c2%9b%1b');
	expect(text).toContain('--type');
	expect(text.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
});

test('sorts by a column, in both directions', async () => {
	const up = names(await open('?sort=board_type'));
	const down = names(await open('?sort=-board_type'));
	expect(up[0]).toMatch(/^arduino-uno-0/);
	expect(down[0]).toBe('visionfive2-01');
	expect(await open('?sort=-status')).toContain('aria-sort="descending"');
});

test('the search, the filter and the order stay in the form and in every link', async () => {
	const text = await open('?q=rack&board_type=esp32-s3&sort=-name');
	expect(text).toContain('value="rack"');
	expect(text).toContain('<input type="hidden" name="sort" value="-name"/>');
	expect(text).toContain('<option value="esp32-s3" selected="" dir="auto">');
	expect(text).toContain(
		'href="/boards?q=rack&amp;board_type=esp32-s3&amp;status=in_use&amp;sort=-name"',
	);
});

test('an address with unknown values still shows boards', async () => {
	expect(names(await open('?status=lost&sort=colour&page=0'))).toHaveLength(20);
	expect(names(await open('?page=99'))).toHaveLength(20);
});

test('text from the address is escaped', async () => {
	const text = await open(
		'?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&board_type=%27%3B%20rm%20-rf%20~',
	);
	expect(text).not.toContain('<script>alert');
	expect(text).toContain(`--type &#39;&#39;\\&#39;&#39;; rm -rf ~&#39;`);
});

test('the same request is shown for curl, the command line and TypeScript', async () => {
	const text = await open('?status=available&board_type=esp32-s3');
	expect(text).toContain('/v1/boards?board_type=esp32-s3&amp;status=available');
	expect(text).toContain('board-access boards list --type esp32-s3 --status available');
	expect(text).toContain(
		'client.boards.list({ boardType: &#39;esp32-s3&#39;, status: &#39;available&#39; })',
	);
	expect(text).toContain('$SERVICE_API_KEY');
});

test('a service without boards has a message', async () => {
	const empty = await createService();
	const cookie = await signUp(empty, 'first@example.com');
	expect(await (await openPage(empty, '/boards', cookie)).text()).toContain(
		'There are no boards yet',
	);
	await empty.close();
});

test('a page of two thousand matching boards is found and sorted', async () => {
	const file = await openDatabase(':memory:');
	await migrate(file.query);
	await importBoards(
		file.query,
		Array.from({ length: 2_000 }, (_, index) => ({
			name: `board-${index}`,
			board_type: `type-${index % 40}`,
			status: 'available' as const,
			description: 'One of very many boards in this lab',
			tags: { rack: `rack-${index % 100}`, arch: 'riscv' },
		})),
	);
	const slice = { by: 'credits_per_minute', descending: true, limit: 50, offset: 1_900 } as const;
	const found = await searchBoards(file.query, { text: 'rack-' }, slice);
	expect(found).toHaveLength(50);
	await file.close();
});

test.each(databaseKinds)('numbers in names sort by value on %s', async (kind) => {
	const database = await readyDatabase(kind);
	const board = { board_type: 'esp32', status: 'available', description: '', tags: {} } as const;
	const numbers = [10, 2, 1, 100, 20];
	await importBoards(
		database.query,
		numbers.map((number) => ({ ...board, name: `board-${number}` })),
	);
	const page = async (descending: boolean, offset: number) => {
		const slice = { by: 'name', descending, limit: 3, offset } as const;
		return (await searchBoards(database.query, { text: '' }, slice)).map(({ name }) => name);
	};
	expect(await page(false, 0)).toEqual(['board-1', 'board-2', 'board-10']);
	expect(await page(false, 3)).toEqual(['board-20', 'board-100']);
	expect(await page(true, 0)).toEqual(['board-100', 'board-20', 'board-10']);
	await database.close();
});

test('rows are links, and the list shows when it was updated', async () => {
	const text = await open('?q=thread');
	expect(text).toContain('href="/boards/brd_esp32-c6-01"');
	expect(text).toMatch(/As of <time datetime="\d{4}-[^"]+" data-clock="true">[\d:]{8} UTC/);
});

test('a long list has pages', async () => {
	const large = await createTestService();
	const { admin } = await logInAll(large);
	const lines = Array.from({ length: 230 }, (_, index) => `many-${index},many`);
	await sendForm(
		large,
		'/admin/boards',
		{ boards: ['name,board_type', ...lines].join('\n') },
		admin,
	);
	const page = async (query: string) =>
		(await openPage(large, `/boards?board_type=many${query}`, admin)).text();
	const second = await page('&page=2');
	expect(names(second)).toEqual(Array.from({ length: 50 }, (_, index) => `many-${index + 50}`));
	expect(second).toContain('51–100 of 230');
	expect(second).toMatch(/rel="prev" href="\/boards\?board_type=many&amp;page=1"/);
	expect(second).toMatch(/rel="next" href="\/boards\?board_type=many&amp;page=3"/);
	expect(await page('&page=5')).not.toContain('rel="next"');
	await large.close();
});

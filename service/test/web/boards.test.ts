// The boards page: its address says what it shows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importBoards } from '../../src/boards/import.ts';
import { searchBoards } from '../../src/boards/search.ts';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { createService } from '../../src/service.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';
import { enterAll, openPage, type Sessions, signUp } from './support/lab.ts';

let service: TestService;
let sessions: Sessions;
beforeAll(async () => {
	service = await createTestService();
	sessions = await enterAll(service);
});
afterAll(() => service.close());

const open = async (query: string) =>
	(await openPage(service, `/boards${query}`, sessions.free)).text();

const names = (text: string) =>
	[...text.matchAll(/<strong>([\w-]+-\d\d)<\/strong>/g)].map(([, n]) => n);

test('all boards, by name', async () => {
	const shown = names(await open(''));
	expect(shown).toHaveLength(20);
	expect(shown).toEqual([...shown].sort());
});

test('by status, by type, by a part of anything, and by all of it', async () => {
	expect(names(await open('?status=offline'))).toHaveLength(2);
	expect(names(await open('?board_type=esp32-s3'))).toHaveLength(3);
	expect(names(await open('?q=THREAD'))).toEqual(['esp32-c6-01', 'esp32-c6-02']);
	expect(names(await open('?q=thread&status=available'))).toEqual(['esp32-c6-01']);
});

test('no character that a terminal would obey comes from the address into the calls', async () => {
	const text = await open('?board_type=esp32%03%1b[201~&q=%c2%9b%1b');
	expect(text).toContain('--type');
	expect(text.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
});

test('in another order', async () => {
	const up = names(await open('?sort=board_type'));
	const down = names(await open('?sort=-board_type'));
	expect(up[0]).toMatch(/^arduino-uno-0/);
	expect(down[0]).toBe('visionfive2-01');
	expect(await open('?sort=-status')).toContain('aria-sort="descending"');
});

test('what the address asks for stays in the form and in every link', async () => {
	const text = await open('?q=rack&board_type=esp32-s3&sort=-name');
	expect(text).toContain('value="rack"');
	expect(text).toContain('<option value="esp32-s3" selected="">');
	expect(text).toContain(
		'href="/boards?q=rack&amp;board_type=esp32-s3&amp;status=in_use&amp;sort=-name"',
	);
});

test('an address that makes no sense still shows boards', async () => {
	expect(names(await open('?status=lost&sort=colour&page=0'))).toHaveLength(20);
	expect(names(await open('?page=99'))).toHaveLength(20);
});

test('text from an address stays text', async () => {
	const text = await open(
		'?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&board_type=%27%3B%20rm%20-rf%20~',
	);
	expect(text).not.toContain('<script>alert');
	expect(text).toContain(`--type &#39;&#39;\\&#39;&#39;; rm -rf ~&#39;`);
});

test('the same call is offered in three languages', async () => {
	const text = await open('?status=available&board_type=esp32-s3');
	expect(text).toContain('/v1/boards?board_type=esp32-s3&amp;status=available');
	expect(text).toContain('board-access boards list --type esp32-s3 --status available');
	expect(text).toContain(
		'client.boards.list({ boardType: &#39;esp32-s3&#39;, status: &#39;available&#39; })',
	);
	expect(text).toContain('$SERVICE_API_KEY');
});

test('no boards at all: the administrator is told where they come from', async () => {
	const empty = await createService();
	const cookie = await signUp(empty, 'first@example.com');
	expect(await (await openPage(empty, '/boards', cookie)).text()).toContain(
		'There are no boards yet',
	);
	await empty.close();
});

test.each(databaseKinds)('a search takes wildcards as they are on %s', async (kind) => {
	const database = await readyDatabase(kind);
	const board = { board_type: 'esp32', status: 'available', description: '', tags: {} } as const;
	await importBoards(database.query, [
		{ ...board, name: '100% Done_1' },
		{ ...board, name: '1000 done 1' },
	]);
	const found = async (text: string) => {
		const slice = { by: 'name', descending: false, limit: 10, offset: 0 } as const;
		return (await searchBoards(database.query, { text }, slice)).map(({ name }) => name);
	};
	expect(await found('0% d')).toEqual(['100% Done_1']);
	expect(await found('DONE_')).toEqual(['100% Done_1']);
	expect(await found('done')).toHaveLength(2);
	expect(await found('\\')).toEqual([]);
	await database.close();
});

test('a search through ten thousand boards takes well below a second', async () => {
	const file = await openDatabase(':memory:');
	await migrate(file.query);
	await importBoards(
		file.query,
		Array.from({ length: 10_000 }, (_, index) => ({
			name: `board-${index}`,
			board_type: `type-${index % 40}`,
			status: 'available' as const,
			description: 'One of very many boards in this lab',
			tags: { rack: `rack-${index % 100}`, arch: 'riscv' },
		})),
	);
	const slice = { by: 'updated_at', descending: true, limit: 50, offset: 9_000 } as const;
	await searchBoards(file.query, { text: 'board-9' }, slice);
	const started = performance.now();
	const found = await searchBoards(file.query, { text: 'rack-' }, slice);
	expect(found).toHaveLength(50);
	expect(performance.now() - started).toBeLessThan(500);
	await file.close();
});

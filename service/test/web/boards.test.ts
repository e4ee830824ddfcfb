// The pages about boards: the address chooses what the list shows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService } from '../../src/service.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { logInAll, openPage, type Sessions, sendJson, signUp } from './support/lab.ts';

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

test('announces the number of boards shown to screen readers', async () => {
	expect(await open('?q=THREAD')).toContain('<output class="unseen">2 boards</output>');
	expect(await open('?q=esp32-c6-01')).toContain('>1 board</output>');
});

test('control characters in the address do not reach the examples', async () => {
	const text = await open('?board_type=esp32%03%1b[201~&q=%c2%9b%1b');
	expect(text).toContain('--type');
	expect(text.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
});

test('the search, the filters and the order stay in the form and in every link', async () => {
	const text = await open('?q=rack&board_type=esp32-s3&status=available&sort=price');
	expect(text).toContain('value="rack"');
	expect(text).toContain('<input type="hidden" name="status" value="available"/>');
	expect(text).toContain('<option value="esp32-s3" selected="" dir="auto">');
	expect(text).toContain('<option value="price" selected="" dir="auto">');
	expect(text).toContain(
		'href="/boards?q=rack&amp;board_type=esp32-s3&amp;status=in_use&amp;sort=price"',
	);
});

test('an address with unknown values still shows boards', async () => {
	expect(names(await open('?status=lost&sort=colour'))).toHaveLength(20);
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

test('rows are links, and the list shows when it was updated', async () => {
	const text = await open('?q=thread');
	expect(text).toContain('href="/boards/brd_esp32-c6-01"');
	expect(text).toMatch(/As of <time datetime="\d{4}-[^"]+" data-clock="true">[\d:]{8} UTC/);
});

test('a long list has pages, by name or with the cheapest first', async () => {
	const large = await createTestService();
	const { admin } = await logInAll(large);
	const lines = Array.from({ length: 120 }, (_, index) => `many-${index},many,${index % 2}`);
	const boards = ['name,board_type,credits_per_minute', ...lines].join('\n');
	await sendJson(large, 'PUT /admin/boards', { boards }, admin);
	const read = async (path: string) => {
		const shown: string[] = [];
		for (let next = path; next; ) {
			const text = await (await openPage(large, next, admin)).text();
			shown.push(...names(text));
			next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
		}
		return shown;
	};
	const byName = lines.map((_, index) => `many-${index}`);
	expect(await read('/boards?board_type=many')).toEqual(byName);
	const isFree = (name: string) => Number(name.slice(5)) % 2 === 0;
	expect(await read('/boards?q=many&sort=price')).toEqual([
		...byName.filter(isFree),
		...byName.filter((name) => !isFree(name)),
	]);
	await large.close();
});

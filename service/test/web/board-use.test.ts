// What the pages of boards show of their use, to whom, and how a lease is started from them.
import { afterEach, expect, test } from 'vitest';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { type Lab, openLab } from '../support/leasing.ts';
import { openPage, sendForm, signUp } from './support/lab.ts';

let lab: Lab;
afterEach(() => lab.close());

const one = 'brd_uno_1';

/** Opens a lab with a visitor and an administrator who are logged in on the pages. */
async function openPages(more: Parameters<typeof unoBoards>[1] = {}, count = 1) {
	lab = await openLab('SQLite', { boards: unoBoards(count, more) });
	const fetch = async (input: Request | URL | string, init?: RequestInit) =>
		lab.app.fetch(new Request(input, init), {});
	const visitor = await signUp({ fetch }, 'visitor@example.com');
	const admin = await signUp({ fetch }, 'admin@example.com');
	await lab.query
		.updateTable('accounts')
		.set({ role: 'admin' })
		.where('email', '=', 'admin@example.com')
		.execute();
	return {
		visitor,
		admin,
		open: (path: string) => openPage({ fetch }, path, visitor),
		read: async (path: string, cookie = visitor) =>
			(await openPage({ fetch }, path, cookie)).text(),
		send: (path: string, fields: Record<string, string>, cookie = visitor) =>
			sendForm({ fetch }, path, fields, cookie),
	};
}

/** The text of a page, with its times as `12:34 UTC`. */
function textOf(html: string) {
	return html
		.replace(/<title>.*?<\/title>|<option.*?<\/option>/gs, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ');
}

const clock = String.raw`([A-Z][a-z]{2} \d{1,2}, )?\d\d:\d\d UTC`;

test('a visitor learns until when a board is used, and whether by a program, but not by whom', async () => {
	const pages = await openPages({}, 2);
	const other = await lab.account();
	await lab.query.updateTable('api_keys').set({ label: 'secret-key-label' }).execute();
	await other.lease({ board_id: one, label: 'secret-lease-label' });
	await pages.send('/boards/brd_uno_2/use', { minutes: '10' }, pages.admin);
	const email = (await lab.query.selectFrom('accounts').select('email').execute())
		.map((account) => account.email)
		.filter((address) => address !== 'visitor@example.com');
	for (const path of ['/boards', `/boards/${one}`]) {
		const html = await pages.read(path);
		for (const secret of ['secret-key-label', 'secret-lease-label', other.id, ...email]) {
			expect(html).not.toContain(secret);
		}
	}
	const list = textOf(await pages.read('/boards'));
	expect(list).toMatch(new RegExp(`In use No agent Free at about ${clock} An API key`));
	expect(list).toMatch(new RegExp(`In use No agent Free at about ${clock} Someone else`));
	expect(textOf(await pages.read(`/boards/${one}`))).toMatch(
		new RegExp(`Used by An API key since ${clock}`),
	);
});

test('an administrator learns the account, the label of its key and that of its lease', async () => {
	const pages = await openPages();
	const other = await lab.account();
	await lab.query.updateTable('api_keys').set({ label: 'nightly' }).execute();
	await other.lease({ board_id: one, label: 'bring-up' });
	const named = /account-\d+@example\.com, key nightly, bring-up/;
	expect(textOf(await pages.read('/boards', pages.admin))).toMatch(named);
	expect(textOf(await pages.read(`/boards/${one}`, pages.admin))).toMatch(named);
});

test('a lease is started in the row of a board, which then leads to it', async () => {
	const pages = await openPages();
	expect(await pages.read('/boards')).toContain('aria-label="Use uno-1 for 10 minutes"');
	const used = await pages.send(`/boards/${one}/use`, { minutes: '10' });
	expect(used.status).toBe(303);
	const html = await pages.read('/boards');
	expect(html).toContain('<tr class="own">');
	expect(html).toContain(`href="${used.headers.get('location')}" aria-label="Open uno-1"`);
	expect(textOf(html)).toMatch(new RegExp(`Yours No agent Yours until ${clock} You`));
	expect(await pages.read('/boards', pages.admin)).toContain('aria-label="Queue for uno-1"');
});

test('a visitor who waits for a board is led to the lease that waits', async () => {
	const pages = await openPages();
	await pages.send(`/boards/${one}/use`, { minutes: '10' }, pages.admin);
	const waiting = await pages.send(`/boards/${one}/use`, { minutes: '10' });
	const html = await pages.read('/boards');
	expect(textOf(html)).toContain(', 1 waiting You wait for it');
	expect(html).toContain(`href="${waiting.headers.get('location')}" aria-label="Open uno-1"`);
	expect(textOf(await pages.read(`/boards/${one}`))).toContain('You are waiting for this board');
});

test('a board that cannot be used says why and since when, and has no action', async () => {
	const pages = await openPages();
	const admin = await lab.account({ admin: true });
	const body = { on: true, reason: 'A new cable' };
	await admin.send('POST', `/admin/boards/${one}/maintenance`, { body });
	const html = await pages.read('/boards');
	expect(textOf(html)).toMatch(new RegExp(`A new cable since ${clock}`));
	expect(html).not.toContain(`action="/boards/${one}/use"`);
	const page = textOf(await pages.read(`/boards/${one}`));
	expect(page).toContain('Nobody knows when it is free.');
	expect(page).toMatch(new RegExp(`A new cable since ${clock}`));
});

test('a board that an agent drives has no mark, and its page says what the agent can do', async () => {
	const pages = await openPages({}, 2);
	await addAgent(lab.query, [one], ['flash', 'power_cycle', 'reset']);
	const marks = (await pages.read('/boards')).match(/No agent/g);
	expect(marks).toHaveLength(1);
	const text = textOf(await pages.read(`/boards/${one}`));
	expect(text).toContain('Can do flash, power cycle, reset');
	expect(textOf(await pages.read('/boards/brd_uno_2'))).toContain('No agent drives this board');
});

test('the form says what a minute costs, and rejects what is no number', async () => {
	const pages = await openPages({ credits_per_minute: 2 });
	await lab.query.updateTable('accounts').set({ balance: 30 }).execute();
	const text = textOf(await pages.read(`/boards/${one}`));
	expect(text).toContain('2 credits a minute in which you have the board.');
	expect(text).toContain('You have 30 credits .');
	const rejected = await pages.send(`/boards/${one}/use`, { minutes: '1.5' });
	expect(rejected.status).toBe(400);
	const again = await rejected.text();
	expect(again).toContain('Enter a whole number of minutes from 1 to 1440.');
	expect(again).toContain('value="1.5"');
});

test('without credits for a minute, the page of a board says what is missing and offers no lease', async () => {
	const pages = await openPages({ credits_per_minute: 2 }, 2);
	const read = async () => pages.read(`/boards/${one}`);
	expect(textOf(await read())).toContain('A minute costs 2 credits , and you have 0 credits .');
	expect(await read()).not.toContain(`action="/boards/${one}/use"`);
	// From the list of boards.
	const rejected = await pages.send(`/boards/${one}/use`, { minutes: '10' });
	const again = textOf(await rejected.text());
	expect(again).toContain('This needs 20 credits; you have 0 available.');
	expect(again).not.toContain('A minute costs');
	await (await lab.account({ credits: 100 })).lease({ board_id: one });
	const offer = 'uno-2 is available now, for 2 credits a minute';
	expect(textOf(await read())).toContain(`${offer}; you have 0 credits`);
	await lab.query.updateTable('accounts').set({ balance: 100 }).execute();
	expect(textOf(await read())).toContain(`${offer} The same type`);
	expect(await read()).toContain(`action="/boards/${one}/use"`);
});

test('while a board is used, its page says when one can probably start, and which one is free', async () => {
	const pages = await openPages({}, 2);
	const other = await lab.account();
	const minutes = 30;
	await other.lease({ board_id: one, minutes });
	await other.lease({ board_id: one, minutes, wait_seconds: 3600 });
	const html = await pages.read(`/boards/${one}`);
	const start = /class="figure"><time datetime="([^"]+)"/.exec(html)?.[1] ?? '';
	expect(Math.round((Date.parse(start) - Date.now()) / 60_000)).toBe(2 * minutes);
	expect(textOf(html)).toContain('One lease waits for boards of this type.');
	expect(textOf(html)).toContain('uno-2 is available now, for free The same type');
	await other.lease({ board_id: 'brd_uno_2' });
	expect(textOf(await pages.read(`/boards/${one}`))).not.toContain('is available now');
});

test('the ways to use a board name it, and quote what is not a plain word', async () => {
	const pages = await openPages({ id: "brd_it's" });
	const html = await pages.read("/boards/brd_it's");
	const code = html.replaceAll('&#39;', "'").replaceAll('&quot;', '"');
	expect(code).toContain(`board-access run firmware.hex --board 'brd_it'\\''s'`);
	expect(code).toContain(`boardId: "brd_it's"`);
	expect(html).toContain('id="tab-page" checked=""');
	for (const tab of ['cli', 'typescript', 'ci', 'curl']) expect(html).toContain(`id="tab-${tab}"`);
});

test('the list of leases has their labels, when they end, and what is free', async () => {
	const pages = await openPages();
	await pages.send(`/boards/${one}/use`, { minutes: '10' });
	await lab.query.updateTable('leases').set({ label: 'nightly run' }).execute();
	const list = textOf(await pages.read('/leases'));
	expect(list).toContain('nightly run');
	expect(list).toMatch(new RegExp(`– ${clock}`));
	const [lease] = await lab.query.selectFrom('leases').select('id').execute();
	await pages.send(`/leases/${lease?.id}/release`, { confirmed: 'true' });
	expect(textOf(await pages.read('/leases'))).toContain('Free You released the board.');
});

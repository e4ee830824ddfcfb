// The pages for administrators.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import {
	logInAll,
	openPage,
	type Sessions,
	sendForm,
	sendJson,
	sessionOf,
	signUp,
} from './support/lab.ts';

let service: TestService;
let sessions: Sessions;
beforeAll(async () => {
	service = await createTestService();
	sessions = await logInAll(service);
});
afterAll(() => service.close());

const open = async (path: string) => (await openPage(service, path, sessions.admin)).text();
const send = (path: string, fields: Record<string, string>) =>
	sendForm(service, path, fields, sessions.admin);
const importBoards = (boards: string) =>
	sendJson(service, 'PUT /admin/boards', { boards }, sessions.admin);

const image = {
	action: 'flash',
	board_type: 'esp32-h2',
	name: 'Application',
	description: '',
	url: 'https://images.example.com/app.bin',
	flash_offset: '0x10000',
	position: '',
	enabled: 'on',
	token: 'image-1',
};

test('a base image is added once, in its position, however often the form is sent', async () => {
	await send('/admin/base-images/new', { ...image, name: 'Bootloader', token: 'image-0' });
	for (let time = 0; time < 2; time += 1) {
		const answer = await send('/admin/base-images/new', image);
		expect(answer.headers.get('location')).toBe('/admin/base-images');
	}
	const text = await open('/admin/base-images');
	const group = text.slice(text.indexOf('>esp32-h2</code></h2>'));
	expect(group.match(/<bdi>Application</g)).toHaveLength(1);
	expect(group.indexOf('Bootloader')).toBeLessThan(group.indexOf('Application'));
});

test('an invalid base image is rejected with all errors, and the input is kept', async () => {
	const wrong = { ...image, url: '', flash_offset: '32.768', position: 'first', token: 'image-2' };
	const answer = await send('/admin/base-images/new', {
		...wrong,
		description: 'Kept <all> of it',
	});
	const text = await answer.text();
	expect(answer.status).toBe(400);
	for (const kept of [
		'value="32.768"',
		'value="first"',
		'Kept &lt;all&gt; of it',
		'value="esp32-h2"',
	]) {
		expect(text).toContain(kept);
	}
	for (const [path, words] of Object.entries({
		url: 'Enter the http or https address of the image',
		flash_offset: 'Enter the offset as 0x10000 or 65536',
		position: 'Enter a whole number from 0 to 2,147,483,647',
	})) {
		expect(text).toContain(`<a href="#${path}">${words}`);
		expect(text).toContain(`<p class="field-error" id="${path}-error">${words}`);
	}
});

test.each([
	['/admin/base-images', image, 'The base image was added.'],
	[
		'/admin/boards',
		{ name: 'Notice', board_type: 'x', credits_per_minute: '0', tags: '' },
		'The board was added.',
	],
] as const)(
	'that something was added in %s is said once, by the next page',
	async (path, fields, notice) => {
		const sent = { ...fields, name: 'Notice', token: `notice ${path}` };
		const added = await send(`${path}/new`, sent);
		const [cookie = ''] = added.headers.getSetCookie().filter((line) => line.includes('notice'));
		const next = added.headers.get('location') ?? '';
		const page = await openPage(service, next, `${sessions.admin}; ${cookie.split(';')[0]}`);
		expect(await page.text()).toContain(notice);
	},
);

test('a form that already added a base image cannot add another one', async () => {
	await send('/admin/base-images/new', { ...image, token: 'image-4' });
	const answer = await send('/admin/base-images/new', {
		...image,
		name: 'Other',
		token: 'image-4',
	});
	expect(answer.status).toBe(422);
	expect(await answer.text()).toContain('value="Other"');
});

test('an erase ignores the hidden image and offset, and an unticked box disables it', async () => {
	const { enabled: _enabled, ...unticked } = image;
	const fields = {
		...unticked,
		action: 'erase',
		url: 'not used',
		name: 'Wipe it all',
		token: 'image-3',
	};
	expect((await send('/admin/base-images/new', fields)).status).toBe(303);
	expect(await open('/admin/base-images')).toMatch(/class="struck"><bdi>Wipe it all/);
});

test('accounts are found by part of their email address', async () => {
	const text = await open('/admin/accounts?q=GRACE');
	expect(text).toContain('grace@example.com');
	expect(text).not.toContain('ada@example.com');
	expect(await open('/admin/accounts?q=nobody')).toContain('No account matches');
});

const detailOf = async (email: string) => {
	const text = await open(`/admin/accounts?q=${email}`);
	return /\/admin\/accounts\/acc_\w+/.exec(text)?.[0] ?? '';
};

test('granting credits puts an account on the paid tier, once for each form', async () => {
	await signUp(service, 'granted@example.com');
	const path = await detailOf('granted@example.com');
	const unsure = await send(`${path}/credits`, { amount: '40', token: 'grant-1' });
	expect(unsure.status).toBe(400);
	expect(await unsure.text()).toContain('This address was never verified. Confirm');
	const grant = { amount: '40', token: 'grant-1', sure: 'on' };
	await send(`${path}/credits`, grant);
	await send(`${path}/credits`, grant);
	const text = await open(path);
	expect(text).toContain('40 credits');
	expect(text).toContain('Paid tier');
	const wrong = await send(`${path}/credits`, { amount: 'many', token: 'grant-2', sure: 'on' });
	expect(wrong.status).toBe(400);
	expect(await wrong.text()).toContain('value="many"');
});

test('a disabled account is logged out at once, and can be enabled again', async () => {
	const cookie = await signUp(service, 'stopped@example.com');
	const path = await detailOf('stopped@example.com');
	await send(`${path}/disable`, {});
	expect((await openPage(service, '/boards', cookie)).status).toBe(303);
	expect(await open(path)).toContain('Disabled');
	await send(`${path}/enable`, {});
	expect(await open(path)).not.toContain('Disabled');
});

test('an account is promoted and demoted, which logs it out', async () => {
	const email = 'rising@example.com';
	let cookie = await signUp(service, email);
	const path = await detailOf(email);
	for (const [change, status] of [
		['promote', 200],
		['demote', 403],
	] as const) {
		const proof = { confirmation: service.demo.password };
		sessions.admin = sessionOf(await send(`${path}/${change}`, proof));
		expect((await openPage(service, '/account', cookie)).status).toBe(303);
		cookie = sessionOf(await sendForm(service, '/login', { email, password: 'a long sentence' }));
		expect((await openPage(service, '/admin/accounts', cookie)).status).toBe(status);
	}
});

test('an administrator changes the email address of an account, with the password', async () => {
	await signUp(service, 'before@example.com');
	const list = await open('/admin/accounts?q=before');
	const [, account = ''] = /href="(\/admin\/accounts\/acc_[^"]+)"/.exec(list) ?? [];
	expect(await open(`${account}/email`)).not.toContain('The former address gets a message');
	const wanted = { email: 'After@example.com' };
	expect(await (await send(`${account}/email`, wanted)).text()).toContain('Confirm that it is you');
	const confirmed = { ...wanted, confirmation: service.demo.password };
	const changed = await send(`${account}/email`, confirmed);
	sessions.admin = sessionOf(changed) || sessions.admin;
	expect([changed.status, changed.headers.get('location')]).toEqual([303, account]);
	expect(await open(account)).toContain('<bdi>after@example.com</bdi>');
	const password = 'a long sentence';
	expect(
		(await sendForm(service, '/login', { email: 'before@example.com', password })).status,
	).toBe(400);
	expect((await sendForm(service, '/login', { email: 'after@example.com', password })).status).toBe(
		303,
	);
});

test('an administrator marks an address as verified, with the password, which the activity says', async () => {
	const email = 'known@example.com';
	const cookie = await signUp(service, email);
	const ownPage = async () => (await openPage(service, '/account', cookie)).text();
	expect(await ownPage()).toContain('Not verified');
	expect(await ownPage()).toContain('Ask the operator of this service to mark the address');
	const path = await detailOf(email);
	expect(await open(path)).toContain('Not verified');
	expect(await open(`${path}/verify`)).toContain('This address was never verified');
	expect(await (await send(`${path}/verify`, {})).text()).toContain('Confirm that it is you');
	expect(await ownPage()).toContain('Not verified');
	const changed = await send(`${path}/verify`, { confirmation: service.demo.password });
	sessions.admin = sessionOf(changed) || sessions.admin;
	expect(await ownPage()).not.toContain('ot verified');
	expect(await open(path)).not.toMatch(/Not verified|Mark as verified/);
	const [, activity] = (await open(`/admin/activity?account=${email}`)).split('<tbody');
	expect(activity).toContain('Email address verified');
	expect(activity).toContain(service.demo.email);
});

test('administrators cannot disable or demote themselves', async () => {
	const path = await detailOf('admin@example.com');
	const answer = await send(`${path}/disable`, {});
	expect(answer.status).toBe(400);
	expect((await openPage(service, '/admin/accounts', sessions.admin)).status).toBe(200);
});

test('an unknown account gets a 404 page', async () => {
	expect((await openPage(service, '/admin/accounts/acc_none', sessions.admin)).status).toBe(404);
	expect((await send('/admin/accounts/acc_none/credits', { amount: '1' })).status).toBe(404);
});

test.each(['promote', 'disable'])(
	'to %s, the page asks for confirmation and names the account',
	async (change) => {
		await signUp(service, `${change}-me@example.com`);
		const path = await detailOf(`${change}-me@example.com`);
		expect(await open(path)).toContain(`href="${path}/${change}"`);
		const question = await open(`${path}/${change}`);
		expect(question).toContain(`<bdi>${change}-me@example.com</bdi>`);
		expect(question).toContain(`href="${path}">Cancel`);
		expect(await open(path)).not.toMatch(/Administrator<|Disabled</);
		expect(question.includes('This address was never verified')).toBe(change === 'promote');
		expect((await openPage(service, `${path}/vanish`, sessions.admin)).status).toBe(404);
	},
);

/** The addresses of the base images of a type, in their order. */
const imagesOf = async (type: string) => {
	const text = await open('/admin/base-images');
	const [, group = ''] = text.split(`>${type}</code></h2>`);
	const [table = ''] = group.split('</table>');
	return [...table.matchAll(/<bdi>([^<]*)<\/bdi>.*?href="(\/admin\/base-images\/img_\w+)"/g)].map(
		([, name = '', path = '']) => ({ name, path }),
	);
};

test('base images are moved, disabled, changed and deleted', async () => {
	for (const name of ['first', 'second', 'third']) {
		await send('/admin/base-images/new', { ...image, board_type: 'ordered', name, token: name });
	}
	const [, second] = await imagesOf('ordered');
	const names = async () => (await imagesOf('ordered')).map(({ name }) => name);
	const path = second?.path ?? '';
	const fields = { ...image, board_type: 'ordered', name: 'renamed' };
	expect((await send(path, { ...fields, position: '3' })).status).toBe(303);
	expect(await names()).toEqual(['first', 'third', 'renamed']);
	// An empty position stays as it is.
	await send(path, { ...fields, enabled: '' });
	expect(await names()).toEqual(['first', 'third', 'renamed']);
	expect(await open('/admin/base-images')).toContain('class="struck"><bdi>renamed<');
	await send(path, fields);
	expect(await open('/admin/base-images')).not.toContain('class="struck"><bdi>renamed<');
	expect(await open(path)).toContain('value="renamed"');
	const refused = await send(path, { ...fields, flash_offset: '1.5' });
	expect([refused.status, await refused.text()]).toEqual([
		400,
		expect.stringContaining('Enter the offset as 0x10000'),
	]);

	expect(await open(`${path}/delete`)).toContain('<bdi>renamed</bdi>');
	await send(`${path}/delete`, {});
	expect(await names()).toEqual(['first', 'third']);
	expect((await openPage(service, path, sessions.admin)).status).toBe(404);
});

test('base images of a type without boards have a warning', async () => {
	const warning = 'No board has this type';
	await send('/admin/base-images/new', { ...image, board_type: 'lonely', token: 'lonely' });
	const warned = async () => {
		const [, group = ''] = (await open('/admin/base-images')).split('>lonely</code></h2>');
		return (group.split('</table>')[0] ?? '').includes(warning);
	};
	expect(await warned()).toBe(true);
	await importBoards('name,board_type\nl-1,lonely');
	expect(await warned()).toBe(false);
});

test('a board is added once, changed, put into maintenance and retired', async () => {
	const fields = {
		name: 'managed',
		board_type: 'managed-type',
		description: '',
		credits_per_minute: '2',
		tags: 'rack: b2\n\nurl: http://x',
		token: 'board-1',
	};
	const added = await send('/admin/boards/new', fields);
	const page = added.headers.get('location') ?? '';
	expect(page).toMatch(/^\/boards\/brd_/);
	expect((await send('/admin/boards/new', fields)).headers.get('location')).toBe(page);
	const text = await open(page);
	expect(text).toContain('2 credits a minute');
	expect(text).toContain('<bdi>http://x</bdi>');

	const form = `/admin${page}`;
	expect(await open(form)).toContain('rack: b2\nurl: http://x');
	await send(form, { ...fields, name: 'renamed board', tags: '' });
	expect(await open(page)).toContain('<bdi>renamed board</bdi>');
	const refused = await send(form, { ...fields, credits_per_minute: '-1' });
	expect([refused.status, await refused.text()]).toEqual([
		400,
		expect.stringContaining('Enter a whole number from 0 to 1,000,000.'),
	]);

	await send(`${form}/maintenance`, { on: 'true', reason: 'A new cable' });
	const maintained = await (await openPage(service, page, sessions.free)).text();
	expect(maintained).toContain('A new cable');
	expect(maintained).not.toContain('End maintenance');
	expect(await open(page)).toContain('End maintenance');
	await send(`${form}/maintenance`, { on: 'false' });
	expect(await open(page)).toContain('Start maintenance');

	expect(await open(`${form}/retire`)).toContain('<bdi>renamed board</bdi>');
	await send(`${form}/retire`, {});
	expect((await openPage(service, page, sessions.admin)).status).toBe(404);
});

test('tags need a colon, and each name once', async () => {
	const fields = { name: 'tagged', board_type: 'x', credits_per_minute: '0', token: 'tags' };
	for (const tags of ['rack b2', 'rack: b2\nrack: b3']) {
		const refused = await send('/admin/boards/new', { ...fields, tags });
		expect([refused.status, await refused.text()]).toEqual([
			400,
			expect.stringContaining('Enter a name, a colon and a value on each line'),
		]);
	}
});

test.each(['offline', 'in_use'])(
	'a board that was set to %s can be set to available',
	async (status) => {
		const id = `brd_was_${status}`;
		await importBoards(`id,name,board_type\n${id},was ${status},x`);
		await service.fetch(`http://localhost/v1/admin/boards/${id}`, {
			method: 'PATCH',
			headers: {
				authorization: `Bearer ${service.demo.apiKey}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify({ status }),
		});
		const page = `/boards/${id}`;
		expect(await open(page)).toContain('Set to available');
		expect(await (await openPage(service, page, sessions.free)).text()).not.toContain('Set to');
		await send(`/admin${page}/available`, {});
		const text = await open(page);
		expect(text).toContain('<span class="badge status-available">');
		expect(text).not.toContain('Set to available');
	},
);

test('a board in a lease cannot be retired, and the page says why', async () => {
	await importBoards('id,name,board_type\nbrd_leased,leased,x');
	await send('/boards/brd_leased/use', { minutes: '5' });
	const refused = await send('/admin/boards/brd_leased/retire', {});
	expect([refused.status, await refused.text()]).toEqual([
		409,
		expect.stringContaining('The board is in a lease'),
	]);
});

test('every lease is listed, live ones first, and can be ended', async () => {
	const use = async (board: string) => {
		const used = await sendForm(service, `/boards/${board}/use`, { minutes: '5' }, sessions.paid);
		return used.headers.get('location') ?? '';
	};
	const live = await use('brd_esp32-s3-01');
	const past = await use('brd_rp2040-pico-01');
	await sendForm(service, `${past}/release`, {}, sessions.paid);
	const text = await open('/admin/leases');
	expect(text).toContain('grace@example.com');
	expect(text.indexOf('brd_esp32-s3-01')).toBeLessThan(text.indexOf('brd_rp2040-pico-01'));
	const ofBoard = await open('/admin/leases?board=brd_rp2040-pico-01');
	expect(ofBoard).toContain('href="/boards/brd_rp2040-pico-01"');
	expect(ofBoard).not.toContain('brd_esp32-s3-01');
	expect(await open('/boards/brd_rp2040-pico-01')).toContain(
		'/admin/leases?board=brd_rp2040-pico-01',
	);
	expect(await open(`/admin${live}/end`)).toContain('grace@example.com');
	expect(text).not.toContain(`/admin${past}/end`);
	await send(`/admin${live}/end`, {});
	const seen = await (await openPage(service, live, sessions.paid)).text();
	expect(seen).toContain('An administrator ended the lease.');
});

test.each([
	'/admin/leases',
	'/admin/agents',
	'/admin/boards/new',
	'/admin/boards/brd_arduino-uno-01',
	'/admin/boards/brd_arduino-uno-01/retire',
])('only administrators open %s', async (path) => {
	expect((await openPage(service, path, sessions.paid)).status).toBe(403);
	expect((await openPage(service, path, sessions.admin)).status).toBe(200);
});

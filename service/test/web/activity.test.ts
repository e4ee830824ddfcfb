// The pages of the activity log.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { logInAll, openPage, origin, type Sessions, sendForm, sessionOf } from './support/lab.ts';

let service: TestService;
let sessions: Sessions;
beforeAll(async () => {
	service = await createTestService();
	sessions = await logInAll(service);
});
afterAll(() => service.close());

const open = async (path: string, role: keyof Sessions) =>
	(await openPage(service, path, sessions[role])).text();

test('members see what happened to their account, with the address', async () => {
	await sendForm(service, '/keys', { label: 'seen', token: 'seen' }, sessions.paid);
	const page = await open('/account/activity', 'paid');
	expect(page).toContain('API key created');
	expect(page).toContain('label: seen');
	expect(page).toContain('Logged in');
	expect(page).toContain('in-process');
	expect(await open('/account/activity', 'free')).not.toContain('label: seen');
	expect(await open('/account', 'paid')).toContain('href="/account/activity"');
});

test('administrators filter by account and by kind, and others may not', async () => {
	const page = await open(
		'/admin/activity?account=grace%40example.com&kind=session.created',
		'admin',
	);
	expect(page).toContain('grace@example.com');
	expect(page).not.toContain('ada@example.com');
	expect(page).not.toContain('<strong>API key created');
	expect(page).toContain('<option value="session.created" selected');
	const none = await open('/admin/activity?account=nobody%40example.com', 'admin');
	expect(none).toContain('No activity matches');
	expect((await openPage(service, '/admin/activity', sessions.paid)).status).toBe(403);
});

test('the page of a member does not name administrators', async () => {
	const id = /acc_[0-9a-f]{24}/.exec(await open('/account', 'free'))?.[0] ?? '';
	for (const change of ['promote', 'demote']) {
		const proof = { confirmation: service.demo.password };
		const changed = await sendForm(
			service,
			`/admin/accounts/${id}/${change}`,
			proof,
			sessions.admin,
		);
		sessions.admin = sessionOf(changed);
	}
	const ada = { email: 'ada@example.com', password: 'a long sentence' };
	sessions.free = sessionOf(await sendForm(service, '/login', ada));
	const page = await open('/account/activity', 'free');
	expect(page).toContain('An administrator');
	expect(page).not.toContain(service.demo.email);
});

test('a long log has pages', async () => {
	const headers = { cookie: sessions.paid, origin, 'content-type': 'application/json' };
	for (let number = 0; number < 51; number += 1) {
		const body = JSON.stringify({ label: `number ${number}.` });
		await service.fetch(`${origin}/v1/auth/keys`, { method: 'POST', headers, body });
	}
	const first = await open('/account/activity', 'paid');
	expect(first).toContain('number 50.');
	expect(first).not.toContain('number 0.');
	const older = /href="(\/account\/activity\?cursor=[^"]+)"/.exec(first)?.[1] ?? '';
	expect(await open(older, 'paid')).toContain('number 0.');
});

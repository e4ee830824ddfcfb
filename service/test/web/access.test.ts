// Who can open which page, and the headers of every page.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import {
	logInAll,
	openPage,
	origin,
	type Role,
	roles,
	type Sessions,
	sendForm,
} from './support/lab.ts';

let service: TestService;
let sessions: Sessions;
beforeAll(async () => {
	service = await createTestService();
	sessions = await logInAll(service);
});
afterAll(() => service.close());

const open = (path: string, role: Role) => openPage(service, path, sessions[role]);

const forMembers = [
	'/boards',
	'/boards/brd_esp32-s3-01',
	'/leases',
	'/keys',
	'/keys/new',
	'/credits',
	'/account',
];
const forAdmins = [
	'/admin/base-images',
	'/admin/base-images/new',
	'/admin/boards',
	'/admin/accounts',
];
const forStrangers = ['/login', '/signup'];
const forEveryone = ['/docs'];

test.each(forStrangers)(
	'%s is for visitors without a session; members are redirected',
	async (path) => {
		for (const role of roles) {
			const { status } = await open(path, role);
			expect([role, status]).toEqual([role, role === 'stranger' ? 200 : 303]);
		}
	},
);

test.each([
	['stranger', '/login'],
	['free', '/boards'],
] as const)('the bare address leads a %s to %s', async (role, path) => {
	const { status, headers } = await open('/', role);
	expect([status, headers.get('location')]).toEqual([303, path]);
});

test.each(forEveryone)('%s is for everyone', async (path) => {
	for (const role of roles) expect((await open(path, role)).status).toBe(200);
});

test.each(forMembers)('%s is for members', async (path) => {
	for (const role of roles) {
		const { status } = await open(path, role);
		expect([role, status]).toEqual([role, role === 'stranger' ? 303 : 200]);
	}
});

test.each(forAdmins)('%s is for administrators', async (path) => {
	const expected = { stranger: 303, free: 403, paid: 403, admin: 200 };
	for (const role of roles) {
		const { status } = await open(path, role);
		expect([role, status]).toEqual([role, expected[role]]);
	}
});

test('logging in leads back to the page that required it', async () => {
	const answer = await open('/keys/new?label=ci', 'stranger');
	expect(answer.headers.get('location')).toBe('/login?next=%2Fkeys%2Fnew%3Flabel%3Dci');
	const { email, password } = service.demo;
	const done = await sendForm(service, '/login', { email, password, next: '/keys/new?label=ci' });
	expect(done.headers.get('location')).toBe('/keys/new?label=ci');
});

test.each([
	'https://evil.example',
	'//evil.example',
	'/\\evil.example',
	'/%09/evil',
	'/.//evil.example/x',
	'/x/..//evil.example',
	'/%2e//evil.example',
	'/./\\evil.example',
	'javascript:1',
])('logging in never leads to %s', async (next) => {
	const { email, password } = service.demo;
	const { headers } = await sendForm(service, '/login', { email, password, next });
	const { origin: target } = new URL(headers.get('location') ?? '', origin);
	expect(target).toBe(origin);
});

describe('each page', () => {
	const everywhere: [string, Role][] = [
		['/login', 'stranger'],
		['/docs', 'stranger'],
		['/nowhere', 'stranger'],
		...forMembers.map((path): [string, Role] => [path, 'paid']),
		...forAdmins.map((path): [string, Role] => [path, 'admin']),
	];

	test.each(everywhere)(
		'%s loads nothing from other hosts and runs no inline script',
		async (...at) => {
			const answer = await open(...at);
			const text = await answer.text();
			expect(text).toMatch(/^<!doctype html>/);
			expect(text.includes('action="/logout"')).toBe(at[1] !== 'stranger');
			expect(text).not.toMatch(
				/ style=| on[a-z]+=|<style|<script(?! type="module" src="\/assets\/)/,
			);
			expect(Object.fromEntries(answer.headers)).toMatchObject({
				'content-security-policy':
					"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
					`connect-src 'self'${answer.status === 404 ? '' : ' http://localhost'}; ` +
					"frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
				'cache-control': 'no-store',
				'referrer-policy': 'same-origin',
				'x-content-type-options': 'nosniff',
				'x-request-id': expect.any(String),
			});
		},
	);
});

test('assets are cached forever under a name that changes with their content', async () => {
	const text = await (await open('/boards', 'free')).text();
	const paths = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
	expect(paths.length).toBeGreaterThan(4);
	for (const path of paths) {
		const answer = await open(path, 'stranger');
		expect(answer.status).toBe(200);
		expect(answer.headers.get('cache-control')).toContain('immutable');
	}
	expect((await open('/assets/000000000000/app.css', 'stranger')).status).toBe(404);
});

const changes = [
	['/login', {}],
	['/signup', {}],
	['/logout', {}],
	['/account/password', {}],
	['/keys', { label: 'stolen' }],
	['/credits/top-up', { credits: '100' }],
	['/admin/base-images/new', {}],
	['/admin/boards/new', {}],
] as const;

test.each(changes)('a form sent to %s from another site is rejected', async (path, fields) => {
	const answer = await service.fetch(origin + path, {
		method: 'POST',
		body: new URLSearchParams(fields),
		headers: {
			origin: 'https://evil.example',
			'sec-fetch-site': 'cross-site',
			cookie: sessions.admin,
			accept: 'text/html',
		},
	});
	expect(answer.status).toBe(403);
	expect(await answer.text()).toContain('came from another site');
});

test('an error is a page for browsers and JSON for programs', async () => {
	const page = await open('/nowhere', 'free');
	expect(page.headers.get('content-type')).toContain('text/html');
	const json = await service.fetch(`${origin}/nowhere`);
	expect(json.headers.get('content-type')).toBe('application/json');
	expect(json.headers.get('x-content-type-options')).toBe('nosniff');
	const api = await service.fetch(`${origin}/v1/nowhere`, { headers: { accept: 'text/html' } });
	expect(api.headers.get('content-type')).toBe('application/json');
});

test('a form that is too large, and a body that is not a form, get an error page', async () => {
	const large = await sendForm(service, '/keys', { label: 'x'.repeat(70_000) }, sessions.paid);
	expect(large.status).toBe(413);
	const json = await service.fetch(`${origin}/keys`, {
		method: 'POST',
		body: '{}',
		headers: {
			origin,
			cookie: sessions.paid,
			accept: 'text/html',
			'content-type': 'application/json',
		},
	});
	expect(json.status).toBe(415);
});

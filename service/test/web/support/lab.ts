// A service with one visitor of each role, for tests and pictures of the pages.
import type { TestService } from '../../../src/testing.ts';

export const roles = ['stranger', 'free', 'paid', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The session cookie of each role, as a Cookie header. */
export type Sessions = Record<Role, string>;

/** What the in-process service takes for its own origin. */
export const origin = 'http://localhost';

type Fetch = Pick<TestService, 'fetch'>;

export function openPage(service: Fetch, path: string, cookie = '') {
	return service.fetch(origin + path, {
		headers: { cookie, accept: 'text/html' },
		redirect: 'manual',
	});
}

/** Sends a form as a browser would. */
export function sendForm(
	service: Fetch,
	path: string,
	fields: Record<string, string>,
	cookie = '',
) {
	return service.fetch(origin + path, {
		method: 'POST',
		body: new URLSearchParams(fields),
		headers: { origin, cookie, accept: 'text/html' },
		redirect: 'manual',
	});
}

/** The session that an answer begins, as a Cookie header. */
export function sessionOf(answer: Response) {
	return (
		answer.headers
			.getSetCookie()
			.find((line) => line.includes('session_token='))
			?.split(';')[0] ?? ''
	);
}

/** Signs up somebody new, on the paid tier if wanted. */
export async function signUp(service: Fetch, email: string, { paid = false } = {}) {
	const answer = await sendForm(service, '/signup', { email, password: 'a long sentence' });
	const cookie = sessionOf(answer);
	if (paid) await sendForm(service, '/credits/top-up', { credits: '100' }, cookie);
	return cookie;
}

/** Lets one of each role in. */
export async function enterAll(service: TestService): Promise<Sessions> {
	const { email, password } = service.demo;
	return {
		stranger: '',
		free: await signUp(service, 'ada@example.com'),
		paid: await signUp(service, 'grace@example.com', { paid: true }),
		admin: sessionOf(await sendForm(service, '/login', { email, password })),
	};
}

/** Makes keys with and without labels, one of them endless, one of them revoked. */
export async function fillKeys(service: Fetch, cookie: string) {
	const keys = `${origin}/v1/auth/keys`;
	const headers = { cookie, origin, 'content-type': 'application/json' };
	const create = async (body: object) => {
		const init = { method: 'POST', headers, body: JSON.stringify(body) };
		const created: unknown = await (await service.fetch(keys, init)).json();
		// The service answers a created key with its identifier.
		return (created as { id: string }).id;
	};
	const old = await create({ label: 'old laptop' });
	await create({});
	await create({ label: 'nightly-regression-'.repeat(10) });
	await create({ label: 'bench laptop' });
	await create({ label: 'ci' });
	await service.fetch(`${keys}/${old}`, { method: 'DELETE', headers });
}

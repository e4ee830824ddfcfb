// A service with one visitor of each role, for tests and pictures of the pages.
import type { TestService } from '../../../src/testing.ts';

export const roles = ['stranger', 'free', 'paid', 'admin'] as const;
export type Role = (typeof roles)[number];

/** An origin of its own for every in-process request; the pages take it for their own. */
const origin = 'http://localhost';

/** Sends a form as a browser would, and answers the session cookie that comes with the answer. */
export const sendForm = async (
	service: Pick<TestService, 'fetch'>,
	path: string,
	fields: Record<string, string>,
	cookie = '',
) => {
	const answer = await service.fetch(origin + path, {
		method: 'POST',
		body: new URLSearchParams(fields),
		headers: { origin, cookie, accept: 'text/html' },
		redirect: 'manual',
	});
	const session = answer.headers.getSetCookie().find((line) => line.includes('session_token='));
	return { answer, session: session?.split(';')[0] ?? '' };
};

/** Session cookies of the three who are logged in. */
export const enterAll = async (service: TestService): Promise<Record<Role, string>> => {
	const { email, password } = service.demo;
	const logIn = async (address: string) =>
		(await sendForm(service, '/login', { email: address, password })).session;
	const newcomer = { email: 'grace@example.com', password: 'a long sentence' };
	const { session: paid } = await sendForm(service, '/signup', newcomer);
	await sendForm(service, '/credits/top-up', { credits: '100' }, paid);
	return {
		stranger: '',
		free: await logIn('free@example.com'),
		paid,
		admin: await logIn(email),
	};
};

/** Makes keys with and without labels, one of them endless, one of them revoked. */
export const fillKeys = async (service: TestService, cookie: string) => {
	const keys = 'http://localhost/v1/auth/keys';
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
};

// A service with one visitor of each role, for tests and screenshots of the pages.
import type { TestService } from '../../../src/testing.ts';

export const roles = ['stranger', 'free', 'paid', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The session cookie of each role, as a Cookie header. */
export type Sessions = Record<Role, string>;

/** Keeps the session of a browser, whose token may have changed. */
export function keepSession(
	sessions: Sessions,
	role: Role,
	cookies: readonly { name: string; value: string }[],
) {
	const found = cookies.find(({ name }) => name.includes('session_token'));
	if (found) sessions[role] = `${found.name}=${found.value}`;
}

/** The origin of the in-process service. */
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

/** Sends what the script of a page sends, with the session of a browser. */
export function sendJson(service: Fetch, request: string, body: object, cookie = '') {
	const [method = '', path] = request.split(' ');
	return service.fetch(`${origin}/v1${path}`, {
		method,
		headers: { cookie, origin, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** The session that a response starts, as a Cookie header. */
export function sessionOf(response: Response) {
	return (
		response.headers
			.getSetCookie()
			.find((line) => line.includes('session_token='))
			?.split(';')[0] ?? ''
	);
}

/** Signs up a new account, on the paid tier if wanted. */
export async function signUp(service: Fetch, email: string, { paid = false } = {}) {
	const response = await sendForm(service, '/signup', { email, password: 'a long sentence' });
	const cookie = sessionOf(response);
	if (paid) await topUp(service, { credits: '100' }, cookie);
	return cookie;
}

type Lab = Pick<TestService, 'fetch' | 'demo'>;

/** Signs up a new account, whose address an administrator marks as verified. */
export async function signUpVerified(service: Lab, email: string) {
	const cookie = await signUp(service, email);
	await verify(service, email);
	return cookie;
}

async function verify(service: Lab, address: string) {
	const { email, password } = service.demo;
	const admin = sessionOf(await sendForm(service, '/login', { email, password }));
	const list = await openPage(service, `/admin/accounts?q=${encodeURIComponent(address)}`, admin);
	const [path = ''] = /\/admin\/accounts\/acc_\w+/.exec(await list.text()) ?? [];
	await sendForm(service, `${path}/verify`, { confirmation: password }, admin);
}

/** Asks for a top-up and confirms it, as the pages do. */
export async function topUp(service: Fetch, fields: Record<string, string>, cookie: string) {
	return sendForm(service, '/credits/top-up', await topUpForm(service, fields, cookie), cookie);
}

/** The fields of the form that confirms a top-up. */
export async function topUpForm(service: Fetch, fields: Record<string, string>, cookie: string) {
	const path = `/credits/top-up?${new URLSearchParams(fields)}`;
	const page = await (await openPage(service, path, cookie)).text();
	const hidden = page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g);
	return Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
}

/** Logs in one account of each role. */
export async function logInAll(service: TestService): Promise<Sessions> {
	const { email, password } = service.demo;
	return {
		stranger: '',
		free: await signUp(service, 'ada@example.com'),
		paid: await signUp(service, 'grace@example.com', { paid: true }),
		admin: sessionOf(await sendForm(service, '/login', { email, password })),
	};
}

/** Logs in one account of each role, and adds all that the pages can show. */
export async function furnishLab(service: TestService) {
	const sessions = await logInAll(service);
	for (const name of ['ada', 'grace']) await verify(service, `${name}@example.com`);
	await createKeys(service, sessions.paid);
	await importLongBoards(service, sessions.admin);
	await startLeases(service, sessions);
	return sessions;
}

/** Adds boards and an agent for them, and returns the token of the agent. */
export async function addBoards(
	service: Fetch,
	boards: readonly { id: string; name: string; board_type: string }[],
	admin: string,
) {
	await sendJson(service, 'PUT /admin/boards', { boards }, admin);
	const agent = { name: boards[0]?.name, board_ids: boards.map(({ id }) => id) };
	const created = await sendJson(service, 'POST /admin/agents', agent, admin);
	// A created agent has its token.
	const { token } = (await created.json()) as { token: string };
	return token;
}

/** Creates keys with and without labels, one of them very long, one of them revoked. */
async function createKeys(service: Fetch, cookie: string) {
	const keys = `${origin}/v1/auth/keys`;
	const headers = { cookie, origin, 'content-type': 'application/json' };
	const create = async (body: object) => {
		const init = { method: 'POST', headers, body: JSON.stringify(body) };
		const created: unknown = await (await service.fetch(keys, init)).json();
		// A created key has an identifier.
		return (created as { id: string }).id;
	};
	const old = await create({ label: 'old laptop' });
	await create({});
	await create({ label: 'nightly-regression-'.repeat(10) });
	await create({ label: 'bench laptop' });
	await create({ label: 'ci' });
	await service.fetch(`${keys}/${old}`, { method: 'DELETE', headers });
}

const longWord = 'extraordinarily-long-without-any-break-'.repeat(4);

/** Imports boards whose names, types and tags are as long as they can be, or right to left. */
function importLongBoards(service: Fetch, cookie: string) {
	const boards = [
		{ name: longWord, board_type: longWord.slice(0, 100), description: longWord.repeat(3) },
		{ name: 'many-tags', board_type: 'esp32', tags: { [longWord.slice(0, 60)]: longWord } },
		{ name: 'לוח-7', board_type: 'esp32', description: 'לוח פיתוח (ESP32)' },
	];
	return sendJson(service, 'PUT /admin/boards', { boards }, cookie);
}

/** An agent that drives one board, and leases: a waiting, a running and a past one. */
async function startLeases(service: Fetch, { admin, paid }: Sessions) {
	const agent = { name: 'raspberry-1', board_ids: ['brd_arduino-uno-01'] };
	await sendJson(service, 'POST /admin/agents', agent, admin);
	const use = async (board: string) => {
		const used = await sendForm(service, `/boards/${board}/use`, { minutes: '10' }, paid);
		return used.headers.get('location') ?? '';
	};
	const past = await use('brd_esp32-s3-01');
	await sendForm(service, `${past}/release`, {}, paid);
	await use('brd_esp32-s3-02');
	await use('brd_rp2040-pico-01');
}

import { describe, expect, test } from 'vitest';
import { assetPath } from '../../../web/src/assets.ts';
import { type Backend, inProcess } from '../support/backends.ts';
import { openPage, sendForm, sessionOf } from '../web/support/lab.ts';

const limit = 5;
const from = (address: string) => ({ authorization: 'none', 'x-forwarded-for': address });

describe.each(inProcess)('$name, with a limit for each address', ({ open }) => {
	const withBackend = async (work: (backend: Backend) => Promise<void>) => {
		const backend = await open({ rateLimitPerAddress: limit, trustProxy: true });
		try {
			await work(backend);
		} finally {
			await backend.close();
		}
	};
	const flood = async ({ send }: Backend, path: string, address = '192.0.2.1') => {
		const statuses = [];
		for (let count = 0; count < limit + 2; count += 1) {
			statuses.push((await send(path, { headers: from(address) })).status);
		}
		return statuses;
	};

	test.each(['/', '/login', '/openapi.json', '/nothing-here', '/v1/nothing-here', '/metrics'])(
		'requests without a credential to %s are limited',
		(path) =>
			withBackend(async (backend) => {
				const statuses = await flood(backend, path);
				expect(statuses.slice(0, limit)).not.toContain(429);
				expect(statuses.slice(limit)).toEqual([429, 429]);
				const rejected = await backend.send(path, { headers: from('192.0.2.1') });
				expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
				expect((await backend.send(path, { headers: from('192.0.2.2') })).status).not.toBe(429);
			}),
	);

	test.each(['/v1/nothing-here', '/v1/boards/a/b'])(
		'a made-up key for %s is no way around it',
		(path) =>
			withBackend(async ({ send }) => {
				const statuses = [];
				for (let count = 0; count < limit + 2; count += 1) {
					const authorization = `Bearer key_${String(count).padStart(48, '0')}`;
					const headers = { authorization, 'x-forwarded-for': '192.0.2.9' };
					statuses.push((await send(path, { headers })).status);
				}
				expect(statuses).toEqual([...Array(limit).fill(404), 429, 429]);
			}),
	);

	test.each(['/healthz', '/readyz', assetPath('app.css')])('%s is not limited', (path) =>
		withBackend(async (backend) => {
			await flood(backend, '/');
			expect(await flood(backend, path)).toEqual(Array(limit + 2).fill(200));
		}),
	);

	test('a key and a session from the same address are served, an invalid session is not', () =>
		withBackend(async (backend) => {
			const { email, password } = backend.login;
			const cookie = sessionOf(await sendForm(backend, '/login', { email, password }));
			const address = 'in-process';
			expect(await flood(backend, '/', address)).toContain(429);
			expect(
				(await backend.send('/v1/boards', { headers: { 'x-forwarded-for': address } })).status,
			).toBe(200);
			expect((await openPage(backend, '/boards', cookie)).status).toBe(200);
			const invalid = 'board_access.session_token=invalid.signature';
			expect((await openPage(backend, '/boards', invalid)).status).toBe(429);
			expect((await openPage(backend, '/boards')).status).toBe(429);
		}));
});

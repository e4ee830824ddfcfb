import { describe, expect, test } from 'vitest';
import { assetPath } from '../../src/web/assets.ts';
import { databaseKinds } from '../support/databases.ts';
import { places } from '../support/places.ts';
import { openPage, sendForm, sessionOf } from '../web/support/lab.ts';

const limit = 5;
const from = (address: string) => ({ authorization: 'none', 'x-forwarded-for': address });

describe.each(databaseKinds)('on %s, with a limit for each address', (kind) => {
	const withPlace = async (work: (place: Place) => Promise<void>) => {
		const found = places.find((place) => place.kind === kind);
		if (!found) throw new Error('There is no such place');
		const place = await found.open({ rateLimitPerAddress: limit, trustProxy: true });
		try {
			await work(place);
		} finally {
			await place.close();
		}
	};
	type Place = Awaited<ReturnType<(typeof places)[number]['open']>>;

	const flood = async ({ send }: Place, path: string, address = '192.0.2.1') => {
		const statuses = [];
		for (let count = 0; count < limit + 2; count += 1) {
			statuses.push((await send(path, { headers: from(address) })).status);
		}
		return statuses;
	};

	test.each(['/', '/login', '/openapi.json', '/nothing-here', '/v1/nothing-here', '/metrics'])(
		'requests without a credential to %s are limited',
		(path) =>
			withPlace(async (place) => {
				const statuses = await flood(place, path);
				expect(statuses.slice(0, limit)).not.toContain(429);
				expect(statuses.slice(limit)).toEqual([429, 429]);
				const refused = await place.send(path, { headers: from('192.0.2.1') });
				expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
				expect((await place.send(path, { headers: from('192.0.2.2') })).status).not.toBe(429);
			}),
	);

	test.each(['/v1/nothing-here', '/v1/boards/a/b'])(
		'a made-up key for %s is no way around it',
		(path) =>
			withPlace(async ({ send }) => {
				const statuses = [];
				for (let count = 0; count < limit + 2; count += 1) {
					const authorization = `Bearer key_${String(count).padStart(48, '0')}`;
					const headers = { authorization, 'x-forwarded-for': '192.0.2.9' };
					statuses.push((await send(path, { headers })).status);
				}
				expect(statuses).toEqual([...Array(limit).fill(404), 429, 429]);
			}),
	);

	test.each(['/healthz', '/readyz', assetPath('app.css')])('%s is free', (path) =>
		withPlace(async (place) => {
			await flood(place, '/');
			expect(await flood(place, path)).toEqual(Array(limit + 2).fill(200));
		}),
	);

	test('a key and a session from the same address are served, an invalid session is not', () =>
		withPlace(async (place) => {
			const { email, password } = place.login;
			const cookie = sessionOf(await sendForm(place, '/login', { email, password }));
			const address = 'in-process';
			expect(await flood(place, '/', address)).toContain(429);
			expect(
				(await place.send('/v1/boards', { headers: { 'x-forwarded-for': address } })).status,
			).toBe(200);
			expect((await openPage(place, '/boards', cookie)).status).toBe(200);
			const invalid = 'board_access.session_token=invalid.signature';
			expect((await openPage(place, '/boards', invalid)).status).toBe(429);
			expect((await openPage(place, '/boards')).status).toBe(429);
		}));
});

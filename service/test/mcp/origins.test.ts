// Pages of other sites cannot use /mcp, whatever key they have.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { onPostgres } from '../support/backends.ts';
import { openLab } from '../support/leasing.ts';
import { boardNamed, callOf, message, placeOf, post, withKey } from './support/agents.ts';

const evil = 'https://evil.example';

async function open(kind: (typeof databaseKinds)[number], options = {}) {
	const lab = await openLab(kind, { boards: [boardNamed('one')], ...options });
	onTestFinished(() => lab.close());
	const { key, id } = await lab.account();
	return {
		lab,
		/** Sends a call that leases a board. */
		from: async (headers: Record<string, string>) => {
			const call = callOf('lease_board', { boards: ['uno'] });
			return post(placeOf(lab), call, { headers: { ...withKey(key), ...headers } });
		},
		used: async () => {
			await lab.services.lastUsed.flush();
			const keys = lab.query.selectFrom('api_keys').select('last_used_at');
			const [found] = await keys.where('account_id', '=', id).execute();
			return found?.last_used_at;
		},
		leases: () => lab.query.selectFrom('leases').select('id').execute(),
	};
}

describe.each(databaseKinds)('on %s', (kind) => {
	test.each([
		['a page of another site', { origin: evil, 'sec-fetch-site': 'cross-site' }],
		['a page of another site, by its origin alone', { origin: evil }],
		[
			'another name of the same site',
			{ origin: 'http://b.localhost', 'sec-fetch-site': 'same-site' },
		],
		['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
		['what only claims its origin', { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' }],
		['another port', { origin: 'http://localhost:8080' }],
	])('%s is refused before anything happens', async (_who, headers) => {
		const { from, used, leases } = await open(kind);
		const { status, body } = await from({ ...headers });
		expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'origin_refused' });
		expect(await leases()).toEqual([]);
		expect(await used()).toBeNull();
		expect(await from({})).toMatchObject({ status: 200 });
		expect(await leases()).toHaveLength(1);
		expect(await used()).not.toBeNull();
	});

	test('a page of another site learns nothing before a request with a key', async () => {
		const { lab } = await open(kind);
		const asked = { origin: evil, 'access-control-request-method': 'POST' };
		const preflight = await post(placeOf(lab), undefined, { method: 'OPTIONS', headers: asked });
		expect(preflight.status).toBe(403);
		expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
	});
});

test.each([
	['programs, which send no origin', {}],
	['its own pages', { origin: 'http://localhost' }],
	[
		'what the browser calls its own',
		{ origin: 'http://any.example', 'sec-fetch-site': 'same-origin' },
	],
])('a service accepts %s', async (_who, headers) => {
	const { from } = await open('SQLite');
	expect(await from({ ...headers })).toMatchObject({ status: 200 });
});

test('a service with addresses accepts the pages at these, and no others', async () => {
	const [baseUrl, webUrl] = ['https://api.example.com', 'https://boards.example.com'];
	const { from } = await open('SQLite', { baseUrl, webUrl });
	const statuses = [];
	for (const origin of [baseUrl, webUrl, 'http://localhost', 'http://boards.example.com', evil]) {
		statuses.push((await from({ origin })).status);
	}
	expect(statuses).toEqual([200, 200, 403, 403, 403]);
});

test('a name that points at the machine does not reach it', async () => {
	const backend = await onPostgres.open();
	onTestFinished(() => backend.close());
	const ask = async (host: string) => {
		const asking = request(`${backend.baseUrl}/mcp`, {
			method: 'POST',
			headers: {
				...withKey(backend.apiKey),
				host,
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
			},
		});
		asking.end(JSON.stringify(message('tools/list')));
		const [response] = (await once(asking, 'response')) as [IncomingMessage];
		return { status: response.statusCode, body: await text(response) };
	};
	const refused = { status: 400, body: expect.stringContaining('"invalid_request"') };
	expect(await ask('evil.example')).toEqual(refused);
	const accepted = { status: 200, body: expect.stringContaining('lease_board') };
	expect(await ask('127.0.0.1')).toEqual(accepted);
});

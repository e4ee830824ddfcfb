// A credential that is revoked while its request is in progress.
import { afterEach, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/keys/store.ts';
import { consoleChange } from '../../src/leases/changes.ts';
import { assemble } from '../../src/service.ts';
import { databaseKinds } from '../support/databases.ts';
import { addAgent, type Lab, openLab, unoBoards } from '../support/leasing.ts';
import { passSeconds } from '../support/time.ts';
import { openPage, origin, sendForm, sessionOf } from '../web/support/lab.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A request whose body arrives in two parts. */
function slowRequest(
	{ app }: Pick<Lab, 'app'>,
	{ path, headers, parts }: { path: string; headers: Record<string, string>; parts: string[] },
) {
	const { readable, writable } = new TransformStream<Uint8Array>();
	const writer = writable.getWriter();
	const [first, second] = parts.map((part) => new TextEncoder().encode(part));
	const request = new Request(origin + path, {
		method: 'POST',
		headers,
		body: readable,
		redirect: 'manual',
		// Needed for a stream, but missing from the types.
		...{ duplex: 'half' },
	});
	const response = (async () => app.fetch(request, {}))();
	return {
		/** Resolves when the service reads the body, so it has authenticated the request. */
		authenticated: writer.write(first),
		async finish() {
			passSeconds(60);
			await writer.write(second);
			await writer.close();
			return response;
		},
	};
}

/** The text of a response as it arrives. */
function collect(response: Response) {
	let text = '';
	const read = async () => {
		for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
			text += part;
		}
	};
	return { text: () => text, ended: read() };
}

describe.each(databaseKinds)('on %s', (kind) => {
	const open = async () => {
		const lab = await openLab(kind, { boards: unoBoards(1) });
		cleanups.push(lab.close);
		const user = await lab.account({ credits: 100 });
		const leaked = await createKey(lab.query, { accountId: user.id });
		const revoke = () => revokeKey(lab.query, { accountId: user.id, id: leaked.id });
		return { lab, user, leaked, revoke };
	};

	test.each([
		['/v1/auth/keys', ['{"label":', '"late"}']],
		['/v1/leases', ['{"board_type":', '"uno"}']],
	])(
		'a key that is revoked while the body of POST %s arrives creates nothing',
		async (path, parts) => {
			const { lab, user, leaked, revoke } = await open();
			const headers = {
				authorization: `Bearer ${leaked.key}`,
				'content-type': 'application/json',
			};
			const slow = slowRequest(lab, { path, headers, parts });
			await slow.authenticated;
			await revoke();
			const response = await slow.finish();
			expect((await response.json()).error).toMatchObject({ code: 'api_key_revoked' });
			const { body: keys } = await user.send('GET', '/auth/keys');
			expect(keys.data).toHaveLength(1);
			expect((await user.send('GET', '/leases')).body.data).toEqual([]);
		},
	);

	test('a console stream ends when its key is revoked', async () => {
		const { lab, user, leaked, revoke } = await open();
		const { body: lease } = await user.lease({ board_id: 'brd_uno_1' });
		await addAgent(lab.query, ['brd_uno_1']);
		const read = (key: string) =>
			lab.app.fetch(
				new Request(`${origin}/v1/leases/${lease.id}/console`, {
					headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
				}),
				{},
			);
		const [revoked, other] = [await read(leaked.key), await read(user.key)];
		const revokedText = revoked.text();
		const { text, ended } = collect(other);
		await expect.poll(() => lab.parts.wake.watched).toBe(2);
		await revoke();
		passSeconds(60);
		lab.parts.wake.announce(consoleChange(lease.id));
		expect(await revokedText).toBe('');
		// The other one says that the board is quiet, once it is confirmed.
		await expect.poll(text).toBe(':\n\n');
		await user.release(lease.id);
		await ended;
		expect(text()).toContain('event: end');
	});
});

test('a session that ends while a form arrives changes nothing', async () => {
	const service = await assemble({ demo: true });
	cleanups.push(service.close);
	const { app, demo } = service;
	const fetch = async (input: Request | URL | string, init?: RequestInit) =>
		app.fetch(new Request(input, init), {});
	const log = async () => sessionOf(await sendForm({ fetch }, '/login', { ...demo }));
	const cookie = await log();
	const other = await log();
	const slow = slowRequest(service, {
		path: '/admin/boards',
		headers: {
			origin,
			cookie,
			accept: 'text/html',
			'content-type': 'application/x-www-form-urlencoded',
		},
		parts: ['boards=', encodeURIComponent('[{"name":"late-board","board_type":"uno"}]')],
	});
	await slow.authenticated;
	await sendForm({ fetch }, '/account/sessions/end-others', {}, other);
	expect((await slow.finish()).headers.get('location')).toMatch(/^\/login/);
	const boards = await openPage({ fetch }, '/boards', other);
	expect(await boards.text()).not.toContain('late-board');
});

// Pictures of a board by its camera: asked for while somebody looks, and seen by those who may see the lease only.
import { maxPictureBytes } from 'board-access-contract';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { boardId, openFilmedBoard } from '../support/filmed-board.ts';
import { openPage, origin, sendForm, sendJson, sessionOf } from '../web/support/lab.ts';

const jpeg = (text: string) => Buffer.from(`\xff\xd8\xff${text}`, 'latin1');
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

describe('the picture of a board', () => {
	test('is asked for by a look, which waits for the first one', async () => {
		const { agent, use, send, look } = await openFilmedBoard();
		const lease = await use('free');
		expect(agent.lease(boardId)?.watched_ms ?? 0).toBe(0);

		const looking = look(lease);
		await expect.poll(() => agent.lease(boardId)?.watched_ms).toBeGreaterThan(10_000);
		expect((await send(lease, jpeg('first'))).status).toBe(204);
		const first = await looking;
		expect(Buffer.from(await first.arrayBuffer())).toEqual(jpeg('first'));
		expect(Object.fromEntries(first.headers)).toMatchObject({
			'content-type': 'image/jpeg',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
			'cross-origin-resource-policy': 'same-origin',
			'content-security-policy': expect.stringContaining("default-src 'none'"),
		});

		await send(lease, png);
		const next = await look(lease);
		expect(next.headers.get('content-type')).toBe('image/png');
		expect(Buffer.from(await next.arrayBuffer())).toEqual(png);
	});

	test('is seen by nobody but those who may see the lease', async () => {
		const { use, send, look, agent } = await openFilmedBoard();
		const lease = await use('free');
		const looking = look(lease);
		await expect.poll(() => agent.lease(boardId)?.watched_ms).toBeGreaterThan(0);
		await send(lease, jpeg('private'));
		expect((await looking).status).toBe(200);

		expect((await look(lease, 'paid')).status).toBe(404);
		expect((await look(lease, 'admin')).status).toBe(200);
		expect((await look(lease, 'stranger')).headers.get('location')).toMatch(/^\/login/);
	});

	test('is not seen by a colleague who waits for it while the share ends', async () => {
		const { service, sessions, agent, use, send } = await openFilmedBoard();
		const lease = await use('free');
		const [email, { password }] = ['free@example.com', service.demo];
		const colleague = sessionOf(await sendForm(service, '/login', { email, password }));
		const share = () =>
			sendJson(service, `PUT ${lease}/shares`, { email, access: 'look' }, sessions.free);
		const look = () => openPage(service, `${lease}/picture`, colleague);
		await share();
		const waiting = look();
		await expect.poll(() => agent.lease(boardId)?.watched_ms).toBeGreaterThan(0);
		await sendJson(service, `POST ${lease}/shares/remove`, { email }, sessions.free);
		// What responds at once is not confirmed again.
		const now = performance.now.bind(performance);
		const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 100);
		onTestFinished(() => clock.mockRestore());
		await send(lease, jpeg('private'));
		expect((await waiting).status).toBe(404);

		await share();
		expect((await look()).status).toBe(200);
	});

	test('is gone with the lease, and not seen in the next one', async () => {
		const { service, sessions, agent, use, send, look } = await openFilmedBoard();
		const lease = await use('free');
		const looking = look(lease);
		await expect.poll(() => agent.lease(boardId)?.watched_ms).toBeGreaterThan(0);
		await send(lease, jpeg('private'));
		await looking;
		await sendForm(service, `${lease}/release`, {}, sessions.free);
		expect((await look(lease)).status).toBe(404);

		const next = await use('paid');
		const late = await send(lease, jpeg('late'));
		expect(late.status).toBe(409);
		const waiting = look(next, 'paid');
		await expect.poll(() => agent.lease(boardId)?.watched_ms).toBeGreaterThan(0);
		await send(next, jpeg('own'));
		expect(Buffer.from(await (await waiting).arrayBuffer())).toEqual(jpeg('own'));
		expect((await look(lease)).status).toBe(404);
		expect((await look(lease, 'paid')).status).toBe(404);
	});

	test('is neither asked for nor taken while the board is prepared', async () => {
		const { service, sessions, agent, use, send, look } = await openFilmedBoard({
			obliging: false,
		});
		const image = { board_type: 'filmed-board', action: 'erase', name: 'Erase' };
		const created = await service.fetch(`${origin}/v1/admin/base-images`, {
			method: 'POST',
			headers: { cookie: sessions.admin, origin, 'content-type': 'application/json' },
			body: JSON.stringify(image),
		});
		expect(created.status).toBe(201);
		const lease = await use('free', 'preparing');
		expect((await look(lease)).status).toBe(404);
		expect(agent.lease(boardId)?.watched_ms ?? 0).toBe(0);
		expect((await send(lease, jpeg('what the last lease left'))).status).toBe(409);
	});

	test.each([
		['HTML', Buffer.from('<script>alert(1)</script>')],
		[
			'an SVG image, which may have scripts',
			Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
		],
		['nothing', Buffer.alloc(0)],
		['a picture that is too large', Buffer.alloc(maxPictureBytes + 1, jpeg(''))],
	])('is not %s', async (_, sent) => {
		const { agent, use, send, look } = await openFilmedBoard();
		const lease = await use('free');
		const looking = look(lease);
		await expect.poll(() => agent.lease(boardId)?.watched_ms).toBeGreaterThan(0);
		expect((await send(lease, sent)).ok).toBe(false);
		await send(lease, png);
		expect((await looking).headers.get('content-type')).toBe('image/png');
	});

	test('is in place of the drawing where a camera looks at the board', async () => {
		const { service, sessions, use } = await openFilmedBoard();
		const lease = await use('free');
		const page = await (await openPage(service, lease, sessions.free)).text();
		expect(page).toContain(`<img class="board-camera" src="${lease}/picture"`);
		expect(page).not.toContain('does not read its pins');
	});

	test('is not expected where no camera does', async () => {
		const { service, sessions, use } = await openFilmedBoard({ camera: false });
		const lease = await use('free');
		const page = await (await openPage(service, lease, sessions.free)).text();
		expect(page).not.toContain('board-camera');
		expect(page).toContain('does not read its pins');
	});
});

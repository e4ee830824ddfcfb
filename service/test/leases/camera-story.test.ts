// From a camera on the network of an agent to the page of a lease.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAgent } from 'board-access-agent';
import { expect, test } from 'vitest';
import { createTestService } from '../../src/testing.ts';
import { addBoards, logInAll, openPage, origin, sendForm } from '../web/support/lab.ts';

test('the page of a lease shows what the camera of its board sees once somebody looks', async () => {
	const picture = Buffer.from('\xff\xd8\xffseen', 'latin1');
	let requests = 0;
	const camera = createServer((_, response) => {
		requests += 1;
		response.end(picture);
	}).listen(0, '127.0.0.1');
	await once(camera, 'listening');
	// An AddressInfo, because the server listens on a port and not on a path.
	const { port } = camera.address() as AddressInfo;
	const service = await createTestService();
	const sessions = await logInAll(service);
	const board = { id: 'brd_story', name: 'story', board_type: 'story-board' };
	const token = await addBoards(service, [board], sessions.admin);
	const looksAt = { camera: `http://127.0.0.1:${port}/still.jpg` };
	const agent = await startAgent({
		config: {
			service: origin,
			token,
			boards: [
				{
					id: board.id,
					type: board.board_type,
					driver: 'command',
					between_leases: 'keep',
					reset: ['true'],
					...looksAt,
				},
			],
		},
		fetch: (input, init) => service.fetch(input, init),
	});
	await agent.whenConnected();
	const used = await sendForm(service, `/boards/${board.id}/use`, { minutes: '5' }, sessions.free);
	const lease = used.headers.get('location') ?? '';
	const read = async () => (await openPage(service, lease, sessions.free)).text();
	await expect.poll(read).toContain('board-camera');
	expect(requests).toBe(0);

	const shown = await openPage(service, `${lease}/picture`, sessions.free);
	expect(shown.status).toBe(200);
	expect(Buffer.from(await shown.arrayBuffer())).toEqual(picture);
	await agent.stop();
	await service.close();
	camera.close();
});

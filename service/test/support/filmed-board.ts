// A board that a camera looks at, of an agent that a test controls.
import { afterEach, expect } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { addBoards, logInAll, openPage, origin, sendForm } from '../web/support/lab.ts';
import { connectAgent, sendAs } from './scripted-agent.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export const boardId = 'brd_filmed';

/** With visitors, who look at the board once they use it. */
export async function openFilmedBoard({ camera = true, obliging = true } = {}) {
	const service: TestService = await createTestService({ agentTimeout: 600 });
	cleanups.push(() => service.close());
	const sessions = await logInAll(service);
	const boards = [{ id: boardId, name: 'filmed', board_type: 'filmed-board' }];
	const token = await addBoards(service, boards, sessions.admin);
	const agent = await connectAgent(sendAs(origin, token, service.fetch), {
		driven: { [boardId]: ['reset', 'erase'] },
		obliging,
		camera,
	});
	const use = async (who: 'free' | 'paid', wanted = 'active') => {
		const used = await sendForm(service, `/boards/${boardId}/use`, { minutes: '9' }, sessions[who]);
		const path = used.headers.get('location') ?? '';
		const headers = { cookie: sessions[who] };
		const read = async () => (await service.fetch(`${origin}/v1${path}`, { headers })).json();
		await expect.poll(read).toMatchObject({ status: wanted });
		await expect.poll(() => agent.lease(boardId)?.id).toBe(path.slice('/leases/'.length));
		return path;
	};
	const send = async (path: string, picture: Uint8Array<ArrayBuffer>) =>
		agent.picture(path.slice('/leases/'.length), agent.fence(boardId), picture);
	const look = (path: string, who: keyof typeof sessions = 'free') =>
		openPage(service, `${path}/picture`, sessions[who]);
	return { service, sessions, agent, use, send, look };
}

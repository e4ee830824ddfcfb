// A board that an agent emulates, for tests and screenshots of the lease pages.
import { startAgent } from 'board-access-agent';
import { origin, sendForm } from './lab.ts';

type Fetch = Parameters<typeof sendForm>[0];

export const emulatedBoard = { id: 'brd_web_uno', name: 'uno-web', board_type: 'web-uno' };

/** Adds the board and starts its agent; an administrator's cookie is needed for both. */
export async function startEmulatedBoard(service: Fetch, admin: string) {
	await sendForm(service, '/admin/boards', { boards: JSON.stringify([emulatedBoard]) }, admin);
	const response = await service.fetch(`${origin}/v1/admin/agents`, {
		method: 'POST',
		headers: { cookie: admin, origin, 'content-type': 'application/json' },
		body: JSON.stringify({ name: 'Web', board_ids: [emulatedBoard.id] }),
	});
	// A created agent has its token.
	const { token } = (await response.json()) as { token: string };
	const { id } = emulatedBoard;
	const agent = await startAgent({
		config: {
			service: origin,
			token,
			boards: [{ id, type: 'arduino-uno', driver: 'emulated' }],
		},
		fetch: (input, init) => service.fetch(input, init),
	});
	await agent.whenConnected();
	return agent;
}

// Boards of an agent, for tests and screenshots of the lease pages: an emulated one, and one that can only be reset.
import { startAgent } from 'board-access-agent';
import { origin, sendForm } from './lab.ts';

type Fetch = Parameters<typeof sendForm>[0];

export const emulatedBoard = { id: 'brd_web_uno', name: 'uno-web', board_type: 'web-uno' };
export const resetBoard = { id: 'brd_web_reset', name: 'reset-web', board_type: 'web-reset' };

/** Adds the boards and starts their agent; an administrator's cookie is needed for both. */
export async function startEmulatedBoard(service: Fetch, admin: string) {
	const boards = [emulatedBoard, resetBoard];
	await sendForm(service, '/admin/boards', { boards: JSON.stringify(boards) }, admin);
	const response = await service.fetch(`${origin}/v1/admin/agents`, {
		method: 'POST',
		headers: { cookie: admin, origin, 'content-type': 'application/json' },
		body: JSON.stringify({ name: 'Web', board_ids: boards.map(({ id }) => id) }),
	});
	// A created agent has its token.
	const { token } = (await response.json()) as { token: string };
	const agent = await startAgent({
		config: {
			service: origin,
			token,
			boards: [
				{ id: emulatedBoard.id, type: 'arduino-uno', driver: 'emulated' },
				{
					id: resetBoard.id,
					type: 'any',
					driver: 'command',
					between_leases: 'keep',
					reset: ['true'],
				},
			],
		},
		fetch: (input, init) => service.fetch(input, init),
	});
	await agent.whenConnected();
	return agent;
}

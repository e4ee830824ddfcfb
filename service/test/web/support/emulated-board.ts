// Boards of an agent, for tests and screenshots of the lease pages: an emulated one, and one that can only be reset.
import { startAgent } from 'board-access-agent';
import { addBoards, origin, type sendForm } from './lab.ts';

type Fetch = Parameters<typeof sendForm>[0];

export const emulatedBoard = { id: 'brd_web_uno', name: 'uno-web', board_type: 'web-uno' };
export const resetBoard = { id: 'brd_web_reset', name: 'reset-web', board_type: 'web-reset' };

/** Adds the boards and starts their agent; an administrator's cookie is needed for both. */
export async function startEmulatedBoard(service: Fetch, admin: string) {
	const boards = [emulatedBoard, resetBoard];
	const token = await addBoards(service, boards, admin);
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

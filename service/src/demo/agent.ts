// The agent of demo mode: emulated boards in this process. Production never runs one.
import type { RunningAgent } from 'board-access-agent';
import { createAgent, keepDownload, listAgents, revokeAgent } from 'board-access-core';
import type { Services } from '../services.ts';

const name = 'Demo';

/** The sample boards that the agent drives. */
export const emulatedBoards = [
	{ id: 'brd_arduino-uno-01', type: 'arduino-uno', driver: 'emulated' },
	{ id: 'brd_arduino-uno-02', type: 'arduino-uno', driver: 'emulated' },
	{ id: 'brd_rp2040-pico-01', type: 'rp2040-pico', driver: 'emulated' },
] as const;

export async function startDemoAgent(
	services: Services,
	fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<RunningAgent> {
	// Loaded only here, because it includes the emulators.
	const { startAgent } = await import('board-access-agent');
	const { database } = services;
	await storeImages(database);
	// A reused database already has the agent.
	for (const agent of await listAgents(database.query)) {
		if (agent.name === name) await revokeAgent(services, agent.id);
	}
	const boardIds = emulatedBoards.map(({ id }) => id);
	const { result: agent } = await createAgent(services, { name, board_ids: boardIds });
	return startAgent({
		config: { service: 'http://localhost', token: agent.token, boards: [...emulatedBoards] },
		fetch,
	});
}

/** Stores the base images of the emulated boards, so that nothing is downloaded. */
async function storeImages({ query }: Services['database']) {
	const { sampleBaseImage, sampleFirmware } = await import('board-access-agent/samples');
	const images = {
		'arduino-uno/clock.hex': await sampleBaseImage(),
		'rp2040-pico/sample.uf2': await sampleFirmware('rp2040-pico'),
	};
	for (const [name, bytes] of Object.entries(images)) {
		const url = `https://images.example.com/${name}`;
		await keepDownload(query, { url, data: Buffer.from(bytes) });
	}
}

// Starts the service of the scenarios on a database.
import { BoardAccess } from 'board-access';
import { createTestService, type TestService } from 'board-access-service/testing';
import { busyBoard, type World } from './scenarios.ts';

/** Starts it on the first database; the second is for the service with a limit. */
export async function openWorld([database = '', another = '']: readonly string[]) {
	const started: TestService[] = [];
	const start = async (options: Parameters<typeof createTestService>[0]) => {
		const service = await createTestService(options);
		started.push(service);
		const world = await worldOf(service);
		return world;
	};
	const generous = { rateLimitPerKey: 1e6, rateLimitPerAccount: 1e6 };
	const world = await start({ database, agent: true, ...generous });
	const client = new BoardAccess({ apiKey: world.adminKey, baseUrl: world.baseUrl });
	const priced = { name: 'priced', boardType: 'priced', creditsPerMinute: 10 };
	const { id: pricedBoard } = await client.admin.boards.create(priced);
	// The action only leases boards that an agent drives.
	await client.request({
		method: 'POST',
		path: '/v1/admin/agents',
		json: { name: 'far away', board_ids: [pricedBoard, busyBoard] },
	});
	const expiresAt = new Date(Date.now() + 500);
	const { key } = await client.keys.create({ label: 'expired', expiresAt });
	await new Promise((resolve) => setTimeout(resolve, 600));
	let strict: Promise<World> | undefined;
	return {
		...world,
		expiredKey: key,
		pricedBoard,
		strict() {
			strict ??= start({ database: another, rateLimitPerKey: 2, rateLimitPerAccount: 2 });
			return strict;
		},
		async close() {
			for (const service of started.reverse()) await service.close();
		},
	};
}

async function worldOf(service: TestService): Promise<World> {
	const { apiKey, freeApiKey, email, password } = service.demo;
	const baseUrl = await service.listen();
	return {
		baseUrl,
		fetch: (input, init) => service.fetch(input, init),
		login: { email, password },
		adminKey: apiKey,
		freeKey: freeApiKey,
		expiredKey: '',
		pricedBoard: '',
		unknownKey: `key_${'0'.repeat(48)}`,
		tryKey: async (key) => {
			const headers = { authorization: `Bearer ${key}` };
			const response = await service.fetch('http://localhost/v1/boards', { headers });
			return response.ok ? 'works' : (await response.json()).error.code;
		},
		strict: async () => {
			throw new Error('This service has a limit already');
		},
	};
}

// What the tests of this folder run against: the service of the environment, or one in memory with emulated
// boards. The test runners call it once, before their workers start.
import { createTestService } from 'board-access-service/testing';

export default async function setup() {
	if (process.env.SERVICE_BASE_URL) return () => {};
	const service = await createTestService({ agent: true });
	process.env.SERVICE_BASE_URL = await service.listen();
	process.env.SERVICE_API_KEY = service.demo.apiKey;
	return () => service.close();
}

let stop: () => unknown;

/** The names that node:test looks for. */
export async function globalSetup() {
	stop = await setup();
}

export function globalTeardown() {
	return stop();
}

// The database goes and comes back under load; the service says so and needs no restart.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../src/service.ts';
import { emptyPostgres } from './support/databases.ts';
import { startPostgres } from './support/postgres.ts';

let cluster: Awaited<ReturnType<typeof startPostgres>>;
let service: Service;
beforeAll(async () => {
	cluster = await startPostgres();
	service = await createService({ database: await emptyPostgres(cluster.url), demo: true });
});
afterAll(async () => {
	await service.close();
	await cluster.remove();
});

const ask = () =>
	service.fetch('http://localhost/v1/boards', {
		headers: { authorization: `Bearer ${service.demo?.apiKey}` },
	});

/** Sends requests from several clients for a while, and returns every response. */
const load = async (milliseconds: number) => {
	const responses: Response[] = [];
	const until = Date.now() + milliseconds;
	const worker = async () => {
		while (Date.now() < until) {
			responses.push(await ask());
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	};
	await Promise.all(Array.from({ length: 8 }, worker));
	return responses;
};

test('while the database is down the service responds with 503 and Retry-After, and recovers by itself', async () => {
	const running = load(1500);
	await new Promise((resolve) => setTimeout(resolve, 300));
	await cluster.stop();
	const responses = await running;
	const statuses = new Set(responses.map(({ status }) => status));
	expect([...statuses].sort()).toEqual([200, 503]);
	const away = responses.filter(({ status }) => status === 503);
	for (const response of away) expect(response.headers.get('retry-after')).toBe('2');
	expect(await away[0]?.json()).toMatchObject({ error: { code: 'unavailable' } });
	expect((await service.fetch('http://localhost/readyz')).status).toBe(503);
	expect((await service.fetch('http://localhost/healthz')).status).toBe(200);
	await cluster.start();
	await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(200);
	expect(new Set((await load(300)).map(({ status }) => status))).toEqual(new Set([200]));
});

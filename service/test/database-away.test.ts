// The database goes and comes back under load; the service says so and needs no restart.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgres, startPostgres } from '../../core/test/support/postgres.ts';
import { createService, type Service } from '../src/service.ts';

let cluster: Awaited<ReturnType<typeof startPostgres>>;
let service: Service;
beforeAll(async () => {
	cluster = await startPostgres();
	service = await createService({ database: await createPostgres(cluster.url), demo: true });
});
afterAll(async () => {
	await service.close();
	await cluster.remove();
});

const ask = () =>
	service.fetch('http://localhost/v1/boards', {
		headers: { authorization: `Bearer ${service.demo?.apiKey}` },
	});

/** Sends requests from several clients until it is stopped, and collects every response. */
function startLoad() {
	const responses: Response[] = [];
	let isOver = false;
	const worker = async () => {
		while (!isOver) responses.push(await ask());
	};
	const workers = Promise.all(Array.from({ length: 8 }, worker));
	const stop = () => {
		isOver = true;
		return workers;
	};
	const withStatus = (status: number) => responses.filter((each) => each.status === status);
	return { responses, withStatus, stop };
}

test('while the database is down the service responds with 503 and Retry-After, and recovers by itself', async () => {
	const { responses, withStatus, stop } = startLoad();
	await expect.poll(() => withStatus(200).length).toBeGreaterThan(100);
	await cluster.stop();
	await expect.poll(() => withStatus(503).length).toBeGreaterThan(100);
	await stop();
	const away = withStatus(503);
	expect(responses).toHaveLength(withStatus(200).length + away.length);
	for (const response of away) expect(response.headers.get('retry-after')).toBe('2');
	expect(await away[0]?.json()).toMatchObject({ error: { code: 'unavailable' } });
	expect((await service.fetch('http://localhost/readyz')).status).toBe(503);
	expect((await service.fetch('http://localhost/healthz')).status).toBe(200);
	await cluster.start();
	await expect.poll(async () => (await ask()).status).toBe(200);
	const again = await Promise.all(Array.from({ length: 50 }, ask));
	expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
});

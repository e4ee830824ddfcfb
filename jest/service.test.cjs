/** @jest-environment ./service-environment.mjs */
// As in the guide to testing: the environment starts the service, because Jest cannot load ES modules.
const { BoardAccess, isApiError } = require('../dist/index.cjs.cts');

const client = new BoardAccess({
	baseUrl: 'http://localhost',
	apiKey: service.demo.apiKey,
	fetch: service.fetch,
	maxRetries: 0,
});

test('a CommonJS test uses the service in memory', async () => {
	expect(await client.boards.list({ status: 'available' }).first(1)).toHaveLength(1);
});

test('a CommonJS test makes the service fail', async () => {
	service.failNext({ kind: 'bad-gateway' });
	const error = await client.boards.list().catch((reason) => reason);
	expect(isApiError(error, 502)).toBe(true);
});

// Under Jest, `instanceof Error` is false for the errors of the runtime.
const { createServer } = require('node:http');
const { once } = require('node:events');
const { BoardAccess, isApiError, isBoardAccessError } = require('../dist/index.cjs.cts');

const apiKey = `key_${'0a'.repeat(24)}`;

async function errorOf(work) {
	try {
		await work;
	} catch (error) {
		return error;
	}
	throw new Error('it was expected to fail');
}

async function listen(respond) {
	const server = createServer(respond).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { server, baseUrl: `http://127.0.0.1:${server.address().port}` };
}

test('a refused connection has its own code, is retried, and keeps its cause', async () => {
	const { server, baseUrl } = await listen(() => {});
	server.close();
	await once(server, 'close');
	const client = new BoardAccess({ apiKey, baseUrl, maxRetries: 1 });
	const error = await errorOf(client.keys.create());
	expect(isBoardAccessError(error)).toBe(true);
	expect(error).toMatchObject({
		name: 'ConnectionError',
		code: 'connection_refused',
		outcome: 'not-sent',
		cause: { message: 'fetch failed' },
	});
	expect(error.attempts).toHaveLength(2);
});

test('a list is read over a socket', async () => {
	const { server, baseUrl } = await listen((_, response) => response.end('[{"id":"brd_1"}]'));
	const client = new BoardAccess({ apiKey, baseUrl });
	expect(await client.boards.list()).toEqual([{ id: 'brd_1' }]);
	server.closeAllConnections();
	server.close();
});

test('an error of the service is an ApiError', async () => {
	const fetch = async () =>
		new Response('{"error":{"code":"not_found","message":"No"}}', { status: 404 });
	const client = new BoardAccess({ apiKey, baseUrl: 'http://localhost', fetch });
	expect(isApiError(await errorOf(client.boards.list()), 'not_found')).toBe(true);
});

test('a mocked client has its namespaces and methods', () => {
	jest.isolateModules(() => {
		const mocked = jest.createMockFromModule('../dist/index.cjs');
		const client = new mocked.BoardAccess();
		client.boards.list.mockReturnValue(5);
		expect(client.boards.list()).toBe(5);
		expect(jest.isMockFunction(client.admin.baseImages.create)).toBe(true);
	});
});

// A server that plays the scenario in the path: /<scenario>/<number>/v1/…
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const apiKey = `key_${'0123456789abcdef'.repeat(3)}`;

interface Turn {
	request: IncomingMessage;
	response: ServerResponse;
	query: string;
	body: Record<string, unknown>;
	/** How many requests this scenario had before. */
	before: number;
}

const scenarios: Readonly<Record<string, (turn: Turn) => unknown>> = {
	boards: (turn) =>
		respond(turn, 200, { data: [{ id: 'brd_1', board_type: 'esp32', something_new: 1 }] }),
	echo: (turn) => {
		const name = turn.request.headers.authorization ?? 'none';
		return respond(turn, 200, { data: [{ id: 'brd_1', name, description: turn.query }] });
	},
	pages: (turn) =>
		turn.query.includes('cursor=2')
			? respond(turn, 200, list('brd_3'))
			: respond(turn, 200, { ...list('brd_1', 'brd_2'), next_cursor: '2' }),
	'one-page-only': (turn) =>
		turn.before > 0
			? respond(turn, 418, {})
			: respond(turn, 200, { ...list('brd_1', 'brd_2'), next_cursor: '2' }),
	'same-cursor': (turn) => respond(turn, 200, { ...list('brd_1'), next_cursor: 'again' }),
	'create-key': (turn) => respond(turn, 201, { id: 'key_1', key: apiKey, ...turn.body }),
	'create-image': (turn) => respond(turn, 201, { id: 'img_1', ...turn.body }),
	'no-content': ({ response }) => response.writeHead(204).end(),
	'busy-once': (turn) => (turn.before === 0 ? busy(turn, '1') : respond(turn, 200, list('brd_1'))),
	'busy-for-an-hour': (turn) => busy(turn, '3600'),
	'fault-once': (turn) =>
		turn.before === 0 ? respond(turn, 500, {}) : respond(turn, 201, { id: 'key_1', key: apiKey }),
	stalled: ({ response }) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.write('{"data":');
	},
	redirect: ({ response }) => response.writeHead(302, { location: '/elsewhere' }).end(),
	rejected: (turn) => respond(turn, 402, { error: { code: 'paid_tier_required', message: 'No' } }),
	'web-page': ({ response }) =>
		response
			.writeHead(502, { 'content-type': 'text/html' })
			.end(`<html>${'<p>Bad gateway</p>'.repeat(300)}</html>`),
};

/** `pages` are served as they are, by their path. */
export async function startServer(pages: Readonly<Record<string, { type: string; text: string }>>) {
	const asked = new Map<string, number>();
	const server = createServer(async (request, response) => {
		const [path = '', query = ''] = (request.url ?? '').split('?');
		const page = pages[path];
		if (page) return response.writeHead(200, { 'content-type': page.type }).end(page.text);
		const [, name = '', number = ''] = path.split('/');
		const before = asked.get(number) ?? 0;
		asked.set(number, before + 1);
		const body = await bodyOf(request);
		const scenario = scenarios[name];
		if (!scenario) return response.writeHead(404).end();
		return scenario({ request, response, query, body, before });
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	return {
		origin: `http://127.0.0.1:${port}`,
		forget: () => asked.clear(),
		close: () => server.closeAllConnections(),
	};
}

function list(...ids: string[]) {
	return { data: ids.map((id) => ({ id })), next_cursor: null };
}

function respond({ response }: Turn, status: number, body: object, headers: object = {}) {
	return response
		.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers })
		.end(JSON.stringify(body));
}

function busy(turn: Turn, seconds: string) {
	return respond(turn, 429, { error: { code: 'rate_limited' } }, { 'retry-after': seconds });
}

async function bodyOf(request: IncomingMessage) {
	let text = '';
	for await (const chunk of request.setEncoding('utf8')) text += chunk;
	return text === '' ? {} : JSON.parse(text);
}

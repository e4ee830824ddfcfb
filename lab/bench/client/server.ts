// The server for every client, in its own process. It sends lists from prepared bytes.
import { createServer } from 'node:http';
import { pinTo, serverCore } from './pin.ts';
import { stalledBody, temporaryFailure, wrongType } from './traps.ts';

function board(id: unknown) {
	return {
		id,
		name: 'Bench board',
		board_type: 'esp32-s3',
		status: 'available',
		description: 'ESP32-S3-DevKitC-1 on the second shelf, with a camera on its display',
		tags: { rack: 'b2', camera: 'yes' },
		created_at: '2026-01-05T08:00:00.000Z',
		updated_at: '2026-03-09T17:21:44.120Z',
	};
}

function records(limit: number) {
	return limit === wrongType
		? [board(5)]
		: Array.from({ length: limit }, (_, index) => board(`brd_${String(index).padStart(8, '0')}`));
}

const bodies = new Map<number, Buffer>();

function bodyFor(limit: number) {
	const list = { object: 'list', data: records(limit), has_more: false, next_cursor: null };
	const body = bodies.get(limit) ?? Buffer.from(JSON.stringify(list));
	bodies.set(limit, body);
	return body;
}

/** An error in the format of every client. */
const failure = JSON.stringify({
	object: 'error',
	status: 503,
	code: 'service_unavailable',
	message: 'Try again',
	error: { type: 'api_error', message: 'Try again' },
});

let failures = 0;
let requests = 0;

pinTo(serverCore);

const server = createServer((request, response) => {
	const [, query = ''] = (request.url ?? '').split('?');
	const limit = Number(/limit=(\d+)/.exec(query)?.[1] ?? 20);
	if (limit === temporaryFailure && ++failures % 2 === 1) {
		response.writeHead(503, { 'content-type': 'application/json' }).end(failure);
		return;
	}
	const body = bodyFor(limit === temporaryFailure || limit === stalledBody ? 1 : limit);
	response.writeHead(200, {
		'content-type': 'application/json',
		'content-length': body.length,
		'x-request-id': `req_${(++requests).toString(16).padStart(24, '0')}`,
	});
	if (limit === stalledBody) response.write(body.subarray(0, 20));
	else response.end(body);
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (typeof address === 'object') process.send?.(`http://127.0.0.1:${address?.port}`);
});
process.on('disconnect', () => process.exit());

// HTTP for the simulated agents and users: cheaper than fetch, because they share the machine with
// what is measured.
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const connections = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

export interface Message {
	origin: string;
	path: string;
	token: string;
	method?: 'POST' | 'DELETE';
	body?: object | Buffer;
	signal?: AbortSignal;
	/** Sends an idempotency key, so that retries take effect only once. */
	once?: boolean;
}

/** Resolves with the response once its head has arrived. */
export function open(message: Message & { key?: string }) {
	const { origin, path, token, method, body, signal, key } = message;
	const bytes = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
	const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
	return new Promise<IncomingMessage>((resolve, reject) => {
		const sent = request(
			`${origin}${path}`,
			{
				agent: connections,
				method: method ?? 'GET',
				headers: {
					authorization: `Bearer ${token}`,
					...(key !== undefined && { 'idempotency-key': key }),
					...(bytes !== undefined && {
						'content-type': type,
						'content-length': Buffer.byteLength(bytes),
					}),
				},
				...(signal && { signal }),
			},
			resolve,
		);
		sent.on('error', reject);
		sent.end(bytes);
	});
}

/** How often the service rejected a request as overloaded, which was then retried. */
export const rejections = { count: 0 };

const maxAttempts = 60;

/** The text of a successful response. Retries as clients and agents do. */
export async function send(message: Message): Promise<string> {
	const key = message.once ? { key: randomUUID() } : {};
	for (let attempt = 1; ; attempt += 1) {
		const response = await open({ ...message, ...key });
		let text = '';
		response.setEncoding('utf8');
		for await (const chunk of response) text += chunk;
		const { statusCode = 0 } = response;
		if (statusCode < 300) return text;
		if (statusCode !== 503 || attempt === maxAttempts) {
			const { method = 'GET', path } = message;
			throw new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 300)}`);
		}
		rejections.count += 1;
		await wait(500 + Math.random() * 1000);
	}
}

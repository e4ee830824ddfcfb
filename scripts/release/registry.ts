// A registry for npm on this machine: keeps what is published to it, and sends npm to another one for the rest.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** What `npm publish` sends: a version of a package, with its archive. */
interface Publication {
	_attachments: Record<string, { data: string }>;
}

export async function startRegistry(upstream: string) {
	const published = new Map<string, Publication>();
	/** The status, and what follows. */
	const respond = async ({ method, url = '' }: IncomingMessage, body: () => Promise<unknown>) => {
		const [name = '', , file] = decodeURIComponent(url).slice(1).split('/');
		if (method === 'PUT') {
			// npm sends a body of this form.
			published.set(name, (await body()) as Publication);
			return { status: 201, text: '{}' };
		}
		const { _attachments: archives = {}, ...info } = published.get(name) ?? {};
		const archive = file && archives[file]?.data;
		if (archive) return { status: 200, text: Buffer.from(archive, 'base64') };
		if (published.has(name)) return { status: 200, text: JSON.stringify(info) };
		// Those that were not published here are not to be taken from elsewhere.
		const isOurs = name === '-' || name.startsWith('board-access');
		return isOurs
			? { status: 404, text: '{}' }
			: { status: 302, text: '', location: upstream.replace(/\/$/, '') + url };
	};
	const server = createServer(async (request, response) => {
		const { status, text, location } = await respond(request, () => json(request));
		response.writeHead(status, location === undefined ? {} : { location }).end(text);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	return {
		url: `http://127.0.0.1:${port}/`,
		has: (name: string) => published.has(name),
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

// Downloads from public addresses only, however an address is written.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkImage, downloadImage, ImageDownloadError } from '../../src/base-images/download.ts';
import { certificateFor } from '../support/certificate.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
	for (const cleanup of cleanups.splice(0)) cleanup();
});

/** The address at which the server listens. */
async function listen(server: Server) {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

async function serve(listener: RequestListener) {
	let requests = 0;
	const server = createServer((request, response) => {
		requests += 1;
		listener(request, response);
	});
	cleanups.push(() => server.close());
	cleanups.push(() => server.closeAllConnections());
	const address = await listen(server);
	return { address, host: new URL(address).host, requests: () => requests };
}

const inner = [
	'http://127.0.0.1/',
	'http://127.1/',
	'http://127.255.255.254/',
	'http://2130706433/',
	'http://0x7f000001/',
	'http://0x7f.1/',
	'http://0177.0.0.1/',
	'http://017700000001/',
	'http://127.0.0.1./',
	'http://①②⑦.⓪.⓪.①/',
	'http://%31%32%37.0.0.1/',
	'http://0/',
	'http://0.0.0.0/',
	'http://10.1.2.3/',
	'http://172.16.0.1/',
	'http://172.31.255.255/',
	'http://192.168.1.1/',
	'http://100.64.0.1/',
	'http://169.254.169.254/latest/meta-data/',
	'http://198.18.0.1/',
	'http://224.0.0.1/',
	'http://255.255.255.255/',
	'http://[::]/',
	'http://[::1]/',
	'http://[0:0:0:0:0:0:0:1]/',
	'http://[::ffff:127.0.0.1]/',
	'http://[::ffff:7f00:1]/',
	'http://[::127.0.0.1]/',
	'http://[64:ff9b::7f00:1]/',
	'http://[64:ff9b:1::7f00:1]/',
	'http://[2002:7f00:1::]/',
	'http://[2001:0:0:0::1]/',
	'http://[fc00::1]/',
	'http://[fd12:3456::1]/',
	'http://[fe80::1]/',
	'http://[fec0::1]/',
	'http://[ff02::1]/',
	'http://[2001:db8::1]/',
	'https://localhost/',
];

test.each(inner)('%s is rejected', async (address) => {
	await expect(downloadImage(address, { imageHosts: [] })).rejects.toThrow(/private network/);
});

test.each([
	['ftp://example.com/a.hex', /begin with http/],
	['file:///etc/passwd', /begin with http/],
	['http://example.com:8080/a.hex', /port 8080 .* add example\.com:8080 to IMAGE_HOSTS/],
	['https://user:word@example.com/a.hex', /user name/],
	['no address', /not valid/],
])('%s is refused', async (address, message) => {
	await expect(downloadImage(address, { imageHosts: [] })).rejects.toThrow(message);
});

describe('a name', () => {
	const download = (...responses: string[][]) => {
		let asked = 0;
		const lookup = async () => {
			const addresses = responses[Math.min(asked, responses.length - 1)] ?? [];
			asked += 1;
			return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
		};
		return downloadImage('http://images.example.com/a.hex', { imageHosts: [], lookup });
	};

	test.each([
		[['127.0.0.1']],
		[['93.184.216.34', '10.0.0.1']],
		[['::1']],
		[['::ffff:10.0.0.1']],
		[['fe80::1%eth0']],
	])('that resolves to %s is rejected', async (addresses) => {
		await expect(download(addresses)).rejects.toThrow(/private network/);
	});

	test('without an address is an error that names it', async () => {
		await expect(download([])).rejects.toThrow('images.example.com has no address');
	});

	test('that cannot be resolved is an error that names it, without the words of Node', async () => {
		const options = {
			imageHosts: [],
			lookup: () => Promise.reject(new Error('getaddrinfo ENOTFOUND images.example.com')),
		};
		await expect(downloadImage('http://images.example.com/a.hex', options)).rejects.toThrow(
			/^The host images\.example\.com could not be found\.$/,
		);
	});

	test('is resolved once, and a later DNS response is not used', async () => {
		const { host, address, requests } = await serve((_request, response) => response.end('inner'));
		const port = new URL(address).port;
		let asked = 0;
		const lookup = async () => {
			asked += 1;
			// Nothing listens at the first address; at the second one there is the server.
			return [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
		};
		const imageHosts = [`images.example.com:${port}`];
		const work = downloadImage(`http://images.example.com:${port}/`, { imageHosts, lookup });
		await expect(work).rejects.toThrow(/ECONNREFUSED 127\.0\.0\.2/);
		expect({ asked, requests: requests(), host }).toMatchObject({ asked: 1, requests: 0 });
	});
});

test('a private host in IMAGE_HOSTS is allowed, on its port only', async () => {
	const { address, host } = await serve((_request, response) => response.end('firmware'));
	const bytes = await downloadImage(`${address}/a.hex`, { imageHosts: [host] });
	expect(bytes.toString()).toBe('firmware');
	const other = downloadImage(`${address}/a.hex`, { imageHosts: ['127.0.0.1'] });
	await expect(other).rejects.toThrow(/port/);
});

test('three redirects are followed, and a fourth is not', async () => {
	const { address, host } = await serve((request, response) => {
		const left = Number(request.url?.slice(1));
		if (left === 0) response.end('there');
		else response.writeHead(302, { location: `/${left - 1}` }).end();
	});
	const options = { imageHosts: [host] };
	expect((await downloadImage(`${address}/3`, options)).toString()).toBe('there');
	await expect(downloadImage(`${address}/4`, options)).rejects.toThrow(/more than 3/);
});

test.each([
	'http://10.0.0.1/a.hex',
	'http://[::1]/a.hex',
	'//169.254.169.254/',
	'file:///etc/passwd',
	'http://user@example.com/',
])('a redirect to %s is refused', async (location) => {
	const { address, host } = await serve((_request, response) =>
		response.writeHead(301, { location }).end(),
	);
	const work = downloadImage(address, { imageHosts: [host] });
	await expect(work).rejects.toThrow(/private network|begin with http|user name/);
});

const certificate = certificateFor('127.0.0.1');
test.skipIf(!certificate)(
	'a redirect from https to http is followed only if the file has a checksum',
	async () => {
		const { address, host, requests } = await serve((_request, response) =>
			response.end('firmware'),
		);
		const secure = createTlsServer(certificate ?? {}, (_request, response) =>
			response.writeHead(302, { location: `${address}/a.hex` }).end(),
		);
		cleanups.push(() => secure.close());
		const { port } = new URL(await listen(secure));
		vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
		cleanups.push(() => vi.unstubAllEnvs());
		const from = `https://127.0.0.1:${port}/a.hex`;
		const options = { imageHosts: [host, `127.0.0.1:${port}`] };
		for (const fragment of ['', '#sha256=', '#sha256=none']) {
			await expect(downloadImage(from + fragment, options)).rejects.toThrow(
				`from https to ${address}, which requires the sha256`,
			);
		}
		expect(requests()).toBe(0);
		const bytes = await downloadImage(`${from}#sha256=${hash('sha256', 'firmware')}`, options);
		expect(bytes.toString()).toBe('firmware');
	},
);

test('a file of more than 16 MiB is rejected, whatever its Content-Length says', async () => {
	const { address, host } = await serve((_request, response) => {
		const piece = Buffer.alloc(1024 * 1024);
		const more = () => {
			while (!response.destroyed && response.write(piece));
		};
		response.on('drain', more);
		more();
	});
	await expect(downloadImage(address, { imageHosts: [host] })).rejects.toThrow(/16 MiB/);
});

test('a status other than 200, a broken connection and a stop are errors', async () => {
	const { address, host, requests } = await serve((request, response) => {
		if (request.url === '/missing') response.writeHead(404).end();
		else if (request.url === '/broken') response.destroy();
	});
	const options = { imageHosts: [host] };
	await expect(downloadImage(`${address}/missing`, options)).rejects.toThrow(/status 404/);
	await expect(downloadImage(`${address}/broken`, options)).rejects.toThrow(ImageDownloadError);
	const stop = new AbortController();
	const slow = downloadImage(`${address}/slow`, { ...options, signal: stop.signal });
	await expect.poll(requests).toBe(3);
	stop.abort();
	await expect(slow).rejects.toThrow(ImageDownloadError);
});

describe('a check of an address', () => {
	test('asks for the head only, and follows redirects as a download does', async () => {
		const methods: unknown[] = [];
		const { address, host } = await serve(({ method, url = '' }, response) => {
			methods.push([method, url]);
			const location = url === '/inner' ? 'http://10.0.0.1/' : '/image';
			if (url === '/image') response.writeHead(200, { 'content-length': 100_000 }).end();
			else response.writeHead(302, { location }).end();
		});
		const options = { imageHosts: [host] };
		await checkImage(`${address}/`, options);
		expect(methods).toEqual([
			['HEAD', '/'],
			['HEAD', '/image'],
		]);
		await expect(checkImage(`${address}/inner`, options)).rejects.toThrow(/private network/);
	});

	test.each([
		[404, 'The server responded with status 404.'],
		[405, undefined],
	])('with status %s says %s', async (status, message) => {
		const { address, host } = await serve((_request, response) => response.writeHead(status).end());
		const error = await checkImage(address, { imageHosts: [host] }).catch((error) => error);
		expect(error?.message).toBe(message);
	});
});

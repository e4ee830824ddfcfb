// Downloads files of base images, only from public addresses and the hosts in IMAGE_HOSTS.
import { hash } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { maxFileSize } from 'board-access-contract';
import ipaddr from 'ipaddr.js';

const maxRedirects = 3;
const maxMilliseconds = 60_000;
const maxMillisecondsOfCheck = 10_000;
const ports = ['', '80', '443'];

/** Its message is for administrators. */
export class ImageDownloadError extends Error {
	override readonly name = 'ImageDownloadError';
}

interface DownloadOptions {
	/** Allowed private hosts, as `host` or `host:port`. */
	imageHosts: readonly string[];
	signal?: AbortSignal;
	lookup?: (host: string) => Promise<LookupAddress[]>;
}

/** Verifies the checksum, and checks every redirect as the first address. */
export async function downloadImage(address: string, options: DownloadOptions): Promise<Buffer> {
	const timeout = AbortSignal.timeout(maxMilliseconds);
	const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
	try {
		const data = await readAll(await follow(address, { ...options, signal }));
		requireChecksum(data, sha256Of(address));
		return data;
	} catch (error) {
		if (error instanceof ImageDownloadError) throw error;
		if (timeout.aborted) throw new ImageDownloadError('The download took more than 60 s.');
		const reason = error instanceof Error ? error.message : String(error);
		throw new ImageDownloadError(`The download failed: ${reason}.`, { cause: error });
	}
}

function requireChecksum(data: Buffer, expected: string | undefined) {
	const sha256 = hash('sha256', data);
	if (expected === undefined || sha256 === expected) return;
	throw new ImageDownloadError(
		`The SHA-256 of the file is not that of the base image: expected ${expected}, got ${sha256}.`,
	);
}

/** Requests the image as a download does, but only the head of the response. */
export async function checkImage(address: string, options: DownloadOptions) {
	const signal = AbortSignal.timeout(maxMillisecondsOfCheck);
	(await follow(address, { ...options, signal, method: 'HEAD' })).destroy();
}

type Following = DownloadOptions & { signal: AbortSignal; method?: 'HEAD' };

async function follow(address: string, options: Following): Promise<IncomingMessage> {
	let url = readAddress(address);
	for (let redirects = 0; ; redirects += 1) {
		const response = await open(url, await checkedAddresses(url, options), options);
		const status = response.statusCode ?? 0;
		// Some servers know no HEAD.
		if (status === 200 || (options.method && [405, 501].includes(status))) return response;
		response.destroy();
		const { location } = response.headers;
		if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
			throw new ImageDownloadError(`The server responded with status ${status}.`);
		}
		if (redirects === maxRedirects) {
			throw new ImageDownloadError(`The server redirected more than ${maxRedirects} times.`);
		}
		url = redirected(location, url, address);
	}
}

/** Over plain http, only a checksum shows that the file was not changed on its way. */
function redirected(location: string, from: URL, address: string) {
	const url = readAddress(location, from);
	if (from.protocol === 'http:' || url.protocol === 'https:' || sha256Of(address)) return url;
	throw new ImageDownloadError(
		`The server redirected from https to ${url.origin}, which requires the sha256 of the base image.`,
	);
}

/** The expected SHA-256, which is the fragment of the address. */
export function sha256Of(address: string) {
	return /#sha256=([0-9a-f]{64})$/.exec(address)?.[1];
}

function readAddress(text: string, base?: URL) {
	if (!URL.canParse(text, base)) throw new ImageDownloadError('The address is not valid.');
	const url = new URL(text, base);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw new ImageDownloadError('The address must begin with http or https.');
	}
	if (url.username || url.password) {
		throw new ImageDownloadError('The address must not contain a user name.');
	}
	return url;
}

/** The addresses to connect to: a second lookup could return others. */
async function checkedAddresses(
	url: URL,
	{ imageHosts, lookup = (host) => systemLookup(host, { all: true }), signal }: Following,
): Promise<LookupAddress[]> {
	const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
	const name = url.port ? `${host}:${url.port}` : host;
	const named = imageHosts.includes(name);
	if (!named && !ports.includes(url.port)) {
		throw new ImageDownloadError(
			`The port ${url.port} is not 80 or 443. To allow it, add ${name} to IMAGE_HOSTS.`,
		);
	}
	const family = isIP(host);
	const addresses = family
		? [{ address: host, family }]
		: await within(found(host, lookup), signal);
	if (addresses.length === 0) throw new ImageDownloadError(`The host ${host} has no address.`);
	if (!named && !addresses.every(({ address }) => isPublic(address))) {
		throw new ImageDownloadError(
			`The host ${host} is in a private network. To allow it, add ${name} to IMAGE_HOSTS.`,
		);
	}
	return addresses;
}

function found(host: string, lookup: NonNullable<DownloadOptions['lookup']>) {
	return lookup(host).catch((cause) => {
		throw new ImageDownloadError(`The host ${host} could not be found.`, { cause });
	});
}

/** Stops waiting for a lookup, which cannot be aborted. */
function within<Result>(work: Promise<Result>, signal: AbortSignal) {
	const abort = signal.aborted ? Promise.resolve() : once(signal, 'abort');
	const aborted = abort.then(() => Promise.reject(signal.reason));
	return Promise.race([work, aborted]);
}

// All public IPv6 addresses are in this range.
const publicIpv6 = ipaddr.parseCIDR('2000::/3');

function isPublic(text: string) {
	// Without the network interface after a percent sign.
	const address = ipaddr.process(text.split('%', 1).join(''));
	if (address.range() !== 'unicast') return false;
	return address.kind() === 'ipv4' || address.match(publicIpv6);
}

function open(url: URL, addresses: LookupAddress[], { signal, method }: Following) {
	const send = url.protocol === 'https:' ? requestHttps : requestHttp;
	return new Promise<IncomingMessage>((resolve, reject) => {
		const request = send(url, {
			// Shares no connection with requests that were not checked.
			agent: false,
			signal,
			...(method && { method }),
			headers: { accept: '*/*', 'accept-encoding': 'identity' },
			lookup: (_host, { all }, done) => {
				const [first] = addresses;
				if (all || !first) done(null, addresses);
				else done(null, first.address, first.family);
			},
		});
		request.once('response', resolve).once('error', reject).end();
	});
}

async function readAll(response: IncomingMessage) {
	const chunks: Buffer[] = [];
	let size = 0;
	// Leaving the loop early destroys the response.
	for await (const chunk of response) {
		size += chunk.length;
		if (size > maxFileSize) throw new ImageDownloadError('The file is larger than 16 MiB.');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

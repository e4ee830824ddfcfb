// The network address that a request comes from.
import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import type { Settings } from 'board-access-core';
import { expandIPv6 } from 'hono/utils/ipaddr';
import ipaddr from 'ipaddr.js';
import type { ServiceContext } from './environment.ts';

/** The network of the peer; behind a proxy of our own, of the address that the proxy saw. */
export function callerAddress(c: ServiceContext, settings: Settings) {
	return networkOf(peerAddress(c, settings));
}

/** The whole address, as people read it: for records, not for limits. */
export function exactAddress(c: ServiceContext, settings: Settings) {
	const peer = peerAddress(c, settings);
	if (isIPv4(peer)) return peer;
	const address = withoutPort(peer);
	// An IPv4 address on a socket that also serves IPv6 becomes one again.
	return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address.slice(0, 100);
}

function peerAddress(c: ServiceContext, settings: Settings) {
	return peerOf(c.req.header('x-forwarded-for'), c.env?.incoming, settings);
}

/** The address of the peer; behind a proxy of our own, the one that the proxy saw. */
export function peerOf(
	forwardedFor: string | string[] | undefined,
	incoming: IncomingMessage | undefined,
	{ trustProxy }: Settings,
) {
	const named = String(forwardedFor ?? '');
	const forwarded = trustProxy && named.split(',').at(-1)?.trim();
	return forwarded || (incoming?.socket.remoteAddress ?? 'in-process');
}

/** An IPv4 address, or the first half of an IPv6 address: its owner has all addresses below it. */
export function networkOf(given: string) {
	const address = withoutPort(given);
	const [plain = ''] = address.split('%');
	if (!isIPv6(plain)) return address;
	const groups = expandIPv6(plain.toLowerCase());
	if (groups.startsWith(ipv4AsIpv6)) return groups;
	return `${groups.slice(0, '0000:0000:0000:0000'.length)}::/64`;
}

const ipv4AsIpv6 = `${'0000:'.repeat(5)}ffff:`;

// Some proxies add the port, which is another one for every connection.
function withoutPort(address: string) {
	return address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
}

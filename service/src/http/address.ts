// The network address that a request comes from.
import { isIPv6 } from 'node:net';
import type { Settings } from '../env.ts';
import type { ServiceContext } from './environment.ts';

/** Where the peer is; behind a proxy of our own, where the proxy saw it. */
export function callerAddress(c: ServiceContext, { trustProxy }: Settings) {
	const forwarded = trustProxy && c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
	return networkOf(forwarded || (c.env?.incoming?.socket.remoteAddress ?? 'in-process'));
}

/** An address as it is, but of IPv6 the first half, since whoever has one has all below it. */
export function networkOf(given: string) {
	const address = withoutPort(given);
	const [plain = ''] = address.split('%');
	if (!isIPv6(plain)) return address;
	const shortest = new URL(`http://[${plain}]`).hostname.slice(1, -1);
	// IPv4, written as IPv6.
	if (shortest.startsWith('::ffff:')) return shortest;
	const [before, after] = shortest.split('::').map((part) => part.split(':').filter(Boolean));
	const left = 8 - (before?.length ?? 0) - (after?.length ?? 0);
	const groups = [...(before ?? []), ...Array<string>(left).fill('0'), ...(after ?? [])];
	return `${groups.slice(0, 4).join(':')}::/64`;
}

// Some proxies add the port, which is another one for every connection.
function withoutPort(address: string) {
	return address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
}

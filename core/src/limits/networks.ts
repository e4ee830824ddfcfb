// Counts requests by the network that they come from.
import { hash } from 'node:crypto';
import type { createCounts } from './counts.ts';

/** Counts an address, and of IPv6 the networks around it too. */
export function countNetworks(
	counts: ReturnType<typeof createCounts>,
	prefix: string,
	points: number,
) {
	return async (address: string) => {
		for (const { name, room } of networksAround(address)) {
			const limit = counts(room === 1 ? prefix : `${prefix}-${room}`, points * room);
			await limit.count(digest(name));
		}
	};
}

/**
 * The networks in which a caller is counted. A provider of IPv6 hands out a /56 or a /48 as readily
 * as a /64, so those count too, each with room for several of the ones below it.
 */
export function networksAround(network: string): readonly { name: string; room: number }[] {
	if (!network.endsWith('::/64')) return [{ name: network, room: 1 }];
	return [
		{ name: network, room: 1 },
		{ name: `${network.slice(0, '0000:0000:0000:00'.length)}00::/56`, room: 4 },
		{ name: `${network.slice(0, '0000:0000:0000'.length)}::/48`, room: 16 },
	];
}

/** The name of a count: names come from outside in any length, and the table must not reveal them. */
export function digest(name: string) {
	return hash('sha256', name, 'base64url');
}

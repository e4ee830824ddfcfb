// What a client does for its cost, observed from outside.
import { setTimeout as wait } from 'node:timers/promises';
import type { List, Peer } from './peers.ts';
import { stalledBody, temporaryFailure, wrongType } from './traps.ts';

export interface Features {
	retries: string;
	deadline: string;
	validation: string;
}

const timeout = 300;
/** Enough for a client that retries after its time limit. */
const patience = 8000;

export async function watchFeatures(peers: readonly Peer[], origin: string) {
	const ends = await Promise.all(peers.map((peer) => endsStalled(peer, origin)));
	const features = new Map<Peer, Features>();
	for (const [index, peer] of peers.entries()) {
		const list = await peer.open({ origin });
		features.set(peer, {
			retries: word(await retries(list)),
			deadline: word(ends[index] === true),
			validation: word(!(await succeeds(list, wrongType))),
		});
	}
	return features;
}

async function succeeds(list: List, limit: number) {
	try {
		await list(limit);
		return true;
	} catch {
		return false;
	}
}

async function endsStalled(peer: Peer, origin: string) {
	const list = await peer.open({ origin, timeout });
	return Promise.race([
		succeeds(list, stalledBody).then(() => true),
		wait(patience, false, { ref: false }),
	]);
}

async function retries(list: List) {
	if (await succeeds(list, temporaryFailure)) return true;
	await succeeds(list, temporaryFailure); // the server fails every other time; the next is met first
	return false;
}

function word(yes: boolean) {
	return yes ? 'yes' : 'no';
}

// What a client does for its cost, seen from outside.
import { setTimeout as wait } from 'node:timers/promises';
import type { List, Peer } from './peers.ts';
import { stalledBody, temporaryFailure, wrongType } from './traps.ts';

export interface Features {
	retries: string;
	deadline: string;
	validation: string;
}

const succeeds = async (list: List, limit: number) => {
	try {
		await list(limit);
		return true;
	} catch {
		return false;
	}
};

const timeout = 500;
const patience = 3000;

export const featuresOf = async (peer: Peer, origin: string): Promise<Features> => {
	const list = await peer.open({ origin });
	const retries = await succeeds(list, temporaryFailure);
	if (!retries) await succeeds(list, temporaryFailure); // the server fails every other time
	const validates = !(await succeeds(list, wrongType));
	const hasty = await peer.open({ origin, timeout });
	const ended = await Promise.race([
		succeeds(hasty, stalledBody).then(() => true),
		wait(patience, false, { ref: false }),
	]);
	return {
		retries: retries ? 'yes' : 'no',
		deadline: ended ? 'yes' : 'no',
		validation: validates ? 'yes' : 'no',
	};
};

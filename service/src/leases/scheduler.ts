// Once a second: whatever the hints and requests have missed is done here, by any replica.
import type { Parts } from '../parts.ts';
import { expireLeases } from './expire.ts';
import { grantBoards } from './grant.ts';
import { loseSilentAgents } from './lost.ts';

const second = 1_000;

type Needs = Pick<Parts, 'database' | 'settings' | 'wake' | 'log'>;

export function startScheduler(needs: Needs) {
	let running: Promise<void> | undefined;
	// Agents can be heard only while the service runs and its database is there.
	let listeningSince = Date.now();
	const timer = setInterval(() => {
		running ??= keepLeases(needs, { listeningSince })
			.catch((error) => {
				listeningSince = Date.now();
				needs.log.warn({ error }, 'The lease scheduler failed; retrying');
			})
			.finally(() => {
				running = undefined;
			});
	}, second).unref();
	return {
		async close() {
			clearInterval(timer);
			await running;
		},
	};
}

/** Ends what is over, and then grants what has become free. */
export async function keepLeases(needs: Omit<Needs, 'log'>, { listeningSince = 0 } = {}) {
	const listened = Date.now() - listeningSince;
	if (listened > needs.settings.agentTimeout * 1000) await loseSilentAgents(needs);
	await grantBoards(needs);
	await expireLeases(needs);
	await grantBoards(needs);
}

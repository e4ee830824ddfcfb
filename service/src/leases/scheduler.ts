// Does once a second, on any replica, what notifications and requests have missed.
import type { Parts } from '../parts.ts';
import { expireLeases } from './ending/expire.ts';
import { loseSilentAgents } from './ending/lost.ts';
import { grantBoards } from './queue/grant.ts';

const second = 1_000;

type Needs = Pick<Parts, 'database' | 'settings' | 'wake' | 'log'>;

export function startScheduler(needs: Needs) {
	let running: Promise<void> | undefined;
	// Agents can report only while the service runs and its database is reachable.
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

/** Ends leases that have expired, then grants boards that became free. */
export async function keepLeases(needs: Omit<Needs, 'log'>, { listeningSince = 0 } = {}) {
	const listened = Date.now() - listeningSince;
	if (listened > needs.settings.agentTimeout * 1000) await loseSilentAgents(needs);
	await grantBoards(needs);
	await expireLeases(needs);
	await grantBoards(needs);
}

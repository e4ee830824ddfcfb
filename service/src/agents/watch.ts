// Notices, once a second, the agents that are silent.
import { grantBoards } from '../leases/grant.ts';
import type { ImageDownloads } from '../leases/image-downloads.ts';
import type { Parts } from '../parts.ts';
import { loseAgents } from './connection.ts';

const interval = 1_000;

type Needs = Pick<Parts, 'database' | 'wake' | 'settings' | 'log'> & { images: ImageDownloads };

export function startAgentWatch(needs: Needs) {
	const { database, settings, log, images } = needs;
	const timeout = settings.agentTimeout * 1000;
	// An agent can only be heard while this replica runs and the database is there.
	let listeningSince = Date.now();
	let running: Promise<void> | undefined;
	const look = async () => {
		await images.begin();
		const lost =
			Date.now() - listeningSince > timeout
				? await loseAgents(database.query, new Date(Date.now() - timeout).toISOString())
				: [];
		for (const agent of lost) log.warn({ agent }, 'An agent is silent; its boards are offline');
		if (lost.length > 0) await grantBoards(needs);
	};
	const timer = setInterval(() => {
		running ??= look()
			.catch((error) => {
				listeningSince = Date.now();
				log.warn({ error }, 'Looking for silent agents failed');
			})
			.finally(() => {
				running = undefined;
			});
	}, interval).unref();
	return {
		async close() {
			clearInterval(timer);
			await running;
		},
	};
}

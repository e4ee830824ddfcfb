// A PostgreSQL of its own that writes as safely as it does by default.

import { startPostgres as startCluster } from '../../core/test/support/postgres.ts';
import { newDatabase } from '../../service/test/siege/database.ts';

export async function startPostgres(flags: readonly string[] = []) {
	const cluster = await startCluster(['-c', 'fsync=on', ...flags]);
	const { location: url } = await newDatabase(cluster.url);
	return {
		url,
		cluster: cluster.url,
		databaseDir: cluster.databaseDir,
		/** Copies the database while nothing is connected to it, and returns the address of the copy. */
		copyDatabase: async () => (await newDatabase(cluster.url, url)).location,
		remove: cluster.remove,
	};
}

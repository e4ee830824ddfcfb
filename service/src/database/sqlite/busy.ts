// Another process may lock the file for writing. SQLite itself would wait for it with the whole thread.
import { setTimeout } from 'node:timers/promises';
import type { CompiledQuery, Driver } from 'kysely';

const longestWait = 5_000;
const betweenAttempts = 20;

/**
 * Sends a statement that met the lock again, for up to five seconds. A statement within a transaction fails at once,
 * because the ones before it would have to be repeated too.
 */
export function withRetries(driver: Driver, isInTransaction: () => boolean | undefined): Driver {
	const acquire = driver.acquireConnection.bind(driver);
	return Object.assign(driver, {
		async acquireConnection() {
			const connection = await acquire();
			const send = async <Row>(query: CompiledQuery) => {
				const until = performance.now() + longestWait;
				for (;;) {
					try {
						return await connection.executeQuery<Row>(query);
					} catch (error) {
						// Node.js before 22.16 does not report whether a transaction is open.
						const isAlone = query.sql === 'begin' || isInTransaction() === false;
						if (!isAlone || !isBusy(error) || performance.now() > until) throw error;
					}
					// Others read meanwhile.
					await driver.releaseConnection(connection);
					await setTimeout(betweenAttempts);
					await acquire();
				}
			};
			return { executeQuery: send, streamQuery: connection.streamQuery.bind(connection) };
		},
	});
}

const busy = 5;

export function isBusy(error: unknown) {
	if (!(error instanceof Error && 'errcode' in error)) return false;
	return typeof error.errcode === 'number' && (error.errcode & 0xff) === busy;
}

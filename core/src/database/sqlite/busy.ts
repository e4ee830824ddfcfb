// Waits for the lock of another process. SQLite itself would block the thread meanwhile.
import { setTimeout } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely';

const maxWait = 5_000;
const betweenAttempts = 20;

/** Retries statements for up to five seconds, except within a transaction, whose earlier statements would be lost. */
export function withRetries(driver: Driver, isInTransaction: () => boolean): Driver {
	const acquire = driver.acquireConnection.bind(driver);
	const acquireConnection = async (): Promise<DatabaseConnection> => {
		const connection = await acquire();
		const executeQuery = async <Row>(query: CompiledQuery) => {
			const until = performance.now() + maxWait;
			for (;;) {
				try {
					return await connection.executeQuery<Row>(query);
				} catch (error) {
					if (!isBusy(error) || isInTransaction() || performance.now() > until) throw error;
				}
				// Others use the connection meanwhile.
				await driver.releaseConnection(connection);
				await setTimeout(betweenAttempts);
				await acquire();
			}
		};
		return { streamQuery: connection.streamQuery.bind(connection), executeQuery };
	};
	return Object.assign(driver, { acquireConnection });
}

const busy = 5;

export function isBusy(error: unknown) {
	if (!(error instanceof Error && 'errcode' in error)) return false;
	return typeof error.errcode === 'number' && (error.errcode & 0xff) === busy;
}

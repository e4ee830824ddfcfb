import type { Db } from './schema.ts';

/** Runs the work in the open transaction, or in a new one. */
export function inTransaction<Result>(db: Db, work: (db: Db) => Promise<Result>) {
	return db.isTransaction ? work(db) : afterDeadlocks(() => db.transaction().execute(work));
}

const maxDeadlocks = 3;

/** Retries work that PostgreSQL has rolled back because of a deadlock. */
export async function afterDeadlocks<Result>(work: () => Promise<Result>): Promise<Result> {
	for (let deadlocks = 1; ; deadlocks += 1) {
		try {
			return await work();
		} catch (error) {
			const isDeadlock = error instanceof Error && 'code' in error && error.code === '40P01';
			if (!isDeadlock || deadlocks === maxDeadlocks) throw error;
		}
	}
}

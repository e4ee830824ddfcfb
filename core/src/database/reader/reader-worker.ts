// The thread of the reader: runs one query after the other on a connection that cannot write.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

export type FromReader =
	| { rows: unknown[] }
	| { message: string; code?: unknown; errcode?: unknown };

const database = new DatabaseSync(workerData, { readOnly: true, timeout: 5_000 });

parentPort?.on('message', (query) => parentPort?.postMessage(run(query)));

function run({ sql, parameters }: { sql: string; parameters: SQLInputValue[] }): FromReader {
	try {
		return { rows: database.prepare(sql).all(...parameters) };
	} catch (error) {
		const { message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
		return { message, code, errcode };
	}
}

// The thread of the reader: runs one query after the other on a connection that cannot write.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { prepareOnce } from './statements.ts';

interface ToReader {
	id: number;
	sql: string;
	parameters: SQLInputValue[];
}

export type FromReader =
	| { id: number; rows: unknown[] }
	| { id: number; message: string; code?: unknown; errcode?: unknown };

const mostStatements = 100;

const database = new DatabaseSync(workerData, { readOnly: true, timeout: 5_000 });
const prepared = prepareOnce((sql) => database.prepare(sql), mostStatements);

parentPort?.on('message', (query: ToReader) => parentPort?.postMessage(run(query)));

function run({ id, sql, parameters }: ToReader): FromReader {
	try {
		return { id, rows: prepared(sql).all(...parameters) };
	} catch (error) {
		const { message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
		return { id, message, code, errcode };
	}
}

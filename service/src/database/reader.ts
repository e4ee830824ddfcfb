// A second way to the database, for reads that may take long: on SQLite a thread with a connection of
// its own, so that other requests do not wait for it; on PostgreSQL, a few connections with a time limit.
import { Worker } from 'node:worker_threads';
import {
	type CompiledQuery,
	type DatabaseConnection,
	type Driver,
	Kysely,
	type QueryResult,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from 'kysely';
import type { FromReader } from './reader-worker.ts';
import type { Schema } from './schema.ts';

/** Reads an SQLite file in a thread, which starts with the first query. */
export function createFileReader(file: string) {
	return new Kysely<Schema>({
		dialect: {
			createAdapter: () => new SqliteAdapter(),
			createDriver: () => new ThreadDriver(file),
			createIntrospector: (db) => new SqliteIntrospector(db),
			createQueryCompiler: () => new SqliteQueryCompiler(),
		},
	});
}

interface Waiting {
	resolve(rows: unknown[]): void;
	reject(error: Error): void;
}

class ThreadDriver implements Driver, DatabaseConnection {
	readonly #file: string;
	readonly #waiting = new Map<number, Waiting>();
	#worker: Worker | undefined;
	#last = 0;

	constructor(file: string) {
		this.#file = file;
	}

	async init() {}

	async acquireConnection() {
		return this;
	}

	async releaseConnection() {}

	async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
		this.#worker ??= this.#start();
		this.#last += 1;
		const id = this.#last;
		const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
		this.#waiting.set(id, { resolve, reject });
		this.#worker.ref();
		this.#worker.postMessage({ id, sql, parameters });
		// The query says what a row is.
		return { rows: (await promise) as Row[] };
	}

	// biome-ignore lint/correctness/useYield: nothing is streamed
	async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
		throw new Error('The reader does not stream');
	}

	beginTransaction() {
		return onlyReads();
	}

	commitTransaction() {
		return onlyReads();
	}

	rollbackTransaction() {
		return onlyReads();
	}

	async destroy() {
		await this.#worker?.terminate();
	}

	#start() {
		const worker = new Worker(new URL(workerFile, import.meta.url), {
			workerData: this.#file,
			env: {},
			execArgv: [],
		});
		worker.on('message', (message: FromReader) => this.#settle(worker, message));
		// A new one starts with the next query.
		const end = (error: unknown) => {
			if (this.#worker === worker) this.#worker = undefined;
			const failure = error instanceof Error ? error : new Error('connection terminated');
			for (const { reject } of this.#waiting.values()) reject(failure);
			this.#waiting.clear();
		};
		worker.on('error', end);
		worker.on('exit', end);
		return worker;
	}

	#settle(worker: Worker, message: FromReader) {
		const waiting = this.#waiting.get(message.id);
		this.#waiting.delete(message.id);
		if (this.#waiting.size === 0) worker.unref();
		if ('rows' in message) waiting?.resolve(message.rows);
		else waiting?.reject(Object.assign(new Error(message.message), message));
	}
}

async function onlyReads() {
	throw new Error('The reader has no transactions');
}

// The worker is a separate file, next to this one in the source and next to the bundle in the package.
const workerFile = import.meta.url.endsWith('.ts') ? './reader-worker.ts' : './reader-worker.js';

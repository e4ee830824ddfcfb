// A second way to an SQLite file, for reads that may take long: a thread with a connection of its own, so
// that other requests do not wait for it.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
	type CompiledQuery,
	DummyDriver,
	Kysely,
	type QueryResult,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from 'kysely';
import type { Schema } from '../schema.ts';
import type { FromReader } from './reader-worker.ts';

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

class ThreadDriver extends DummyDriver {
	readonly #file: string;
	/** In the order of their queries, which the thread runs one after the other. */
	#waiting: PromiseWithResolvers<unknown[]>[] = [];
	#worker: Worker | undefined;

	constructor(file: string) {
		super();
		this.#file = file;
	}

	override async acquireConnection() {
		return { executeQuery: <Row>(query: CompiledQuery) => this.#read<Row>(query), streamQuery };
	}

	override async destroy() {
		await this.#worker?.terminate();
	}

	async #read<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
		this.#worker ??= this.#start();
		const waiting = Promise.withResolvers<unknown[]>();
		this.#waiting.push(waiting);
		this.#worker.ref();
		this.#worker.postMessage({ sql, parameters });
		// The query says what a row is.
		return { rows: (await waiting.promise) as Row[] };
	}

	#start() {
		const worker = new Worker(new URL(workerFile, import.meta.url), {
			workerData: this.#file,
			env: {},
			execArgv: [],
		});
		worker.on('message', (message: FromReader) => {
			const waiting = this.#waiting.shift();
			if (this.#waiting.length === 0) worker.unref();
			if ('rows' in message) waiting?.resolve(message.rows);
			else waiting?.reject(Object.assign(new Error(message.message), message));
		});
		// A new one starts with the next query.
		const end = (error: unknown) => {
			if (this.#worker !== worker) return;
			this.#worker = undefined;
			const failure = error instanceof Error ? error : new Error('connection terminated');
			for (const { reject } of this.#waiting.splice(0)) reject(failure);
		};
		return worker.on('error', end).on('exit', end);
	}
}

// biome-ignore lint/correctness/useYield: nothing is streamed
async function* streamQuery(): AsyncGenerator<never> {
	throw new Error('The reader does not stream');
}

// The worker is a separate file, next to this one in the source and next to the bundle in the package.
const workerFile = `./reader-worker${extname(import.meta.url)}`;

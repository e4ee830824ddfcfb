// The agent's end of the worker thread of an emulated board.
import { addAbortListener } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WorkerSettings } from '../emulators/boards.ts';
import type { BoardMethod, BoardMethods, FromWorker, ToWorker } from '../emulators/worker.ts';
import type { BoardWork, ConsoleEvents, OpenPort, PortEvents } from './hardware.ts';

export const maxTask = 10_000;

const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

const workerFile = import.meta.url.endsWith('.ts') ? '../emulators/worker.ts' : './worker.js';

/** In place of a debugger while it attaches: until then, the board sends what was for the one before. */
const attaching: PortEvents = { async output() {}, closed() {} };

export class BoardWorker {
	failure: Error | undefined;
	readonly #worker: Worker;
	readonly #events: ConsoleEvents | undefined;
	#debugger: PortEvents | undefined;
	/** The calls that were not answered, by number. */
	readonly #calls = new Map<number, Call>();
	#count = 0;

	constructor(workerData: WorkerSettings, events: ConsoleEvents | undefined) {
		this.#events = events;
		this.#worker = new Worker(new URL(workerFile, import.meta.url), {
			workerData,
			resourceLimits,
			stdout: true,
			stderr: true,
			env: {},
			execArgv: [],
		});
		this.#worker.on('message', (message: FromWorker) => this.#onMessage(message));
		this.#worker.on('error', (error: Error) => this.#end(error));
		this.#worker.on('exit', () => this.#end(new Error('The emulator has ended')));
		this.#worker.unref();
	}

	stop() {
		return this.#worker.terminate();
	}

	/** Calls a method of the board in the thread. */
	async call<Name extends BoardMethod>(name: Name, ...values: Parameters<BoardMethods[Name]>) {
		if (this.failure) throw this.failure;
		const call = Promise.withResolvers<Awaited<ReturnType<BoardMethods[Name]>>>();
		this.#count += 1;
		this.#calls.set(this.#count, call);
		this.#worker.postMessage({ id: this.#count, name, values } satisfies ToWorker);
		return call.promise;
	}

	/** The same without an answer. */
	post<Name extends BoardMethod>(name: Name, ...values: Parameters<BoardMethods[Name]>): void {
		this.call(name, ...values).catch(() => {});
	}

	async perform(task: BoardWork, signal: AbortSignal, onDone: () => void): Promise<string> {
		using _ = addAbortListener(signal, () => this.#giveUp(new Error('Cancelled')));
		const message = await this.#inTime(this.call('perform', task));
		// Before later messages of the worker are read.
		onDone();
		return message;
	}

	async write(bytes: Uint8Array, hurry?: AbortSignal): Promise<void> {
		const taken = this.call('write', bytes);
		const withdraw = () => void this.#inTime(this.call('withdraw')).catch(() => {});
		using _ = hurry && addAbortListener(hurry, withdraw);
		await taken;
	}

	async attach(events: PortEvents): Promise<OpenPort> {
		if (this.#debugger) throw new Error('Another debugger is attached');
		this.#debugger = attaching;
		try {
			await this.call('attach');
			this.#debugger = events;
		} catch (error) {
			this.#debugger = undefined;
			throw error;
		}
		return {
			write: async (bytes) => {
				if (this.#debugger !== events) throw new Error('The debugger is detached');
				await this.call('debug', bytes);
			},
			close: async () => {
				if (this.#debugger !== events) return;
				this.#debugger = undefined;
				this.post('detach');
			},
		};
	}

	#inTime<Result>(answer: Promise<Result>): Promise<Result> {
		const error = new Error('The emulator does not respond');
		const timer = setTimeout(() => this.#giveUp(error), maxTask);
		return answer.finally(() => clearTimeout(timer));
	}

	#giveUp(error: Error) {
		this.#rejectCalls(error);
		void this.#worker.terminate();
	}

	#rejectCalls(error: Error) {
		for (const call of this.#calls.values()) call.reject(error);
		this.#calls.clear();
	}

	#onMessage(message: FromWorker) {
		if (message.type === 'output') this.#events?.output(message.bytes);
		else if (message.type === 'debug') void this.#debugger?.output(message.bytes);
		else if (message.type === 'halted') this.#debugger?.halted?.(message.isHalted);
		else if (message.type === 'detached') this.#loseDebugger(message.reason);
		else {
			const call = this.#calls.get(message.id);
			this.#calls.delete(message.id);
			if (message.type === 'done') call?.resolve(message.result);
			else call?.reject(new Error(message.message));
		}
	}

	#loseDebugger(reason: string) {
		this.#debugger?.closed(reason);
		this.#debugger = undefined;
	}

	#end(error: Error) {
		if (this.failure) return;
		this.failure = error;
		this.#loseDebugger(error.message);
		this.#events?.lost(`the emulator has stopped: ${error.message}`);
		this.#rejectCalls(error);
	}
}

interface Call {
	resolve(result: unknown): void;
	reject(error: Error): void;
}

// An emulated board. Firmware is untrusted, so each lease has a worker thread of its own.
import { addAbortListener } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { type LineState, usualLine } from 'board-access-contract';
import { isRaised, lineWith } from '../consoles/line.ts';
import {
	emulatedFlash,
	emulatedPins,
	type FromWorker,
	type ToWorker,
	type WorkerSettings,
} from '../emulators/boards.ts';
import type { DrivenPins, PinSample } from '../emulators/pins.ts';
import { EmulatedDebugger } from './emulated-debugger.ts';
import type { BoardWork, ConsoleEvents, Hardware } from './hardware.ts';

interface EmulatedSettings extends Omit<WorkerSettings, 'bootRom'> {
	/** The path of the file. */
	readonly bootRom: string | undefined;
}

const maxTask = 10_000;

const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

const workerFile = import.meta.url.endsWith('.ts') ? '../emulators/worker.ts' : './worker.js';

export function createEmulatedBoard(settings: EmulatedSettings): Hardware {
	let worker: BoardWorker | undefined;
	let events: ConsoleEvents | undefined;
	let driven: DrivenPins = {};
	const firstLine = { ...usualLine, resets: settings.emulator === 'arduino-uno' };
	let line: LineState = firstLine;

	const started = async () => {
		if (worker === undefined || worker.failure !== undefined) {
			worker = new BoardWorker(await workerSettings(settings), events);
			worker.post({ type: 'drive', pins: driven });
			events?.connected();
		}
		return worker;
	};

	const board: Hardware = {
		actions: ['flash', 'erase', 'reset', 'power_on', 'power_off', 'power_cycle'],
		hasConsole: true,
		betweenLeases: 'erase',
		memory: emulatedFlash[settings.emulator],
		pins: {
			...emulatedPins[settings.emulator],
			sample: async () => worker?.sample(),
			rest: () => worker?.post({ type: 'rest' }),
			drive(pins) {
				driven = pins;
				worker?.post({ type: 'drive', pins });
			},
		},
		debug: {
			async open(portEvents) {
				if (worker === undefined) throw new Error('The board is not open');
				if (worker.failure) throw worker.failure;
				return worker.debugger.open(portEvents);
			},
		},
		async open(leaseEvents) {
			events = leaseEvents;
			line = firstLine;
			await started();
		},
		async setLine(settings) {
			const before = line;
			line = lineWith(before, settings);
			if (isRaised(before, line)) worker?.post({ type: 'reset' });
			return line;
		},
		async perform(work, signal, outputBegins = () => {}) {
			return (await started()).perform(work, signal, outputBegins);
		},
		async write(bytes, signal, hurry = signal) {
			if (worker?.failure) throw worker.failure;
			await worker?.write(bytes, hurry);
		},
		async close() {
			events = undefined;
			driven = {};
			await worker?.stop();
			worker = undefined;
		},
		async clear() {}, // each lease has a new emulator
		async check() {
			try {
				await board.perform({ action: 'reset' }, AbortSignal.timeout(maxTask));
				return 'the emulator starts';
			} finally {
				await board.close();
			}
		},
	};
	return board;
}

async function workerSettings({ bootRom: file, ...settings }: EmulatedSettings) {
	if (file === undefined) return settings;
	const bootRom = new Uint8Array(await readFile(file));
	if (bootRom.length > 16 * 1024 || bootRom.length % 4 !== 0) {
		throw new Error(`${file} is not a boot ROM: it has ${bootRom.length} bytes`);
	}
	return { ...settings, bootRom };
}

class BoardWorker {
	failure: Error | undefined;
	readonly debugger = new EmulatedDebugger((message) => this.post(message));
	readonly #worker: Worker;
	readonly #events: ConsoleEvents | undefined;
	/** The task that the worker is busy with. */
	#waiting: PromiseWithResolvers<string> | undefined;
	#sampling: PromiseWithResolvers<PinSample | undefined> | undefined;

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

	async perform(task: BoardWork, signal: AbortSignal, onDone: () => void): Promise<string> {
		using _ = addAbortListener(signal, () => this.#giveUp(new Error('Cancelled')));
		const message = await this.#inTime(this.#send({ type: 'task', task }));
		// Before later messages of the worker are read.
		onDone();
		return message;
	}

	async write(bytes: Uint8Array, hurry?: AbortSignal): Promise<void> {
		const taken = this.#send({ type: 'input', bytes });
		const withdraw = () => {
			this.post({ type: 'withdraw' });
			this.#inTime(taken).catch(() => {});
		};
		using _ = hurry && addAbortListener(hurry, withdraw);
		await taken;
	}

	/** What the pins did; undefined if the emulator has stopped. */
	sample(): Promise<PinSample | undefined> {
		if (this.failure) return Promise.resolve(undefined);
		this.#sampling ??= Promise.withResolvers();
		this.post({ type: 'sample' });
		return this.#sampling.promise;
	}

	post(message: ToWorker): void {
		this.#worker.postMessage(message);
	}

	#send(message: ToWorker): Promise<string> {
		this.#waiting = Promise.withResolvers();
		this.post(message);
		return this.#waiting.promise;
	}

	#inTime(task: Promise<string>): Promise<string> {
		const error = new Error('The emulator does not respond');
		const timer = setTimeout(() => this.#giveUp(error), maxTask);
		return task.finally(() => clearTimeout(timer));
	}

	#giveUp(error: Error) {
		this.#waiting?.reject(error);
		void this.#worker.terminate();
	}

	#onMessage(message: FromWorker) {
		if (message.type === 'output') this.#events?.output(message.bytes);
		else if (message.type === 'sample') this.#takeSample(message.sample);
		else if (message.type === 'done') this.#waiting?.resolve(message.message);
		else if (message.type === 'failed') this.#waiting?.reject(new Error(message.message));
		else this.debugger.receive(message);
	}

	#takeSample(sample?: PinSample) {
		this.#sampling?.resolve(sample);
		this.#sampling = undefined;
	}

	#end(error: Error) {
		if (this.failure) return;
		this.#takeSample();
		this.failure = error;
		this.debugger.lose(error.message);
		this.#events?.lost(`the emulator has stopped: ${error.message}`);
		this.#waiting?.reject(error);
	}
}

// What a process sees of the world: its own clocks, timers, randomness and modules.
import * as nodeCrypto from 'node:crypto';
import { compileFunction } from 'node:vm';
import { type Bundles, type Part, requireOf } from './bundle.ts';
import { Process, type SimulatedEvent, Simulation } from './simulation.ts';

/** A function of a script that takes the globals and the module. */
type Script = (...values: unknown[]) => void;

const names = [
	'exports',
	'require',
	'module',
	'globalThis',
	'Date',
	'performance',
	'Math',
	'crypto',
	'process',
	'console',
	'fetch',
	'AbortSignal',
	'setTimeout',
	'clearTimeout',
	'setInterval',
	'clearInterval',
	'setImmediate',
	'clearImmediate',
] as const;

export interface Scripts extends Readonly<Record<Part, Script>> {
	/** What all processes share, by its path. */
	readonly shared: Readonly<Record<string, unknown>>;
}

/** Compiles each script once, and evaluates what is shared. */
export function compile({ client, service, agent, shared }: Bundles): Scripts {
	const script = (text: string, name: string) =>
		// It takes the values of these names.
		compileFunction(text, [...names], { filename: `${name}.js` }) as Script;
	return {
		client: script(client, 'client'),
		service: script(service, 'service'),
		agent: script(agent, 'agent'),
		shared: run(script(shared, 'shared'), { process: new Timeless(), load: requireOf('service') }),
	};
}

/** Neither time nor chance may decide in what processes share. */
class Timeless extends Process {
	constructor() {
		super(new Simulation('shared'), { name: 'shared', random: forbidden });
	}

	override get uptime() {
		return forbidden();
	}

	override after() {
		return forbidden();
	}
}

function forbidden(): never {
	throw new Error('What processes share must not use time or chance');
}

interface EvaluateOptions {
	process: Process;
	/** Replaces modules of Node.js. */
	modules?: Record<string, unknown>;
	modelLog?: object;
	/** Whether what a replica does every second would find nothing. */
	modelIdle?: (what: string, time: number) => boolean;
}

/** Evaluates a part for one process and returns its exports. */
export function evaluate(
	scripts: Scripts,
	part: Part,
	options: EvaluateOptions,
): Record<string, unknown> {
	const own = requireOf(part);
	const load = (name: string) => scripts.shared[name] ?? own(name);
	return run(scripts[part], { ...options, load });
}

function run(
	script: Script,
	{ process, load, modules = {}, ...added }: EvaluateOptions & { load: (name: string) => unknown },
): Record<string, unknown> {
	const module = { exports: {} };
	const globals = globalsOf(process);
	const own: Record<string, unknown> = {
		...modules,
		'node:crypto': globals.nodeCrypto,
		crypto: globals.nodeCrypto,
		'node:timers/promises': globals.timersPromises,
	};
	const values: Record<string, unknown> = {
		...globals.names,
		exports: module.exports,
		module,
		require: (name: string) => own[name] ?? load(name),
		globalThis: Object.create(
			globalThis,
			Object.getOwnPropertyDescriptors({ ...globals.names, fetch: undefined, ...added }),
		),
	};
	script(...names.map((name) => values[name]));
	return module.exports;
}

/** A timer as Node.js returns it. */
class Timer {
	readonly #process: Process;
	readonly #run: () => void;
	readonly #milliseconds: number;
	readonly #repeats: boolean;
	#event: SimulatedEvent | undefined;

	constructor(process: Process, run: () => void, milliseconds: number, repeats: boolean) {
		this.#process = process;
		this.#run = run;
		this.#milliseconds = milliseconds >= 1 && milliseconds < 2 ** 31 ? milliseconds : 1;
		this.#repeats = repeats;
		this.refresh();
	}

	refresh() {
		this.clear();
		this.#event = this.#process.after(this.#milliseconds, () => {
			this.#event = undefined;
			if (this.#repeats) this.refresh();
			this.#run();
		});
		return this;
	}

	clear() {
		if (this.#event) this.#event.run = undefined;
		this.#event = undefined;
	}

	ref() {
		return this;
	}

	unref() {
		return this;
	}

	hasRef() {
		return true;
	}
}

type Callback = (...values: unknown[]) => void;

function globalsOf(process: Process) {
	const start = (repeats: boolean) =>
		function startTimer(run: Callback, milliseconds = 1, ...values: unknown[]) {
			return new Timer(process, () => run(...values), Number(milliseconds), repeats);
		};
	const clear = (timer: unknown) => {
		if (timer instanceof Timer) timer.clear();
	};
	const setTimeout = start(false);
	const setImmediate = (run: Callback, ...values: unknown[]) =>
		process.after(0, () => run(...values));
	const clearImmediate = (event: SimulatedEvent | undefined) => {
		if (event) event.run = undefined;
	};
	const signals = abortSignals(process);
	const nodeCrypto = cryptoOf(process);
	return {
		nodeCrypto,
		timersPromises: timersPromises(process),
		names: {
			Date: dateOf(process),
			performance: { now: () => process.uptime, timeOrigin: 0, mark() {}, measure() {} },
			Math: Object.create(Math, { random: { value: process.random } }),
			crypto: nodeCrypto.webcrypto,
			process: Object.create(globalThis.process, {
				env: { value: {} },
				hrtime: { value: hrtimeOf(process) },
				uptime: { value: () => process.uptime / 1000 },
			}),
			console: { log() {}, warn() {}, error() {}, info() {}, debug() {} },
			AbortSignal: signals,
			setTimeout,
			clearTimeout: clear,
			setInterval: start(true),
			clearInterval: clear,
			setImmediate,
			clearImmediate,
		},
	};
}

function hrtimeOf(process: Process) {
	const bigint = () => BigInt(Math.round(process.uptime * 1e6));
	return Object.assign(() => [Math.floor(process.uptime / 1000), 0], { bigint });
}

function dateOf(process: Process) {
	return class extends Date {
		constructor(...values: unknown[]) {
			if (values.length === 0) super(process.wallClock);
			// The constructor of Date takes what it is given.
			else super(...(values as [number]));
		}

		static override now() {
			return Math.floor(process.wallClock);
		}
	};
}

let watched: Simulation | undefined;

/** A loop that never lets go asks in vain whether it is aborted. */
export function watchLoops(simulation: Simulation) {
	watched = simulation;
}

const { throwIfAborted } = AbortSignal.prototype;
AbortSignal.prototype.throwIfAborted = function () {
	if (watched?.current) watched.noteLook(watched.current);
	throwIfAborted.call(this);
};

/** The real class, but for its timeouts. */
function abortSignals(process: Process) {
	const own = {
		any: follow,
		abort: (reason?: unknown) => AbortSignal.abort(reason),
		timeout(milliseconds: number) {
			const controller = new AbortController();
			const late = () =>
				controller.abort(
					new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
				);
			process.after(milliseconds, late);
			return controller.signal;
		},
	};
	return new Proxy(AbortSignal, {
		get: (target, name) => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
	});
}

/** As `AbortSignal.any`, whose signals Node.js keeps for good while somebody listens. */
function follow(signals: AbortSignal[]) {
	const controller = new AbortController();
	const aborted = signals.find((signal) => signal.aborted);
	if (aborted) controller.abort(aborted.reason);
	for (const signal of aborted ? [] : signals) {
		signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
	}
	return controller.signal;
}

function timersPromises(process: Process) {
	const wait = (milliseconds: number, value: unknown, signal: AbortSignal | undefined) =>
		new Promise((resolve, reject) => {
			const abort = () => {
				event.run = undefined;
				reject(new DOMException('The operation was aborted', 'AbortError'));
			};
			const event = process.after(Math.max(milliseconds, 0), () => {
				signal?.removeEventListener('abort', abort);
				resolve(value);
			});
			if (signal?.aborted) abort();
			else signal?.addEventListener('abort', abort, { once: true });
		});
	return {
		setTimeout: (milliseconds = 1, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
			wait(Math.max(1, milliseconds), value, signal),
		setImmediate: (value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
			wait(0, value, signal),
	};
}

/** Its random numbers are those of the process. */
function cryptoOf(process: Process) {
	const fill = <Bytes extends ArrayBufferView>(bytes: Bytes): Bytes => {
		const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		for (let index = 0; index < view.length; index++) view[index] = process.random() * 256;
		return bytes;
	};
	const randomUUID = () => {
		const text = Buffer.from(fill(new Uint8Array(16))).toString('hex');
		return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20)}`;
	};
	const webcrypto = Object.create(nodeCrypto.webcrypto, {
		getRandomValues: { value: fill },
		randomUUID: { value: randomUUID },
	});
	return {
		...nodeCrypto,
		webcrypto,
		randomUUID,
		randomBytes: (size: number) => fill(Buffer.alloc(size)),
		randomFillSync: fill,
		getRandomValues: fill,
		randomInt: (least: number, most?: number) =>
			most === undefined
				? Math.floor(process.random() * least)
				: least + Math.floor(process.random() * (most - least)),
	};
}

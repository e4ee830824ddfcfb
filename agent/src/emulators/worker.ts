// The worker thread of one emulated board: keeps it at real time, and within its share of a core.
import { parentPort, workerData } from 'node:worker_threads';
import { placeFirmware, readFirmware } from 'board-access-contract/firmware';
import { type BoardWork, notice } from '../drivers/hardware.ts';
import { messageOf } from '../errors.ts';
import { type EmulatedComputer, emulatedFlash, type WorkerSettings } from './boards.ts';
import { signals } from './debug/run-control.ts';
import { GdbStub } from './debug/stub.ts';
import type { DrivenPins, PinSample } from './pins.ts';

const nanosecondsPerMillisecond = 1e6;

/** How long the worker runs between messages, in milliseconds. */
const maxSlice = 8;
const pauseWhileBusy = 4;
const pauseWhileAsleep = 20;

/** A board that falls further behind skips time. In milliseconds. */
const maxBehind = 50;

/** How long a board runs at once after a halt, in milliseconds, so that a step does not wait. */
const headStart = 0.05;

/** How many bytes of input wait for the firmware. */
const maxInput = 4 * 1024;

const noPower = 'The board has no power';
const notRead = 'The firmware did not read them before the next action';

/** What the agent can call. A task or input is sent once the one before is done or has failed. */
export type BoardMethods = Omit<Board, 'receive'>;

export type BoardMethod = keyof BoardMethods;

export interface ToWorker {
	readonly id: number;
	readonly name: BoardMethod;
	readonly values: readonly unknown[];
}

export type FromWorker =
	| { readonly type: 'done'; readonly id: number; readonly result: unknown }
	| { readonly type: 'failed'; readonly id: number; readonly message: string }
	| { readonly type: 'output'; readonly bytes: Uint8Array }
	| { readonly type: 'debug'; readonly bytes: Uint8Array }
	/** A debugger has halted the processor, or let it go on. */
	| { readonly type: 'halted'; readonly isHalted: boolean }
	/** The board has detached the debugger. */
	| { readonly type: 'detached'; readonly reason: string };

async function runBoard(port: NonNullable<typeof parentPort>): Promise<void> {
	silenceConsole();
	const settings = workerData as WorkerSettings; // the agent passes them
	const computer = await createComputer(settings);
	const board = new Board(settings, computer, (message) => port.postMessage(message));
	port.on('message', (message: ToWorker) => board.receive(message));
}

/** Invalid firmware makes the emulators print millions of lines. */
function silenceConsole(): void {
	for (const method of ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const) {
		console[method] = () => {};
	}
}

/** Loads one emulator only, so that a board starts sooner. */
async function createComputer({ emulator, bootRom }: WorkerSettings) {
	if (emulator === 'arduino-uno') {
		const { createArduinoUno } = await import('./arduino-uno.ts');
		return createArduinoUno();
	}
	const { createPico } = await import('./rp2040-pico.ts');
	return createPico(bootRom);
}

class Board {
	readonly #settings: WorkerSettings;
	readonly #computer: EmulatedComputer;
	readonly #send: (message: FromWorker) => void;
	#machine;
	#hasPower = true;
	#isRunning = false;
	#timer: NodeJS.Timeout | undefined;
	#last = performance.now();
	#behind = 0;
	#restUntil = 0;
	/** Input that the board has no room for yet. */
	#input: (PromiseWithResolvers<void> & { readonly bytes: Uint8Array }) | undefined;
	#driven: DrivenPins = {};
	#debugger: GdbStub | undefined;
	/** What the agent knows. */
	#isHalted = false;

	constructor(
		settings: WorkerSettings,
		computer: EmulatedComputer,
		send: (message: FromWorker) => void,
	) {
		this.#settings = settings;
		this.#computer = computer;
		this.#send = send;
		this.#machine = computer.start();
	}

	async receive({ id, name, values }: ToWorker): Promise<void> {
		try {
			const result: unknown = await Reflect.apply(this[name], this, values);
			this.#send({ type: 'done', id, result });
		} catch (error) {
			this.#send({ type: 'failed', id, message: messageOf(error) });
		}
		this.#schedule(0);
		this.#reportHalt();
	}

	perform(task: BoardWork): string {
		const { action } = task;
		if (!this.#hasPower && !/^power_/.test(action)) throw new Error(noPower);
		const computer = this.#computer;
		const segments = this.#segmentsOf(task);
		if (action === 'power_on' && this.#hasPower) return 'The board already has power';
		for (const { address, data } of segments) computer.flash.set(data, address);
		if (action === 'erase') computer.erase();
		this.#hasPower = action !== 'power_off';
		this.#restart();
		if (!this.#hasPower) {
			this.#debugger = undefined;
			this.#send({ type: 'detached', reason: noPower });
		}
		if (action !== 'flash') return '';
		const bytes = segments.reduce((total, { data }) => total + data.length, 0);
		const written = `${bytes.toLocaleString('en')} bytes written`;
		const isBootable = computer.isBootable();
		return isBootable ? written : `${written}; the flash contains no firmware that can start`;
	}

	/** Resolves when the board has room for the input. */
	write(bytes: Uint8Array): Promise<void> {
		if (!this.#hasPower) throw new Error(noPower);
		const taken = Promise.withResolvers<void>();
		this.#input = { ...taken, bytes };
		this.#feed();
		return taken.promise;
	}

	/** Makes input fail that the board has not read. */
	withdraw() {
		this.#input?.reject(new Error(notRead));
		this.#input = undefined;
	}

	sample(): PinSample {
		if (!this.#hasPower) return { power: false, leds: {}, pins: {} };
		return { power: true, ...this.#machine.pins.sample() };
	}

	rest() {
		this.#machine.pins.rest();
	}

	drive(pins: DrivenPins) {
		this.#driven = pins;
		this.#machine.pins.drive(pins);
	}

	/** Resets a board that is reset by the lines of its serial port. */
	reset() {
		const { startBootLoader } = this.#computer;
		if (!this.#hasPower || !startBootLoader) return;
		this.#restart(startBootLoader());
		this.#isRunning = true;
	}

	/** A debugger comes. */
	attach() {
		if (!this.#hasPower) throw new Error(noPower);
		this.#debugger = new GdbStub(this.#machine.debug, {
			output: (bytes) => this.#send({ type: 'debug', bytes }),
			reset: () => this.#restart(),
			flashed: () => {
				this.#isRunning = this.#computer.isBootable();
			},
		});
	}

	detach() {
		this.#debugger?.control.detach();
		this.#debugger = undefined;
		this.#continue();
	}

	/** The debugger sends bytes. */
	debug(bytes: Uint8Array) {
		const wasHalted = this.#debugger?.control.isHalted;
		this.#debugger?.receive(bytes);
		if (wasHalted && !this.#debugger?.control.isHalted) this.#continue();
	}

	/** The time of a halt is not made up for. */
	#continue() {
		this.#behind = headStart;
		this.#last = performance.now();
	}

	/** Steps that end at once are not reported. */
	#reportHalt() {
		const isHalted = this.#debugger?.control.isHalted ?? false;
		if (isHalted !== this.#isHalted) this.#send({ type: 'halted', isHalted });
		this.#isHalted = isHalted;
	}

	#segmentsOf(task: BoardWork) {
		if (task.action !== 'flash') return [];
		const flash = emulatedFlash[this.#settings.emulator];
		return placeFirmware(readFirmware(task.bytes), flash, task.offset);
	}

	#restart(machine = this.#computer.start()) {
		this.#computer.serial.input.length = 0;
		this.#machine = machine;
		this.#machine.pins.drive(this.#driven);
		this.#debugger?.control.replaceTarget(this.#machine.debug);
		this.#isRunning = this.#computer.isBootable();
		this.#behind = 0;
		this.#last = performance.now();
	}

	#feed() {
		const { input } = this.#computer.serial;
		if (this.#input === undefined || input.length >= maxInput) return;
		input.push(...this.#input.bytes);
		this.#input.resolve();
		this.#input = undefined;
	}

	#schedule(pause: number) {
		clearTimeout(this.#timer);
		const time = Math.max(pause, this.#restUntil - performance.now());
		if (time <= 0) this.#runSlice();
		else this.#timer = setTimeout(() => this.#runSlice(), time);
	}

	#runSlice() {
		if (!this.#hasPower || !this.#isRunning || this.#debugger?.control.isHalted) return;
		const { input, output } = this.#computer.serial;
		const started = performance.now();
		const behind = Math.min(this.#behind + started - this.#last, maxBehind);
		const wanted = behind * nanosecondsPerMillisecond;
		this.#last = started;
		try {
			const passed = this.#machine.run(wanted, started + maxSlice, this.#debugger?.control.tracer);
			this.#behind = Math.max(0, wanted - passed) / nanosecondsPerMillisecond;
		} catch (error) {
			this.#isRunning = false;
			output.push(...notice(`the firmware has crashed: ${messageOf(error)}`));
			this.#debugger?.control.interrupt(signals.abort);
		}
		const isBusy = this.#sendOutput() || input.length > 0 || !this.#machine.asleep;
		this.#feed();
		const ended = performance.now();
		this.#restUntil = ended + (ended - started) * (1 / this.#settings.cpuShare - 1);
		this.#reportHalt();
		this.#schedule(isBusy ? pauseWhileBusy : pauseWhileAsleep);
	}

	/** Returns whether there was output. */
	#sendOutput() {
		const bytes = Uint8Array.from(this.#computer.serial.output.splice(0));
		if (bytes.length > 0) this.#send({ type: 'output', bytes });
		return bytes.length > 0;
	}
}

if (parentPort) await runBoard(parentPort);

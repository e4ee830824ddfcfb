// The worker thread of one emulated board: keeps it at real time, and within its share of a core.
import { parentPort, workerData } from 'node:worker_threads';
import { placeFirmware, readFirmware } from 'board-access-contract/firmware';
import { type BoardWork, notice } from '../drivers/hardware.ts';
import { messageOf } from '../errors.ts';
import {
	type EmulatedComputer,
	emulatedFlash,
	type FromWorker,
	type ToWorker,
	type WorkerSettings,
} from './boards.ts';
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
	#input: Uint8Array | undefined;
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

	receive(message: ToWorker): void {
		if (message.type === 'task') this.#send(this.#outcomeOf(message.task));
		else if (message.type === 'sample') this.#send({ type: 'sample', sample: this.#sample() });
		else if (message.type === 'rest') this.#machine.pins.rest();
		else if (message.type === 'drive') this.#drive(message.pins);
		else if (message.type === 'reset') this.#resetByLine();
		else if (message.type === 'debug_open') this.#attach();
		else if (message.type === 'debug_close') this.#detach();
		else if (message.type === 'debug') this.#debug(message.bytes);
		else if (message.type === 'withdraw')
			this.#failInput('The firmware did not read them before the next action');
		else {
			this.#input = message.bytes;
			if (this.#hasPower) this.#feed();
			else this.#failInput(noPower);
		}
		this.#schedule(0);
		this.#reportHalt();
	}

	#attach() {
		if (!this.#hasPower) return this.#closeDebugger();
		this.#debugger = new GdbStub(this.#machine.debug, {
			output: (bytes) => this.#send({ type: 'debug', bytes }),
			reset: () => this.#restart(),
			flashed: () => {
				this.#isRunning = this.#computer.isBootable();
			},
		});
		this.#send({ type: 'debug_opened' });
	}

	#closeDebugger() {
		this.#debugger = undefined;
		this.#send({ type: 'debug_closed', reason: noPower });
	}

	#detach() {
		this.#debugger?.control.detach();
		this.#debugger = undefined;
		this.#continue();
	}

	#debug(bytes: Uint8Array) {
		const wasHalted = this.#debugger?.control.isHalted;
		this.#debugger?.receive(bytes);
		if (wasHalted && !this.#debugger?.control.isHalted) this.#continue();
		this.#send({ type: 'debug_taken' });
	}

	/** The time of a halt is not made up for. */
	#continue() {
		this.#behind = headStart;
		this.#last = performance.now();
	}

	/** Steps that end at once are not reported. */
	#reportHalt() {
		const isHalted = this.#debugger?.control.isHalted ?? false;
		if (isHalted !== this.#isHalted) this.#send({ type: 'debug_halted', isHalted });
		this.#isHalted = isHalted;
	}

	#sample(): PinSample {
		if (!this.#hasPower) return { power: false, leds: {}, pins: {} };
		return { power: true, ...this.#machine.pins.sample() };
	}

	#drive(pins: DrivenPins) {
		this.#driven = pins;
		this.#machine.pins.drive(pins);
	}

	#outcomeOf(task: BoardWork): FromWorker {
		try {
			return { type: 'done', message: this.#perform(task) };
		} catch (error) {
			return { type: 'failed', message: messageOf(error) };
		}
	}

	#perform(task: BoardWork): string {
		const { action } = task;
		if (!this.#hasPower && !/^power_/.test(action)) throw new Error(noPower);
		const computer = this.#computer;
		const segments = this.#segmentsOf(task);
		if (action === 'power_on' && this.#hasPower) return 'The board already has power';
		for (const { address, data } of segments) computer.flash.set(data, address);
		if (action === 'erase') computer.erase();
		this.#hasPower = action !== 'power_off';
		this.#restart();
		if (!this.#hasPower) this.#closeDebugger();
		if (action !== 'flash') return '';
		const bytes = segments.reduce((total, { data }) => total + data.length, 0);
		const written = `${bytes.toLocaleString('en')} bytes written`;
		const isBootable = computer.isBootable();
		return isBootable ? written : `${written}; the flash contains no firmware that can start`;
	}

	#segmentsOf(task: BoardWork) {
		if (task.action !== 'flash') return [];
		const flash = emulatedFlash[this.#settings.emulator];
		return placeFirmware(readFirmware(task.bytes), flash, task.offset);
	}

	#resetByLine() {
		const { startBootLoader } = this.#computer;
		if (!this.#hasPower || !startBootLoader) return;
		this.#restart(startBootLoader());
		this.#isRunning = true;
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
		input.push(...this.#input);
		this.#input = undefined;
		this.#send({ type: 'done', message: '' });
	}

	#failInput(message: string) {
		if (this.#input) this.#send({ type: 'failed', message });
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

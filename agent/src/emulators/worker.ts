// The worker thread of one emulated board: keeps it at real time, and within its share of a core.
import { parentPort, workerData } from 'node:worker_threads';
import type { Machine, SerialOutput } from './machine.ts';
import type { BoardTask, FromWorker, ToWorker, WorkerSettings } from './messages.ts';

const nanosecondsPerMillisecond = 1e6;

/** How long the worker runs before it checks its messages, in milliseconds. */
const longestSlice = 8;
const pauseWhileRunning = 4;
const pauseWhileAsleep = 20;

/** Emulated time further behind than this is skipped, so that a board never runs ahead to catch up. */
const mostBehind = 50;

/** The input that a board takes before its firmware reads it, as much as a serial port of a computer keeps. */
const mostInput = 4 * 1024;

/** Output beyond this, between two slices, is dropped. */
const mostOutput = 64 * 1024;

const noPower = 'The board has no power';

if (parentPort) await runBoard(parentPort);

async function runBoard(port: NonNullable<typeof parentPort>): Promise<void> {
	silenceConsole();
	// The agent that starts this worker passes these settings.
	const settings = workerData as WorkerSettings;
	const send = (message: FromWorker) => port.postMessage(message);
	const output = createOutput(send);
	const machine = await createMachine(settings, output.add);
	const input = createInput(machine, send);
	const pace = createPace({ machine, send, input, output, cpuShare: settings.cpuShare });
	port.on('message', (message: ToWorker) => {
		if (message.type === 'withdraw') input.withdraw(message.id);
		else if (message.type === 'task') send(carryOut(message, machine, pace));
		else if (pace.on) input.add(message);
		else send({ type: 'failed', id: message.id, message: noPower });
		pace.wake();
	});
}

/** Invalid firmware makes the emulators print millions of lines. */
function silenceConsole(): void {
	for (const method of ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const) {
		console[method] = () => {};
	}
}

/** Loads one emulator only, so that a board starts sooner. */
async function createMachine(
	{ emulator, bootRom }: WorkerSettings,
	output: SerialOutput,
): Promise<Machine> {
	if (emulator === 'arduino-uno') {
		const { createArduinoUno } = await import('./arduino-uno.ts');
		return createArduinoUno(output);
	}
	const { createPico } = await import('./rp2040-pico.ts');
	return createPico(output, bootRom);
}

/** Gives the board its input while it has room for it. */
function createInput(machine: Machine, send: (message: FromWorker) => void) {
	const waiting: (ToWorker & { type: 'input' })[] = [];
	const feed = () => {
		while (machine.unread < mostInput) {
			const next = waiting.shift();
			if (next === undefined) return;
			machine.input(next.bytes);
			send({ type: 'done', id: next.id, message: '' });
		}
	};
	return {
		feed,
		add(input: ToWorker & { type: 'input' }) {
			waiting.push(input);
			feed();
		},
		withdraw(id: number) {
			const message = 'The firmware did not read them before the next action';
			for (const input of waiting.splice(0)) send({ type: 'failed', id: input.id, message });
			send({ type: 'done', id, message: '' });
		},
	};
}

function createOutput(send: (message: FromWorker) => void) {
	let bytes: number[] = [];
	let dropped = 0;
	return {
		add(byte: number) {
			if (bytes.length < mostOutput) bytes.push(byte);
			else dropped += 1;
		},
		flush() {
			if (bytes.length === 0) return;
			send({ type: 'output', bytes: Uint8Array.from(bytes), dropped });
			bytes = [];
			dropped = 0;
		},
	};
}

interface Pace {
	/** Whether the board has power. */
	on: boolean;
	/** Restarts the firmware. */
	restart(): void;
	/** Runs the next slice at once. */
	wake(): void;
}

interface PaceParts {
	readonly machine: Machine;
	readonly send: (message: FromWorker) => void;
	readonly input: ReturnType<typeof createInput>;
	readonly output: ReturnType<typeof createOutput>;
	readonly cpuShare: number;
}

function createPace({ machine, send, input, output, cpuShare }: PaceParts): Pace {
	let timer: NodeJS.Timeout | undefined;
	let last = performance.now();
	let behind = 0;
	let running = false;
	let restUntil = 0;

	const slice = () => {
		timer = undefined;
		if (!pace.on || !running) return;
		const started = performance.now();
		const wanted = Math.min(behind + started - last, mostBehind) * nanosecondsPerMillisecond;
		last = started;
		try {
			const passed = machine.run(wanted, started + longestSlice);
			behind = Math.max(0, wanted - passed) / nanosecondsPerMillisecond;
		} catch (error) {
			running = false;
			send({ type: 'crashed', message: error instanceof Error ? error.message : String(error) });
		}
		output.flush();
		input.feed();
		const ended = performance.now();
		restUntil = ended + (ended - started) * (1 / cpuShare - 1);
		schedule(machine.asleep ? pauseWhileAsleep : pauseWhileRunning);
	};
	const schedule = (pause: number) => {
		clearTimeout(timer);
		timer = setTimeout(slice, Math.max(pause, restUntil - performance.now()));
	};
	const pace: Pace = {
		on: true,
		restart() {
			machine.restart();
			running = machine.bootable;
			behind = 0;
			last = performance.now();
		},
		wake: () => schedule(0),
	};
	return pace;
}

function carryOut(
	{ id, task }: ToWorker & { type: 'task' },
	machine: Machine,
	pace: Pace,
): FromWorker {
	const needsPower = !task.action.startsWith('power_');
	if (needsPower && !pace.on) return { type: 'failed', id, message: noPower };
	const message = perform(task, machine, pace);
	return { type: 'done', id, message };
}

function perform(task: BoardTask, machine: Machine, pace: Pace): string {
	if (task.action === 'flash') machine.write(task.segments);
	if (task.action === 'erase') machine.erase();
	if (task.action === 'power_on' && pace.on) return 'The board already has power';
	pace.on = task.action !== 'power_off';
	pace.restart();
	if (task.action !== 'flash') return '';
	const bytes = task.segments.reduce((total, { data }) => total + data.length, 0);
	const written = `${bytes.toLocaleString('en')} bytes written`;
	return machine.bootable ? written : `${written}; the flash contains no firmware that can start`;
}

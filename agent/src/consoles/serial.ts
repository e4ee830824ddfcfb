// A serial port. The package serialport is optional, because not every agent has one.
import { stat } from 'node:fs/promises';
import { type LineSettings, type LineState, usualLine } from 'board-access-contract';
import { wait } from '../time.ts';
import { type LineReset, lineSteps, lineWith } from './line.ts';
import {
	type Connection,
	type ConnectionEvents,
	type ControlLines,
	calledBack,
	ReconnectingConsole,
} from './reconnecting.ts';
import { devicePath, type PortPath } from './usb.ts';

export interface SerialSettings extends ControlLines {
	readonly path: PortPath;
	readonly baud: number;
	readonly reset?: LineReset | undefined;
}

/** How often to check that the port still exists, in milliseconds: serialport does not always report it. */
const checkInterval = 1_000;

/** How often to read the lines of the board, in milliseconds. */
const lineInterval = 100;

/** The system raises both lines when it opens a port. */
const raised = { dtr: true, rts: true, break: false };

export function createSerialConsole(settings: SerialSettings): ReconnectingConsole {
	return new ReconnectingConsole((events) => openSerialPort(settings, events), settings.path);
}

export async function openSerialPort(
	settings: SerialSettings,
	events: ConnectionEvents,
): Promise<Connection> {
	const { baud, dtr, rts, reset } = settings;
	const path = devicePath(settings.path);
	const before = { ...usualLine, ...raised, baud, resets: reset === 'arduino' };
	const line = lineWith(before, { dtr, rts });
	const port = await open(path, line, events);
	try {
		await setLines(port, { dtr, rts });
	} catch (error) {
		// An open port would make the next attempt fail.
		await close(port);
		throw error;
	}
	const opened = { port, line, stop: await watch(path, events) };
	return new SerialConnection({ ...settings, path }, events, opened);
}

class SerialConnection implements Connection {
	readonly #settings: SerialSettings;
	readonly #events: ConnectionEvents;
	readonly #stopWatching: () => void;
	readonly #timer: NodeJS.Timeout | undefined;
	#port: Port;
	#line: LineState;
	/** Settings are made one after the other, and the port is written and closed after them. */
	#settling: Promise<unknown> = Promise.resolve();

	constructor(
		settings: SerialSettings,
		events: ConnectionEvents,
		{ port, line, stop }: { port: Port; line: LineState; stop: () => void },
	) {
		[this.#settings, this.#events, this.#stopWatching] = [settings, events, stop];
		[this.#port, this.#line] = [port, line];
		if (events.line) this.#timer = setInterval(() => this.#reportLines(), lineInterval);
	}

	async write(bytes: Uint8Array) {
		await this.#settling;
		await calledBack((done) => this.#port.write(Buffer.from(bytes), done));
	}

	async setLines(lines: ControlLines) {
		await setLines(this.#port, lines);
		this.#line = lineWith(this.#line, lines);
	}

	set(settings: LineSettings): Promise<LineState> {
		const state = this.#settling.then(() => this.#apply(settings));
		this.#settling = state;
		return state;
	}

	async close() {
		this.#stopWatching();
		clearInterval(this.#timer);
		await this.#settling;
		await close(this.#port);
	}

	async #apply(settings: LineSettings) {
		const wanted = lineWith(this.#line, settings);
		if (frameOf(wanted) !== frameOf(this.#line)) await this.#reopen(wanted);
		await this.#changeSpeed(wanted.baud);
		if (settings.purge) await works((done) => this.#port.flush(done));
		await this.#drive(wanted);
		await this.#readLines();
		return this.#line;
	}

	async #changeSpeed(baud: number) {
		if (baud === this.#line.baud) return;
		const isChanged = await works((done) => this.#port.update({ baudRate: baud }, done));
		if (isChanged) this.#line = { ...this.#line, baud };
	}

	/** Only an open changes parity, data bits and stop bits. The port is not lost by it. */
	async #reopen(wanted: LineState) {
		this.#port.removeAllListeners('close');
		await close(this.#port);
		for (const line of [wanted, this.#line]) {
			const opened = await open(this.#settings.path, line, this.#events).catch(() => undefined);
			if (opened === undefined) continue;
			this.#port = opened;
			this.#line = { ...line, ...raised };
			return;
		}
		this.#events.closed('the port does not open again');
	}

	/** Changes the lines that the tool drives. */
	async #drive({ dtr, rts, break: brk }: LineState) {
		const now = this.#line;
		if (dtr === now.dtr && rts === now.rts && brk === now.break) return;
		for (const step of lineSteps(this.#settings.reset ?? 'none', now, { dtr, rts })) {
			const lines = { dtr: step.dtr, rts: step.rts, brk };
			if (!(await works((done) => this.#port.set(lines, done)))) return;
			await wait(step.time);
		}
		this.#line = { ...this.#line, dtr, rts, break: brk };
	}

	/** Reads the lines that the board drives, if the port has them. serialport does not read RI. */
	async #readLines() {
		await works((done) =>
			this.#port.get((error, status) => {
				if (status)
					this.#line = { ...this.#line, cts: status.cts, dsr: status.dsr, cd: status.dcd };
				done(error);
			}),
		);
	}

	async #reportLines() {
		const before = this.#line;
		await this.#readLines();
		const { cts, dsr, cd } = this.#line;
		if (cts !== before.cts || dsr !== before.dsr || cd !== before.cd)
			this.#events.line?.(this.#line);
	}
}

/** What only an open changes. */
function frameOf({ data_bits, parity, stop_bits }: LineState) {
	return `${data_bits} ${parity} ${stop_bits}`;
}

async function open(path: PortPath, line: LineState, events: ConnectionEvents): Promise<Port> {
	const { SerialPort } = await loadSerialPort();
	const port = new SerialPort({
		path: devicePath(path),
		baudRate: line.baud,
		dataBits: line.data_bits,
		parity: line.parity,
		stopBits: line.stop_bits,
		autoOpen: false,
		hupcl: false,
	});
	port.on('data', events.output);
	port.on('error', (error: Error) => events.closed(error.message));
	port.on('close', () => events.closed('the port was closed'));
	await calledBack((done) => port.open(done));
	return port;
}

/** Whether the port has what the step needs. A pseudo terminal has no control lines, for example. */
function works(step: Parameters<typeof calledBack>[0]): Promise<boolean> {
	return calledBack(step).then(
		() => true,
		() => false,
	);
}

/** Closes the connection once the path leads to another port or to none. Returns a function that stops this. */
async function watch(path: string, { closed }: ConnectionEvents) {
	const identity = () => stat(path).then(({ ino, rdev }) => `${ino} ${rdev}`, String);
	const first = await identity();
	const timer = setInterval(async () => {
		if ((await identity()) !== first) closed('the port has disappeared');
	}, checkInterval);
	return () => clearInterval(timer);
}

async function setLines(port: Port, { dtr, rts }: ControlLines): Promise<void> {
	const lines = { ...(dtr !== undefined && { dtr }), ...(rts !== undefined && { rts }) };
	if (Object.keys(lines).length === 0) return;
	await calledBack((done) => port.set(lines, done));
}

function close(port: Port): Promise<void> {
	return new Promise((resolve) => (port.isOpen ? port.close(() => resolve()) : resolve()));
}

type Port = InstanceType<Awaited<ReturnType<typeof loadSerialPort>>['SerialPort']>;

async function loadSerialPort() {
	try {
		return await import('serialport');
	} catch (cause) {
		throw new Error('Serial ports need the package serialport: npm install serialport', { cause });
	}
}

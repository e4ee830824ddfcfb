// A serial port. The package serialport is optional, because not every agent has one.
import { stat } from 'node:fs/promises';
import {
	type Connection,
	type ConnectionEvents,
	type ControlLines,
	calledBack,
	ReconnectingConsole,
} from './reconnecting.ts';

interface SerialSettings extends ControlLines {
	readonly path: string;
	readonly baud: number;
}

/** How often to check that the port still exists, in milliseconds: serialport does not always report it. */
const checkInterval = 1_000;

export function createSerialConsole(settings: SerialSettings): ReconnectingConsole {
	return new ReconnectingConsole((events) => openPort(settings, events), settings.path);
}

async function openPort(
	{ path, baud, dtr, rts }: SerialSettings,
	events: ConnectionEvents,
): Promise<Connection> {
	const { SerialPort } = await loadSerialPort();
	const port = new SerialPort({ path, baudRate: baud, autoOpen: false, hupcl: false });
	port.on('data', events.output);
	port.on('error', (error: Error) => events.closed(error.message));
	port.on('close', () => events.closed('the port was closed'));
	await calledBack((done) => port.open(done));
	try {
		await setLines(port, { dtr, rts });
	} catch (error) {
		// An open port would make the next attempt fail.
		await close(port);
		throw error;
	}
	const stopLooking = await closeOnceGone(path, events);
	return {
		write: (bytes) => calledBack((done) => port.write(Buffer.from(bytes), done)),
		setLines: (lines) => setLines(port, lines),
		close() {
			stopLooking();
			return close(port);
		},
	};
}

/** Closes the connection once the path leads to another port or to none. Returns a function that stops this. */
async function closeOnceGone(path: string, { closed }: ConnectionEvents) {
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

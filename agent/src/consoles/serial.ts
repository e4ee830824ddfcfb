// A serial port, by serialport. The package is optional: an agent without serial ports does without it.
import type { BoardConsole, Connection, ConnectionEvents } from './console.ts';
import { createReconnectingConsole } from './reconnecting.ts';

export interface SerialSettings {
	readonly path: string;
	readonly baud: number;
	/** The state of the two control lines once the port is open; undefined leaves them alone. */
	readonly dtr: boolean | undefined;
	readonly rts: boolean | undefined;
}

/** A port that takes no bytes for longer is stuck. */
const longestWrite = 5_000;

export function createSerialConsole(settings: SerialSettings): BoardConsole {
	return createReconnectingConsole((events) => openPort(settings, events), settings.path);
}

async function openPort(settings: SerialSettings, events: ConnectionEvents): Promise<Connection> {
	const { path, baud, dtr, rts } = settings;
	const { SerialPort } = await loadSerialPort();
	const port = new SerialPort({ path, baudRate: baud, autoOpen: false, hupcl: false });
	port.on('data', events.output);
	port.on('error', (error: Error) => events.closed(error.message));
	port.on('close', () => events.closed('the port was closed'));
	await new Promise<void>((resolve, reject) => {
		port.open((error) => (error ? reject(error) : resolve()));
	});
	const lines = { ...(dtr !== undefined && { dtr }), ...(rts !== undefined && { rts }) };
	if (Object.keys(lines).length > 0) {
		await new Promise<void>((resolve, reject) => {
			port.set(lines, (error) => (error ? reject(error) : resolve()));
		});
	}
	return {
		write: (bytes) => writeTo(port, bytes),
		close: () => new Promise((resolve) => (port.isOpen ? port.close(() => resolve()) : resolve())),
	};
}

type Port = InstanceType<Awaited<ReturnType<typeof loadSerialPort>>['SerialPort']>;

async function writeTo(port: Port, bytes: Uint8Array): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const timer = setTimeout(() => reject(new Error('The port does not accept input')), longestWrite);
	port.write(Buffer.from(bytes), (error) => (error ? reject(error) : resolve()));
	await promise.finally(() => clearTimeout(timer));
}

async function loadSerialPort() {
	try {
		return await import('serialport');
	} catch (cause) {
		throw new Error('Serial ports need the package serialport: npm install serialport', { cause });
	}
}

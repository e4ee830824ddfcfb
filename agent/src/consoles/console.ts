// The serial console of a real board.
import type { ConsoleWatch } from '../drivers/hardware.ts';

export interface BoardConsole {
	/** The path of the port, or its host and port. */
	readonly address: string;
	/** Connects, and connects again after a loss, until it is closed. */
	open(events: ConsoleEvents): void;
	/** Resolves when it is connected; rejects if that takes too long. */
	connected(): Promise<unknown>;
	/** Sends bytes to the board; rejects if they cannot be sent. */
	write(bytes: Uint8Array): Promise<void>;
	/** Whether it has control lines. */
	readonly hasLines: boolean;
	setLines(lines: ControlLines): Promise<void>;
	/** Disconnects. May be opened again. */
	close(): Promise<void>;
	/** Connects once and disconnects. Rejects if that fails. */
	check(): Promise<string>;
}

/** The state of the two control lines of a serial port; undefined leaves one alone. */
export interface ControlLines {
	readonly dtr?: boolean | undefined;
	readonly rts?: boolean | undefined;
}

export interface ConsoleEvents extends ConsoleWatch {
	output(bytes: Uint8Array): void;
}

/** A connection to a console that is open. */
export interface Connection {
	write(bytes: Uint8Array): Promise<void>;
	setLines?(lines: ControlLines): Promise<void>;
	close(): Promise<void>;
}

export interface ConnectionEvents {
	output(bytes: Uint8Array): void;
	/** Called once, also for a connection that is closed on purpose. */
	closed(reason: string): void;
}

/** Opens a connection. */
export type Connect = (events: ConnectionEvents) => Promise<Connection>;

// The serial console of a real board.

export interface BoardConsole {
	/** Connects, and connects again after a loss, until it is closed. */
	open(events: ConsoleEvents): void;
	/** Sends bytes to the board; rejects if they cannot be sent. */
	write(bytes: Uint8Array): Promise<void>;
	/** Disconnects. May be opened again. */
	close(): Promise<void>;
	/** Connects once and disconnects. Rejects if that fails. */
	check(): Promise<string>;
}

export interface ConsoleEvents {
	output(bytes: Uint8Array): void;
	/** The connection was lost or cannot be made. The console keeps retrying. */
	lost(reason: string): void;
	connected(): void;
}

/** A connection to a console that is open. */
export interface Connection {
	write(bytes: Uint8Array): Promise<void>;
	close(): Promise<void>;
}

export interface ConnectionEvents {
	output(bytes: Uint8Array): void;
	/** Called once, also for a connection that is closed on purpose. */
	closed(reason: string): void;
}

/** Opens a connection. */
export type Connect = (events: ConnectionEvents) => Promise<Connection>;

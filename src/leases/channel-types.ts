// Channels: the ports of a board for the tools of a user.
import type { BoardAccessError } from '../errors/base.ts';
import type { RequestOptions } from '../settings/settings.ts';

/** Which port of a board a channel connects to. */
export interface ChannelOptions extends RequestOptions {
	/** The name of a serial port, for a board that has several. Default: that of the console. */
	port?: string | undefined;
}

/** How a serial port is set, and its control lines. */
export interface SerialLine {
	/** Bits a second. */
	readonly baud: number;
	/** The bits of a character. */
	readonly dataBits: 5 | 6 | 7 | 8;
	/** The parity of a character. */
	readonly parity: 'none' | 'odd' | 'even' | 'mark' | 'space';
	/** The stop bits of a character. */
	readonly stopBits: 1 | 1.5 | 2;
	/** Data terminal ready, which the user drives. */
	readonly dtr: boolean;
	/** Request to send, which the user drives. */
	readonly rts: boolean;
	/** Whether the line to the board is held in the break condition. */
	readonly break: boolean;
	/** Clear to send, which the board drives; false where there is none, as the next three. */
	readonly cts: boolean;
	/** Data set ready. */
	readonly dsr: boolean;
	/** Ring indicator. */
	readonly ri: boolean;
	/** Carrier detect. */
	readonly cd: boolean;
	/** Whether a tool that opens the port expects that this resets the board, by DTR. */
	readonly resets?: boolean | undefined;
}

/** What to change of a serial port; the rest stays. */
export interface SerialSettings
	extends Partial<Omit<SerialLine, 'cts' | 'dsr' | 'ri' | 'cd' | 'resets'>> {
	/** Drops what was written and is not sent yet. */
	readonly purge?: boolean | undefined;
}

/**
 * Bytes to and from a port of a board, in order, each once. It ends with the lease, and survives a connection
 * that is lost for less than 15 seconds.
 */
export interface BoardChannel extends AsyncDisposable {
	/** What comes from the board. Errors with the reason when the channel ends otherwise than by `close`. */
	readonly readable: ReadableStream<Uint8Array>;
	/** What goes to the board. A write is done when there is room for more. */
	readonly writable: WritableStream<Uint8Array>;
	/** What carries the bytes: requests where a network blocks WebSockets. */
	readonly transport: 'websocket' | 'requests';
	/** Resolves when the channel is over: with the reason, unless it was closed here. */
	readonly closed: Promise<BoardAccessError | undefined>;
	/** Closes the channel once the board has taken what was written. */
	close(): Promise<void>;
}

/** A channel to a serial port. */
export interface SerialChannel extends BoardChannel {
	/** How the port is set, as last seen. */
	readonly line: SerialLine;
	/**
	 * Changes settings and control lines, in order with what is written. Resolves with what the port has then,
	 * which may be other values.
	 */
	set(settings: SerialSettings): Promise<SerialLine>;
	/** Calls back whenever the settings or the control lines change. Returns a function that stops that. */
	onLine(listener: (line: SerialLine) => void): () => void;
}

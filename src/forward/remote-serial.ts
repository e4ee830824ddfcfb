// A serial port somewhere else, as the servers for tools use it.

/** How a serial port is set, and its control lines. */
export interface LineInfo {
	readonly baud: number;
	readonly dataBits: 5 | 6 | 7 | 8;
	readonly parity: 'none' | 'odd' | 'even' | 'mark' | 'space';
	readonly stopBits: 1 | 1.5 | 2;
	readonly dtr: boolean;
	readonly rts: boolean;
	readonly break: boolean;
	/** These four are driven by the board. */
	readonly cts: boolean;
	readonly dsr: boolean;
	readonly ri: boolean;
	readonly cd: boolean;
	/** Whether a tool that opens the port expects that this resets the board, by DTR. */
	readonly resets?: boolean | undefined;
}

/** `purge`: drops bytes that the board has not taken yet. */
export type LineChange = Partial<Omit<LineInfo, 'cts' | 'dsr' | 'ri' | 'cd'>> & { purge?: boolean };

export interface RemoteSerial {
	/** Ends with the port. */
	readonly readable: ReadableStream<Uint8Array>;
	/** Resolves a write when there is room for more. */
	readonly writable: WritableStream<Uint8Array>;
	readonly line: LineInfo;
	set(change: LineChange): Promise<LineInfo>;
	/** Returns a function that removes the listener. */
	onLine(listener: (line: LineInfo) => void): () => void;
	/** Resolves with the reason once the port is closed. */
	readonly closed: Promise<string | undefined>;
	close(): Promise<void>;
}

const line: LineInfo = {
	baud: 115_200,
	dataBits: 8,
	parity: 'none',
	stopBits: 1,
	dtr: false,
	rts: false,
	break: false,
	cts: false,
	dsr: false,
	ri: false,
	cd: false,
};

/** A port of bytes alone. */
export const withoutLine: Pick<RemoteSerial, 'line' | 'set' | 'onLine'> = {
	line,
	set: async () => line,
	onLine: () => () => {},
};

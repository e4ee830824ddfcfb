// What the servers for tools use of a channel.
import type { SerialChannel, SerialLine } from 'board-access';

export interface RemoteSerial extends Omit<SerialChannel, 'transport' | 'closed' | symbol> {
	/** Resolves when the port is closed: with the reason, unless it was closed here. */
	readonly closed: Promise<Error | undefined>;
}

const line: SerialLine = {
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

// The action of a command that sends requests.
import type { BoardAccess } from 'board-access';
import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { connect } from './connect.ts';

/** What such a command works with. */
export interface Call<Options extends ServiceOptions = ServiceOptions> {
	client: BoardAccess;
	options: Options;
	io: Io;
	/** For the requests of the client. */
	signal: AbortSignal | undefined;
}

/** Connects, then does the work with the arguments of the command. */
export function withClient<Options extends ServiceOptions, Arguments extends unknown[]>(
	io: Io,
	work: (call: Call<Options>, ...given: Arguments) => Promise<void>,
) {
	return async (...words: unknown[]) => {
		// commander passes the arguments, the options and the command.
		const options = words.at(-2) as Options;
		const given = words.slice(0, -2) as Arguments;
		const client = await connect(options, io);
		await work({ client, options, io, signal: io.signal }, ...given);
	};
}

// `board-access console`: the console of a board on the user's terminal, or in a pipe.
import type { Lease } from 'board-access';
import type { Command } from 'commander';
import { Reachability } from '../../ci/reachability.ts';
import { addServiceCommand, examples, type ServiceOptions } from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { note } from '../terminal/output.ts';

interface ConsoleOptions extends ServiceOptions {
	new?: true;
}

/** Ctrl-], as in telnet: hardly any program on a board needs it. */
const leaveKey = 0x1d;

/** Past the end of every console: the reading begins where the console is now. */
const fromNow = 999_999_999_999;

const resetStyle = '\u001b[0m';

export function addConsole(program: Command, io: Io) {
	addServiceCommand(program, 'console')
		.description('connect to the console of a board: a terminal, or standard input and output')
		.argument('<id>', 'ID of the lease')
		.option('--new', 'show only what the board prints from now on')
		.addHelpText(
			'after',
			examples(
				'board-access console lse_0123456789abcdef01234567',
				'echo help | timeout 5 board-access console lse_0123456789abcdef01234567 --new',
			),
		)
		.action((id: string, options: ConsoleOptions) => openConsole(id, options, io));
}

async function openConsole(id: string, options: ConsoleOptions, io: Io) {
	const isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true;
	const reachability = new Reachability();
	// On a terminal, what is typed and shown is not in lines.
	const end = isTerminal ? '\r\n' : '\n';
	reachability.onChange = ({ message }) =>
		io.stderr.write(`${isTerminal ? end : ''}${message}${end}`);
	const client = await connect(options, io, reachability);
	const lease = await client.leases.get(id, { signal: io.signal });
	const leaving = new AbortController();
	const keyboard = isTerminal ? rawKeyboard(io) : undefined;
	if (isTerminal) {
		const { boardId, status } = lease;
		const until = status === 'ended' ? ', which has ended' : '';
		note(`Connected to ${boardId}, lease ${id}${until}. Press Ctrl-] to disconnect.`, io);
	}
	if (lease.status !== 'ended' && lease.consoleStatus === 'disconnected') {
		note(`The console of the board is disconnected: ${lease.consoleMessage}`, io);
	}
	keyboard?.start();
	const onTyped = (typed: Buffer) => {
		const end = isTerminal ? typed.indexOf(leaveKey) : -1;
		const bytes = end < 0 ? typed : typed.subarray(0, end);
		if (bytes.length > 0) type(lease, bytes, io);
		if (end >= 0) leaving.abort();
	};
	if (lease.status !== 'ended') io.stdin.on('data', onTyped);
	try {
		const signal = AbortSignal.any([leaving.signal, ...(io.signal ? [io.signal] : [])]);
		const { onConnection } = reachability;
		const reading = { from: options.new ? fromNow : 0, signal, onConnection };
		for await (const bytes of lease.console.read(reading)) io.stdout.write(bytes);
	} catch (error) {
		if (!leaving.signal.aborted) throw error;
	} finally {
		io.stdin.off('data', onTyped);
		io.stdin.pause();
		keyboard?.stop();
	}
	if (isTerminal) note(leaving.signal.aborted ? stillHeld(id) : endText(lease), io);
}

function type(lease: Lease, bytes: Buffer, io: Io) {
	lease.console.write(bytes).catch((error: unknown) => {
		// The reading says why the lease has ended.
		if (lease.status === 'ended') return;
		note(`\r\nInput not sent: ${error instanceof Error ? error.message : error}\r`, io);
	});
}

function rawKeyboard({ stdin, stdout }: Io) {
	return {
		start: () => stdin.setRawMode?.(true),
		stop() {
			stdin.setRawMode?.(false);
			// The board may have left its own color behind.
			stdout.write(`${resetStyle}\r\n`);
		},
	};
}

function stillHeld(id: string) {
	return `Disconnected; the lease continues. To release the board, run: board-access leases release ${id}`;
}

function endText({ id, endReason, endMessage }: Lease) {
	return `The lease ${id} has ended: ${[endReason, endMessage].filter(Boolean).join(': ')}`;
}

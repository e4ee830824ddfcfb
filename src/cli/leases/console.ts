// `board-access console`: the console of a board on the user's terminal, or in a pipe.
import { type AnyLease, isBoardAccessError } from 'board-access';
import type { Command } from 'commander';
import { Reachability } from '../../ci/reachability.ts';
import { createDrawing, createPrintable, printableJson } from '../../contract/printable.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { failureOf } from '../failures/failure.ts';
import { addCommand, duration, type ServiceOptions } from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { note } from '../terminal/output.ts';
import { quoted } from '../terminal/style.ts';
import { createRawOutput, createWholeLines } from './console-output.ts';

interface ConsoleOptions extends ServiceOptions {
	new?: true;
	/** Milliseconds. */
	for?: number;
	rawOutput?: true;
}

/** Ctrl-], as in telnet. */
const leaveKey = 0x1d;

/** Beyond the end of every console, so that reading begins at its end. */
const fromNow = 999_999_999_999;

/** Resets modes, scrolled lines, character set and color, which the board may have changed. */
const reset = '\u001b[?1l\u001b[?7h\u001b[?25h\u001b>\u001b7\u001b[r\u001b8\u001b(B\u001b[0m';

export function addConsole(program: Command, io: Io) {
	const does = 'connect to the console of a board: a terminal, or standard input and output';
	addCommand(program, 'console', does, [
		'board-access console lse_0123456789abcdef01234567',
		'echo help | board-access console lse_0123456789abcdef01234567 --new --for 5s',
	])
		.argument('<id>', 'ID of the lease')
		.option('--new', 'show only what the board prints from now on')
		.option('--for <duration>', 'disconnect after this time, for example 10s', duration)
		.option('--raw-output', 'print what the board prints byte by byte, control sequences included')
		.action((id: string, options: ConsoleOptions) => openConsole(id, options, io));
}

async function openConsole(id: string, options: ConsoleOptions, io: Io) {
	const isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true && !options.json;
	const lines = createPrintable();
	const reachability = new Reachability((event) => {
		const { message } = event;
		if (options.json) return void io.stderr.write(`${printableJson(event, 0)}\n`);
		io.stdout.write(lines.breakLine());
		// A terminal in raw mode needs \r.
		io.stderr.write(isTerminal ? `\r\n${message}\r\n` : `${message}\n`);
	});
	const client = await connect(options, io, reachability);
	const lease = await client.leases.get(id, { signal: io.signal });
	if (isTerminal) note(startText(lease), io);
	if (lease.status !== 'ended' && lease.consoleStatus === 'disconnected') {
		note(`The console of the board is disconnected: ${lease.consoleMessage}`, io);
	}
	const leaving = new AbortController();
	const signal = AbortSignal.any([leaving.signal, ...(io.signal ? [io.signal] : [])]);
	let isWanted = false;
	let lost: unknown;
	const onLeave = (reason?: unknown) => {
		isWanted = true;
		leaving.abort(reason);
	};
	const onLost = (error: unknown) => {
		lost = error;
		leaving.abort(error);
	};
	const details = { code: 'time_over', exitCode: exitCodes.general };
	const onTimeOver = () => onLeave(new CliError('the time of --for is over', details));
	const timer = options.for === undefined ? undefined : setTimeout(onTimeOver, options.for);
	const input = isTerminal
		? keyboardInput(lease, io, onLeave)
		: pipedInput(lease, io, { signal, onLost });
	if (lease.status !== 'ended') io.stdin.on('data', input.onData);
	try {
		const { onConnection } = reachability;
		const reading = { from: options.new ? fromNow : 0, signal, onConnection };
		const chunks = lease.console.read(reading);
		if (options.json) await copyAsJson(chunks, io);
		else await copy(chunks, lines, { options, io });
		await input.settled();
		leaving.signal.throwIfAborted();
	} catch (error) {
		if (!isWanted) throw error;
		await input.settled();
		if (lost) throw lost;
	} finally {
		clearTimeout(timer);
		io.stdin.off('data', input.onData);
		io.stdin.pause();
		leaving.abort(); // no input is sent any longer
		input.stop();
	}
	if (!options.json) note(endText(lease), io);
}

/** In the lines of `run --json`. */
async function copyAsJson(chunks: AsyncIterable<Uint8Array>, { stdout }: Io) {
	const decoder = new TextDecoder();
	const lines = createWholeLines((text) =>
		stdout.write(`${printableJson({ event: 'console', text }, 0)}\n`),
	);
	try {
		for await (const bytes of chunks) lines.add(decoder.decode(bytes, { stream: true }));
	} finally {
		lines.flush();
	}
}

/** On a terminal, keeps the control sequences that draw. */
async function copy(
	chunks: AsyncIterable<Uint8Array>,
	lines: ReturnType<typeof createPrintable>,
	{ options: { rawOutput }, io }: { options: ConsoleOptions; io: Io },
) {
	const { stdin, stdout } = io;
	const raw = createRawOutput({ write: stdout.write.bind(stdout), say: (text) => note(text, io) });
	const decoder = new TextDecoder();
	const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
	const add = isTerminal ? createDrawing() : lines.add;
	try {
		for await (const bytes of chunks) {
			if (rawOutput) raw.add(bytes);
			else stdout.write(add(decoder.decode(bytes, { stream: true })));
		}
	} finally {
		stdout.write(lines.end());
		raw.end();
	}
}

function keyboardInput(lease: AnyLease, io: Io, onLeave: () => void) {
	const { stdin, stdout } = io;
	stdin.setRawMode?.(true);
	const onData = (typed: Buffer) => {
		const end = typed.indexOf(leaveKey);
		const bytes = end < 0 ? typed : typed.subarray(0, end);
		if (bytes.length > 0) type(lease, bytes, io);
		if (end >= 0) onLeave();
	};
	const stop = () => {
		stdin.setRawMode?.(false);
		stdout.write(`${reset}\r\n`);
	};
	return { onData, settled: async () => {}, stop };
}

function type(lease: AnyLease, bytes: Buffer, io: Io) {
	lease.console.write(bytes).catch((error: unknown) => {
		// The reader reports why the lease has ended.
		if (lease.status === 'ended') return;
		note(`\r\nInput not sent: ${error instanceof Error ? error.message : error}\r`, io);
	});
}

/** Sends one chunk at a time, so that nothing follows a chunk that is lost. */
function pipedInput(
	{ console }: AnyLease,
	{ stdin }: Io,
	{ signal, onLost }: { signal: AbortSignal; onLost: (error: unknown) => void },
) {
	let sent = 0;
	let sending = Promise.resolve();
	const onData = (bytes: Buffer) => {
		stdin.pause();
		sending = console.write(bytes, { signal }).then(
			() => {
				sent += bytes.length;
				if (!signal.aborted) stdin.resume();
			},
			(error) => onLost(inputLost(error, sent)),
		);
	};
	return { onData, settled: () => sending, stop: () => {} };
}

function inputLost(error: unknown, before: number) {
	const isPartial = isBoardAccessError(error) && error.name === 'WriteError';
	const sent = before + (isPartial ? error.sent : 0);
	const { message, ...failure } = failureOf(isPartial ? error.cause : error);
	const details = { sent };
	const text = `Only ${sent} bytes of the input were sent: ${message}`;
	return new CliError(text, { ...failure, details });
}

function startText({ id, boardId, status }: AnyLease) {
	const until = status === 'ended' ? ', which has ended' : '';
	return `Connected to ${boardId}, lease ${id}${until}. Press Ctrl-] to disconnect.`;
}

function endText({ id, status, endReason, endMessage }: AnyLease) {
	return status === 'ended'
		? `The lease ${id} has ended: ${[endReason, endMessage].filter(Boolean).join(': ')}`
		: `Disconnected; the lease continues. To release the board, run: board-access leases release ${quoted(id)}`;
}

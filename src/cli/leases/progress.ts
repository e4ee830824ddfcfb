// Shows a firmware test while it runs: the console on standard output, everything else beside it.
import type { ActionProgress } from 'board-access';
import type { FirmwareTestReport } from '../../ci/firmware-report.ts';
import type { FirmwareTestEvent } from '../../ci/firmware-test.ts';
import { createPrintable, printable, printableJson } from '../../contract/printable.ts';
import { priceOf } from '../boards/boards.ts';
import type { OutputOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { createStatus } from '../terminal/output.ts';
import { createStyle } from '../terminal/style.ts';
import { createRawOutput, createWholeLines, droppedBytes } from './console-output.ts';

export interface Progress {
	show(event: FirmwareTestEvent): void;
	interrupted(): void;
	end(report: FirmwareTestReport): void;
}

interface ProgressOptions extends OutputOptions {
	rawOutput?: true;
	fail?: readonly unknown[];
	/** The lease that continues. */
	lease?: string;
}

export function createProgress(options: ProgressOptions, io: Io): Progress {
	return options.json ? jsonProgress(io) : textProgress(options, io);
}

function jsonProgress({ stdout }: Io): Progress {
	const write = (event: object) => stdout.write(`${printableJson(event, 0)}\n`);
	const lines = createWholeLines((text) => write({ event: 'console', text }));
	const print = (event: object) => {
		lines.flush();
		write(event);
	};
	return {
		show: (event) => (event.event === 'console' ? lines.add(event.text) : print(event)),
		interrupted: () => print({ event: 'interrupted' }),
		end: ({ console, output: _, ...report }) =>
			print({ event: 'result', ...report, droppedBytes: droppedBytes(console) }),
	};
}

/** Events whose line is replaced by the next. */
const transient: readonly string[] = ['queued', 'preparing', 'flashing'];

function endOfLine(output: string | Uint8Array) {
	return 1 + (typeof output === 'string' ? output.indexOf('\n') : output.indexOf(0x0a));
}

const duringTest: readonly string[] = ['expected', 'step'];

function textProgress(options: ProgressOptions, io: Io): Progress {
	const { stdout, stderr } = io;
	const status = createStatus(options, io);
	const consoleText = createPrintable();
	let lineOpen = false;
	/** Messages for the end of the console line. */
	let waiting: string[] = [];
	let isQueued = false;
	const startLine = () => {
		// A file or a pipe gets only the console, but a log may have both streams.
		const shared = stdout.isTTY ? stdout : stderr.isTTY ? undefined : stderr;
		if (lineOpen) shared?.write('\n');
		lineOpen = false;
		for (const text of waiting) status.lasting(text);
		waiting = [];
	};
	const print = (output: string | Uint8Array) => {
		const end = waiting.length > 0 ? endOfLine(output) : 0;
		write(output.slice(0, end));
		write(output.slice(end));
	};
	const write = (output: string | Uint8Array) => {
		if (output.length === 0) return;
		status.clear();
		stdout.write(output);
		lineOpen = output.at(-1) !== '\n' && output.at(-1) !== 0x0a;
		if (!lineOpen) startLine();
	};
	const breakLine = () => {
		raw.flush();
		print(consoleText.breakLine());
		startLine();
	};
	const raw = createRawOutput({ write: print, say: (text) => void waiting.push(text) });
	return {
		show(event) {
			if (event.event === 'console') {
				if (options.rawOutput) raw.add(event.bytes);
				else print(consoleText.add(event.text));
				return;
			}
			// The line may continue, for example with the echo of what was sent.
			if (duringTest.includes(event.event) && lineOpen) return void waiting.push(describe(event));
			breakLine();
			isQueued = event.event === 'queued';
			if (transient.includes(event.event)) status.transient(describe(event));
			else status.lasting(describe(event));
		},
		interrupted() {
			breakLine();
			const releasing = options.lease ? 'the lease continues' : 'releasing the board';
			const what = isQueued ? 'leaving the queue' : releasing;
			status.lasting(`Interrupted: ${what}. Press Ctrl-C again to quit at once.`);
		},
		end(report) {
			print(consoleText.end());
			raw.end();
			startLine();
			status.clear();
			if (report.result === 'passed') printPassed(report, options, io);
		},
	};
}

function printPassed(
	report: FirmwareTestReport,
	{ color, fail }: ProgressOptions,
	{ stderr, env }: Io,
) {
	const { steps, milliseconds, boards, credits, output } = report;
	const passed = createStyle(stderr, env, color)('green', 'Passed');
	const cost = credits ? `, ${credits} credits` : '';
	const found = steps.filter(({ kind }) => kind === 'expect').length;
	const seen = found > 0 ? `${found} found` : 'flashed';
	const ids = boards.flatMap(({ boardId }) => boardId ?? []);
	const where = printable(ids.join(', ') || 'the board');
	// The console may not be wired.
	const silence = fail && output.length === 0 ? '; its console showed nothing at all' : '';
	stderr.write(`${passed}: ${seen} on ${where} in ${time(milliseconds)}${cost}${silence}\n`);
}

export function describe(event: Exclude<FirmwareTestEvent, { event: 'console' }>) {
	switch (event.event) {
		case 'queued':
			return `Waiting for a board${event.position ? `, queue position ${event.position}` : ''}`;
		case 'preparing':
			return `Preparing ${event.boardId}: ${event.step} (${event.status})`;
		case 'leased':
			return `Using ${event.boardId} (${event.leaseId})${priceOf(event, ', ')}`;
		case 'flashing':
			return inRole(event, flashing(event));
		case 'flashed':
			return inRole(
				event,
				`Flashed and ready after ${time(event.milliseconds)}${event.message && `: ${event.message}`}`,
			);
		case 'expected':
			return `Found ${event.pattern}`;
		case 'step':
			return `Done: ${event.step}`;
		case 'lease_limit':
			return waitingFor(event.message);
		case 'released':
			return 'Released the board';
		case 'not_released':
			return `${event.leaseId} could not be released, and expires by itself: ${event.message}`;
		default:
			return event.message;
	}
}

/** Of several boards, the one that it is about. */
function inRole({ role }: { role?: string }, text: string) {
	return role === undefined ? text : `${role}: ${text}`;
}

export function waitingFor(limit: string) {
	return `Waiting until a lease ends: ${limit}`;
}

/** The size is that of the file. A program is smaller than its Intel HEX file. */
function flashing({ step, total, percent }: ActionProgress) {
	if (step === 'flashing') return percent === null ? 'Flashing' : `Flashing, ${percent} %`;
	const uploaded = `${step === 'uploading' ? 'Uploading' : 'Uploaded'} ${total.toLocaleString('en')} bytes`;
	return percent === null ? uploaded : `${uploaded}, ${percent} %`;
}

export function time(milliseconds: number) {
	return `${(milliseconds / 1000).toFixed(milliseconds < 100 ? 2 : 1)} s`;
}

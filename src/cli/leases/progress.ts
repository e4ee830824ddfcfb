// Shows a firmware test while it runs: the console on standard output, everything else beside it.
import type { FirmwareTestEvent, FirmwareTestReport } from '../../ci/firmware-test.ts';
import type { Io } from '../terminal/io.ts';
import { createStyle, printable } from '../terminal/style.ts';

export interface Progress {
	show(event: FirmwareTestEvent): void;
	passed(report: FirmwareTestReport): void;
	/** Leaves the terminal at the beginning of a line. */
	end(): void;
}

interface Options {
	json?: true;
	color: boolean;
}

export function createProgress(options: Options, io: Io): Progress {
	return options.json ? jsonProgress(io) : textProgress(options, io);
}

function jsonProgress({ stdout }: Io): Progress {
	return {
		show: (event) => stdout.write(`${jsonLine(event)}\n`),
		passed: (report) => stdout.write(`${jsonLine({ event: 'passed', ...report })}\n`),
		end() {},
	};
}

/** Escapes what a terminal could obey; the JSON still says the same. */
function jsonLine(value: unknown) {
	return JSON.stringify(value).replace(
		/[\x7f-\x9f\p{Bidi_Control}]/gu,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function textProgress({ color }: Options, { stdout, stderr, env }: Io): Progress {
	const { dim, green } = createStyle(stderr, env, color);
	let lineOpen = false;
	let last = '';
	const startLine = () => {
		if (lineOpen) stdout.write('\n');
		lineOpen = false;
	};
	const say = (text: string) => {
		if (text === last) return;
		last = text;
		startLine();
		stderr.write(`${dim(printable(text))}\n`);
	};
	return {
		show(event) {
			if (event.event !== 'console') {
				const text = describe(event);
				if (text) say(text);
				return;
			}
			const text = consoleText(event.text);
			if (text === '') return;
			stdout.write(text);
			lineOpen = !text.endsWith('\n');
		},
		passed({ expectations, milliseconds, boardId, credits }) {
			startLine();
			const cost = credits ? `, ${credits} credits` : '';
			const seen = expectations.length > 0 ? `${expectations.length} seen` : 'flashed';
			const where = printable(boardId ?? 'the board');
			stderr.write(`${green('Passed')}: ${seen} on ${where} in ${time(milliseconds)}${cost}\n`);
		},
		end: startLine,
	};
}

function describe(event: Exclude<FirmwareTestEvent, { event: 'console' }>) {
	switch (event.event) {
		case 'queued':
			return `Waiting for a board${event.position ? `, place ${event.position} in the queue` : ''}`;
		case 'preparing':
			return `Preparing ${event.boardId}: ${event.step} (${event.status})`;
		case 'leased':
			return `Using ${event.boardId} (${event.leaseId})`;
		case 'flashing':
			return event.bytes === 0 ? `Uploading ${event.total} bytes` : `Flashing ${event.total} bytes`;
		case 'flashed':
			return `Flashed in ${time(event.milliseconds)}`;
		case 'expected':
			return `Found ${event.pattern}`;
		case 'released':
			return 'Released the board';
	}
}

/** Without the control characters that would let firmware write to the user's terminal. */
function consoleText(text: string) {
	return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');
}

function time(milliseconds: number) {
	return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

// `board-access run`: flashes firmware onto a leased board and says whether it passed.
import { readFile, writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { type FirmwareTestReport, runFirmwareTest } from '../../ci/firmware-test.ts';
import { junitReport } from '../../ci/junit.ts';
import { failPattern, readDuration, readPattern } from '../../ci/run-options.ts';
import { CliError } from '../failures/cli-error.ts';
import { type ExitCode, exitCodes } from '../failures/exit-codes.ts';
import { addServiceCommand, examples, type ServiceOptions } from '../options.ts';
import { connect } from '../service/connect.ts';
import { reasonOf } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { createProgress, type Progress } from './progress.ts';

interface RunOptions extends ServiceOptions {
	type?: string;
	board?: string;
	expect: string[];
	fail: string[];
	timeout: number;
	wait: number;
	flashOffset?: string;
	label?: string;
	log?: string;
	junit?: string;
}

export function addRun(program: Command, io: Io) {
	addServiceCommand(
		program,
		'run',
		new Option('--json', 'print every event as a line of JSON'),
		new Option('--timeout <time>', 'time from the end of flashing, for example 90s or 5m')
			.argParser(readDuration)
			.default(60_000),
	)
		.argument('<file>', 'the firmware: Intel HEX, UF2, ELF or raw')
		.description('flash firmware onto a board and wait for what its console must show')
		.option('--type <type>', 'a board of this type')
		.option('--board <id>', 'this very board')
		.option('--expect <text>', 'what must appear, in order; may be /a regular expression/', add, [])
		.option('--fail <text>', 'what must not appear before', add, [])
		.option('--wait <time>', 'how long to wait for a free board', readDuration, 0)
		.option('--flash-offset <offset>', 'where raw firmware begins in the flash')
		.option('--label <label>', 'what the lease is for')
		.option('--log <file>', 'write what the console shows to a file')
		.option('--junit <file>', 'write a JUnit report, a test case for each --expect')
		.addHelpText(
			'after',
			examples(
				'board-access run firmware.hex --type arduino-uno --expect PASS --fail FAIL',
				'board-access run app.bin --type esp32-s3 --flash-offset 0x10000 --expect "/boot: \\d+ ms/" --wait 10m',
			),
		)
		.action((file: string, options: RunOptions) => runFirmware(file, options, io));
}

function add(text: string, texts: readonly string[]): string[] {
	return [...texts, text];
}

async function runFirmware(file: string, options: RunOptions, io: Io) {
	const test = {
		firmware: await readFirmware(file),
		flashOffset: options.flashOffset,
		board: {
			...boardOf(options),
			waitSeconds: Math.ceil(options.wait / 1000),
			label: options.label,
		},
		expect: options.expect.map(readPattern),
		fail: failPattern(options.fail),
		timeout: options.timeout,
	};
	const client = await connect(options, io);
	const progress = createProgress(options, io);
	const report = await runFirmwareTest(client, test, {
		onEvent: (event) => progress.show(event),
		signal: io.signal,
	}).finally(() => progress.end());
	await writeReports(report, file, options);
	finish(report, progress);
}

function boardOf({ type, board }: RunOptions) {
	if ((type === undefined) === (board === undefined)) {
		throw new CliError('Name the board with --type or with --board', {
			code: 'usage',
			exitCode: exitCodes.usage,
			hint: '"board-access boards list" shows types and boards.',
		});
	}
	return type === undefined ? { boardId: board } : { boardType: type };
}

async function readFirmware(file: string) {
	try {
		return new Uint8Array(await readFile(file));
	} catch (error) {
		throw new CliError(`The file ${file} cannot be read: ${reasonOf(error)}`, {
			code: 'file_unreadable',
			exitCode: exitCodes.usage,
			cause: error,
		});
	}
}

async function writeReports(report: FirmwareTestReport, file: string, options: RunOptions) {
	if (options.log) await writeFile(options.log, report.console);
	if (options.junit) await writeFile(options.junit, junitReport(report, file));
}

const exitCodesOfResults: Readonly<Record<FirmwareTestReport['result'], ExitCode>> = {
	passed: exitCodes.ok,
	fail_seen: exitCodes.failTextSeen,
	not_seen: exitCodes.textNotSeen,
	board_failed: exitCodes.boardFailed,
	no_board: exitCodes.noBoard,
};

const advice: Partial<Record<FirmwareTestReport['result'], string>> = {
	board_failed: 'The board or its agent failed, not the firmware: run it again.',
	no_board: 'Wait for a free board with --wait, for example --wait 10m.',
};

function finish(report: FirmwareTestReport, progress: Progress) {
	const { result, message, boardId, leaseId, milliseconds, credits, expectations } = report;
	if (result === 'passed') return progress.passed(report);
	throw new CliError(message, {
		code: result,
		exitCode: exitCodesOfResults[result],
		hint: advice[result],
		details: { boardId, leaseId, milliseconds, credits, expectations },
	});
}

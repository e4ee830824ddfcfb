// `board-access run`: flashes firmware onto a leased board and says whether it passed.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ScenarioStep } from 'board-access';
import { type Command, Option } from 'commander';
import { readDuration } from '../../ci/duration.ts';
import { reasonOf, reasonsNotWritten } from '../../ci/file-reason.ts';
import {
	type EndedFirmwareTest,
	type FirmwareTestReport,
	failedTest,
	titleOf,
} from '../../ci/firmware-report.ts';
import { roleProblem, runFirmwareTest, type TestedBoard } from '../../ci/firmware-test.ts';
import { junitReport } from '../../ci/junit.ts';
import { Reachability } from '../../ci/reachability.ts';
import { readPattern, readSent } from '../../ci/run-options.ts';
import { readScenario, type ScenarioFile } from '../../ci/scenario-file.ts';
import { adviceFor } from '../failures/advice.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes, exitCodesOfResults } from '../failures/exit-codes.ts';
import { report } from '../failures/report.ts';
import {
	addCommand,
	argument,
	duration,
	repeatedly,
	type ServiceOptions,
	waitOption,
} from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Invocation, Io } from '../terminal/io.ts';
import {
	type BoardOptions,
	boardsOf,
	type FirmwareOptions,
	readFirmware,
	withBoard,
	withFirmware,
	withKnownTypes,
} from './options.ts';
import { createProgress, type Progress } from './progress.ts';

interface RunOptions extends ServiceOptions, BoardOptions, FirmwareOptions, Partial<ScenarioFile> {
	lease?: string;
	scenario?: string;
	fail?: (string | RegExp)[];
	timeout: number;
	afterFail: number;
	maxTime?: number;
	/** What --expect and --send do, in their order, or the scenario. */
	steps: ScenarioStep[];
	log?: string;
	junit?: string;
	rawOutput?: true;
}

export function addRun(program: Command, invocation: Invocation) {
	const does = 'flash firmware onto a board and wait for what its console must show';
	const expected = 'what must appear; repeat it in order; may be /a regular expression/';
	const sent = 'what to type then; repeat it, in order with --expect; \\r is the Enter key';
	const limit = 'time for all --expect, counted from the end of flashing; seconds without a unit';
	const afterFail = 'how long to read the console after a failure, which often says why';
	const maxTime =
		'time for the whole run, also while the service is away; the board is released after it';
	const steps: ScenarioStep[] = [];
	const step = (read: (text: string) => ScenarioStep) =>
		repeatedly((text) => {
			if (text !== '') steps.push(read(text));
			return text;
		});
	const command = addCommand(program, 'run', does, [
		'board-access run firmware.hex --type arduino-uno --expect PASS --fail FAIL',
		"board-access run firmware.hex --type arduino-uno --expect 'login:' --send 'root\\r' --expect '# '",
		'board-access run firmware.hex --type arduino-uno --scenario login.yml --junit report.xml',
		'board-access run --board dut=rp2040-pico,app.uf2 --board peer=arduino-uno,echo.hex --scenario two.yml',
		'board-access run app.bin --raw --type esp32-s3 --flash-offset 0x10000 --expect "/boot: \\d+ ms/" --wait 10m',
	]);
	withFirmware(withBoard(command))
		.argument('[file]', 'the firmware: Intel HEX, UF2 or ELF; of several boards, after a comma')
		.addOption(
			new Option('--lease <id>', 'use the board of this lease, and do not release it').conflicts([
				'type',
				'board',
				'tag',
				'wait',
				'label',
			]),
		)
		.option(
			'--expect <text>',
			expected,
			step((text) => ({ expect: readPattern(text) })),
		)
		.option(
			'--send <text>',
			sent,
			step((text) => ({ send: readSent(text) })),
		)
		.addOption(
			new Option('--scenario <file>', 'a YAML file of steps').conflicts(['expect', 'send']),
		)
		.option('--fail <text>', 'what must not appear before', repeatedly(readPattern))
		.addOption(new Option('--timeout <duration>', limit).argParser(duration).default(60_000, '60s'))
		.addOption(
			new Option('--after-fail <duration>', afterFail)
				.argParser(argument(readDuration))
				.default(1_000, '1s'),
		)
		.addOption(new Option('--max-time <duration>', maxTime).argParser(duration))
		.addOption(waitOption())
		.option('--label <label>', 'what the lease is for')
		.option('--log <file>', 'write what the console shows to a file')
		.option('--raw-output', 'print what the board prints byte by byte, control sequences included')
		.option('--junit <file>', 'write a JUnit report with a test case for each step')
		.option('--json', 'print every event as a line of JSON')
		.action((file: string | undefined, options: RunOptions) =>
			runFirmware(file, { ...options, steps }, invocation),
		);
}

async function runFirmware(file: string | undefined, options: RunOptions, invocation: Invocation) {
	const progress = createProgress(options, invocation);
	const lostOutput = finishingWithoutOutput(invocation);
	let ended: EndedFirmwareTest;
	try {
		if (options.scenario) Object.assign(options, await stepsOf(options.scenario));
		// Before a board is leased. Also replaces the report of an earlier run.
		const killed = failedTest(options, new Error('The command was killed'));
		const [unwritable] = await writeFiles(killed.report, file, options);
		if (unwritable) throw unwritable;
		ended = await runTest(file, options, { io: invocation, progress });
	} catch (error) {
		ended = failedTest(options, error);
	}
	const { report, error = failureIn(report, options) } = ended;
	progress.end(report);
	const lost = [...(await lostOutput()), ...(await writeFiles(report, file, options))];
	throwLast([...lost, error], invocation);
}

async function stepsOf(file: string) {
	try {
		return await readScenario(file);
	} catch (error) {
		const { message } = error as Error; // the reader throws nothing else
		throw new CliError(message, { code: 'invalid_scenario', cause: error });
	}
}

/** Continues when the output cannot be written. Returns a function that returns the error. */
function finishingWithoutOutput({ finishWithoutOutput }: Io) {
	let first: NodeJS.ErrnoException | undefined;
	finishWithoutOutput?.((error) => {
		first ??= error;
	});
	return async () => {
		await setImmediate(); // a stream reports an error only after the write
		// The reader of a pipe has read enough.
		if (first === undefined || first.code === 'EPIPE') return [];
		const message = `The output cannot be written: ${reasonOf(first)}`;
		const code = 'output_not_written';
		return [new CliError(message, { code, exitCode: exitCodes.general, cause: first })];
	};
}

/** Throws the last error, whose exit code counts, and reports the others. */
function throwLast(errors: readonly unknown[], invocation: Invocation) {
	const actual = errors.filter((error) => error !== undefined);
	// The same file may fail at the start and at the end.
	const different = [...new Map(actual.map((error) => [String(error), error])).values()];
	const last = different.pop();
	for (const error of different) report(error, invocation);
	if (last !== undefined) throw last;
}

/** What is flashed onto which board. */
async function testedBoards(file: string | undefined, options: RunOptions): Promise<TestedBoard[]> {
	if (options.lease) return [{ role: null, ...(await firmwareOf(file, options)) }];
	const boards = boardsOf(options, ', or its lease with --lease');
	if (boards[0]?.role === null) return [{ ...boards[0], ...(await firmwareOf(file, options)) }];
	if (file !== undefined)
		throw new CliError('Write the firmware of each board as --board ROLE=TYPE,FILE');
	if (!options.scenario && options.steps.length > 0) {
		throw new CliError('With several boards, write the steps with their roles in a --scenario');
	}
	const read = boards.map(async ({ file, ...board }) =>
		file === undefined
			? { ...board, file: '' }
			: { ...board, ...(await firmwareOf(file, options)) },
	);
	return Promise.all(read);
}

async function firmwareOf(file: string | undefined, options: FirmwareOptions) {
	if (file === undefined) throw new CliError('Name the file of the firmware');
	return { file, firmware: await readFirmware(file, options) };
}

async function runTest(
	file: string | undefined,
	options: RunOptions,
	{ io, progress }: { io: Io; progress: Progress },
) {
	const { raw, flashOffset, fail, timeout, afterFail, wait, label, sameTag } = options;
	const boards = await testedBoards(file, options);
	const lease = options.lease ? { leaseId: options.lease } : { waitMs: wait, label, sameTag };
	const isComplete = options.scenario !== undefined;
	const { steps, roles, places } = options;
	const run = { steps, roles, places, isComplete, fail, timeout, afterFail };
	const test = { boards, raw, flashOffset, lease, ...run };
	const problem = roleProblem(test);
	if (problem !== undefined) throw new CliError(problem, { code: 'invalid_scenario' });
	const reachability = new Reachability(progress.show);
	const client = await connect(options, io, reachability);
	io.signal?.addEventListener('abort', progress.interrupted);
	const { onConnection } = reachability;
	const { signal, end } = limitedSignal(options, io);
	const watching = { signal, onConnection, onEvent: progress.show };
	const { report, error } = await runFirmwareTest(client, test, watching);
	end();
	io.signal?.removeEventListener('abort', progress.interrupted);
	return { report, error: await withKnownTypes(error, { client, type: options.type, io }) };
}

function limitedSignal({ maxTime }: RunOptions, { signal }: Io) {
	const limit = new AbortController();
	const message = `The run was not over within ${(maxTime ?? 0) / 1000} s, the limit of --max-time`;
	const late = () =>
		limit.abort(new CliError(message, { code: 'max_time', exitCode: exitCodes.network }));
	const timer = maxTime === undefined ? undefined : setTimeout(late, maxTime);
	const signals = signal ? [signal, limit.signal] : [limit.signal];
	return { signal: AbortSignal.any(signals), end: () => clearTimeout(timer) };
}

/** Returns the errors. */
async function writeFiles(
	report: FirmwareTestReport,
	file: string | undefined,
	options: RunOptions,
) {
	const { name, log, junit, board = [] } = options;
	const files = board.flatMap((one) => (typeof one === 'object' ? (one.file ?? []) : []));
	const firmware = (file === undefined ? files : [file]).map((each) => basename(each));
	const suite = titleOf(firmware.join(', '), name);
	const failures = [
		junit && (await write(junit, junitReport(report, suite))),
		log && (await write(log, report.output)),
	];
	return failures.filter((failure) => failure instanceof CliError);
}

async function write(file: string, content: string | Uint8Array[]) {
	try {
		return await writeFile(file, content);
	} catch (error) {
		const message = `The file ${file} cannot be written: ${reasonOf(error, reasonsNotWritten)}`;
		return new CliError(message, { code: 'file_not_written', cause: error });
	}
}

function failureIn(report: FirmwareTestReport, { lease }: RunOptions) {
	const { result, cause, hint = adviceFor(cause, !lease), message, boardId, leaseId } = report;
	if (result === 'passed') return undefined;
	const exitCode = exitCodesOfResults[result];
	const details = { boardId, leaseId };
	return new CliError(message, { code: result, exitCode, hint, details });
}

// The command `run`: flashes firmware onto a leased board and fails unless it passes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoardAccess } from 'board-access';
import { readDuration } from '../ci/duration.ts';
import { safeId } from '../ci/escape.ts';
import { checkFirmwareFile } from '../ci/firmware-file.ts';
import { type FirmwareTestReport, titleOf } from '../ci/firmware-report.ts';
import { type FirmwareTestEvent, runFirmwareTest } from '../ci/firmware-test.ts';
import type { Reachability } from '../ci/reachability.ts';
import { readPattern } from '../ci/run-options.ts';
import { readScenario } from '../ci/scenario-file.ts';
import { type ChosenBoard, checkRoles, readRoleBoard, readWantedTag } from '../ci/wanted-boards.ts';
import { printableJson } from '../contract/printable.ts';
import type { Runner } from './runner.ts';
import { summaryCode, summaryTable } from './summary.ts';

export async function runFirmware(
	client: BoardAccess,
	runner: Runner,
	{ onConnection }: Reachability,
) {
	const interruption = new AbortController();
	const interrupt = () => interruption.abort(new Error('The job was cancelled'));
	// Releases the board when the job is cancelled.
	process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
	const log = createLog(runner);
	try {
		const test = await testFrom(runner);
		const { signal } = interruption;
		const watching = { onEvent: log.show, signal, onConnection };
		const { report, error } = await runFirmwareTest(client, test, watching);
		const files = test.boards.flatMap(({ file }) => file || []);
		await publish(report, runner, titleOf(files.join(', '), test.name));
		const { result, message, hint } = report;
		if (result !== 'passed') throw error ?? new Error([message, hint].filter(Boolean).join('\n'));
	} finally {
		log.end();
		process.removeListener('SIGINT', interrupt).removeListener('SIGTERM', interrupt);
	}
}

async function testFrom(runner: Runner) {
	const scenario = runner.given('scenario');
	const { name, steps = [], roles, places } = scenario ? await readScenario(scenario) : {};
	const expected = patternsOf(runner.input('expect')).map((expect) => ({ expect }));
	if (scenario && expected.length > 0) {
		throw new Error('Set either the input expect or the input scenario, which has its own expect');
	}
	const chosen = boardsOf(runner);
	if (chosen[0]?.role !== null && expected.length > 0) {
		throw new Error('With the input boards, write what is expected in a scenario');
	}
	const raw = runner.flag('raw');
	const flashOffset = runner.given('flash-offset');
	const boards = chosen.map(async ({ file = '', ...board }) => {
		if (file === '') return { ...board, file };
		const firmware = new Uint8Array(await readFile(file));
		checkFirmwareFile(file, firmware, { raw, flashOffset, rawOption: 'the input raw: true' });
		return { ...board, file, firmware };
	});
	return {
		name,
		raw,
		flashOffset,
		boards: await Promise.all(boards),
		lease: termsOf(runner),
		roles,
		steps: [...steps, ...expected],
		places,
		isComplete: scenario !== undefined,
		fail: patternsOf(runner.input('fail')),
		timeout: readDuration(runner.input('timeout')),
		afterFail: readDuration(runner.input('after-fail')),
	};
}

/** The boards of the input `boards`, each with its firmware, or the only one. */
function boardsOf(runner: Runner): (Partial<ChosenBoard> & Pick<ChosenBoard, 'role'>)[] {
	const group = linesOf(runner.input('boards')).map(readRoleBoard);
	checkRoles(group);
	const one = ['lease-id', 'board-id', 'board-type', 'tags', 'firmware'];
	if (group.length > 0) {
		const other = one.find((name) => runner.given(name));
		if (other) throw new Error(`Set either the input boards or the input ${other}`);
		return group;
	}
	const file = required(runner, 'firmware');
	const boardId = runner.given('board-id');
	if (runner.given('lease-id')) {
		if (!boardId && !runner.given('board-type')) return [{ role: null, file }];
		throw new Error('Set either the input lease-id, or board-id or board-type');
	}
	const tags = Object.fromEntries(linesOf(runner.input('tags')).map(readWantedTag));
	const wanted = boardId ? { boardId } : { boardType: required(runner, 'board-type') };
	return [{ role: null, wanted: { ...wanted, tags }, file }];
}

function termsOf(runner: Runner) {
	const leaseId = runner.given('lease-id');
	if (leaseId) return { leaseId };
	const waitMs = readDuration(runner.input('wait'));
	return { waitMs, label: runner.given('label'), sameTag: runner.given('same-tag') };
}

function linesOf(text: string) {
	const lines = text.split('\n').map((line) => line.trim());
	return lines.filter((line) => line !== '');
}

const patternsOf = (text: string) => linesOf(text).map(readPattern);

function required(runner: Runner, name: string) {
	const text = runner.given(name);
	if (text === undefined) throw new Error(`The input ${name} is required for the command run`);
	return text;
}

/** Logs the events, and saves the lease for the end of the job. */
function createLog(runner: Runner) {
	let savedLease = '';
	let openLine = '';
	const end = () => {
		if (openLine !== '') runner.info(openLine);
		openLine = '';
	};
	const show = (event: FirmwareTestEvent) => {
		if (event.event === 'console') {
			// The log has whole lines only.
			const [first = '', ...others] = event.text.split('\n');
			openLine += first;
			for (const start of others) {
				runner.info(openLine.replace(/\r$/, ''));
				openLine = start;
			}
			return;
		}
		// Also in the queue, because a step can be killed there.
		if (!runner.given('lease-id') && 'leaseId' in event && event.leaseId !== savedLease) {
			savedLease = event.leaseId;
			runner.saveState('leaseId', savedLease);
		}
		const { event: name, ...details } = event;
		runner.info(`[${name}] ${printableJson(details, 0)}`);
	};
	return { show, end };
}

async function publish(report: FirmwareTestReport, runner: Runner, title: string) {
	const { leaseId, boardId, result } = report;
	const file = `console-${leaseId ? safeId(leaseId) : 'none'}.log`;
	const consoleFile = join(runner.variable('RUNNER_TEMP') || '.', file);
	if (boardId) runner.output('board-id', safeId(boardId));
	await writeFile(consoleFile, report.output);
	runner.output('result', result);
	runner.output('console-file', consoleFile);
	runner.summary(summaryOf(report, title));
}

function summaryOf(report: FirmwareTestReport, title: string) {
	const { result, boardId, milliseconds, credits, steps, message } = report;
	const time = `${(milliseconds / 1000).toFixed(1)} s`;
	const rows = steps.map(({ name, status, message }) => [name, status, message]);
	return [
		summaryTable(
			['Firmware', 'Result', 'Board', 'Time', 'Credits', 'Message'],
			[[title, result, boardId, time, `${credits ?? 0}`, message]],
		),
		...(rows.length > 0 ? [summaryTable(['Step', 'Result', 'Message'], rows)] : []),
		summaryCode('The end of the console', report.console.slice(-4_000)),
	].join('\n');
}

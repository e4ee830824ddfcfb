// The tool that tests firmware: as `board-access run` does.
import type { ScenarioStep } from 'board-access';
import * as z from 'zod/mini';
import { type FirmwareTestReport, isFailure } from '../ci/firmware-report.ts';
import { type FirmwareTestEvent, runFirmwareTest, type TestedBoard } from '../ci/firmware-test.ts';
import type { ScenarioFile } from '../ci/scenario-file.ts';
import type { ChosenBoard } from '../ci/wanted-boards.ts';
import { printed, shown } from './console.ts';
import {
	logField,
	type Place,
	readBoards,
	says,
	secondsIn,
	text,
	wantedBoards,
	withFiles,
} from './place.ts';
import { type Call, destroys, type Tool, tool } from './tool.ts';

const maybe = z.optional(text);
/** Each is looked for in all that is printed. */
const patterns = z.optional(z.array(text).check(z.maxLength(20)));

/** How much of the console the result has: its end, which says most. */
const endLength = 4_096;

function inputIn(place: Place) {
	return z.strictObject({
		firmware: z.optional(says(place.firmware)),
		lease_id: maybe,
		boards: z.optional(wantedBoards),
		expect: patterns,
		fail: patterns,
		...withFiles(place, { scenario: z.optional(says('YAML file of steps')) }),
		timeout_seconds: secondsIn(place),
		wait_seconds: secondsIn(place),
		...logField(place),
	});
}

export function firmwareTool(place: Place): Tool {
	return tool({
		name: 'run_firmware',
		description:
			'Flash firmware, wait at most timeout_seconds (45) for all of expect in order, say whether it passed. With boards, takes and releases them. Of several, each can name its firmware, role=type,file, and its texts, role=text',
		hints: destroys,
		input: inputIn(place),
		output: z.object({
			result: text,
			why: text,
			lease_id: maybe,
			board_id: maybe,
			seconds: z.number(),
			untrusted_output: printed,
		}),
		run: (given, call) => runFirmware(given, place, call),
	});
}

type Given = z.output<ReturnType<typeof inputIn>>;

async function runFirmware(given: Given, place: Place, { client, signal, progress }: Call) {
	const { lease_id: leaseId, timeout_seconds: seconds = 45, wait_seconds: wait = 0, log } = given;
	const boards = await testedBoards(given, place);
	const steps = await stepsOf(given, boards, place);
	// Also tells before the test that a log cannot be written.
	if (log !== undefined) await place.files?.writeLog(log, '');
	const { report, error } = await runFirmwareTest(
		client,
		{
			boards,
			lease: leaseId === undefined ? { waitMs: Math.ceil(wait) * 1_000 } : { leaseId },
			...steps,
			fail: (given.fail ?? []).map(place.readPattern),
			timeout: seconds * 1_000,
			maxConsole: place.maxConsole,
		},
		{ signal, onEvent: (event) => tell(event, progress) },
	);
	if (log !== undefined) await place.files?.writeLog(log, report.console);
	if (error !== undefined) throw error;
	return {
		result: report.result,
		why: shown(whyOf(report, given)),
		lease_id: report.leaseId ?? undefined,
		board_id: report.boardId ?? undefined,
		seconds: report.milliseconds / 1_000,
		untrusted_output: shown(report.console.slice(-endLength)),
	};
}

/** Why it did not pass, without what was printed: that is for `untrusted_output`. */
function whyOf({ result, message, hint }: FirmwareTestReport, { fail = [] }: Given) {
	const reason = isFailure(result) ? message.replace(/(?:\. Its last lines)?:\n.*/s, '') : message;
	// What a regular expression has found was printed, too.
	const isPrinted = !fail.some((text) => reason.endsWith(JSON.stringify(text)));
	const hides = result === 'fail_seen' && isPrinted;
	const why = hides ? reason.replace(/ ".*"$/, ' what it must not show') : reason;
	return [why, hint].filter(Boolean).join('\n');
}

/** Reads the files before a board is leased. */
async function testedBoards(given: Given, { readFirmware }: Place): Promise<TestedBoard[]> {
	const { firmware, lease_id, boards = [] } = given;
	if ((lease_id === undefined) === (boards.length === 0)) {
		throw new Error('Pass either lease_id or boards');
	}
	const tested = lease_id === undefined ? readBoards(boards) : [{ role: null }];
	return await Promise.all(
		tested.map(async (board: Partial<ChosenBoard> & { role: string | null }) => {
			const { file = firmware } = board;
			return {
				...board,
				file: file === undefined ? '' : nameOf(file),
				firmware: file === undefined ? undefined : await readFirmware(file),
			};
		}),
	);
}

/** Firmware that is no file has no name. */
function nameOf(file: string) {
	return file.length > 200 ? 'firmware' : file;
}

async function stepsOf(given: Given, boards: readonly TestedBoard[], place: Place) {
	const { expect = [], fail = [], scenario } = given;
	if (scenario === undefined || !place.files) {
		if (expect.length + fail.length === 0)
			throw new Error('Pass what shows success: expect or fail');
		const inRoles = expect.map((text) => {
			const board = boards.find(({ role }) => role !== null && text.startsWith(`${role}=`));
			return { role: board?.role ?? null, text: board ? text.slice(text.indexOf('=') + 1) : text };
		});
		const steps: ScenarioStep[] = inRoles.map(({ text }) => ({ expect: place.readPattern(text) }));
		return { steps, roles: inRoles.map(({ role }) => role) };
	}
	if (expect.length > 0) throw new Error('Pass either expect or scenario');
	const { steps, roles, places }: ScenarioFile = await place.files.readScenario(scenario);
	return { steps, roles, places, isComplete: true };
}

function tell(event: FirmwareTestEvent, progress: Call['progress']) {
	if (event.event === 'queued') progress(`Queued at position ${event.position}`);
	else if (event.event === 'preparing') progress(`Preparing: ${event.step} ${event.status}`);
	else if (event.event === 'flashing') progress(`Flashing ${event.percent ?? ''}`.trim());
	else if (event.event === 'flashed') progress(shown(event.message));
	else if (event.event === 'expected') progress(`Shown: ${event.pattern}`);
}

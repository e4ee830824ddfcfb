// Runs firmware on a leased board and decides whether it passed, for the command line and the action.
import type {
	ActionProgress,
	AnyLease,
	BoardAccess,
	ConsoleOptions,
	LeaseGroupTerms,
	LeaseProgress,
	ScenarioStep,
	StepOutcome,
} from 'board-access';
import { startCopying } from './console-copy.ts';
import { checkFit, namingFile } from './firmware-file.ts';
import {
	type EndedFirmwareTest,
	emptyReport,
	type FirmwareTestReport,
	fieldsOf,
	isFailure,
	messageOf,
	reportFailure,
	resultOf,
} from './firmware-report.ts';
import type { ReachabilityEvent } from './reachability.ts';
import { type ChosenBoard, leaseBoards } from './wanted-boards.ts';

/** A board of a test, and what is flashed onto it. */
export interface TestedBoard extends Omit<Partial<ChosenBoard>, 'role'> {
	/** Null for the only board of a test; with a lease that continues, no board is wanted. */
	role: string | null;
	/** The name of the firmware's file, for messages. */
	file: string;
	/** Missing if the board keeps what it has. */
	firmware?: Uint8Array | undefined;
}

/** What to run, on which boards, and what their consoles must show. */
export interface FirmwareTest {
	boards: readonly TestedBoard[];
	raw?: boolean | undefined;
	flashOffset?: string | undefined;
	/** A lease that continues after the test, or how a new one is requested. */
	lease: { leaseId: string } | LeaseGroupTerms;
	steps: readonly ScenarioStep[];
	/** The role that each step is about. */
	roles?: readonly (string | null)[] | undefined;
	/** The place of each step, such as `login.yml:5`, for messages. */
	places?: readonly string[] | undefined;
	/** Whether to end after the last step even if it is no expectation, instead of watching for `fail`. */
	isComplete?: boolean | undefined;
	/** What the console must not show. */
	fail?: string | RegExp | readonly (string | RegExp)[] | undefined;
	/** Milliseconds from the end of flashing for all steps, apart from those that only wait. */
	timeout: number;
	/** Milliseconds for which the output is still copied after a failure of the firmware. Default: 1,000. */
	afterFail?: number | undefined;
	/** How many characters of what the boards print are kept, from the end. Default: all of them. */
	maxConsole?: number | undefined;
}

type LeaseProgressEvent =
	| { event: 'queued'; leaseId: string; position: number | null }
	| { event: 'preparing'; leaseId: string; boardId: string | null; step: string; status: string };

export type FirmwareTestEvent =
	| LeaseProgressEvent
	| { event: 'leased'; leaseId: string; boardId: string | null; creditsPerMinute: number | null }
	| ({ event: 'flashing'; role?: string } & ActionProgress)
	| { event: 'flashed'; role?: string; milliseconds: number; message: string }
	| { event: 'console'; text: string; bytes: Uint8Array }
	| { event: 'expected'; pattern: string; matched: string }
	| { event: 'step'; step: string }
	| { event: 'lease_limit'; message: string }
	| ReachabilityEvent
	| { event: 'released'; credits: number | null }
	| { event: 'not_released'; leaseId: string; message: string };

interface Watching {
	onEvent: (event: FirmwareTestEvent) => void;
	signal?: AbortSignal | undefined;
	onConnection?: ConsoleOptions['onConnection'];
}

/** Leases a board, flashes the firmware, waits for what is expected, and releases the board. */
export async function runFirmwareTest(
	client: BoardAccess,
	test: FirmwareTest,
	watching: Watching,
): Promise<EndedFirmwareTest> {
	const startedAt = performance.now();
	const report = emptyReport(test);
	try {
		const problem = roleProblem(test);
		if (problem !== undefined) throw new Error(problem);
		await leaseAndTest(client, test, { ...watching, report });
		return { report };
	} catch (error) {
		reportFailure(report, error, watching.signal);
		return { report, error: report.result === 'error' ? error : undefined };
	} finally {
		report.milliseconds = Math.round(performance.now() - startedAt);
	}
}

/** What is wrong if a step is about a board that there is not. */
export function roleProblem({ boards, steps, roles = [], places = [] }: FirmwareTest) {
	const known = boards.map(({ role }) => role);
	const at = steps.findIndex((_, index) => !known.includes(roles[index] ?? null));
	if (at < 0) return undefined;
	const role = roles[at] ?? null;
	const named = role === null ? 'names no role' : `names the role ${role}`;
	const there =
		known[0] === null ? 'the only board has none' : `the boards are ${known.join(', ')}`;
	return `${places[at] ?? `step ${at + 1}`}: the step ${named}; ${there}`;
}

interface Run extends Watching {
	report: FirmwareTestReport;
	/** Why the lease was not renewed. */
	renewError?: unknown;
}

async function leaseAndTest(client: BoardAccess, test: FirmwareTest, run: Run) {
	const { report, onEvent, signal } = run;
	const leases = await leasesFor(client, test, run);
	const boards = test.boards.map((board, index) => ({
		...board,
		lease: leases[index] as AnyLease,
	}));
	report.boards = boards.map(({ role, lease: { id, boardId } }) => ({
		role,
		leaseId: id,
		boardId,
	}));
	report.leaseId = leases[0].id;
	report.boardId = leases[0].boardId ?? null;
	try {
		for (const { leaseId, boardId } of report.boards) {
			const creditsPerMinute = await priceOf(client, boardId, signal);
			onEvent({ event: 'leased', leaseId, boardId, creditsPerMinute });
		}
		await flashAndWatch(boards, test, run);
	} catch (error) {
		// For example, the credits are used up.
		throw (fieldsOf(error).reason === 'expired' && run.renewError) || error;
	} finally {
		if (!('leaseId' in test.lease)) report.credits = await release(leases, onEvent);
	}
}

type Leases = readonly [AnyLease, ...AnyLease[]];

/** The leases in the order of the boards. */
async function leasesFor(client: BoardAccess, test: FirmwareTest, run: Run): Promise<Leases> {
	const { report, onEvent, signal } = run;
	const { lease: terms } = test;
	const onRenewFailed = (error: unknown) => {
		run.renewError = error;
	};
	const check = async ({ wanted, ...board }: TestedBoard) =>
		wanted && (await checkFit(client, { ...test, ...board, wanted }, signal));
	if ('leaseId' in terms) {
		const lease = await client.leases.get(terms.leaseId, { signal });
		if (lease.status === 'ended') lease.signal.throwIfAborted();
		const { boardId } = lease;
		const [board] = test.boards;
		if (boardId && board) await check({ ...board, wanted: { boardId } });
		const lastsLongEnough = (lease.expiresInMs ?? 0) > maxFlash + maxRun(test);
		if (lastsLongEnough || lease.status !== 'active') return [lease];
		return [await client.leases.attach(lease.id, { onRenewFailed, signal })];
	}
	for (const board of test.boards) await check(board);
	const announce = announcer(onEvent);
	const onProgress = (progress: LeaseProgress) => {
		report.leaseId = progress.lease.id;
		announce(progress);
	};
	const onLeaseLimit = ({ message }: Error) => onEvent({ event: 'lease_limit', message });
	const options = { onProgress, onRenewFailed, onLeaseLimit, signal };
	const boards = test.boards.flatMap(({ role, wanted }) => (wanted ? { role, wanted } : []));
	return await leaseBoards(client, boards, { ...terms, requiresAgent: true }, options);
}

/** The time that a lease should have for flashing, in milliseconds. */
const maxFlash = 120_000;

function maxRun({ steps, timeout, afterFail = 0 }: FirmwareTest) {
	return steps.reduce((sum, step) => sum + (step.waitMs ?? 0), timeout + afterFail);
}

/** What the board costs, if it can be read at once. */
async function priceOf(client: BoardAccess, boardId: string | null, signal?: AbortSignal) {
	const options = { signal, timeout: 2_000, maxRetries: 0 };
	const board = await client.boards.get(boardId ?? '', options).catch(() => undefined);
	return board?.creditsPerMinute ?? null;
}

async function release(leases: Leases, onEvent: Run['onEvent']) {
	const hadEnded = leases.every(({ status }) => status === 'ended');
	try {
		const ended = await Promise.all(leases.map((lease) => lease.release()));
		const credits = ended.reduce((sum, lease) => sum + (lease.credits ?? 0), 0);
		if (!hadEnded) onEvent({ event: 'released', credits });
		return credits;
	} catch (error) {
		// The leases expire by themselves.
		onEvent({ event: 'not_released', leaseId: leases[0].id, message: messageOf(error) });
		return null;
	}
}

type LeasedBoard = TestedBoard & { lease: AnyLease };

async function flashAndWatch(boards: readonly LeasedBoard[], test: FirmwareTest, run: Run) {
	await Promise.all(boards.map((board) => flash(board, test, run)));
	const copies = boards.map((board) => startCopying(board, { ...run, keep: test.maxConsole }));
	try {
		await carryOut(boards, test, run);
	} catch (error) {
		// A panic is often followed by its reason, such as a backtrace.
		if (isFailure(resultOf(error))) {
			await Promise.all(copies.map((copy) => copy.goOn(test.afterFail ?? 1_000)));
		}
		throw error;
	} finally {
		await Promise.all(copies.map((copy) => copy.endLine()));
	}
}

async function flash(board: LeasedBoard, test: FirmwareTest, { onEvent, signal }: Run) {
	const { lease, firmware, file } = board;
	if (!firmware) return;
	const { raw, flashOffset } = test;
	const role = board.role === null ? {} : { role: board.role };
	const startedAt = performance.now();
	const onProgress = (progress: ActionProgress) =>
		onEvent({ event: 'flashing', ...role, ...progress });
	const flashing = lease.flash(firmware, { raw, flashOffset, signal, onProgress });
	const { message } = await flashing.catch((error: unknown) => {
		throw namingFile(error, file);
	});
	const milliseconds = Math.round(performance.now() - startedAt);
	onEvent({ event: 'flashed', ...role, milliseconds, message: message ?? '' });
}

/** Carries out the steps: those that follow each other on one board at once, then those on the next. */
async function carryOut(boards: readonly LeasedBoard[], test: FirmwareTest, run: Run) {
	const fails = new Map(boards.map(({ role }) => [role, [test.fail ?? []].flat()]));
	const boardOf = (role: string | null) => boards.find((one) => one.role === role) as LeasedBoard; // of which there is one
	const turns = turnsOf(test);
	if (turns.length === 0) {
		const part = { ...test, fail: [test.fail ?? []].flat(), from: 0 };
		await Promise.all(boards.map((board) => takeTurn(board, part, run)));
	}
	let { timeout } = test;
	for (const [at, { role, steps, from }] of turns.entries()) {
		const startedAt = performance.now();
		const fail = fails.get(role) ?? [];
		const isComplete = test.isComplete || at < turns.length - 1;
		const part = { ...test, timeout, steps, fail, from, isComplete };
		const others = boards.filter((board) => board.role !== role);
		await whileWatching(others, fails, run, (run) => takeTurn(boardOf(role), part, run));
		fails.set(role, [...fail, ...steps.flatMap(({ fail = [] }) => fail)]);
		const waited = steps.reduce((sum, { waitMs = 0 }) => sum + waitMs, 0);
		timeout = Math.max(1, timeout - Math.max(0, performance.now() - startedAt - waited));
	}
	// What the others have shown since the watch began last.
	const last = turns.at(-1)?.role;
	for (const { role, lease } of boards) {
		const fail = fails.get(role) ?? [];
		if (turns.length > 0 && role !== last && fail.length > 0) {
			await lease.run([{ fail }], { signal: run.signal });
		}
	}
}

/** Works on one board, and ends as soon as another one shows what it must not. */
async function whileWatching(
	others: readonly LeasedBoard[],
	fails: ReadonlyMap<string | null, (string | RegExp)[]>,
	run: Run,
	work: (run: Run) => Promise<void>,
) {
	const stop = new AbortController();
	const signal = AbortSignal.any([stop.signal, ...(run.signal ? [run.signal] : [])]);
	const watches = others.flatMap(({ role, lease }) => {
		const fail = fails.get(role) ?? [];
		if (fail.length === 0) return [];
		return lease.run([{ fail }, { waitMs: longestWatch }], { signal }).then(() => {});
	});
	const working = work({ ...run, signal });
	try {
		await Promise.race([working, ...watches]);
	} finally {
		stop.abort();
		await Promise.allSettled([working, ...watches]);
	}
}

/** The longest time of a timer, in milliseconds. */
const longestWatch = 2 ** 31 - 1;

/** Steps that follow each other on one board. */
interface Turn {
	role: string | null;
	steps: ScenarioStep[];
	/** The position of the first of them. */
	from: number;
}

function turnsOf({ steps, roles = [] }: FirmwareTest): Turn[] {
	const turns: Turn[] = [];
	for (const [index, step] of steps.entries()) {
		const role = roles[index] ?? null;
		const last = turns.at(-1);
		if (last?.role === role) last.steps.push(step);
		else turns.push({ role, steps: [step], from: index });
	}
	return turns;
}

type Part = FirmwareTest & { fail: readonly (string | RegExp)[]; from: number };

async function takeTurn({ lease }: LeasedBoard, test: Part, run: Run) {
	const { report, onEvent, signal, onConnection } = run;
	const { steps, timeout, fail: fails, from } = test;
	const first: ScenarioStep[] = fails.length > 0 ? [{ fail: fails }] : [];
	// Without an expectation at the end, the firmware passes if it does not fail in time.
	const isOpen = !test.isComplete && steps.at(-1)?.expect === undefined;
	const isWatched = fails.length > 0 && isOpen;
	const last: ScenarioStep[] = isWatched ? [{ waitMs: timeout }] : [];
	const onStep = ({ index, durationMs, match, error, step }: StepOutcome) => {
		const place = test.places?.[from + index - first.length];
		if (place && error instanceof Error && !signal?.aborted)
			error.message = `${place}: ${error.message}`;
		const outcome = report.steps[from + index - first.length];
		if (!outcome) return;
		outcome.milliseconds = durationMs;
		outcome.status = error ? 'error' : 'passed';
		if (error) return;
		if (match) onEvent({ event: 'expected', pattern: outcome.name, matched: match.matched });
		else if (step.fail === undefined) onEvent({ event: 'step', step: outcome.name });
	};
	const options = { timeout, signal, onConnection, onStep };
	const all = [...first, ...steps, ...last];
	if (all.length > 0) await lease.run(all, options);
}

/** Reports the queue position, and every step of the preparation. */
export function announcer(onEvent: (event: LeaseProgressEvent) => void) {
	const reported = new Map<string, string>();
	return ({ lease, steps }: LeaseProgress) => {
		const { id: leaseId, boardId = null, queuePosition: position = null } = lease;
		if (lease.status === 'queued') return onEvent({ event: 'queued', leaseId, position });
		for (const { id, action, name, status = '' } of steps) {
			if (!status || status === 'queued' || reported.get(id) === status) continue;
			reported.set(id, status);
			const step = [action, name].filter(Boolean).join(' ');
			onEvent({ event: 'preparing', leaseId, boardId, step, status });
		}
	};
}

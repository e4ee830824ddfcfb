// Carries out the steps of a scenario. With a `fail`, the output between two steps is searched, too.
import { problemOf } from '../contract/steps.ts';
import { BoardAccessError } from '../errors/base.ts';
import { InputError } from '../errors/errors.ts';
import { notify } from '../http/attempts.ts';
import { pause } from '../http/signals.ts';
import type { RequestOptions } from '../settings/settings.ts';
import type { Expectations } from './console/expectations.ts';
import type { ConsoleMatch, LeaseConsole } from './console/types.ts';
import { ExpectationError, ScenarioError } from './errors.ts';
import type { ScenarioOptions, ScenarioStep, StepOutcome } from './scenario-types.ts';
import type { TrackedLease } from './tracked-lease.ts';
import type { ActionOptions, LeaseAction } from './types.ts';

/** Matches nothing, so that the output is only searched for failures. */
const never = /(?!)/;

/** The lease of a scenario. */
export interface ScenarioLease {
	tracked: TrackedLease;
	console: LeaseConsole;
	expectations: Expectations;
	/** Calls back as soon as the action is requested. */
	reset(options: ActionOptions, onChange: (action: LeaseAction) => void): Promise<LeaseAction>;
}

interface Run extends ScenarioLease, ScenarioOptions {
	/** The time limit, on the clock of `performance`. */
	endsAt: number;
	/** Advice if the next expectation fails. */
	hint?: string | undefined;
	/** What must not appear, from the steps so far. */
	fails: (string | RegExp)[];
	/** The actions of the lease before the scenario, and those of its steps. */
	actions: Set<string>;
}

export async function runScenario(
	lease: ScenarioLease,
	steps: readonly ScenarioStep[],
	{ timeout = 60_000, ...options }: ScenarioOptions = {},
): Promise<StepOutcome[]> {
	checkSteps(steps);
	const endsAt = performance.now() + timeout;
	const listing = { ...requestOptions(options), timeout, maxRetries: 5 };
	const earlier = await lease.tracked.actions(listing);
	const other = unknownAmong(earlier, lease.tracked.ownActions);
	if (other) throw new ScenarioError(other);
	lease.expectations.startAfter(earlier);
	const actions = new Set(earlier.map(({ id }) => id));
	const run = { ...options, ...lease, endsAt, fails: [], actions };
	const outcomes: StepOutcome[] = [];
	for (const [index, step] of steps.entries()) {
		outcomes.push(await outcomeOf(step, run, { index, isLast: index === steps.length - 1 }));
	}
	return outcomes;
}

/** The first action of others after the last own one, or the last own one if it has not ended. Without own ones, one that is not done. */
function unknownAmong(actions: readonly LeaseAction[], own: ReadonlySet<string>) {
	const used = actions.filter(({ phase }) => phase !== 'prepare');
	const newest = used.findLastIndex(({ id }) => own.has(id));
	return used.find(({ status }, index) => {
		if (index > newest) return newest >= 0 || status !== 'done';
		return status !== 'done' && status !== 'failed';
	});
}

async function outcomeOf(
	step: ScenarioStep,
	run: Run,
	{ index, isLast }: { index: number; isLast: boolean },
) {
	const startedAt = performance.now();
	const ended = (result: { match?: ConsoleMatch | undefined; error?: unknown }) => {
		const durationMs = Math.round(performance.now() - startedAt);
		const outcome: StepOutcome = { index, step, durationMs, ...result };
		notify(run.onStep, outcome);
		return outcome;
	};
	try {
		const match = await carryOut(step, run);
		if (isLast) await finish(step, run);
		return ended({ match });
	} catch (thrown) {
		const error = await reasonFor(thrown, run);
		if (error instanceof BoardAccessError) error.stepIndex = index;
		ended({ error });
		throw error;
	}
}

/** If somebody else acted on the board, that is the reason, whatever its console showed. */
async function reasonFor(error: unknown, run: Run) {
	if (run.signal?.aborted || run.tracked.over.aborted) return error;
	const other = await otherAction(run, { timeout: 5_000, maxRetries: 0 }).catch(() => undefined);
	return other ? new ScenarioError(other, error) : error;
}

async function carryOut(step: ScenarioStep, run: Run): Promise<ConsoleMatch | undefined> {
	const { console, expectations, signal, headers, onConnection, fails } = run;
	const timeout = timeLeft(run);
	if (step.expect !== undefined) {
		const shorter = Math.min(step.timeout ?? timeout, timeout);
		const options = { fail: fails, timeout: shorter, signal, headers, onConnection };
		const manner = { hasTurn: true, hint: run.hint };
		const match = await expectations.expect(step.expect, options, manner);
		run.hint = undefined;
		return match;
	}
	if (step.fail !== undefined) fails.push(...[step.fail].flat());
	else if (step.waitMs !== undefined) await wait(step.waitMs, run);
	else if (step.reset) await reset(run);
	else {
		await console.write(step.send, { timeout, signal, headers });
		run.hint = endsLine(step.send) ? undefined : noEnter;
	}
	return undefined;
}

const noEnter = 'The last input does not end with \\r: does the board wait for the Enter key?';

/** Whether the last byte is \r, \n or another control character. */
function endsLine(sent: string | Uint8Array) {
	const last = typeof sent === 'string' ? sent.charCodeAt(sent.length - 1) : sent.at(-1);
	return last !== undefined && last < 32;
}

/** Rounded up, because error messages name it. */
function timeLeft({ endsAt }: Run) {
	return Math.max(1, Math.ceil((endsAt - performance.now()) / 100) * 100);
}

/** Does not count for the time limit. */
async function wait(milliseconds: number, run: Run) {
	const { tracked, signal, headers, fails } = run;
	run.endsAt += milliseconds;
	if (fails.length > 0) return await watch(milliseconds, run);
	const work = async (signal: AbortSignal) => {
		await pause(milliseconds, signal);
		await tracked.refresh({ signal, headers }); // says whether the lease has ended
	};
	await tracked.during(work, { signal });
}

/** Output until the reset is searched for failures, and then skipped. */
async function reset(run: Run) {
	const { expectations, actions, fails } = run;
	const options = { ...requestOptions(run), timeout: timeLeft(run) };
	const action = await run.reset(options, ({ id }) => actions.add(id));
	if (fails.length > 0) await watch(1, run);
	expectations.startAfter([action]);
}

/** Throws if the board shows a failure within this time, or if output is missing. */
async function watch(timeout: number, { expectations, fails, signal, headers, onConnection }: Run) {
	const options = { fail: fails, timeout, signal, headers, onConnection };
	try {
		await expectations.expect(never, options, { hasTurn: true, watches: true });
	} catch (error) {
		const isNotSeen = error instanceof ExpectationError && error.code === 'not_seen';
		if (!isNotSeen || error.searchStopped) throw error;
	}
}

async function finish(step: ScenarioStep, run: Run) {
	if (run.fails.length > 0 && step.expect === undefined) await watch(1, run);
	const other = await otherAction(run, { maxRetries: 5 });
	if (other) throw new ScenarioError(other);
}

/** An action since the scenario began that is not one of its steps. */
async function otherAction(run: Run, options: RequestOptions) {
	const actions = await run.tracked.actions({ ...requestOptions(run), ...options });
	return actions.find(({ id }) => !run.actions.has(id));
}

function requestOptions({ signal, headers }: ScenarioOptions): RequestOptions {
	return { signal, headers };
}

const kinds = ['expect', 'fail', 'send', 'waitMs', 'reset'];

function checkSteps(steps: unknown) {
	if (!Array.isArray(steps) || steps.length === 0) {
		throw new InputError([{ path: 'steps', message: 'must be a list of steps' }]);
	}
	const issues = Array.from(steps).flatMap((step, index) => {
		const problem = problemOf(step, kinds);
		return problem ? [{ path: `steps[${index}]`, message: problem.message }] : [];
	});
	if (issues.length > 0) throw new InputError(issues);
}

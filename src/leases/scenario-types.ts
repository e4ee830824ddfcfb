// The steps of a scenario, and how they ended.
import type { ConsoleMatch, ConsoleOptions } from './console/types.ts';

/**
 * One step of a scenario:
 * - `expect` waits for a text or a match; with a `timeout`, for so many milliseconds at most.
 * - `fail` names what must not appear after the last match, in addition to earlier ones.
 * - `send` sends input to the board.
 * - `waitMs` lets the board run for so many milliseconds.
 * - `reset` resets the board.
 */
export type ScenarioStep =
	| Step<{ expect: string | RegExp; timeout?: number | undefined }>
	| Step<{ fail: string | RegExp | readonly (string | RegExp)[] }>
	| Step<{ send: string | Uint8Array }>
	| Step<{ waitMs: number }>
	| Step<{ reset: true }>;

type StepField = 'expect' | 'timeout' | 'fail' | 'send' | 'waitMs' | 'reset';

/** A step with these fields and no others. */
type Step<Fields> = Readonly<Fields> & {
	readonly [Other in Exclude<StepField, keyof Fields>]?: undefined;
};

/** How a step of a scenario ended. */
export interface StepOutcome {
	/** Its position among the steps, from 0 on. */
	readonly index: number;
	/** The step. */
	readonly step: ScenarioStep;
	/** How many milliseconds it took. */
	readonly durationMs: number;
	/** What an expectation found. */
	readonly match?: ConsoleMatch | undefined;
	/** Why the step failed, if it did. */
	readonly error?: unknown;
}

/** What can be set for a scenario. */
export interface ScenarioOptions extends Omit<ConsoleOptions, 'from'> {
	/** Milliseconds for all steps together, apart from those that `waitMs` waits. Default: 60,000. */
	timeout?: number | undefined;
	/** Called when a step has ended. What it throws is ignored. */
	onStep?: ((outcome: StepOutcome) => void) | undefined;
}

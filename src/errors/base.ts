// The base of all errors.
import { defined } from '../records/defined.ts';
import type { Attempt, Outcome } from './details.ts';

/** All but the cause become fields of the error. */
interface Details<Code extends string> {
	code: Code;
	hint?: string | undefined;
	cause?: unknown;
	outcome?: Outcome;
	[field: string]: unknown;
}

/** Identifies errors of this library, including those of another copy of it. */
export const brand = Symbol.for('board-access.error');

/** The base of every error of this library. It never contains an API key. */
export abstract class BoardAccessError<Code extends string = string> extends Error {
	/** A stable identifier of what happened, made for `switch`. */
	declare readonly code: Code;
	/** What you can do about it, where there is advice to give. */
	declare hint?: string;
	/** Whether the request may have been carried out. */
	declare outcome: Outcome;
	/** Every attempt that was made, in order. */
	declare attempts: readonly Attempt[];
	/** In a scenario: the position of the step that failed, from 0 on. */
	declare stepIndex?: number;

	/** @internal */
	constructor(message: string, { cause, outcome = 'not-sent', ...details }: Details<Code>) {
		super(message, cause === undefined ? undefined : { cause });
		Object.assign(this, defined({ attempts: [], ...details, outcome }));
	}
}

// On the prototype, so that it is not printed.
Object.defineProperty(BoardAccessError.prototype, brand, { value: true });

/** Sets the names of errors on their prototypes, so that they are not printed. Minifiers rename the classes. */
export function nameErrors(kinds: Readonly<Record<string, { prototype: BoardAccessError }>>) {
	for (const [name, { prototype }] of Object.entries(kinds)) {
		Object.defineProperty(prototype, 'name', { value: name, writable: true, configurable: true });
	}
}

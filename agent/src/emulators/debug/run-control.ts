// Where a chip under a debugger halts: at breakpoints, watchpoints and the end of a step.
import type { ChipState, DebugTarget, OnAccess, Tracer } from './target.ts';

export const signals = { interrupt: 2, trap: 5, abort: 6 } as const;

/** What halts the chip at a point. The names of watchpoints are those of GDB. */
const accesses = { break: [], watch: ['write'], rwatch: ['read'], awatch: ['read', 'write'] };

export interface Point {
	readonly kind: keyof typeof accesses;
	readonly address: number;
	readonly size: number;
}

/** Why the chip halted. */
export interface Stop {
	readonly signal: (typeof signals)[keyof typeof signals];
	readonly access?: Point | undefined;
}

/** The step ends outside of these addresses. */
interface Range {
	readonly start: number;
	readonly end: number;
}

const maxPoints = 256;

export class RunControl {
	isHalted = false;
	/** Why it halted last. */
	stop: Stop = { signal: signals.trap };
	readonly #onStop: () => void;
	#target: DebugTarget;
	readonly #points = new Map<string, Point>();
	/** The addresses of those that are breakpoints. */
	#breakpoints = new Set<number>();
	#range: Range | undefined;
	/** The stack pointer to which the interrupt returns that has begun in a step. */
	#interrupted: number | undefined;
	#access: Point | undefined;
	#pc = 0;

	constructor(target: DebugTarget, onStop: () => void) {
		this.#target = target;
		this.#onStop = onStop;
	}

	get target(): DebugTarget {
		return this.#target;
	}

	/** After a reset, breakpoints stay, and the chip is halted if it was. A step has no end any more. */
	replaceTarget(target: DebugTarget): void {
		this.#target = target;
		this.#range = undefined;
		this.#watch();
	}

	/** Undefined while the chip can run at full speed. */
	get tracer(): Tracer | undefined {
		return this.#range || this.#points.size > 0 ? this.#tracer : undefined;
	}

	readonly #tracer: Tracer = {
		halts: () => {
			const state = this.#target.state();
			if (this.#access || this.#breakpoints.has(state.pc) || this.#stepEnds(state)) {
				this.#stopFor({ signal: signals.trap, access: this.#access });
			}
			return this.isHalted;
		},
		interrupted: (stack) => {
			this.#interrupted ??= stack;
		},
	};

	/** Interrupts pass unnoticed: a step over a line would end in them. */
	#stepEnds({ pc, sp, isAsleep }: ChipState): boolean {
		if (this.#range === undefined || (this.#interrupted ?? sp) !== sp) return false;
		this.#interrupted = undefined;
		const stays = isAsleep && pc === this.#pc;
		return !stays && !(pc >= this.#range.start && pc < this.#range.end);
	}

	resume(range?: Range): undefined {
		[this.#range, this.#interrupted, this.#access] = [range, undefined, undefined];
		this.#pc = this.#target.state().pc;
		this.isHalted = false;
	}

	/** Halts a chip that runs, and reports it. */
	interrupt(signal: Stop['signal']): void {
		if (!this.isHalted) this.#stopFor({ signal });
	}

	/** Halts without a report. */
	halt(): void {
		if (!this.isHalted) this.stop = { signal: signals.trap };
		this.isHalted = true;
	}

	#stopFor(stop: Stop) {
		this.stop = stop;
		this.isHalted = true;
		this.#onStop();
	}

	/** Removes all points and lets the chip run on. */
	detach(): void {
		this.#points.clear();
		this.#watch();
		this.resume();
	}

	/** Returns whether there was room for it. */
	setPoint(point: Point, isSet: boolean): boolean {
		const key = Object.values(point).join();
		if (!isSet) this.#points.delete(key);
		else if (this.#points.size < maxPoints) this.#points.set(key, point);
		this.#watch();
		return !isSet || this.#points.has(key);
	}

	#watch() {
		const points = [...this.#points.values()];
		const breakpoints = points.filter(({ kind }) => kind === 'break');
		this.#breakpoints = new Set(breakpoints.map(({ address }) => address));
		this.#target.watch(points.length > breakpoints.length ? this.#onAccess : undefined);
	}

	readonly #onAccess: OnAccess = (access, address, size) => {
		for (const point of this.#points.values()) {
			const isTouched = address < point.address + point.size && point.address < address + size;
			const kinds: readonly string[] = accesses[point.kind];
			if (isTouched && kinds.includes(access)) this.#access ??= point;
		}
	};
}

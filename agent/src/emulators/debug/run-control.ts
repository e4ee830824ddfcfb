// Where a chip under a debugger halts: at breakpoints, watchpoints and the end of a step.
import type { ChipState, DebugTarget, OnAccess, Tracer } from './target.ts';

export const signals = { interrupt: 2, trap: 5, abort: 6 } as const;

/** The names of GDB. */
export type WatchKind = 'watch' | 'rwatch' | 'awatch';

export interface Watchpoint {
	readonly kind: WatchKind;
	readonly address: number;
	readonly size: number;
}

/** Why the chip halted. */
export interface Stop {
	readonly signal: (typeof signals)[keyof typeof signals];
	readonly access?: Watchpoint | undefined;
}

/** The step ends outside of these addresses. */
interface Range {
	readonly start: number;
	readonly end: number;
}

/** Breakpoints and watchpoints, together. */
const maxPoints = 256;

const watched = { watch: ['write'], rwatch: ['read'], awatch: ['read', 'write'] };

export class RunControl {
	isHalted = false;
	/** Why it halted last. */
	stop: Stop = { signal: signals.trap };
	readonly #onStop: () => void;
	#target: DebugTarget;
	readonly #breakpoints = new Set<number>();
	readonly #watchpoints = new Map<string, Watchpoint>();
	#range: Range | undefined;
	/** The stack pointer to which the interrupt returns that has begun in a step. */
	#interrupted: number | undefined;
	#access: Watchpoint | undefined;
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
		if (this.#watchpoints.size > 0) this.#watch();
	}

	/** Undefined while the chip can run at full speed. */
	get tracer(): Tracer | undefined {
		const isNeeded = this.#range || this.#breakpoints.size > 0 || this.#watchpoints.size > 0;
		return isNeeded ? this.#tracer : undefined;
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

	/** Removes all breakpoints and lets the chip run on. */
	detach(): void {
		this.#breakpoints.clear();
		if (this.#watchpoints.size > 0) {
			this.#watchpoints.clear();
			this.#watch();
		}
		this.resume();
	}

	/** Returns whether there was room for it. */
	setBreakpoint(address: number, isSet: boolean): boolean {
		if (!isSet) this.#breakpoints.delete(address);
		else if (this.#hasRoom()) this.#breakpoints.add(address);
		return !isSet || this.#breakpoints.has(address);
	}

	setWatchpoint(point: Watchpoint, isSet: boolean): boolean {
		const key = Object.values(point).join();
		if (!isSet) this.#watchpoints.delete(key);
		else if (this.#hasRoom()) this.#watchpoints.set(key, point);
		this.#watch();
		return !isSet || this.#watchpoints.has(key);
	}

	#hasRoom() {
		return this.#breakpoints.size + this.#watchpoints.size < maxPoints;
	}

	#watch() {
		this.#target.watch(this.#watchpoints.size > 0 ? this.#onAccess : undefined);
	}

	readonly #onAccess: OnAccess = (access, address, size) => {
		for (const point of this.#watchpoints.values()) {
			const isTouched = address < point.address + point.size && point.address < address + size;
			if (isTouched && watched[point.kind].includes(access)) this.#access ??= point;
		}
	};
}

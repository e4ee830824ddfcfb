// Whether the console of a board is connected, and how long it was not although no action explains it.
import type { ConsoleWatch } from '../drivers/hardware.ts';
import { printable } from '../errors.ts';
import type { ConsoleState } from '../link/service.ts';

/** A board with its own USB takes its port along when it restarts: for this time after an action. */
const restartTime = 5_000;

const longestMessage = 500;

export class ConsoleTracker implements ConsoleWatch {
	readonly #report: (state: ConsoleState) => void;
	#state: ConsoleState = { change: 0, status: 'disconnected', message: '', gap_ms: 0 };
	#lost: { at: number; explained: boolean } | undefined;
	#restartsUntil = 0;

	constructor(report: (state: ConsoleState) => void) {
		this.#report = report;
	}

	lost(reason: string) {
		const at = performance.now();
		this.#lost ??= { at, explained: this.#isExplained(at) };
		const message = printable(reason).slice(0, longestMessage);
		this.#change({ status: 'disconnected', message, gap_ms: this.#state.gap_ms });
	}

	connected() {
		const now = performance.now();
		const { at, explained } = this.#lost ?? { at: now, explained: false };
		const gap = explained && this.#isExplained(now) ? 0 : Math.ceil(now - at);
		this.#lost = undefined;
		// Closing the port for a tool does not change the status.
		if (this.#state.status === 'disconnected') {
			this.#change({ status: 'connected', message: '', gap_ms: this.#state.gap_ms + gap });
		}
		// Firmware restarts its board without an action, too.
		return gap > restartTime ? gap : 0;
	}

	/** An action, which may restart the board. */
	async during<Result>(action: () => Promise<Result>): Promise<Result> {
		this.#state = { ...this.#state, gap_ms: 0 };
		this.#restartsUntil = Number.POSITIVE_INFINITY;
		try {
			return await action();
		} finally {
			this.#restartsUntil = performance.now() + restartTime;
		}
	}

	/** A gap counts unless an action explains both the loss and the return. */
	#isExplained(at: number) {
		return at <= this.#restartsUntil;
	}

	#change(fields: Omit<ConsoleState, 'change'>) {
		this.#state = { ...fields, change: this.#state.change + 1 };
		this.#report(this.#state);
	}
}

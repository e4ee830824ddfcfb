// What comes from the console of a board: the output of the lease, whether the console is connected, and how
// long it was not although no action explains it.
import { type ConsoleEvents, notice } from '../drivers/hardware.ts';
import { printable } from '../errors.ts';
import type { ConsoleState } from '../link/service.ts';
import type { ConsoleUpload } from './console-upload.ts';

/** A board with its own USB takes its port along when it restarts: for this time after an action. */
const restartTime = 5_000;

const maxMessage = 500;

export class ConsoleTracker implements ConsoleEvents {
	readonly #upload: Pick<ConsoleUpload, 'take' | 'report'>;
	/** The action with which the output of the lease begins: before it, that of the last lease is discarded. */
	#awaited: string | undefined;
	#state: ConsoleState = { change: 0, status: 'disconnected', message: '', gap_ms: 0 };
	#lost: { at: number; explained: boolean } | undefined;
	#restartsUntil = 0;

	constructor(upload: Pick<ConsoleUpload, 'take' | 'report'>, outputFrom?: string) {
		this.#upload = upload;
		this.#awaited = outputFrom;
	}

	/** The output of this action begins; without an action, that of the lease. */
	outputBegins(actionId = this.#awaited): void {
		if (actionId === this.#awaited) this.#awaited = undefined;
	}

	output(bytes: Uint8Array) {
		if (this.#awaited === undefined) this.#upload.take(bytes);
	}

	lost(reason: string) {
		this.output(notice(`the console is not connected: ${reason}`));
		const at = performance.now();
		this.#lost ??= { at, explained: this.#isExplained(at) };
		const message = printable(reason).slice(0, maxMessage);
		this.#change({ status: 'disconnected', message, gap_ms: this.#state.gap_ms });
	}

	connected() {
		const now = performance.now();
		const { at, explained } = this.#lost ?? { at: now, explained: false };
		const gap = explained && this.#isExplained(now) ? 0 : Math.ceil(now - at);
		// Firmware restarts its board without an action, too.
		const missing =
			gap > restartTime ? `; ${Math.round(gap / 1000)} s of its output are missing` : '';
		if (this.#lost) this.output(notice(`the console is connected${missing}`));
		this.#lost = undefined;
		// Closing the port for a tool does not change the status.
		if (this.#state.status === 'disconnected') {
			this.#change({ status: 'connected', message: '', gap_ms: this.#state.gap_ms + gap });
		}
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
		this.#upload.report(this.#state);
	}
}

// The console of a lease: its output, whether it is connected, and for how long it was not without a reason.
import type { LineState } from 'board-access-contract';
import { type ConsoleEvents, notice, type PortEvents } from '../drivers/hardware.ts';
import { printable } from '../errors.ts';
import type { ConsoleState } from '../link/service.ts';
import type { ConsoleUpload } from './console-upload.ts';

/** How long the port of a board with its own USB may be gone after an action, in milliseconds. */
const restartTime = 5_000;

const maxMessage = 500;

export class ConsoleTracker implements ConsoleEvents {
	readonly #upload: Pick<ConsoleUpload, 'take' | 'report'>;
	/** These get what the board prints, and no message of the agent. */
	readonly taps = new Set<PortEvents>();
	/** The action with which the output of the lease begins. What is printed before it is discarded. */
	#awaited: string | undefined;
	#state: ConsoleState = { change: 0, status: 'disconnected', message: '', gap_ms: 0 };
	#lost: { at: number; explained: boolean } | undefined;
	#restartsUntil = 0;

	constructor(
		upload: Pick<ConsoleUpload, 'take' | 'report'>,
		{ outputFrom, hasConsole = true }: { outputFrom?: string; hasConsole?: boolean } = {},
	) {
		this.#upload = upload;
		// Of a board without a console, only halts are reported.
		if (!hasConsole) this.#state = { ...this.#state, status: 'connected' };
		this.#awaited = outputFrom;
	}

	/** Called when the output of this action, or of the lease, begins. */
	outputBegins(actionId = this.#awaited): void {
		if (actionId === this.#awaited) this.#awaited = undefined;
	}

	output(bytes: Uint8Array) {
		if (this.#awaited !== undefined) return;
		for (const tap of this.taps) void tap.output(bytes);
		this.#upload.take(bytes);
	}

	line(state: LineState) {
		for (const tap of this.taps) tap.line?.(state);
	}

	/** A message of the agent in the output. */
	note(text: string) {
		if (this.#awaited === undefined) this.#upload.take(notice(text));
	}

	/** The channel whose debugger halts the processor; undefined while it runs. */
	halted(channelId: string | undefined) {
		this.#change({ ...this.#state, halted_by: channelId });
	}

	lost(reason: string) {
		this.note(`the console is not connected: ${reason}`);
		const at = performance.now();
		this.#lost ??= { at, explained: at <= this.#restartsUntil };
		const message = printable(reason).slice(0, maxMessage);
		this.#change({ ...this.#state, status: 'disconnected', message });
	}

	connected() {
		const now = performance.now();
		const { at, explained } = this.#lost ?? { at: now, explained: false };
		const gap = explained && now <= this.#restartsUntil ? 0 : Math.ceil(now - at);
		// Firmware may restart its board by itself.
		const missing =
			gap > restartTime ? `; ${Math.round(gap / 1000)} s of its output are missing` : '';
		if (this.#lost) this.note(`the console is connected${missing}`);
		this.#lost = undefined;
		// While a tool uses the port, the status stays connected.
		if (this.#state.status === 'disconnected') {
			const gap_ms = this.#state.gap_ms + gap;
			this.#change({ ...this.#state, status: 'connected', message: '', gap_ms });
		}
	}

	async during<Result>(action: () => Promise<Result>): Promise<Result> {
		this.#state = { ...this.#state, gap_ms: 0 };
		this.#restartsUntil = Number.POSITIVE_INFINITY;
		try {
			return await action();
		} finally {
			this.#restartsUntil = performance.now() + restartTime;
		}
	}

	#change(fields: Omit<ConsoleState, 'change'>) {
		this.#state = { ...fields, change: this.#state.change + 1 };
		this.#upload.report(this.#state);
	}
}

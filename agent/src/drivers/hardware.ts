// A board as the agent drives it, real or emulated.
import type { betweenLeases, boardActions, boardPins } from 'board-access-contract';
import type { FlashMemory } from 'board-access-contract/firmware';
import type * as z from 'zod/mini';
import type { DrivenPins, PinSample } from '../emulators/pins.ts';

export type BoardAction = (typeof boardActions)[number];

export type BoardWork =
	| { readonly action: 'flash'; readonly bytes: Uint8Array; readonly offset: number }
	| { readonly action: Exclude<BoardAction, 'flash'> };

/** Receives what the console of a board prints, and whether it is connected. */
export interface ConsoleEvents {
	output(bytes: Uint8Array): void;
	/** It is not connected, but may be again. */
	lost(reason: string): void;
	connected(): void;
}

/** The pins of an emulated board. */
export interface HardwarePins extends z.output<typeof boardPins> {
	/** What they did since the last call; undefined while the board is not open. The first call begins to measure. */
	sample(): Promise<PinSample | undefined>;
	/** Stops measuring. */
	rest(): void;
	/** Drives these pins from outside, and lets all others go, until the board is closed. */
	drive(pins: DrivenPins): void;
}

export interface Hardware {
	readonly actions: readonly BoardAction[];
	readonly hasConsole: boolean;
	/** What `clear` does. */
	readonly betweenLeases: (typeof betweenLeases)[number];
	readonly memory?: FlashMemory | undefined;
	readonly pins?: HardwarePins | undefined;
	/** The address of a camera that looks at the board. */
	readonly camera?: string | undefined;
	/** Starts using the board for a lease, which has its console from now on. */
	open(events: ConsoleEvents): Promise<void>;
	/**
	 * Carries out one action and returns a message about it. Stops when the signal is aborted. Calls
	 * `outputBegins` once nothing that ran before the action can print any more: later console output
	 * belongs to the action. Calls `onProgress` with each percentage that a flash tool prints.
	 */
	perform(
		work: BoardWork,
		signal: AbortSignal,
		outputBegins?: () => void,
		onProgress?: (percent: number) => void,
	): Promise<string>;
	/**
	 * Resolves once the board has taken this console input; sends nothing if `signal` is aborted. From
	 * the moment on that `hurry` is aborted, input that the board does not take is lost.
	 */
	write(bytes: Uint8Array, signal?: AbortSignal, hurry?: AbortSignal): Promise<void>;
	/** Releases the board: stops the firmware or the console, and switches the power off if possible. */
	close(): Promise<void>;
	/**
	 * Removes what a lease has left on the closed board, before it is opened for the next. Rejects if that
	 * failed; may be repeated.
	 */
	clear(): Promise<void>;
	/** Tests the board and returns what works. Throws an error for what does not. */
	check(): Promise<string>;
}

/** Text of the agent within the output of a board. */
export function notice(text: string): Uint8Array {
	return new TextEncoder().encode(`\r\n[… ${text} …]\r\n`);
}

// A board as the agent drives it, real or emulated.
import type { betweenLeases, boardActions, boardPins } from 'board-access-contract';
import type { FlashMemory } from 'board-access-contract/firmware';
import type * as z from 'zod/mini';
import type { DrivenPins, PinSample } from '../emulators/pins.ts';

export type BoardAction = (typeof boardActions)[number];

export type BoardWork =
	| { readonly action: 'flash'; readonly bytes: Uint8Array; readonly offset: number }
	| { readonly action: Exclude<BoardAction, 'flash'> };

export interface ConsoleEvents {
	output(bytes: Uint8Array): void;
	lost(reason: string): void;
	connected(): void;
}

/** The pins of an emulated board. */
export interface HardwarePins extends z.output<typeof boardPins> {
	/** Undefined while the board is not open. See `ChipPins`. */
	sample(): Promise<PinSample | undefined>;
	rest(): void;
	drive(pins: DrivenPins): void;
}

export interface Hardware {
	readonly actions: readonly BoardAction[];
	readonly hasConsole: boolean;
	/** What `clear` does. */
	readonly betweenLeases: (typeof betweenLeases)[number];
	readonly memory?: FlashMemory | undefined;
	readonly pins?: HardwarePins | undefined;
	/** The address of the camera. */
	readonly camera?: string | undefined;
	/** Opens the board for a lease. */
	open(events: ConsoleEvents): Promise<void>;
	/** Carries out an action and returns a message about it. Calls `outputBegins` when its console output begins. */
	perform(
		work: BoardWork,
		signal: AbortSignal,
		outputBegins?: () => void,
		onProgress?: (percent: number) => void,
	): Promise<string>;
	/** Resolves once the board has read the input. What it has not read when `hurry` is aborted is lost. */
	write(bytes: Uint8Array, signal?: AbortSignal, hurry?: AbortSignal): Promise<void>;
	/** Releases the board: stops the firmware or the console, and switches the power off if possible. */
	close(): Promise<void>;
	/** Removes what a lease has left on the closed board. May be retried. */
	clear(): Promise<void>;
	/** Returns what works, or throws an error for what does not. */
	check(): Promise<string>;
}

/** A message of the agent in the output of a board. */
export function notice(text: string): Uint8Array {
	return new TextEncoder().encode(`\r\n[… ${text} …]\r\n`);
}

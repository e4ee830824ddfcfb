// A board as the agent drives it, real or emulated.
import type {
	betweenLeases,
	boardActions,
	boardPins,
	LineSettings,
	LineState,
} from 'board-access-contract';
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
	/** The control lines have changed. */
	line?(state: LineState): void;
}

/** The pins of an emulated board. */
export interface HardwarePins extends z.output<typeof boardPins> {
	/** Undefined while the board is not open. See `ChipPins`. */
	sample(): Promise<PinSample | undefined>;
	rest(): void;
	drive(pins: DrivenPins): void;
}

/** A port of a board that the tools of users reach: a serial port or a debugger. */
export interface BoardPort {
	/** Rejects if the port cannot be opened; the message is shown to the user. */
	open(events: PortEvents): Promise<OpenPort>;
}

export interface PortEvents {
	/** Resolves when there is room for more; a port that cannot be held back need not wait. */
	output(bytes: Uint8Array): Promise<void>;
	/** The settings or the control lines have changed. */
	line?(state: LineState): void;
	/** A debugger has halted the processor, or let it go on. */
	halted?(isHalted: boolean): void;
	/** The port was lost. Called at most once, and not by `close`. */
	closed(reason: string): void;
}

export interface OpenPort {
	/** Resolves once the board has taken the bytes. */
	write(bytes: Uint8Array): Promise<void>;
	/** Changes settings and control lines, and returns all of them. What the port does not have stays. */
	set?(settings: LineSettings): Promise<LineState>;
	close(): Promise<void>;
}

export interface Hardware {
	readonly actions: readonly BoardAction[];
	readonly hasConsole: boolean;
	/** What `clear` does. */
	readonly betweenLeases: (typeof betweenLeases)[number];
	readonly memory?: FlashMemory | undefined;
	readonly pins?: HardwarePins | undefined;
	/** The serial ports besides that of the console, by name. */
	readonly ports?: ReadonlyMap<string, BoardPort> | undefined;
	/** The debugger of the board, which speaks the remote protocol of GDB. */
	readonly debug?: BoardPort | undefined;
	/** Changes settings and control lines of the port of the open console, and returns all of them. */
	setLine?(settings: LineSettings): Promise<LineState>;
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

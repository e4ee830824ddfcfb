// The line of a serial port: its settings, and how its control lines reset a board.
import type { LineSettings, LineState } from 'board-access-contract';

/** `esp`: RTS resets the board, and DTR chooses the boot loader. `arduino`: DTR resets it when it is raised. */
export const lineResets = ['esp', 'arduino', 'none'] as const;

export type LineReset = (typeof lineResets)[number];

type Lines = Pick<LineState, 'dtr' | 'rts'>;

export interface LineStep extends Lines {
	/** How long the lines stay so, in milliseconds. */
	readonly time: number;
}

const resetTime = 100;
const bootTime = 50;

/** The line after the changes. */
export function lineWith(line: LineState, { purge: _, ...settings }: LineSettings): LineState {
	const given = Object.entries(settings).filter(([, value]) => value !== undefined);
	return { ...line, ...Object.fromEntries(given) };
}

export function isRaised(before: Lines, after: Lines): boolean {
	return !before.dtr && after.dtr;
}

/** What a port does when a tool changes its lines. A reset has a time of its own, as a network is slow and uneven. */
export function lineSteps(reset: LineReset, before: Lines, after: Lines): readonly LineStep[] {
	const last = { dtr: after.dtr, rts: after.rts, time: 0 };
	if (!isRaised(before, after)) return [last];
	// pyserial raises DTR, then RTS, whenever it opens a port: the board is not held in reset then.
	if (reset === 'esp' && before.rts) {
		return [
			{ dtr: false, rts: true, time: resetTime },
			{ dtr: true, rts: false, time: bootTime },
			{ dtr: false, rts: false, time: 0 },
		];
	}
	if (reset === 'arduino') return [{ dtr: false, rts: before.rts, time: resetTime }, last];
	return [last];
}

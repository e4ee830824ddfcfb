// How a serial port is set, and its control lines.
import * as z from 'zod/mini';

export const parities = ['none', 'odd', 'even', 'mark', 'space'] as const;

const settings = z.strictObject({
	baud: z.int().check(z.minimum(1), z.maximum(20_000_000)),
	data_bits: z.literal([5, 6, 7, 8]),
	parity: z.enum(parities),
	stop_bits: z.literal([1, 1.5, 2]),
	/** Lines that the computer drives. */
	dtr: z.boolean(),
	rts: z.boolean(),
	break: z.boolean(),
});

/** What a user sets; the rest stays. `purge`: drops input that is not written yet. */
export const lineSettings = z.strictObject({
	...z.partial(settings).shape,
	purge: z.optional(z.boolean()),
});

export type LineSettings = z.output<typeof lineSettings>;

/** How a port is set. */
export interface LineState extends z.output<typeof settings> {
	/** Whether it answers a change of settings. Changes have answers in their order. */
	answer?: boolean | undefined;
	/** Lines that the board drives; false where there are none. */
	cts: boolean;
	dsr: boolean;
	ri: boolean;
	cd: boolean;
	/** Whether a tool that opens the port expects that this resets the board, by DTR. */
	resets?: boolean | undefined;
}

/** An emulated port, or one whose settings are not known. */
export const usualLine: LineState = {
	baud: 115_200,
	data_bits: 8,
	parity: 'none',
	stop_bits: 1,
	dtr: true,
	rts: true,
	break: false,
	cts: false,
	dsr: false,
	ri: false,
	cd: false,
};

// What a user asks for to open a channel, and gets.
import * as z from 'zod/mini';

/** `serial`: a serial port. `debug`: the remote protocol of GDB. */
export const channelKinds = ['serial', 'debug'] as const;

export const portNamePattern = /^[a-z][a-z0-9-]{0,19}$/;

/** The name of a serial port of a board besides that of the console. */
export const portName = z
	.string()
	.check(z.regex(portNamePattern, 'must be lower-case letters, digits and -'));

/** `port`: by default, that of the console. `channel_id`: connects this channel again. */
export const channelInput = z
	.strictObject({
		kind: z.enum(channelKinds),
		port: z.optional(portName),
		channel_id: z.optional(
			z.string().check(z.regex(/^chn_[0-9a-f]{24}$/, 'must be the ID of a channel')),
		),
	})
	.check(
		z.refine(({ kind, port }) => kind === 'serial' || port === undefined, {
			path: ['port'],
			error: 'is for serial only',
		}),
	);

/** A ticket opens one connection of the channel within 30 seconds. */
export const channelTicket = z.object({ id: z.string(), ticket: z.string() });

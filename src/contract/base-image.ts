// Base images on the wire: the ten fields of the specification, and the rules for creating one.
import * as z from 'zod/mini';

export const baseImageActions = ['flash', 'erase'] as const;

export const baseImage = z.object({
	id: z.string(),
	action: z.enum(baseImageActions),
	board_type: z.string(),
	name: z.string(),
	description: z.string(),
	url: z.string(),
	flash_offset: z.string(),
	position: z.int(),
	enabled: z.boolean(),
	created_at: z.string(),
});

const line = (most: number) =>
	z
		.string()
		.check(
			z.trim(),
			z.minLength(1, 'must not be empty'),
			z.maxLength(most, `must be at most ${most} characters long`),
			z.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
		);

const isOffset = (text: string) =>
	/^(0x[0-9a-f]{1,8}|0|[1-9]\d{0,9})$/i.test(text) && Number(text) <= 0xffff_ffff;

const isWebAddress = (text: string) => {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	return /^https?:\/\//i.test(text) && url !== undefined && url.hostname !== '';
};

export const baseImageInput = z
	.strictObject({
		action: z.enum(baseImageActions, "must be 'flash' or 'erase'"),
		board_type: line(100),
		name: line(200),
		description: z._default(
			z.string().check(z.maxLength(2000, 'must be at most 2,000 characters long')),
			'',
		),
		url: z._default(
			z.string().check(
				z.maxLength(2048, 'must be at most 2,048 characters long'),
				z.refine(
					(text) => text === '' || isWebAddress(text),
					'must be an absolute http or https address',
				),
			),
			'',
		),
		flash_offset: z._default(
			z
				.string()
				.check(
					z.refine(
						isOffset,
						'must be 0x and 1 to 8 hex digits, or a decimal without leading zeros, at most 4294967295',
					),
				),
			'0x0',
		),
		position: z.optional(
			z.int().check(z.minimum(0, 'must be 0 or more'), z.maximum(2_147_483_647)),
		),
		enabled: z._default(z.boolean(), true),
		// The server assigns these two; a record that is sent back whole is welcome.
		id: z.optional(z.unknown()),
		created_at: z.optional(z.unknown()),
	})
	.check(
		z.refine((image) => image.action === 'erase' || image.url !== '', {
			path: ['url'],
			error: "is required when action is 'flash'",
		}),
	);

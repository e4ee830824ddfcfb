// What the service takes: every rule for requests, strict, so that nothing is silently ignored.
// Apart from the records, because the client does not need it: it leaves these rules to the service.
import * as z from 'zod/mini';
import { baseImageActions, highestPosition } from './base-image.ts';
import { boardStatuses } from './board.ts';

export const listQuery = z.strictObject({
	limit: z.optional(
		z
			.string()
			.check(
				z.refine(
					(text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 200,
					'must be a whole number from 1 to 200',
				),
			),
	),
	cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
});

const label = z.string().check(
	z.trim(),
	z.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
	z.refine((text) => [...text].length <= 200, 'must be at most 200 characters long'),
);

export const apiKeyInput = z.strictObject({ label: z.optional(label) });

export const apiKeyQuery = z.extend(listQuery, {
	include_revoked: z.optional(z.enum(['true', 'false'])),
});

export const boardQuery = z.extend(listQuery, {
	board_type: z.optional(z.string()),
	status: z.optional(z.enum(boardStatuses)),
});

/** One line of text that says something. */
export const line = (most: number) =>
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

// A host without a user name, and no character that URL would take out or read as another.
const webAddress = /^https?:\/\/[^\s\p{Cc}/\\?#@]+([/?#][^\s\p{Cc}]*)?$/iu;

const isWebAddress = (text: string) => webAddress.test(text) && URL.canParse(text);

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
					'must be an absolute http or https address, without white space or a user name',
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
			z.int().check(z.minimum(0, 'must be 0 or more'), z.maximum(highestPosition)),
		),
		enabled: z._default(z.boolean(), true),
		// The server assigns these two; a record that is sent back whole is welcome.
		id: z.optional(z.unknown()),
		created_at: z.optional(z.unknown()),
	})
	.check(
		z.refine((image) => image.action !== 'flash' || image.url !== '', {
			path: ['url'],
			error: "is required when action is 'flash'",
			// Told together with the other faults, not only once those are mended.
			when: ({ value }) => typeof value === 'object' && value !== null,
		}),
	);

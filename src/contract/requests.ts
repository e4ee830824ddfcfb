// What the service accepts: every rule for requests, strict, so that nothing is silently ignored.
// Apart from the records, because the client does not need it: it leaves these rules to the service.
import * as z from 'zod/mini';
import { activityKinds } from './activity.ts';
import { maxBoards } from './agent.ts';
import { apiKeyScopes } from './api-key.ts';
import { baseImageActions, maxPosition } from './base-image.ts';
import { boardStatuses } from './board.ts';
import { isOffset, offsetRule } from './firmware/format.ts';
import { boardActions, leaseStatuses, rolePattern, roleRule, shareAccess } from './lease.ts';

/** `true` or `false` in a query string. */
export const flag = z.optional(z.enum(['true', 'false']));

/** For how many seconds a request waits for a change. */
export const wait = z.optional(wholeNumber(0, 60));

export const listQuery = z.strictObject({
	limit: z.optional(wholeNumber(1, 200)),
	cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
});

const label = z.string().check(
	z.trim(),
	z.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
	z.refine((text) => [...text].length <= 200, 'must be at most 200 characters long'),
);

const timestamp = z.iso.datetime({
	offset: true,
	error: 'must be a time such as 2027-01-31T00:00:00Z',
	abort: true,
});

/** Credits that leases may cost. */
const wholeCredits = z.int('must be a whole number').check(z.minimum(1), z.maximum(1e9));

export const apiKeyInput = z.strictObject({
	label: z.optional(label),
	expires_at: z.optional(
		z.nullable(
			timestamp.check(
				z.refine((text) => Date.parse(text) > Date.now(), 'must be a time in the future'),
				z.refine(
					(text) => Date.parse(text) < Date.parse('+010000-01-01T00:00:00Z'),
					'must be at most 9999-12-31T23:59:59Z; use null for a key that never expires',
				),
			),
		),
	),
	scope: z.optional(z.enum(apiKeyScopes)),
	credit_limit: z.optional(z.nullable(wholeCredits)),
});

/** `created`: revokes the keys that this key created, too. */
export const apiKeyRevocation = z.strictObject({ created: flag });

export const apiKeyQuery = z.extend(listQuery, { include_revoked: flag });

/** Entries about an account or made by it, and of one kind. */
export const activityQuery = z.extend(listQuery, {
	account_id: z.optional(z.string()),
	kind: z.optional(z.enum(activityKinds)),
});

/** One line of text that is not blank. */
export function line(most: number) {
	return z
		.string()
		.check(
			z.trim(),
			z.minLength(1, 'must not be empty'),
			z.maxLength(most, `must be at most ${most} characters long`),
			z.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
		);
}

/** Where in the flash an image begins, in hexadecimal or decimal. */
export const flashOffset = z.string().check(z.refine(isOffset, offsetRule));

// A host without a user name, and no character that URL would take out or read as another.
const webAddress = /^https?:\/\/[^\s\p{Cc}/\\?#@]+([/?#][^\s\p{Cc}]*)?$/iu;

function isWebAddress(text: string) {
	return webAddress.test(text) && URL.canParse(text);
}

/** The error for what is wrong with an object, reported with the errors of its fields, not only once those are fixed. */
function about(field: string, error: string) {
	const when = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;
	return { path: [field], error, when };
}

const baseImageFields = {
	action: z.enum(baseImageActions, "must be 'flash' or 'erase'"),
	board_type: line(100),
	name: line(200),
	description: z.string().check(z.maxLength(2000, 'must be at most 2,000 characters long')),
	url: z.string().check(
		z.maxLength(2048, 'must be at most 2,048 characters long'),
		z.refine(
			(text) => text === '' || isWebAddress(text),
			'must be an absolute http or https address, without white space or a user name',
		),
		z.refine((text) => !/#sha256=/i.test(text), 'must not end with a checksum; set sha256 instead'),
	),
	flash_offset: flashOffset,
	position: z.int().check(z.minimum(0, 'must be 0 or more'), z.maximum(maxPosition)),
	enabled: z.boolean(),
	sha256: z
		.string()
		.check(z.regex(/^([0-9a-f]{64})?$/i, 'must be 64 hexadecimal digits'), z.toLowerCase()),
};

// The service assigns these two, and ignores them in a record that is sent back whole.
const assigned = { id: z.optional(z.unknown()), created_at: z.optional(z.unknown()) };

const newBaseImage = {
	...baseImageFields,
	description: z._default(baseImageFields.description, ''),
	url: z._default(baseImageFields.url, ''),
	flash_offset: z._default(baseImageFields.flash_offset, '0x0'),
	position: z.optional(baseImageFields.position),
	enabled: z._default(baseImageFields.enabled, true),
	sha256: z.optional(baseImageFields.sha256),
	...assigned,
};

function imageInput<BoardType extends z.ZodMiniType>(board_type: BoardType) {
	return z.strictObject({ ...newBaseImage, board_type }).check(
		z.refine(
			({ action, url }) => action !== 'flash' || url !== '',
			about('url', "is required when action is 'flash'"),
		),
		// Over http, anybody on the way can replace the image.
		z.refine(
			({ action, url, sha256 }) => action !== 'flash' || !/^http:/i.test(url) || Boolean(sha256),
			about(
				'sha256',
				'is required for an http address: the SHA-256 of the image, or use an https address',
			),
		),
		// An erase takes no image, so one that has its fields is a mistake.
		z.refine(
			({ action, url, flash_offset, sha256 }) =>
				action !== 'erase' || (!url && !sha256 && Number(flash_offset) === 0),
			about('action', "must be 'flash' for url, flash_offset and sha256"),
		),
	);
}

export const baseImageInput = imageInput(newBaseImage.board_type);

/** The fields of a base image to change; the others stay as they are. */
export const baseImageUpdate = z.partial(z.strictObject({ ...baseImageFields, ...assigned }));

/** All base images of a board type, in order, for `PUT /v1/admin/base-images`. */
export const baseImageSet = z.strictObject({
	board_type: line(100),
	images: z.array(imageInput(z.optional(line(100)))).check(z.maxLength(200)),
	/** Shows what would change, and changes nothing. */
	dry_run: z._default(z.boolean(), false),
});

const text = z
	.string()
	.check(z.refine((given) => !given.includes('\0'), 'must not contain a NUL character'));

/** A check before the schema that follows in a pipe, and that alone is documented. */
function checkFirst(isValid: (value: unknown) => boolean, message: string) {
	return z.transform((input, { issues }) => {
		if (!isValid(input)) issues.push({ code: 'custom', message, input });
		return input;
	});
}

/** Checks the names of a record. Its schema drops one of them without an error, and so would an object. */
function checkNames({ least = 0, most = Number.POSITIVE_INFINITY }, message: string) {
	return checkFirst((record) => {
		const names = Object.keys(Object(record));
		return names.length >= least && names.length <= most && !names.includes('__proto__');
	}, message);
}

const namedTags = checkNames({}, 'must not contain a tag named __proto__');

const boardFields = {
	name: line(200),
	board_type: line(100),
	status: z.enum(boardStatuses),
	description: text.check(z.maxLength(2000, 'must be at most 2,000 characters long')),
	tags: z.pipe(namedTags, z.record(text, text)),
	credits_per_minute: z
		.int()
		.check(z.minimum(0, 'must be 0 or more'), z.maximum(1_000_000, 'must be at most 1,000,000')),
};

export const boardInput = z.strictObject({
	...boardFields,
	status: z._default(boardFields.status, 'available'),
	description: z._default(boardFields.description, ''),
	tags: z._default(boardFields.tags, {}),
	credits_per_minute: z._default(boardFields.credits_per_minute, 0),
});

/** A board to import, new or known: by its id or, without one, by its name and type. */
export const importedBoard = z.strictObject({
	...boardInput.shape,
	id: z.optional(
		z.string().check(z.regex(/^brd_[\w-]{1,60}$/, 'must be brd_ and letters, digits, _ or -')),
	),
	status_reason: z._default(boardFields.description.check(z.maxLength(500)), ''),
	// In CSV, numbers are text.
	credits_per_minute: z.optional(
		z.pipe(
			z.union([z.int(), z.string().check(z.regex(/^\d{1,7}$/))], 'must be a whole number'),
			z.pipe(z.coerce.number<number | string>(), boardFields.credits_per_minute),
		),
	),
	// A returned record can be sent back; the service sets these fields itself.
	lease_id: z.optional(z.unknown()),
	has_agent: z.optional(z.unknown()),
	memory: z.optional(z.unknown()),
	keeps_firmware: z.optional(z.unknown()),
	created_at: z.optional(z.string()),
	updated_at: z.optional(z.string()),
});

/** The boards that one request imports. More would occupy the service for seconds. */
export const maxImported = 2_000;

// Reading very many boards takes seconds, too.
const notTooMany = checkFirst(
	(boards) => !Array.isArray(boards) || boards.length <= maxImported,
	`must be at most ${maxImported} boards`,
);

/** Boards, or the text of a file that was exported, in JSON or CSV. */
export const boardImport = z.strictObject({
	boards: z.pipe(notTooMany, z.union([z.array(importedBoard), z.string()])),
});

/** Which fields of a board change; the others stay. */
export const boardUpdate = z.partial(z.strictObject(boardFields));

/** A whole number in a query string. */
function wholeNumber(least: number, most: number) {
	return z
		.string()
		.check(
			z.refine(
				(text) => /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most,
				`must be a whole number from ${least} to ${most}`,
			),
		);
}

const minutes = z.int().check(z.minimum(1), z.maximum(1440));

const fewTags = checkNames({ most: 20 }, 'must be at most 20 tags, none of them named __proto__');

const wantedBoard = {
	board_type: z.optional(line(100)),
	board_id: z.optional(line(100)),
	/** What all its tags must include; null for any value. */
	tags: z._default(z.pipe(fewTags, z.record(text, z.nullable(text))), {}),
	/** Whether the lease needs a board with an agent: others can be leased, but not flashed. */
	requires_agent: z._default(z.boolean(), false),
};

const leaseTerms = {
	minutes: z._default(minutes, 10),
	wait_seconds: z._default(z.int().check(z.minimum(0), z.maximum(86_400)), 0),
	label: z.optional(label),
	/** Whether the lease ends unless it is renewed within `minutes` while it waits for its board, too. */
	heartbeat: z._default(z.boolean(), false),
};

const oneOfBoth = z.refine<{ board_type?: unknown; board_id?: unknown }>(
	(wanted) => (wanted.board_type === undefined) !== (wanted.board_id === undefined),
	about('board_type', 'is required unless board_id is given; send only one of them'),
);

export const leaseInput = z.strictObject({ ...wantedBoard, ...leaseTerms }).check(oneOfBoth);

const role = z.string().check(z.regex(rolePattern, roleRule));

/** Boards by their roles, granted together or not at all. */
export const leaseGroupInput = z.strictObject({
	boards: z.pipe(
		checkNames({ least: 1, most: 20 }, 'must name 1 to 20 boards by their roles'),
		z.record(role, z.strictObject(wantedBoard).check(oneOfBoth)),
	),
	/** A tag for which all boards must have the same value. */
	same_tag: z.optional(line(100)),
	...leaseTerms,
});

/** Leases with one of the statuses. */
export const leaseListQuery = z.extend(listQuery, {
	status: z.optional(
		z.array(z.enum(leaseStatuses)).check(z.maxLength(4, 'must be given at most 4 times')),
	),
});

/** Waits until the lease has another status than the given one. */
export const leaseQuery = z.strictObject({ wait, status: z.optional(z.enum(leaseStatuses)) });

export const leaseRenewal = z.strictObject({ minutes });

// The service checks that it is an address.
export const leaseShareInput = z.strictObject({ email: z.string(), access: z.enum(shareAccess) });

export const leaseShareRemoval = z.pick(leaseShareInput, { email: true });

export const leaseActionInput = z
	.strictObject({
		action: z.enum(boardActions),
		/** What is flashed, for example the name of the file. */
		name: z.optional(line(200)),
		file_id: z.optional(line(100)),
		flash_offset: z.optional(flashOffset),
	})
	.check(
		z.refine(
			(wanted) => (wanted.action === 'flash') === (wanted.file_id !== undefined),
			about('file_id', 'is required for flash, and must be omitted otherwise'),
		),
		z.refine(
			({ action, name }) => action === 'flash' || name === undefined,
			about('name', 'is for flash only'),
		),
	);

/** Where bytes of a console are, in a query string. */
export const consoleOffset = z.string().check(z.regex(/^\d{1,12}$/, 'must be a whole number'));

export const consoleQuery = z.strictObject({ from: z.optional(consoleOffset) });

/** The most bytes of console input in one request. */
export const maxConsoleInput = 4 * 1024;

const agentBoards = z.array(line(100)).check(maxBoards);

export const agentInput = z.strictObject({
	name: line(200),
	board_ids: z._default(agentBoards, []),
});

export const agentUpdate = z.partial(z.strictObject({ name: line(200), board_ids: agentBoards }));

export const maintenanceInput = z.strictObject({
	on: z._default(z.boolean(), true),
	reason: z._default(z.string().check(z.maxLength(500)), ''),
});

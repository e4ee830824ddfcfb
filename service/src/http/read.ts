// Reads and validates requests; an error lists the problems.
import { redact } from 'board-access-contract';
import { ApiError, invalid, printableName, validate } from 'board-access-core';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { confirmedAfter } from './confirm.ts';
import type { ServiceContext } from './environment.ts';

const maxBodyBytes = 64 * 1024;

/** The identifiers in the path, by name. */
export function readIds(c: Context): Record<string, string> {
	const ids = c.req.param() as Record<string, string>; // The type of the context does not know the path.
	if (Object.values(ids).every((id) => redact(id) === id)) return ids;
	const message = 'The path contains an API key or a token. Use its id instead.';
	throw new ApiError('secret_in_path', message, {
		hint: 'Addresses are often logged. Revoke the key or the agent by its id.',
	});
}

/** The one identifier in the path. */
export function readId(c: Context) {
	return readIds(c).id ?? '';
}

/** The query string as the schema describes it. */
export function readQuery<Schema extends z.ZodMiniObject>(c: Context, schema: Schema) {
	return validate(schema, readParameters(c, schema));
}

/** The parameters of the query string. Only a name of a list may be repeated. */
export function readParameters(c: Context, schema: z.ZodMiniObject) {
	// In one pass: looking up each name would take time that grows with the square of their number.
	const values = new Map<string, string | string[]>();
	for (const [name, value] of new URL(c.req.url).searchParams) {
		// Assigned to an object, this name would not become a field.
		if (name === '__proto__') throw invalid([{ path: name, message: 'is not a known name' }]);
		const before = values.get(name);
		if (Array.isArray(before)) before.push(value);
		else if (before === undefined) values.set(name, isList(schema.shape[name]) ? [value] : value);
		else throw invalid([{ path: printableName(name), message: 'must be given once' }]);
	}
	return Object.fromEntries(values);
}

function isList(schema: z.core.$ZodType | undefined): boolean {
	return schema instanceof z.ZodMiniOptional
		? isList(schema.def.innerType)
		: schema instanceof z.ZodMiniArray;
}

/** The JSON body as the schema describes it. */
export async function readBody<Schema extends z.ZodMiniType>(
	c: ServiceContext,
	schema: Schema,
	options: { max?: number } = {},
): Promise<z.output<Schema>> {
	return validate(schema, await readJson(c, options));
}

/** The JSON body. With `emptyAs`, no body at all counts as that. */
export async function readJson(
	c: ServiceContext,
	{ emptyAs, max }: { emptyAs?: unknown; max?: number | undefined } = {},
): Promise<unknown> {
	const bytes = await readConfirmed(c, max);
	if (bytes.length === 0 && emptyAs !== undefined) return emptyAs;
	requireType(c, 'application/json');
	return parseJson(bytes);
}

/** The raw bytes of a body that is not JSON. */
export async function readRaw(c: ServiceContext, max: number): Promise<Buffer> {
	const octets = 'application/octet-stream';
	requireType(c, octets, octets);
	return readConfirmed(c, max);
}

/**
 * The whole body of a request. Somebody with a leaked credential could send the end of it minutes after
 * the credential was revoked, so a body that took time to arrive is authenticated again.
 */
export function readConfirmed(c: ServiceContext, max?: number): Promise<Buffer<ArrayBuffer>> {
	return confirmedAfter(c, () => readBytes(c.req.raw, max));
}

/**
 * The whole body, rejected if it is larger than 64 KiB or another bound. One that is not far larger
 * is read to its end first: a client or proxy that is still sending often misses the response.
 */
export async function readBytes(
	request: Request,
	max = maxBodyBytes,
): Promise<Buffer<ArrayBuffer>> {
	const maxDrained = 2 * max + 1024 * 1024;
	const length = Number(request.headers.get('content-length') ?? Number.NaN);
	if (length > maxDrained) throw tooLarge(max);
	// Most bodies are short, and a stream would cost more than all else that is done with them.
	if (length <= max) return Buffer.from(await request.arrayBuffer().catch(incomplete));
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of request.body ?? []) {
			size += chunk.length;
			if (size <= max) chunks.push(chunk);
			else chunks.splice(0);
			if (size > maxDrained) break;
		}
	} catch {
		incomplete();
	}
	if (size > max) throw tooLarge(max);
	return Buffer.concat(chunks);
}

/** The caller has disconnected. This error is never read, and it is not an internal one. */
function incomplete(): never {
	throw new ApiError('invalid_json', 'The request body is incomplete.');
}

function tooLarge(max: number) {
	return new ApiError('body_too_large', `The request body is larger than ${sizeOf(max)}.`, {
		headers: { connection: 'close' },
	});
}

function sizeOf(bytes: number) {
	const kibibytes = bytes / 1024;
	return kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
}

function requireType(c: ServiceContext, wanted: string, usual = '') {
	const [type = ''] = (c.req.header('content-type') ?? usual).split(';');
	if (type.trimEnd().toLowerCase() === wanted) return;
	throw new ApiError('unsupported_media_type', `The request body must be ${wanted}.`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): unknown {
	try {
		return JSON.parse(utf8.decode(bytes));
	} catch {
		throw new ApiError('invalid_json', 'The request body is not valid JSON.');
	}
}

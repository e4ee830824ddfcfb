// What a tool for coding agents is: its schemas, and the work that it does for one call.
import type {
	ServerContext,
	StandardSchemaWithJSON,
	ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { AnyLease, BoardAccess } from 'board-access';
import * as z from 'zod/mini';

/** What the work of a tool gets besides its input. */
export interface Call {
	client: BoardAccess;
	/** Aborted when the call is cancelled. */
	signal: AbortSignal;
	/** Tells the caller what happens meanwhile. */
	progress(message: string): void;
	/** Keeps a lease for the calls that follow. */
	hold(leases: readonly AnyLease[]): void;
}

type Fields = z.ZodMiniObject;

interface Described {
	name: string;
	description: string;
	hints: ToolAnnotations;
}

export interface Tool extends Described {
	input: StandardSchemaWithJSON;
	output: StandardSchemaWithJSON;
	run(input: unknown, call: Call): Promise<Record<string, unknown>>;
}

interface Definition<In extends Fields, Out extends Fields> extends Described {
	input: In;
	output: Out;
	run(input: z.output<In>, call: Call): Promise<z.input<Out>>;
}

/** The input has been checked before a tool runs. */
export function tool<In extends Fields, Out extends Fields>(definition: Definition<In, Out>): Tool {
	const { input, output, run } = definition;
	const schemas = { input: compact(input, 'input'), output: compact(output, 'output') };
	return { ...definition, ...schemas, run: run as Tool['run'] };
}

/** It changes nothing. */
export const reads: ToolAnnotations = { readOnlyHint: true };

/** What was on the board is lost. */
export const destroys: ToolAnnotations = { destructiveHint: true };

export const changes: ToolAnnotations = { destructiveHint: false };

/** A call that breaks one of these rules is told so by its error. */
const omitted = [
	'additionalProperties',
	'propertyNames',
	'pattern',
	'minItems',
	'maxItems',
	'maxLength',
	'minimum',
	'maximum',
	'exclusiveMinimum',
] as const;

/** A schema with what models need to know of it: they read it with every request. */
function compact(schema: Fields, io: 'input' | 'output'): StandardSchemaWithJSON {
	const { $schema: _, ...json } = z.toJSONSchema(schema, {
		io,
		override: ({ jsonSchema }) => {
			for (const word of omitted) delete jsonSchema[word];
			if (io === 'output') delete jsonSchema.required;
		},
	});
	// Made once, because every session lists them.
	const jsonSchema = { input: () => json, output: () => json };
	return { '~standard': { ...schema['~standard'], jsonSchema } } as StandardSchemaWithJSON;
}

/** Tells a caller that has asked for it what happens, in the order in which it happens. */
export function progressOf({ mcpReq }: ServerContext): Call['progress'] {
	const progressToken = mcpReq._meta?.progressToken;
	let progress = 0;
	let last = '';
	return (message) => {
		if (progressToken === undefined || message === last) return;
		last = message;
		const params = { progressToken, progress: ++progress, message };
		// The caller may have left.
		mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
	};
}

/** What tools call the options that errors name. */
const otherNames = { waitMs: 'wait_seconds', durationMs: 'minutes', 'raw: true': 'raw_offset' };

/** Names options as tools do. */
export function inToolWords(text: string) {
	return Object.entries(otherNames).reduce((result, names) => result.replaceAll(...names), text);
}

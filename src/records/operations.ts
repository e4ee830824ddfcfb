// What the client sends, compared with the operations of the API when it is compiled. Only types: the client bundles no
// operation.
import type * as z from 'zod/mini';
import type { CamelCase } from '../contract/names.ts';
import type { OperationName, Operations } from '../contract/operations/index.ts';

type InputOf<Name extends OperationName> = Operations[Name] extends { input: z.ZodMiniType }
	? z.input<Operations[Name]['input']>
	: never;

/** One rule for each field of a body, except for those that the service assigns. */
export type InputFields<Name extends OperationName> = Record<
	Exclude<CamelCase<keyof InputOf<Name>>, 'id' | 'createdAt'>,
	unknown
>;

/** The address of an operation. */
export type Address = Operations[OperationName]['route'] extends infer Route
	? Route extends `${string} ${infer Path}`
		? Path
		: never
	: never;

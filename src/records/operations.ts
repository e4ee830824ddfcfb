// The operations of the API as the compiler knows them. Only types: the client bundles no operation.
import type * as z from 'zod/mini';
import type { CamelCase } from '../contract/names.ts';
import type { IdName, OperationName, Operations } from '../contract/operations/index.ts';

type Operation = Operations[OperationName];

/** The method and the path of an operation, such as `GET /v1/boards/{id}`. */
export type Route = Operation['route'];

/** Routes whose response is a page of a list. */
export type ListRoute = Extract<Operation, { paged: true }>['route'];

type OperationAt<R extends Route> = Extract<Operation, { route: R }>;

/** What the path of a route needs. */
export type Ids<R extends Route> = [IdName<R>] extends [never]
	? { ids?: undefined }
	: { ids: Readonly<Record<IdName<R>, string>> };

/** The names of a query or a body. */
export type NameIn<R extends Route, Part extends 'query' | 'input'> =
	OperationAt<R> extends Record<Part, z.ZodMiniType> ? keyof z.input<OperationAt<R>[Part]> : never;

/** The record that the service sends, or that each item of its page is. */
export type RecordAt<R extends Route> =
	OperationAt<R> extends { output: z.ZodMiniType } ? z.output<OperationAt<R>['output']> : unknown;

/** One rule for each field of a body, except for those that the service assigns. */
export type InputFields<R extends Route> = Readonly<
	Record<Exclude<CamelCase<NameIn<R, 'input'>>, 'id' | 'createdAt'>, z.ZodMiniType>
>;

type FilterName<Name> = Name extends 'tag' ? 'tags' : CamelCase<Name>;

/** One rule for each filter of a list. */
export type Filters<R extends ListRoute> = Readonly<
	Record<FilterName<Exclude<NameIn<R, 'query'>, 'limit' | 'cursor' | 'wait'>>, z.ZodMiniType>
>;

// The one gate: whoever asks for an operation, by HTTP or on a page, has their rights and their request checked here.
import {
	type IdName,
	isConfirmed,
	isForAdmins,
	isForBoards,
	type Operation,
	type OperationName,
	type Operations,
	operations,
} from 'board-access-contract/operations';
import type * as z from 'zod/mini';
import { requireConfirmation } from './accounts/sessions/sessions.ts';
import type { Claim, Outcome } from './claims.ts';
import type { Caller, Core } from './core.ts';
import { ApiError } from './errors.ts';
import { noQuery, validate } from './validation.ts';

/** What somebody has sent, before it is checked. */
export interface Unchecked {
	ids?: Record<string, string>;
	query?: unknown;
	input?: unknown;
	/** Makes the claim from the checked input; a change with a claim happens once. */
	claimFor?: (input: unknown) => Claim | undefined;
}

type OutputOf<Given, Key extends string> =
	Given extends Record<Key, z.ZodMiniType> ? z.output<Given[Key]> : undefined;

/** The parts that the operation takes, each checked. */
export type RequestOf<Name extends OperationName> = {
	ids: Record<IdName<Operations[Name]['route']>, string>;
	query: OutputOf<Operations[Name], 'query'>;
	input: OutputOf<Operations[Name], 'input'>;
	claim: Claim | undefined;
};

/** The record of the response, or a page of them. */
type ResultOf<Name extends OperationName> = Operations[Name] extends { paged: true }
	? { data: OutputOf<Operations[Name], 'output'>[]; next_cursor: string | null }
	: Operations[Name] extends { output: z.ZodMiniType }
		? OutputOf<Operations[Name], 'output'>
		: unknown;

/** What carries out an operation; one that is repeatable also says whether it has been carried out before. */
export type Command<Name extends OperationName> = (
	core: Core,
	caller: Caller,
	request: RequestOf<Name>,
) => Promise<
	Operations[Name] extends { repeatable: true } ? Outcome<ResultOf<Name>> : ResultOf<Name>
>;

/** Checks the rights of the caller, then reads and checks what was sent. */
export async function accept<Name extends OperationName>(
	caller: Caller,
	name: Name,
	read: () => Unchecked | Promise<Unchecked>,
): Promise<RequestOf<Name>> {
	const operation: Operation = operations[name];
	authorize(caller, operation);
	const { ids = {}, query, input, claimFor } = await read();
	const checked = {
		ids,
		query: validate(operation.query ?? noQuery, query ?? {}),
		input: operation.input && validate(operation.input, input),
	};
	// The schemas are those of the operation.
	return { ...checked, claim: claimFor?.(checked.input) } as RequestOf<Name>;
}

/** What a caller may do to one lease, its command decides. */
function authorize(caller: Caller, operation: Operation) {
	if (caller.scope === 'boards' && !isForBoards(operation)) {
		const message = 'This API key is for boards and leases only, but not for sharing them.';
		throw new ApiError('scope_insufficient', message, { hint: 'Use a key with the scope full.' });
	}
	if (isForAdmins(operation)) requireAdmin(caller);
	if (isConfirmed(operation)) requireConfirmation(caller);
}

export function requireAdmin({ isAdmin }: Caller) {
	if (!isAdmin) throw new ApiError('admin_required', 'Only administrators can do this.');
}

// Serves the operations of the API: reads what the operation takes, and nothing else, and sends what it returns.
import {
	methodOf,
	type Operation,
	type OperationName,
	operations,
	pathOf,
} from 'board-access-contract/operations';
import {
	accept,
	type CommandName,
	noQuery,
	type RequestOf,
	run,
	type Unchecked,
} from 'board-access-core';
import { type AuthenticatedCaller, createAuthenticate } from 'board-access-http/authenticate';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { readIds, readJson, readParameters } from 'board-access-http/read';
import { respond, respondEmpty, respondOnce } from 'board-access-http/respond';
import type { Services } from '../services.ts';

/** What responds to an operation that waits for a change, streams or takes turns. */
type Answer<Name extends OperationName> = (
	c: ServiceContext,
	caller: AuthenticatedCaller,
	request: RequestOf<Name>,
) => Promise<Response>;

/** The responses to all operations that have no command. */
export type Answers = { [Name in Exclude<OperationName, CommandName>]: Answer<Name> };

export function serveOperations(app: ServiceApp, services: Services, answers: Answers) {
	const authenticate = createAuthenticate(services);
	for (const name of Object.keys(operations) as OperationName[]) {
		const operation: Operation = operations[name];
		app.on(methodOf(operation), pathOf(operation).replace(/\{(\w+)\}/g, ':$1'), async (c) => {
			const caller = await authenticate(c, !operation.isConsoleInput);
			if (operation.isConsoleInput) await services.limits.consoleInput(caller.accountId);
			const read = () => readSent(c, caller, operation);
			if (!isCommand(name, answers)) {
				// It takes the request of its own operation, which TypeScript cannot follow over the table.
				const answer = answers[name] as Answer<OperationName>;
				return answer(c, caller, await accept(caller, name, read));
			}
			const result: unknown = await run(services, caller, name, read);
			if (operation.output === undefined) return respondEmpty(c);
			const { status = 200, repeatable } = operation;
			// A repeatable command says whether it has been carried out before.
			return repeatable
				? respondOnce(c, result as { result: unknown; replayed: boolean }, status)
				: respond(c, result, { status });
		});
	}
}

function isCommand(name: OperationName, answers: Answers): name is CommandName {
	return !Object.hasOwn(answers, name);
}

async function readSent(
	c: ServiceContext,
	{ accountId }: AuthenticatedCaller,
	{ query = noQuery, input, inputOptional, maxBytes, repeatable }: Operation,
): Promise<Unchecked> {
	const sent = { ids: readIds(c), query: readParameters(c, query) };
	if (input === undefined) return sent;
	const body = { max: maxBytes, ...(inputOptional && { emptyAs: {} }) };
	const claimFor = (input: unknown) => claimOf(c, { accountId, input });
	return { ...sent, input: await readJson(c, body), ...(repeatable && { claimFor }) };
}

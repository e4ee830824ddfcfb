// Ends a search that takes too long: on what firmware prints, a regular expression can take forever.

import { fieldsOf } from '../../records/json.ts';

/** In milliseconds. Other work of the program waits for so long at most. */
const longestSearch = 1_000;

type Search<Found> = () => Found | undefined;

/** What was found; `isStopped` if the search was stopped before it ended. */
export function searchInTime<Found>(search: Search<Found>): {
	found?: Found | undefined;
	isStopped?: true;
} {
	run ??= createRunner();
	try {
		return { found: run(search) };
	} catch (error) {
		if (fieldsOf(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
		return { isStopped: true };
	}
}

let run: (<Found>(search: Search<Found>) => Found | undefined) | undefined;

/** Node.js can stop a script, and all that it calls. In browsers and workers, nothing stops a search. */
function createRunner(): NonNullable<typeof run> {
	try {
		const { createContext, Script } = globalThis.process.getBuiltinModule('node:vm');
		const context = createContext({ search: undefined });
		const script = new Script('search()');
		return (search) =>
			script.runInContext(Object.assign(context, { search }), { timeout: longestSearch });
	} catch {
		return (search) => search();
	}
}

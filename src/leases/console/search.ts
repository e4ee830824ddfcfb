// Ends a search that takes too long: on what firmware prints, a regular expression can take forever.

import { fieldsOf } from '../../records/json.ts';

/** In milliseconds. Other work of the program waits for so long at most. */
const maxSearch = 1_000;

type Search<Found> = () => Found | undefined;

/** What was found, unless the search was stopped before it ended. */
export function searchInTime<Found>(search: Search<Found>): {
	found?: Found | undefined;
	searchStopped?: true;
} {
	run ??= createRunner();
	try {
		return { found: run(search) };
	} catch (error) {
		if (fieldsOf(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
		return { searchStopped: true };
	}
}

let run: ReturnType<typeof createRunner> | undefined;

/** Node.js can stop a script, and all that it calls. In browsers and workers, nothing stops a search. */
function createRunner(): <Found>(search: Search<Found>) => Found | undefined {
	try {
		const { createContext, Script } = globalThis.process.getBuiltinModule('node:vm');
		const context = createContext({ search: undefined });
		const script = new Script('search()');
		return (search) =>
			script.runInContext(Object.assign(context, { search }), { timeout: maxSearch });
	} catch {
		return (search) => search();
	}
}

// Stops a regular expression that takes too long.
import { fieldsOf } from '../../records/json.ts';

/** In milliseconds. Nothing else in the program runs meanwhile. */
const maxSearch = 1_000;

type Search<Found> = () => Found | undefined;

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

/** Node.js can stop a script and all that it calls. In browsers and Workers, nothing can. */
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

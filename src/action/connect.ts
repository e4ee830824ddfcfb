// Creates the client of a step. The key is masked before anything else happens.
import { BoardAccess, readApiKey, readBaseUrl } from 'board-access';
import { whyNoKey } from './missing-key.ts';
import type { Runner } from './runner.ts';

export type Fetch = typeof globalThis.fetch;

export function connect(runner: Runner, fetch: Fetch | undefined) {
	const key = find(runner, 'api-key', 'SERVICE_API_KEY');
	runner.mask(key.text);
	if (key.text.trim() === '') throw new Error(whyNoKey(runner));
	const apiKey = readApiKey(key.text, key.source);
	runner.mask(apiKey);
	const address = find(runner, 'base-url', 'SERVICE_BASE_URL');
	if (address.text.trim() === '') throw new Error(noAddress);
	return new BoardAccess({ apiKey, baseUrl: readBaseUrl(address.text, address.source), fetch });
}

const noAddress =
	'The address from SERVICE_BASE_URL is missing\nSet the input base-url or the variable SERVICE_BASE_URL.';

/** The value of the input, or else of the variable, and its name for messages. */
function find(runner: Runner, name: string, variable: string) {
	const text = runner.input(name);
	return text
		? { text, source: `the input ${name}` }
		: { text: runner.variable(variable), source: variable };
}

// Makes the client for a step. The key is masked before anything else happens.
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
	return new BoardAccess({ apiKey, baseUrl: readBaseUrl(address.text, address.source), fetch });
}

/** What an input or else a variable holds, and what messages call it. */
function find(runner: Runner, name: string, variable: string) {
	const text = runner.input(name);
	return text
		? { text, source: `the input ${name}` }
		: { text: runner.variable(variable), source: variable };
}

// Makes the client for a step. The key is masked before anything else happens.
import { BoardAccess, readApiKey, readBaseUrl } from 'board-access';
import { whyNoKey } from './missing-key.ts';
import type { Runner } from './runner.ts';

export type Fetch = typeof globalThis.fetch;

export const connect = (runner: Runner, fetch: Fetch | undefined) => {
	const input = runner.input('api-key');
	const text = input || runner.variable('SERVICE_API_KEY');
	runner.mask(text);
	if (text.trim() === '') throw new Error(whyNoKey(runner));
	const apiKey = readApiKey(text, input ? 'the input api-key' : 'SERVICE_API_KEY');
	runner.mask(apiKey);
	const address = runner.input('base-url');
	const baseUrl = readBaseUrl(
		address || runner.variable('SERVICE_BASE_URL'),
		address ? 'The input base-url' : 'SERVICE_BASE_URL',
	);
	return new BoardAccess({ apiKey, baseUrl, fetch });
};

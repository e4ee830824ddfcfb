// Creates the client of a step. Masks the key first.
import { readFileSync } from 'node:fs';
import { BoardAccess, readApiKey, readBaseUrl } from 'board-access';
import type { Runner } from './runner.ts';

export type Fetch = typeof globalThis.fetch;

export function connect(runner: Runner, fetch: Fetch | undefined) {
	const key = find(runner, 'api-key', 'SERVICE_API_KEY');
	runner.mask(key.text);
	if (key.text.trim() === '') throw new Error(`No API key: ${whyNoKey(runner)}`);
	const apiKey = readApiKey(key.text, key.source);
	runner.mask(apiKey);
	const address = find(runner, 'base-url', 'SERVICE_BASE_URL');
	if (address.text.trim() === '') throw new Error(noAddress);
	return new BoardAccess({ apiKey, baseUrl: readBaseUrl(address.text, address.source), fetch });
}

const noAddress =
	'The address from SERVICE_BASE_URL is missing\nSet the input base-url or the variable SERVICE_BASE_URL.';

/** The value of the input or the variable, and its name. */
function find(runner: Runner, name: string, variable: string) {
	const text = runner.given(name);
	return text
		? { text, source: `the input ${name}` }
		: { text: runner.variable(variable), source: variable };
}

/** GitHub passes no secrets to some runs. */
function whyNoKey(runner: Runner) {
	if (isFromFork(runner)) {
		return 'this run is for a pull request from a fork, and GitHub passes no secrets to such runs. Skip the job for forks: if: github.event.pull_request.head.repo.full_name == github.repository';
	}
	if (runner.variable('GITHUB_ACTOR') === 'dependabot[bot]') {
		return 'Dependabot runs only get the Dependabot secrets.';
	}
	return 'pass the input api-key from a secret, and check that the secret exists.';
}

interface Side {
	/** Nothing where the repository was deleted. */
	repo: { full_name: string } | null;
}

function isFromFork(runner: Runner) {
	if (runner.variable('GITHUB_EVENT_NAME') !== 'pull_request') return false;
	try {
		const event: { pull_request: { head: Side; base: Side } } = JSON.parse(
			readFileSync(runner.variable('GITHUB_EVENT_PATH'), 'utf8'),
		);
		const { head, base } = event.pull_request;
		return head.repo?.full_name !== base.repo?.full_name;
	} catch {
		// Other runners may not write the event.
		return false;
	}
}

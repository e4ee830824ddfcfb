// Explains why a secret is missing: the runs that GitHub passes no secrets to are hard to guess.
import { readFileSync } from 'node:fs';
import type { Runner } from './runner.ts';

interface PullRequestEvent {
	pull_request?: {
		head?: { repo?: { full_name?: string } | null };
		base?: { repo?: { full_name?: string } };
	};
}

export function whyNoKey(runner: Runner) {
	if (isFromFork(runner)) {
		return 'No API key: this run is for a pull request from a fork, and GitHub passes no secrets to such runs. Skip the job for forks: if: github.event.pull_request.head.repo.full_name == github.repository';
	}
	if (runner.variable('GITHUB_ACTOR') === 'dependabot[bot]') {
		return 'No API key: Dependabot runs only get the Dependabot secrets.';
	}
	return 'No API key: pass the input api-key from a secret, and check that the secret exists.';
}

function readEvent(path: string): PullRequestEvent {
	try {
		return JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		return {};
	}
}

function isFromFork(runner: Runner) {
	if (runner.variable('GITHUB_EVENT_NAME') !== 'pull_request') return false;
	const { pull_request: pull } = readEvent(runner.variable('GITHUB_EVENT_PATH'));
	return pull !== undefined && pull.head?.repo?.full_name !== pull.base?.repo?.full_name;
}

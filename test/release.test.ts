// What the workflows promise about a release. `npm run release:dry-run` rehearses the whole of it.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

test('nothing is published before the tests have passed', () => {
	const { jobs } = parse(read('.github/workflows/release.yml'));
	const tests = Object.entries<{ uses?: string }>(jobs)
		.filter(([, { uses }]) => uses === './.github/workflows/ci.yml')
		.map(([name]) => name);
	expect(tests).toHaveLength(1);
	expect(jobs.release.needs).toBe(tests[0]);
	const ci = parse(read('.github/workflows/ci.yml'));
	expect(ci.on).toHaveProperty('workflow_call');
	expect(ci.jobs.test.steps).toContainEqual({ run: '.ci/run' });
	expect(ci.jobs.release.steps).toContainEqual({ run: 'npm run release:dry-run' });
});

test('the workflows name every action by its commit', () => {
	const text = globSync('.github/workflows/*.yml', { cwd: root }).map(read).join('\n');
	const uses = [...text.matchAll(/uses: (?!\.\/)(.*)/g)].map(([, action]) => action);
	expect(uses.length).toBeGreaterThan(4);
	for (const action of uses)
		expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('published packages have one version, and the contract is not published', () => {
	const { workspaces } = JSON.parse(read('package.json'));
	const packages: { name: string; version: string; private?: boolean }[] = workspaces.map(
		(path: string) => JSON.parse(read(`${path}/package.json`)),
	);
	const published = packages.filter((each) => !each.private);
	expect(published.map(({ name }) => name)).toContain('board-access-service');
	expect(new Set(published.map(({ version }) => version)).size).toBe(1);
	expect(packages.find(({ name }) => name === 'board-access-contract')?.private).toBe(true);
});

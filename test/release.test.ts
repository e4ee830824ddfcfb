// What the workflows promise about a release. `npm run release:dry-run` rehearses the whole of it.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');

/** What people copy, and what the programs print. */
const copied = tracked.filter((path) =>
	/^(README|SECURITY|CONTRIBUTING)\.md$|^action\.yml$|^(templates|examples|docs\/guides)\/|^(service|agent)\/README\.md$|^\.github\/ISSUE|^(src|service\/src|agent\/src)\//.test(
		path,
	),
);

test.each(copied)(
	'%s runs no package and no action of ours in whatever version there is',
	(path) => {
		const text = read(path);
		const floating = [
			// npx installs what is missing, from whoever has the name.
			...text.matchAll(
				/npx (?!--no-install |(?:-y|--yes) --package "\$BOARD_ACCESS_PACKAGE" ).*board-access.*/g,
			),
			...text.matchAll(/npm (?:install|i|exec)\b.* board-access(?:-\w+)?(?!\S*\d\.\d)\S*$/gm),
			...text.matchAll(/board-access(?:-\w+)?@(?!v?\d+\.\d+\.\d+\b|[`$]|\\d).*/g),
			...text.matchAll(/(?:component|uses): \S*board-access\S*@(?!v?\d+\.\d+\.\d+$).*/gm),
			...text.matchAll(/:latest\b|@latest\b|default: latest/g),
		].map(([found]) => found);
		expect(
			floating.filter((line) => !line.startsWith(':latest') || line.includes('board')),
		).toEqual([]);
	},
);

test.each(['templates/board-access.yml', 'templates/run.yml'])(
	'%s needs an exact version',
	(path) => {
		const [{ spec }] = parseAllDocuments(read(path)).map((document) => document.toJS());
		expect(spec.inputs.package).not.toHaveProperty('default');
		const accepted = new RegExp(spec.inputs.package.regex);
		for (const exact of [
			'board-access@0.1.0',
			'board-access@1.2.3-rc.1',
			'./lib/board-access-0.1.0.tgz',
		]) {
			expect(exact).toMatch(accepted);
		}
		for (const floating of [
			'board-access',
			'board-access@latest',
			'board-access@^1.0.0',
			'board-access@1',
			'other@1.0.0',
			'https://x/a.tgz',
		]) {
			expect(floating).not.toMatch(accepted);
		}
	},
);

test('every package that is published can be traced to the workflow', () => {
	const { jobs } = parse(read('.github/workflows/release.yml'));
	expect(jobs.release.permissions['id-token']).toBe('write');
	const [publishing] = jobs.release.steps.filter(({ uses }: { uses?: string }) =>
		uses?.startsWith('changesets/action@'),
	);
	expect(publishing.env).toMatchObject({ NPM_CONFIG_PROVENANCE: true });
	expect(JSON.stringify(jobs.release)).not.toContain('NPM_TOKEN');
});

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

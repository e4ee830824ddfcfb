// npm run mutants [-- word]: breaks one rule at a time in a copy of the service, and expects its test
// to fail. With a word, only the mutants whose rule contains it.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../../core/test/support/postgres.ts';
import { type Mutant, readMutants } from './read.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [word = ''] = process.argv.slice(2);
const chosen = readMutants().filter(({ rule }) => rule.includes(word));
const copy = await copyProject();
const cluster = await startPostgres();
const survivors: string[] = [];
try {
	await expectPass([...new Set(chosen.map(({ test }) => test))]);
	for (const mutant of chosen) {
		const killed = await isKilled(mutant);
		console.log(`${killed ? 'killed  ' : 'SURVIVED'} ${mutant.rule}`);
		if (!killed) survivors.push(mutant.rule);
	}
} finally {
	await cluster.remove();
	await rm(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} mutants are killed.`);
if (survivors.length > 0) process.exitCode = 1;

/** The sources and tests in a folder of their own; what is installed is shared. */
async function copyProject() {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-mutants-'));
	const apart = new Set(['node_modules', 'dist', 'coverage']);
	for (const name of [
		'src',
		'core',
		'web',
		'service',
		'agent',
		'test/support',
		'package.json',
		'tsconfig.json',
		'vitest.config.ts',
	]) {
		await cp(join(root, name), join(folder, name), {
			recursive: true,
			filter: (source) => !apart.has(basename(source)),
		});
	}
	await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
	// Copied, because the tests write their builds there.
	for (const name of ['service/node_modules', 'agent/node_modules']) {
		const filter = (source: string) => basename(source) !== '.cache';
		const options = { recursive: true, verbatimSymlinks: true, filter };
		await cp(join(root, name), join(folder, name), options).catch(ignoreMissing);
	}
	return folder;
}

function ignoreMissing(error: NodeJS.ErrnoException) {
	if (error.code !== 'ENOENT') throw error;
}

/** The names of the tests that fail; a run without a report is an error. */
async function failing(tests: string[]) {
	const report = join(copy, 'report.json');
	await rm(report, { force: true });
	const vitest = join(root, 'node_modules/vitest/vitest.mjs');
	// A test that times out on a busy machine has not detected the mutant.
	const patience = ['--bail', '1', '--retry', '1'];
	const projects = ['--project', 'core*', '--project', 'service*'];
	const words = ['run', ...projects, ...patience, `--outputFile.json=${report}`];
	const env = { ...process.env, TEST_POSTGRES: cluster.url };
	const options = { cwd: copy, env, maxBuffer: 1e9, timeout: 600_000 };
	const run = promisify(execFile)(process.execPath, [vitest, ...words, ...tests], options);
	// A failing test makes the command fail too; the report tells which it was.
	await run.catch(() => {});
	// The reporter of vitest writes these fields.
	const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
		testResults: { name: string; status: string; assertionResults: Assertion[] }[];
	};
	if (testResults.length === 0) throw new Error(`No test ran of ${tests.join(', ')}`);
	return testResults
		.filter(({ status }) => status === 'failed')
		.flatMap(({ name, assertionResults }) => [
			name,
			...assertionResults.filter(isFailed).map(({ fullName }) => fullName),
		]);
}

interface Assertion {
	status: string;
	fullName: string;
}

function isFailed({ status }: Assertion) {
	return status === 'failed';
}

/** Without a change, every test has to pass: otherwise each mutant would count as killed. */
async function expectPass(tests: string[]) {
	const failed = await failing(tests);
	if (failed.length > 0) throw new Error(`Tests fail without any mutant: ${failed.join(', ')}`);
}

async function isKilled({ file, from, to, test }: Mutant) {
	const path = join(copy, file);
	const original = await readFile(path, 'utf8');
	if (original.split(from).length !== 2) throw new Error(`${file} has not exactly one: ${from}`);
	await writeFile(
		path,
		original.replace(from, () => to),
	);
	try {
		return (await failing([test])).length > 0;
	} finally {
		await writeFile(path, original);
	}
}

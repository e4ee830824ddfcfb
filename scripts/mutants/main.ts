// npm run mutants [-- word]: breaks one rule at a time in a copy of the service, and expects its test
// to fail. With a word, only the mutants whose rule contains it.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Mutant, mutants } from './mutants.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [word = ''] = process.argv.slice(2);
const chosen = mutants.filter(({ rule }) => rule.includes(word));
const copy = await copyProject();
const survivors: string[] = [];
try {
	await expectPass([...new Set(chosen.map(({ test }) => test))]);
	for (const mutant of chosen) {
		const killed = await isKilled(mutant);
		console.log(`${killed ? 'killed  ' : 'SURVIVED'} ${mutant.rule}`);
		if (!killed) survivors.push(mutant.rule);
	}
} finally {
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
		'service',
		'agent',
		'package.json',
		'tsconfig.json',
		'vitest.config.ts',
	]) {
		await cp(join(root, name), join(folder, name), {
			recursive: true,
			filter: (source) => !apart.has(basename(source)),
		});
	}
	for (const name of ['node_modules', 'service/node_modules', 'agent/node_modules']) {
		await symlink(join(root, name), join(folder, name)).catch(ignoreMissing);
	}
	return folder;
}

function ignoreMissing(error: NodeJS.ErrnoException) {
	if (error.code !== 'ENOENT') throw error;
}

/** Whether these tests pass; a run that ends for another reason is an error. */
async function pass(tests: string[]) {
	const words = [
		join(root, 'node_modules/vitest/vitest.mjs'),
		'run',
		'--project',
		'service',
		'--bail',
		'1',
		'--reporter',
		'json',
		...tests,
	];
	const output = await promisify(execFile)(process.execPath, words, {
		cwd: copy,
		maxBuffer: 1e9,
		timeout: 600_000,
	}).catch((error: { stdout: string; stderr: string }) => error);
	const report = /\{"numTotalTestSuites".*\}/s.exec(output.stdout)?.[0];
	if (!report) throw new Error(`The tests did not run: ${output.stdout}${output.stderr}`);
	// The reporter of vitest writes these two fields.
	const { success, numTotalTests } = JSON.parse(report) as Record<string, unknown>;
	return success === true && numTotalTests !== 0;
}

/** Without a change, every test has to pass: otherwise each mutant would count as killed. */
async function expectPass(tests: string[]) {
	if (!(await pass(tests))) throw new Error('The tests fail without any mutant');
}

async function isKilled({ file, from, to, test }: Mutant) {
	const path = join(copy, 'service/src', file);
	const original = await readFile(path, 'utf8');
	if (original.split(from).length !== 2) throw new Error(`${file} has not exactly one: ${from}`);
	await writeFile(
		path,
		original.replace(from, () => to),
	);
	try {
		return !(await pass([test]));
	} finally {
		await writeFile(path, original);
	}
}

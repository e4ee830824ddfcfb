// The gate itself: a broken rule and a broken file end the tests, and what judges them, with a
// failure. It runs in a copy, with the global setup of the service's tests.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache');

const files = {
	'vitest.config.mjs': `export default { test: {
		globalSetup: ${JSON.stringify(join(root, 'service/test/support/postgres.ts'))},
		include: ['*.test.ts'],
		reporters: ['json'],
		outputFile: 'results.json',
	} };`,
	'rule.test.ts': `
		import { apiKeyPattern } from './contract/api-key.ts';
		import { expect, inject, test } from 'vitest';
		test('an API key without its prefix is refused', () => {
			expect(inject('postgres')).toContain('postgres://');
			expect(apiKeyPattern.test('${'0'.repeat(48)}')).toBe(false);
		});`,
};

let folder: string;
beforeEach(async () => {
	await mkdir(cache, { recursive: true });
	folder = await mkdtemp(join(cache, 'gate-'));
	await cp(join(root, 'src/contract'), join(folder, 'contract'), { recursive: true });
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('tests that pass end with status 0', async () => {
	expect(await runTests()).toBe(0);
	expect(await judge(0)).toEqual({ status: 0, output: '1 passed, 0 failed\n' });
});

test('a broken rule ends the tests with a failure', async () => {
	const rule = join(folder, 'contract/api-key.ts');
	const source = await readFile(rule, 'utf8');
	const broken = source.replace('/^key_[0-9a-f]{48}$/i', '/^[0-9a-f]{48}$/i');
	expect(broken).not.toBe(source);
	await writeFile(rule, broken);
	expect(await runTests()).toBe(1);
	expect(await judge(0)).toEqual({ status: 1, output: '0 passed, 1 failed\n' });
});

test('a test file that cannot load ends the tests with a failure', async () => {
	const suite = join(folder, 'suite.test.ts');
	await writeFile(suite, `import './missing.ts';`);
	expect(await runTests()).toBe(1);
	const output = `failed as a whole: ${suite}\n1 passed, 1 failed\n`;
	expect(await judge(0)).toEqual({ status: 1, output });
});

test('tests that fail without a report count as a failure', async () => {
	expect(await judge(3)).toEqual({ status: 3, output: '0 passed, 0 failed\n' });
	expect(await judge(0)).toEqual({ status: 1, output: '0 passed, 0 failed\n' });
});

async function runTests() {
	const vitest = join(root, 'node_modules/vitest/vitest.mjs');
	return (await run(vitest, ['run', '--config', 'vitest.config.mjs'])).status;
}

function judge(status: number) {
	return run(join(root, '.ci/judge.mjs'), ['results.json', String(status)]);
}

function run(script: string, argv: string[]) {
	return new Promise<{ status: number | null; output: string }>((resolve) => {
		const { VITEST: _vitest, ...env } = process.env;
		const child = execFile(process.execPath, [script, ...argv], { cwd: folder, env }, (_, output) =>
			resolve({ status: child.exitCode, output }),
		);
	});
}

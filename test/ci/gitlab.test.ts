// @module-tag long
// Runs the component and the example with a program that runs GitLab pipelines locally. It
// also checks them against the schema that GitLab publishes.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideBlock } from '../support/guide.ts';
import { installPackage, listen } from '../support/installed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const exec = promisify(execFile);
const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const gitlab = createRequire(import.meta.url).resolve('gitlab-ci-local');

let installed: Awaited<ReturnType<typeof installPackage>>;
let server: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
	[installed, server] = await Promise.all([installPackage(), listen({ agent: true })]);
}, 60_000);
afterAll(async () => {
	await server.close();
	await installed.remove();
});

const program = async (file: string, script: string) => {
	await writeFile(file, `#!/bin/sh\n${script}\n`);
	await chmod(file, 0o755);
};

/** A project with the component in it and this pipeline. */
const createProject = async (pipeline: string) => {
	const directory = await temporaryDirectory();
	await mkdir(join(directory, 'bin'));
	// The package that was just packed, instead of the registry.
	await program(join(directory, 'bin/npx'), 'shift 4; exec "$@"');
	// It would copy the project into a container; here the jobs run where the project is.
	await program(join(directory, 'bin/rsync'), 'true');
	await program(join(directory, 'test-on-boards.sh'), 'grep -c \'"id"\' "$1"');
	await cp(path('templates'), join(directory, 'templates'), { recursive: true });
	await cp(sampleFirmwarePath('arduino-uno'), join(directory, 'firmware.hex'));
	await writeFile(join(directory, '.gitlab-ci.yml'), pipeline);
	const git = (...argv: string[]) => exec('git', argv, { cwd: directory });
	await git('init', '--quiet');
	await git('remote', 'add', 'origin', 'https://gitlab.example.com/group/project.git');
	await git('config', 'user.email', 'test@example.com');
	await git('config', 'user.name', 'Test');
	await git('add', '.');
	await git('commit', '--quiet', '--message', 'Begin');
	return directory;
};

const runPipeline = async (directory: string, env: Readonly<Record<string, string>> = {}) => {
	const options = ['--force-shell-executor', '--shell-isolation=false'];
	return exec(process.execPath, [gitlab, ...options], {
		cwd: directory,
		env: {
			HOME: directory,
			PATH: [join(directory, 'bin'), installed.path].join(delimiter),
			SERVICE_BASE_URL: server.baseUrl,
			SERVICE_API_KEY: server.demo?.apiKey,
			...env,
		},
	});
};

const local = (inputs: Readonly<Record<string, string>>, template = 'board-access') => {
	const all = { package: './board-access-0.1.0.tgz', ...inputs };
	const lines = Object.entries(all).map(([name, value]) => `      ${name}: ${value}\n`);
	return `include:\n  - local: templates/${template}.yml\n    inputs:\n${lines.join('')}`;
};

describe('the component for GitLab', () => {
	it('leaves the boards for the jobs of the example pipeline', async () => {
		const example = await readFile(path('examples/ci/gitlab-pipeline.yml'), 'utf8');
		const directory = await createProject(
			example.replace(/component: .*/, 'local: templates/board-access.yml'),
		);
		const { stdout } = await runPipeline(directory);
		expect(stdout).toMatch(/test +.*> 2\n/);
		const matrix = JSON.parse(await readFile(join(directory, 'matrix.json'), 'utf8'));
		expect(matrix.include).toHaveLength(2);
	}, 30_000);

	it('fails when no board matches, unless allow-empty is true', async () => {
		const inputs = { 'board-type': 'none' };
		const rejected = await createProject(local(inputs));
		await expect(runPipeline(rejected)).rejects.toMatchObject({
			stdout: expect.stringContaining('There is no board type'),
		});
		const allowed = await createProject(local({ ...inputs, 'allow-empty': 'true' }));
		await runPipeline(allowed);
		expect(await readFile(join(allowed, 'boards.json'), 'utf8')).toBe('[]\n');
	}, 30_000);

	it('rejects a package whose version floats, and has none by default', async () => {
		for (const name of ['board-access', 'board-access@latest', "''"]) {
			const directory = await createProject(local({ package: name }));
			await expect(runPipeline(directory)).rejects.toThrow();
		}
	}, 60_000);

	it('rejects an allow-empty that is neither true nor false', async () => {
		const directory = await createProject(local({ 'allow-empty': 'perhaps' }));
		await expect(runPipeline(directory)).rejects.toThrow();
	}, 30_000);
});

describe('the component that runs firmware', () => {
	const firmware = { firmware: 'firmware.hex', 'board-type': 'arduino-uno' };

	it('passes as in the guide, and leaves a JUnit report', async () => {
		const pipeline = await guideBlock('yaml', 'board-access/run@');
		const directory = await createProject(
			pipeline.replace(/component: .*/, 'local: templates/run.yml'),
		);
		await runPipeline(directory);
		const report = await readFile(join(directory, 'report.xml'), 'utf8');
		expect(report).toContain('<testsuite name="firmware.hex" tests="1" failures="0"');
		expect(await readFile(join(directory, 'console.log'), 'utf8')).toContain('Hello from');
	}, 30_000);

	it('runs on several boards', async () => {
		const boards = '"dut=arduino-uno:driver=emulated,firmware.hex\\npeer=rp2040-pico"';
		const directory = await createProject(local({ boards, scenario: 'two.yml' }, 'run'));
		await writeFile(join(directory, 'two.yml'), 'steps:\n  - dut.expect: Hello\n');
		await runPipeline(directory);
		const report = await readFile(join(directory, 'report.xml'), 'utf8');
		expect(report).toContain('<property name="board.peer" value="brd_rp2040-pico-01"/>');
	}, 30_000);

	it('expects each line in order, also as a /regular expression$/', async () => {
		const expected = '"Hello\\n/U[n]o$/m\\nnever"';
		const inputs = { ...firmware, expect: expected, timeout: '1s' };
		const directory = await createProject(local(inputs, 'run'));
		await expect(runPipeline(directory)).rejects.toThrow();
		const report = await readFile(join(directory, 'report.xml'), 'utf8');
		expect(report).toContain('tests="3" failures="1" errors="0" skipped="0"');
		expect(report).toContain('name="/U[n]o$/m"');
	}, 30_000);

	it('fails when the fail text appears, and never runs an input as a script', async () => {
		const inputs = { ...firmware, expect: "'$(touch ran)'", fail: "'/from/'", wait: '1m' };
		const directory = await createProject(local(inputs, 'run'));
		await expect(runPipeline(directory)).rejects.toThrow();
		const report = await readFile(join(directory, 'report.xml'), 'utf8');
		expect(report).toContain('name="$(touch ran)"');
		expect(await readdir(directory)).not.toContain('ran');
	}, 30_000);
});

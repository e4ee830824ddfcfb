import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionBuild } from '../../tsup.config.ts';
import { listen } from '../support/installed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { prepareStep, readAction } from '../support/workflow-step.ts';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

let server: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
	server = await listen();
});
afterAll(() => server.close());

const start = async (file: string, env: Readonly<Record<string, string>>) =>
	exec(process.execPath, [join(root, file)], { env: { PATH: process.env.PATH, ...env } });

const filesIn = async (directory: string) => {
	const names = await readdir(directory);
	const texts = names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')]);
	return Object.fromEntries(await Promise.all(texts));
};

describe('the built action', () => {
	it('creates a key in its step and revokes it at the end of the job', async () => {
		const { runs } = await readAction();
		const step = await prepareStep({
			command: 'create-key',
			'api-key': server.demo?.apiKey ?? '',
			'base-url': server.baseUrl,
		});
		const { stdout } = await start(runs.main, step.env);
		const { key } = await step.outputs();
		expect(stdout).toContain(`::add-mask::${key}`);
		const end = await start(runs.post, { ...step.env, ...(await step.state()) });
		expect(end.stdout).toContain('is revoked');
	});

	it('fails with an annotation', async () => {
		const { runs } = await readAction();
		const { env } = await prepareStep({ 'base-url': server.baseUrl });
		await expect(start(runs.main, env)).rejects.toMatchObject({
			code: 1,
			stdout: expect.stringContaining('::error::No API key'),
			stderr: '',
		});
	});

	it('is what the sources build', async () => {
		const outDir = await temporaryDirectory();
		await build({ ...actionBuild, config: false, silent: true, outDir });
		expect(await filesIn(join(root, 'dist-action'))).toEqual(await filesIn(outDir));
	}, 60_000);

	it.skipIf(!process.env.CI || !existsSync(join(root, '.git')))('is committed', async () => {
		const { stdout } = await exec('git', ['status', '--porcelain', 'dist-action'], { cwd: root });
		expect(stdout).toBe('');
	});
});

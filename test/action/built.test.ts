import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BoardAccess } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { createTestService, type TestService } from 'board-access-service/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
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
});

describe('the built action runs firmware', () => {
	let service: TestService;
	let baseUrl: string;
	beforeAll(async () => {
		service = await createTestService({ agent: true });
		baseUrl = await service.listen();
	}, 30_000);
	afterAll(() => service.close());

	const prepare = (inputs: Record<string, string>) =>
		prepareStep({
			command: 'run',
			'api-key': service.demo.apiKey,
			'base-url': baseUrl,
			firmware: sampleFirmwarePath('arduino-uno'),
			'board-type': 'arduino-uno',
			...inputs,
		});
	const activeLeases = () =>
		new BoardAccess({ apiKey: service.demo.apiKey, baseUrl }).leases.list({ status: 'active' });

	/** Starts a step whose text never appears, and waits until it has the board. */
	const startEndless = async () => {
		const { runs } = await readAction();
		const step = await prepare({ expect: 'never', timeout: '1h' });
		const child = spawn(process.execPath, [join(root, runs.main)], {
			env: { PATH: process.env.PATH, ...step.env },
		});
		onTestFinished(() => void child.kill('SIGKILL'));
		let log = '';
		child.stdout.on('data', (data) => {
			log += data;
		});
		await vi.waitFor(() => expect(log).toContain('[flashed]'), { timeout: 15_000 });
		return { step, child, log: () => log };
	};

	it('and writes its console to the file', async () => {
		const { runs } = await readAction();
		const step = await prepare({ expect: 'Hello from Arduino Uno' });
		const directory = await temporaryDirectory();
		await start(runs.main, { ...step.env, RUNNER_TEMP: directory });
		const { 'console-file': file = '', ...outputs } = await step.outputs();
		expect(outputs).toMatchObject({ result: 'passed' });
		expect(file.startsWith(directory)).toBe(true);
		expect(await readFile(file, 'utf8')).toContain('Hello from Arduino Uno');
		expect(await step.summary()).toContain('Hello from Arduino Uno');
	});

	it('and the built command carry out the steps of a file', async () => {
		const { runs } = await readAction();
		const scenario = join(await temporaryDirectory(), 'steps.yml');
		await writeFile(scenario, 'steps:\n  - expect: Hello from Arduino Uno\n');
		const step = await prepare({ scenario });
		await start(runs.main, step.env);
		expect(await step.outputs()).toMatchObject({ result: 'passed' });
		const file = sampleFirmwarePath('arduino-uno');
		const run = ['run', file, '--type', 'arduino-uno', '--scenario', scenario];
		const keys = { SERVICE_API_KEY: service.demo.apiKey, SERVICE_BASE_URL: baseUrl };
		const env = { ...keys, PATH: process.env.PATH };
		await exec(process.execPath, [join(root, 'bin/board-access.js'), ...run], { env });
	});

	it.each(['SIGINT', 'SIGTERM'] as const)(
		'and releases the board on %s',
		{ tags: 'long' },
		async (signal) => {
			const { step, child, log } = await startEndless();
			child.kill(signal);
			expect(await once(child, 'exit')).toEqual([1, null]);
			expect(log()).toContain('::error::The job was cancelled');
			expect(await activeLeases()).toEqual([]);
			expect(await step.outputs()).toMatchObject({ result: 'error' });
			expect(await step.summary()).toContain('The job was cancelled');
		},
	);

	it('and releases the board at the end of the job when the step was killed', {
		tags: 'long',
	}, async () => {
		const { step, child } = await startEndless();
		child.kill('SIGKILL');
		await once(child, 'exit');
		expect(await activeLeases()).toHaveLength(1);
		const { runs } = await readAction();
		await start(runs.post, { ...step.env, ...(await step.state()) });
		expect(await activeLeases()).toEqual([]);
	});
});

// @module-tag long
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BoardAccess } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { guideBlock } from '../support/guide.ts';
import { installPackage, listen } from '../support/installed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const exec = promisify(execFile);
const example = (name: string) =>
	fileURLToPath(new URL(`../../examples/ci/${name}`, import.meta.url));

let installed: Awaited<ReturnType<typeof installPackage>>;
let server: Awaited<ReturnType<typeof listen>>;
let admin: BoardAccess;
beforeAll(async () => {
	[installed, server] = await Promise.all([installPackage(), listen({ agent: true })]);
	admin = new BoardAccess({ apiKey: server.demo?.apiKey, baseUrl: server.baseUrl });
}, 60_000);
afterAll(async () => {
	await server.close();
	await installed.remove();
});

const run = (name: string, argv: string[], apiKey = server.demo?.apiKey) =>
	exec(example(name), argv, {
		env: { PATH: installed.path, SERVICE_BASE_URL: server.baseUrl, SERVICE_API_KEY: apiKey },
	});

const labels = async () => (await admin.keys.list()).map(({ label }) => label);

describe('the shell job', () => {
	const live = () => admin.leases.list({ status: 'active' });

	it('leases a board for the test, and releases it and revokes the key at the end', async () => {
		const firmware = sampleFirmwarePath('arduino-uno');
		const script = `board-access leases list; board-access flash "$0" ${firmware}`;
		const { stdout } = await run('job.sh', ['arduino-uno', 'sh', '-c', script]);
		expect(stdout).toMatch(/^ID [^\n]*\nlse_\w+ [^\n]*active[^\n]*\n/);
		expect(await live()).toEqual([]);
		expect(await labels()).not.toContain('job by hand');
	});

	it('fails when there is no such board, and creates no key', async () => {
		await expect(run('job.sh', ['none', 'true'])).rejects.toMatchObject({
			code: expect.any(Number),
			stderr: expect.stringContaining('none'),
		});
		expect(await labels()).not.toContain('job by hand');
	});

	it('fails when the test fails, and still releases the board and revokes the key', async () => {
		await expect(run('job.sh', ['arduino-uno', 'false'])).rejects.toMatchObject({ code: 1 });
		expect(await live()).toEqual([]);
		expect(await labels()).not.toContain('job by hand');
	});
});

describe('the firmware test of the guide', () => {
	const prepare = async (change = (script: string) => script) => {
		const directory = await temporaryDirectory();
		await cp(sampleFirmwarePath('arduino-uno'), join(directory, 'firmware.hex'));
		const script = change(await guideBlock('sh', 'board-access run'));
		const env = {
			PATH: installed.path,
			SERVICE_BASE_URL: server.baseUrl,
			SERVICE_API_KEY: server.demo?.apiKey,
			CI_JOB_ID: '42',
		};
		return { script, options: { cwd: directory, env } };
	};
	const live = async () => ({
		leases: await admin.leases.list({ status: 'active' }),
		keys: (await labels()).filter((label) => label === 'job 42'),
	});
	const nothing = { leases: [], keys: [] };

	it('passes, and leaves the log, the report, and neither lease nor key', async () => {
		const { script, options } = await prepare();
		const { stdout } = await exec('sh', ['-c', script], options);
		expect(stdout).toContain('Hello from Arduino Uno');
		const file = (name: string) => readFile(join(options.cwd, name), 'utf8');
		expect(await file('console.log')).toContain('Hello from Arduino Uno');
		expect(await file('report.xml')).toContain('tests="1" failures="0"');
		expect(await live()).toEqual(nothing);
	});

	it('has exit code 9 when the fail text appears', async () => {
		const { script, options } = await prepare((text) => text.replace('/panic|assert/', 'Hello'));
		await expect(exec('sh', ['-c', script], options)).rejects.toMatchObject({ code: 9 });
		expect(await live()).toEqual(nothing);
	});

	it.each(['sh', 'bash'])('releases everything when the job of %s is cancelled', async (shell) => {
		const { script, options } = await prepare((text) => text.replace('Hello from', 'never'));
		// In its own process group, as CI systems start and end a job.
		const job = spawn(shell, ['-c', script], {
			...options,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const end = (signal: NodeJS.Signals) => job.pid && process.kill(-job.pid, signal);
		onTestFinished(() => void (job.exitCode ?? end('SIGKILL')));
		let output = '';
		for (const stream of [job.stdout, job.stderr]) {
			stream.on('data', (data) => {
				output += data;
			});
		}
		await vi.waitFor(() => expect(output).toContain('Hello'), { timeout: 15_000 });
		end('SIGTERM');
		expect(await once(job, 'exit')).toEqual([143, null]);
		expect(await live()).toEqual(nothing);
	});
});

describe('the rotation', () => {
	const works = (apiKey: string) =>
		new BoardAccess({ apiKey, baseUrl: server.baseUrl }).boards.list().then(
			() => true,
			() => false,
		);

	it('does nothing without a command that stores the new key', async () => {
		const { key } = await admin.keys.create({ label: 'nightly' });
		await expect(run('rotate-key.sh', [], key)).rejects.toMatchObject({ code: 2 });
		expect(await works(key)).toBe(true);
	});

	it('stores the new key, then revokes the old one', async () => {
		const { key } = await admin.keys.create({ label: 'nightly' });
		const file = join(await temporaryDirectory(), 'key');
		await writeFile(file, '');
		const { stdout, stderr } = await run('rotate-key.sh', ['dd', `of=${file}`, 'status=none'], key);
		expect(stdout + stderr).not.toMatch(/key_[0-9a-f]{48}/);
		expect(await works(key)).toBe(false);
		expect(await works(await readFile(file, 'utf8'))).toBe(true);
	});

	it('keeps the old key when the new one cannot be stored', async () => {
		const { key } = await admin.keys.create({ label: 'nightly' });
		const before = await labels();
		await expect(run('rotate-key.sh', ['false'], key)).rejects.toMatchObject({ code: 1 });
		expect(await works(key)).toBe(true);
		expect(await labels()).toEqual(before);
	});
});

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BoardAccess } from 'board-access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackage, listen } from '../support/installed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const exec = promisify(execFile);
const example = (name: string) =>
	fileURLToPath(new URL(`../../examples/ci/${name}`, import.meta.url));

let installed: Awaited<ReturnType<typeof installPackage>>;
let server: Awaited<ReturnType<typeof listen>>;
let admin: BoardAccess;
beforeAll(async () => {
	[installed, server] = await Promise.all([installPackage(), listen()]);
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
	it('runs the test on a free board with a key that is revoked at the end', async () => {
		const script = 'board-access boards list | head -1; echo "on $0"';
		const { stdout } = await run('job.sh', ['esp32-s3', 'sh', '-c', script]);
		expect(stdout).toMatch(/^ID .*\non brd_esp32-s3-01\n$/);
		expect(await labels()).not.toContain('job by hand');
	});

	it('has exit code 12 when no board is free, and creates no key', async () => {
		const failure = { code: 12, stderr: expect.stringContaining('There is no board type "none".') };
		await expect(run('job.sh', ['none', 'true'])).rejects.toMatchObject(failure);
	});

	it('fails when the test fails, and still revokes the key', async () => {
		await expect(run('job.sh', ['esp32-s3', 'false'])).rejects.toMatchObject({ code: 1 });
		expect(await labels()).not.toContain('job by hand');
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

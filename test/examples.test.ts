// Runs every example as its first lines say, against a demo service.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BoardAccess } from 'board-access';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoService, startDemoService } from './support/demo-service.ts';

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const fullKey = /key_[0-9a-f]{48}/;

let service: DemoService;
let client: BoardAccess;
let folder: string;

beforeAll(async () => {
	service = await startDemoService();
	client = new BoardAccess({
		baseUrl: service.env.SERVICE_BASE_URL,
		apiKey: service.env.SERVICE_API_KEY,
	});
	folder = await mkdtemp(join(tmpdir(), 'examples-'));
});

afterAll(async () => {
	await service.stop();
	await rm(folder, { recursive: true });
});

const ran = new Set<string>();

const run = async (name: string, ...argv: string[]) => {
	ran.add(name);
	const { stdout, stderr } = await promisify(execFile)(
		process.execPath,
		[join(examples, name), ...argv],
		{ env: { ...process.env, ...service.env }, timeout: 20_000 },
	);
	expect(stderr).toBe('');
	expect(stdout).not.toMatch(fullKey);
	return stdout;
};

test('quickstart runs the main workflow to its end', async () => {
	const story = await run('quickstart.ts');
	expect(story).toMatch(/^ {3}(key_\w+), labeled quickstart.*^ {3}\1 stopped working/ms);
	expect(story).toMatch(
		/^ {3}brd_\S+ is prepared.*Hello from Arduino Uno$.*It replies: HELLO BOARD$/ms,
	);
	expect(story).toMatch(/^ {3}It cost [1-9]\d* credits, at \d+ credits per started minute/m);
	expect(story).toMatch(/^\d+\. Use the revoked key\n {3}401 api_key_revoked: /m);
});

test('list-available-boards lists the available boards of a type', async () => {
	const lines = (await run('list-available-boards.ts', 'esp32-s3')).trim().split('\n');
	expect(lines.length).toBeGreaterThan(0);
	for (const line of lines) expect(line).toMatch(/^brd_\S+ {2}esp32-s3 {2}/);
});

test('pipeline uses its own key and leaves none behind', async () => {
	expect(await run('pipeline.ts')).toMatch(/^Working with key_.{9}\nTesting on brd_/);
	expect((await client.keys.list()).map(({ label }) => label)).not.toContain('job by hand');
});

test('use-a-board flashes a board and prints its output', async () => {
	const firmware = fileURLToPath(new URL('../agent/firmware/uno-sample.hex', import.meta.url));
	const lines = await run('use-a-board.ts', 'arduino-uno', firmware, 'Hello');
	expect(lines).toMatch(/^brd_\S+ is ready\n.* printed ".*Hello"\n$/);
	expect(await client.leases.list({ status: 'active' })).toEqual([]);
});

test('rotate-key writes the new key to a file that only its owner can read', async () => {
	const old = await client.keys.create({ label: 'nightly' });
	const file = join(folder, 'new-key.txt');
	expect(await run('rotate-key.ts', old.id, file)).toContain(`${old.id} is revoked`);
	expect(await readFile(file, 'utf8')).toMatch(fullKey);
	if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('register-base-images creates them in order, and only once', async () => {
	const first = await run('register-base-images.ts');
	expect(first.match(/ {2}(.+) {2}img_/g)).toHaveLength(4);
	expect(await run('register-base-images.ts')).toBe(first);
});

test('watch-attempts shows every page that is fetched', async () => {
	const lines = (await run('watch-attempts.ts')).trim().split('\n');
	expect(lines.at(-1)).toMatch(/^\d+ boards$/);
	for (const line of lines.slice(0, -1)) expect(line).toMatch(/^GET \/v1\/boards #1: 200 after/);
});

test('commonjs requires the same client', async () => {
	expect(await run('commonjs.cjs')).toMatch(/^\d+ boards\n$/);
});

test('no example is left out', async () => {
	const scripts = (await readdir(examples)).filter((name) => /\.c?[tj]s$/.test(name));
	expect(scripts.sort()).toEqual([...ran].sort());
});

// A serial port as a terminal, for tools that open no network address.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { servePty } from '../../src/forward/serve-pty.ts';
import { createSerial, type FakeSerial } from '../support/remote-serial.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

// CI installs them; elsewhere they may be missing.
const has = (tool: string) =>
	process.env.REQUIRE_TOOLS !== undefined || spawnSync('which', [tool]).status === 0;

async function serve(...ports: FakeSerial[]) {
	const path = join(await temporaryDirectory(), 'uno');
	const failures: string[] = [];
	const server = await servePty({
		path,
		async open() {
			const port = ports.shift();
			if (!port) throw new Error('There is no port');
			return port.remote;
		},
		onFailure: ({ message }) => failures.push(message),
	});
	onTestFinished(() => server.stop());
	return { path, server, failures };
}

/** Starts a tool, in a terminal of its own if it needs one. */
function start(command: string, args: string[]) {
	const child = spawn(command, args, {
		stdio: ['pipe', 'pipe', 'ignore'],
		env: { ...process.env, TERM: 'vt100' },
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const output: Buffer[] = [];
	child.stdout.on('data', (bytes) => output.push(bytes));
	return { child, output: () => Buffer.concat(output).toString() };
}

describe.skipIf(!has('socat'))('a terminal', () => {
	test('passes every byte both ways, and is made again for each tool', async () => {
		const ports = [createSerial(), createSerial()];
		const { path } = await serve(...ports);
		const program = `exec 3<>"$1"; printf '\\377\\003\\r\\n%s' "$2" >&3; head -c 7 <&3 | od -An -tx1`;
		for (const port of ports) {
			const { child } = start('sh', ['-c', program, 'tool', path, 'abc']);
			expect((await text(child.stdout)).trim()).toBe('ff 03 0d 0a 61 62 63');
			await expect.poll(() => port.isClosed).toBe(true);
			await expect.poll(() => existsSync(path)).toBe(true);
		}
	});

	test('ends for its tool when the port ends', async () => {
		const port = createSerial();
		const { path, failures } = await serve(port);
		const { child, output } = start('cat', [path]);
		await port.send(Buffer.from('hello'));
		await expect.poll(output).toBe('hello');
		port.end('the lease has ended');
		await once(child, 'exit');
		await expect.poll(() => failures).toEqual(['the lease has ended']);
	});

	test('is removed at the end', async () => {
		const { path, server } = await serve();
		expect(existsSync(path)).toBe(true);
		await server.stop();
		expect(existsSync(path)).toBe(false);
	});

	test('takes the place of no other file', async () => {
		const path = join(await temporaryDirectory(), 'uno');
		await writeFile(path, 'precious');
		const serving = servePty({ path, open: async () => createSerial().remote });
		await expect(serving).rejects.toThrow(`${path} cannot be created: EEXIST`);
		expect(existsSync(path)).toBe(true);
	});

	for (const [tool, command, ready] of [
		['tio', 'tio -b 9600', 'Connected'],
		['picocom', 'picocom --nolock -b 57600', 'Terminal ready'],
		['minicom', 'minicom -o -b 115200 -D', 'Welcome to minicom'],
	] as const) {
		test.skipIf(!has(tool))(`is read and written by ${tool}`, async () => {
			const port = createSerial();
			const { path } = await serve(port);
			// They need a terminal of their own.
			const { child, output } = start('script', ['-qec', `${command} ${path}`, '/dev/null']);
			await expect.poll(output).toContain(ready);
			child.stdin.write('typed');
			await expect.poll(output).toContain('typed');
			expect(Buffer.from(port.input).toString()).toContain('typed');
		});
	}
});

test('a machine without socat has an error that says what to do', async () => {
	vi.stubEnv('PATH', '/nonexistent');
	onTestFinished(() => void vi.unstubAllEnvs());
	const path = join(await temporaryDirectory(), 'uno');
	const serving = servePty({ path, open: async () => createSerial().remote });
	await expect(serving).rejects.toMatchObject({
		message: expect.stringContaining('socat does not start'),
		hint: expect.stringContaining('Install socat'),
	});
});

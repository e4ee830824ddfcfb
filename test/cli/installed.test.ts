// @module-tag long
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackage, isMissing, listen } from '../support/installed.ts';
import { openTerminal } from '../support/terminal.ts';

const exec = promisify(execFile);
const started = async () => {
	const [installed, server] = await Promise.all([installPackage(), listen()]);
	const env = {
		PATH: installed.path,
		HOME: installed.directory,
		SERVICE_BASE_URL: server.baseUrl,
		SERVICE_API_KEY: server.demo?.apiKey ?? '',
	};
	return { installed, server, env };
};

let world: Awaited<ReturnType<typeof started>>;
beforeAll(async () => {
	world = await started();
}, 60_000);
afterAll(async () => {
	await world.server.close();
	await world.installed.remove();
});

const shell = (script: string, env: Readonly<Record<string, string>> = {}) =>
	exec('bash', ['-c', `set -o pipefail; ${script}`], { env: { ...world.env, ...env } });

describe('the package', () => {
	it('contains the command', async () => {
		const manifest = await readFile(
			join(world.installed.directory, 'node_modules/board-access/package.json'),
			'utf8',
		);
		expect((await shell('board-access --version')).stdout.trim()).toBe(
			JSON.parse(manifest).version,
		);
	});

	it('prints only results to standard output, even if the client logs', async () => {
		const create = 'board-access keys create --label log';
		const { stdout, stderr } = await shell(create, { BOARD_ACCESS_LOG: 'debug' });
		expect(stdout).toMatch(/^key_[0-9a-f]{48}\n$/);
		expect(stderr).toContain('POST /v1/auth/keys attempt 1: 201');
	});

	it('keeps compiled code where other users cannot write', async () => {
		const temporary = await mkdtemp(join(world.installed.directory, 'temporary-'));
		const caches = join(temporary, 'caches');
		const env = { TMPDIR: temporary, XDG_CACHE_HOME: caches };
		await shell('umask 022; board-access --version', env);
		expect(await readdir(temporary)).toEqual(['caches']);
		expect((await stat(join(caches, 'board-access'))).mode & 0o022).toBe(0);
		// A relative folder would be one of the repository that a job has checked out.
		await shell('cd "$TMPDIR" && board-access --version', { ...env, XDG_CACHE_HOME: 'relative' });
		expect(await readdir(temporary)).toEqual(['caches']);
	});
});

describe('in a pipe', () => {
	it('assigns its key to a variable', async () => {
		const { stdout, stderr } = await shell(
			'export SERVICE_API_KEY=$(board-access keys create --label ci) && board-access keys id <<<"$SERVICE_API_KEY" && board-access boards list --json | head -c 1',
		);
		expect(stdout).toMatch(/^key_[0-9a-f]{24}\n\[$/);
		expect(stderr).toBe('');
	});

	it('saves its key in a file that a shell can read', async () => {
		const { stdout, stderr } = await shell(
			'cd "$HOME" && board-access keys create --save-env saved.env && . ./saved.env && board-access keys id <<<"$SERVICE_API_KEY"',
		);
		expect(stderr).toBe(`The key ${stdout.trim()} is saved in saved.env and nowhere else.\n`);
	});

	it('revokes a key that it cannot write, because the disk is full or the reader has exited', async () => {
		for (const target of ['> /dev/full', '| true']) {
			const script = `board-access keys create --label lost ${target}; echo $?`;
			const { stderr } = await shell(script);
			expect(stderr).toMatch(/could not be written to standard output.*\n.*has been revoked/);
		}
		expect((await shell('board-access keys list')).stdout).not.toContain('lost');
	});

	it('prints no warning when both NO_COLOR and FORCE_COLOR are set', async () => {
		const env = { NO_COLOR: '1', FORCE_COLOR: '1' };
		const { stdout, stderr } = await shell(
			'board-access boards list --help; board-access boards list',
			env,
		);
		expect(stderr).toBe('');
		expect(stdout).not.toContain('\u001b');
	});

	it('ends without an error when the reader stops', async () => {
		const { stdout, stderr } = await shell('board-access boards list | head -1');
		expect(stdout).toMatch(/^ID .*\n$/);
		expect(stderr).toBe('');
		expect(await shell('board-access --help | true')).toEqual({ stdout: '', stderr: '' });
	});

	it('ends with exit code 130 and a message when it is interrupted', async () => {
		const child = spawn(
			'board-access',
			['boards', 'list', '--base-url', `${world.server.baseUrl}/slow`],
			{
				env: world.env,
			},
		);
		world.server.nextStuck().then(() => child.kill('SIGINT'));
		const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
		expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'error: Interrupted\n' });
	});

	it('ends when it is interrupted while it reads', async () => {
		const child = spawn('board-access', ['keys', 'id'], { env: world.env });
		// More than a pipe holds, so that the write ends once the command reads.
		await new Promise((resolve) => child.stdin.write(Buffer.alloc(1024 * 1024, '\n'), resolve));
		child.kill('SIGINT');
		expect(await once(child, 'exit')).toEqual([130, null]);
	});

	it('diagnoses a real network with doctor', async () => {
		const { stdout } = await shell('board-access doctor');
		expect(stdout).toMatch(/ok +service/);
		const unknown = 'board-access doctor --base-url https://board-access.invalid; echo $?';
		expect((await shell(unknown)).stdout).toMatch(/error +service [\s\S]*\n8\n$/);
	});
});

describe.skipIf(isMissing('tmux'))('on a terminal (needs tmux)', { timeout: 30_000 }, () => {
	const open = () => openTerminal('bash --norc', world.env);

	it('shows a new key once with a line to paste', async () => {
		const terminal = open();
		await terminal.sees(/[$#] /);
		terminal.type('clear; board-access keys create', 'Enter');
		await terminal.sees(/(key_[0-9a-f]{48})\n\nexport SERVICE_API_KEY=\1\n[\s\S]*shown only once/);
	});

	it('asks before it revokes a key', async () => {
		const terminal = open();
		const { stdout } = await shell('board-access keys create --label old | board-access keys id');
		terminal.type(`board-access keys revoke ${stdout.trim()}`, 'Enter');
		await terminal.sees(/key_[0-9a-f]{24} "old"\nRevoke this key\? \[y\/N\]/);
		terminal.type('y', 'Enter');
		await terminal.sees('is revoked');
	});

	it('ends a question and a request on Ctrl-C', async () => {
		const terminal = open();
		terminal.type('clear; board-access keys id; echo "code $?"', 'Enter');
		await terminal.sees('then press Enter and Ctrl-D');
		terminal.type('C-c');
		await terminal.sees('code 130');
		const stuck = world.server.nextStuck();
		terminal.type(
			`clear; board-access boards list --base-url ${world.server.baseUrl}/slow; echo "code $?"`,
			'Enter',
		);
		await stuck;
		terminal.type('C-c');
		await terminal.sees('code 130');
	});
});

describe('completion', () => {
	const shells = {
		bash: { command: 'bash --norc', load: 'source <(board-access completion bash)' },
		zsh: {
			command: 'zsh -f',
			load: 'autoload -Uz compinit; compinit -u; source <(board-access completion zsh)',
		},
		fish: { command: 'fish --no-config', load: 'board-access completion fish | source' },
	};
	it.each(Object.entries(shells))(
		'offers commands, options and values in %s',
		{ timeout: 60_000 },
		async (name, { command, load }) => {
			if (isMissing('tmux', name)) return console.warn(`skipped: needs tmux and ${name}`);
			const terminal = openTerminal(command, { ...world.env, SHELL: `/bin/${name}` });
			terminal.type(`${load}; clear; echo loaded`, 'Enter');
			await terminal.sees(/^loaded/m);
			const completes = async (typed: string, expected: string) => {
				terminal.type('-l', typed);
				terminal.type('Tab');
				await terminal.sees(expected);
				terminal.type('C-u', 'C-l');
				await terminal.sees(/^(?![\s\S]*board-access)/);
			};
			await completes('board-access bo', 'board-access boards');
			await completes('board-access keys rev', 'board-access keys revoke');
			await completes('board-access keys create --lab', 'create --label');
			await completes('board-access admin base-images create --action er', '--action erase');
		},
	);
});

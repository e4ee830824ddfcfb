// The blocks of the guide "Use your own tools", with the real tools on emulated boards of a demo service.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { decodeFrame, encodeFrame } from '../../src/contract/channel/frames.ts';
import { runCli } from '../support/cli.ts';
import { type DemoService, startDemoService } from '../support/demo-service.ts';
import { guideBlocks } from '../support/guide.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const guide = 'docs/guides/use-your-own-tools.md';
const project = fileURLToPath(new URL('../..', import.meta.url));

/** The only block in this language that contains the text. */
async function blockWith(language: string, text: string): Promise<string> {
	const found = (await guideBlocks(language, guide)).filter((block) => block.includes(text));
	if (found.length !== 1) throw new Error(`${found.length} blocks of ${language} contain ${text}`);
	return found.join('');
}

/** The only command of the blocks for a shell that contains the text. */
async function commandWith(language: string, text: string): Promise<string> {
	const blocks = await guideBlocks(language, guide);
	const commands = blocks.flatMap((block) => block.split(/\n(?=board-access)/));
	const found = commands.filter((command) => command.includes(text));
	if (found.length !== 1) throw new Error(`${found.length} commands contain ${text}`);
	return found.join('');
}

/** CI installs the tools; elsewhere one may be missing. */
const has = (...tools: string[]) =>
	process.env.REQUIRE_TOOLS !== undefined ||
	tools.every((tool) => spawnSync('which', [tool]).status === 0);

/** Debian's pytest has the packages of the system. */
const hasPytest =
	process.env.REQUIRE_TOOLS !== undefined ||
	(has('pytest-3') && spawnSync('/usr/bin/python3', ['-c', 'import serial']).status === 0);

test('the frames of the guide are those on the wire', async () => {
	const text = readFileSync(join(project, guide), 'utf8');
	const rows = [...text.matchAll(/^\| (\d) \| `(\w+)` \|.*\| `([0-9a-f ]+)` \|$/gm)];
	expect(rows).toHaveLength(8);
	for (const [, number, name, hex = ''] of rows) {
		const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
		const frame = decodeFrame(bytes);
		expect([name, Number(number)]).toEqual([frame?.type, bytes[0]]);
		if (frame) expect(Buffer.from(encodeFrame(frame))).toEqual(bytes);
	}
});

test('every option of board-access in the guide exists', async () => {
	const text = readFileSync(join(project, guide), 'utf8');
	const asLines = text
		.replaceAll('\\\n', ' ')
		.replace(
			/"args": \[(.*)\]/g,
			(_, words: string) => `board-access ${words.replaceAll(/[",]/g, '')}`,
		);
	const commands = [...asLines.matchAll(/board-access (forward|run|flash|reset)\b([^\n`]*)/g)];
	expect(commands.length).toBeGreaterThan(18);
	for (const [line, name = '', rest = ''] of commands) {
		const { stdout } = await runCli([name, '--help']);
		const own = rest.split(/ -- |\bCOMMAND\b/)[0] ?? '';
		for (const [option] of own.matchAll(/(?<= )--[a-z-]+/g)) {
			expect(stdout, line).toContain(` ${option} `);
		}
	}
});

test('the configurations for editors and Zephyr are complete', async () => {
	const tasks = JSON.parse(await blockWith('json', '"tasks"'));
	const launch = JSON.parse(await blockWith('json', '"configurations"'));
	const [task] = tasks.tasks;
	const port = task.args.join(' ').match(/--gdb=(\d+)/)[1];
	expect('The ports are open until you press Ctrl-C.').toMatch(
		new RegExp(task.problemMatcher.background.endsPattern),
	);
	for (const configuration of launch.configurations) {
		expect(configuration.preLaunchTask).toBe(task.label);
		const { gdbTarget, miDebuggerServerAddress = gdbTarget } = configuration;
		expect(miDebuggerServerAddress).toBe(`127.0.0.1:${port}`);
		expect(configuration.executable ?? configuration.program).toContain('build/firmware.elf');
	}
	const [board] = parseYaml(await blockWith('yaml', 'serial_pty'));
	expect(board.serial_pty.split(',')).toEqual(['socat', '-', 'TCP:127.0.0.1:4000']);
});

test.skipIf(!has('python3'))('the settings of PlatformIO are read', async () => {
	const program = `
import configparser, sys
parser = configparser.ConfigParser(interpolation=None)
parser.read_string(sys.argv[1])
print(parser["env:uno"]["upload_command"])
`;
	const block = await blockWith('ini', 'upload_command');
	const { stdout } = spawnSync('python3', ['-c', program, block], { encoding: 'utf8' });
	expect(stdout).toMatch(/^board-access flash .*\$SOURCE\n$/);
});

describe('with a board', { tags: 'long' }, () => {
	let service: DemoService;
	let folder: string;
	let env: Record<string, string | undefined>;

	beforeAll(async () => {
		service = await startDemoService();
		folder = await temporaryDirectory();
		await mkdir(join(folder, 'bin'));
		await mkdir(join(folder, 'tests'));
		// Debian's name for it is another.
		const pytest = spawnSync('which', ['pytest-3'], { encoding: 'utf8' }).stdout.trim();
		if (pytest) await symlink(pytest, join(folder, 'bin/pytest'));
		await copyFile(sampleFirmwarePath('arduino-uno'), join(folder, 'firmware.hex'));
		await copyFile(sampleFirmwarePath('rp2040-pico'), join(folder, 'pico.uf2'));
		for (const board of ['uno', 'pico']) {
			const elf = join(project, `agent/test/firmware/${board}-debug.elf`);
			await copyFile(elf, join(folder, `${board}.elf`));
		}
		await writeFile(join(folder, 'conftest.py'), await blockWith('python', 'pytest.fixture'));
		await writeFile(join(folder, 'tests/test_uno.py'), await blockWith('python', 'test_greets'));
		const path = [join(folder, 'bin'), join(project, 'node_modules/.bin'), process.env.PATH];
		env = { ...process.env, ...service.env, PATH: path.join(delimiter), TERM: 'vt100' };
	});
	afterAll(() => service.stop());

	function start(command: string, args: string[] = []) {
		const child = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
		onTestFinished(() => void child.kill('SIGTERM'));
		let output = '';
		const collect = (bytes: Buffer) => {
			output += bytes.toString();
		};
		child.stdout.on('data', collect);
		child.stderr.on('data', collect);
		child.stdin.on('error', () => {}); // it may end without reading
		return { child, output: () => output };
	}

	/** Runs a script with this input, and returns what it prints. */
	async function run(script: string, input = '') {
		const { child, output } = start('sh', ['-euc', script]);
		child.stdin.end(input);
		const exitCode = await exitOf(child);
		return { exitCode, output: output() };
	}

	/** Runs a script that must succeed. */
	async function succeed(script: string, input?: string) {
		const { exitCode, output } = await run(script, input);
		expect(exitCode, output).toBe(0);
		return output;
	}

	const withLease = (script: string) =>
		succeed(
			`board-access forward --type arduino-uno --flash firmware.hex --tcp -- sh -euc '${script}'`,
		);

	test.skipIf(!hasPytest)('pytest', async () => {
		expect(await succeed(await commandWith('sh', 'pytest tests/'))).toContain('2 passed');
	});

	for (const [tool, ready, keys] of [
		['picocom', 'Terminal ready', '\x01\x18'],
		['tio', 'Connected', '\x14q'],
		['minicom', 'Welcome to minicom', '\x01x\r'],
	] as const) {
		test.skipIf(!has(tool, 'socat', 'script'))(tool, async () => {
			const line = (await commandWith('sh no-run', `-- ${tool}`)).trim();
			const command = line.replace('--pty', '--flash firmware.hex --pty');
			// It needs a terminal of its own.
			const { child, output } = start('script', ['-qec', command, '/dev/null']);
			await expect.poll(output).toContain(ready);
			await expect.poll(output).toContain('Hello from');
			child.stdin.write('hello\r');
			await expect.poll(output).toContain('HELLO');
			child.stdin.write(keys);
			expect(await exitOf(child), output()).toBe(0);
		});
	}

	for (const port of ['net:', './uno']) {
		test.skipIf(!has('avrdude', 'socat'))(`avrdude -P ${port}`, async () => {
			const command = await commandWith('sh', port === './uno' ? '-P ./uno' : port);
			expect(await succeed(command)).toContain('bytes of flash verified');
		});
	}

	for (const tool of ['avr-gdb', 'gdb-multiarch']) {
		test.skipIf(!has(tool))(tool, async () => {
			const input = 'break add\ncontinue\nfinish\nprint count\ndetach\nquit\n';
			const output = await succeed(await commandWith('sh', tool), input);
			expect(output).toMatch(/Breakpoint 1, add \(one=\d+/);
			expect(output).toMatch(/Value returned is \$1 = \d+/);
			expect(output).toMatch(/\$2 = \d+/);
		});
	}

	test.skipIf(!has('avr-gdb', 'script'))('Ctrl-C is for the debugger alone', async () => {
		const command = await commandWith('sh', 'avr-gdb');
		// Ctrl-C would also interrupt a shell that waits for the command, as dash does.
		const { child, output } = start('script', ['-qec', `exec ${command}`, '/dev/null']);
		await expect.poll(output).toContain('(gdb)');
		child.stdin.write('continue\r');
		await expect.poll(output).toContain('Continuing.');
		child.stdin.write('\x03');
		await expect.poll(output).toContain('SIGINT');
		child.stdin.write('set confirm off\rquit\r');
		expect(await exitOf(child), output()).toBe(0);
	});

	test.skipIf(!has('gdb-multiarch'))('the debug script of Cargo', async () => {
		await writeFile(join(folder, 'debug.sh'), await blockWith('sh debug.sh', 'forward'));
		await chmod(join(folder, 'debug.sh'), 0o755);
		const output = await succeed('./debug.sh pico.elf', 'break add\ncontinue\ndetach\nquit\n');
		expect(output).toContain('Breakpoint 1, add');
	});

	test.skipIf(!has('cargo'))('cargo run', async () => {
		const crate = join(folder, 'crate');
		await mkdir(join(crate, 'src'), { recursive: true });
		await mkdir(join(crate, '.cargo'));
		await mkdir(join(crate, 'bin'));
		const manifest = '[package]\nname = "firmware"\nversion = "0.1.0"\nedition = "2021"\n';
		await writeFile(join(crate, 'Cargo.toml'), manifest);
		await writeFile(join(crate, 'src/main.rs'), 'fn main() {}\n');
		const host = /host: (\S+)/.exec(spawnSync('rustc', ['-vV'], { encoding: 'utf8' }).stdout)?.[1];
		const settings = await blockWith('toml', 'runner');
		const ofHost = settings.replace('thumbv6m-none-eabi', host ?? 'unknown');
		await writeFile(join(crate, '.cargo/config.toml'), ofHost);
		// The program is one of this machine, so firmware takes its place.
		const words = [join(project, 'bin/board-access.js'), join(folder, 'pico.uf2')];
		const shim = `#!${process.execPath}
const { spawnSync } = require('node:child_process');
const [command, firmware] = ${JSON.stringify(words)};
const words = process.argv.slice(2);
if (!words.pop().endsWith('/debug/firmware')) process.exit(90);
const { status } = spawnSync(process.execPath, [command, ...words, firmware], { stdio: 'inherit' });
process.exit(status);
`;
		await writeFile(join(crate, 'bin/board-access'), shim, { mode: 0o755 });
		const output = await succeed('cd crate; PATH="$PWD/bin:$PATH"; cargo run --offline --quiet');
		expect(output).toContain('Hello');
	});

	test.skipIf(!has('make') || !hasPytest)('make flash and make test', async () => {
		await writeFile(join(folder, 'Makefile'), await blockWith('make', '.PHONY'));
		expect(await withLease('make flash')).toContain('board-access flash lse_');
		expect(await succeed('make test')).toContain('2 passed');
	});

	test.skipIf(!has('cmake', 'ctest', 'make') || !hasPytest)('CMake and CTest', async () => {
		await writeFile(join(folder, 'CMakeLists.txt'), await blockWith('cmake', 'enable_testing'));
		await withLease('cmake -B build . && cmake --build build --target flash');
		const output = await succeed('ctest --test-dir build --output-on-failure');
		expect(output).toContain('100% tests passed, 0 tests failed out of 2');
	});

	test('the script that twister flashes with', async () => {
		await mkdir(join(folder, 'twister/zephyr'), { recursive: true });
		await copyFile(join(folder, 'uno.elf'), join(folder, 'twister/zephyr/zephyr.elf'));
		await writeFile(join(folder, 'flash.sh'), await blockWith('sh flash.sh', '--build-dir'));
		await withLease('sh ./flash.sh --build-dir twister --board-id any');
	});

	test.skipIf(!has('socat'))('the command of twister for the serial port', async () => {
		const [board] = parseYaml(await blockWith('yaml', 'serial_pty'));
		const words = board.serial_pty.replaceAll(',', ' ').replace('127.0.0.1:4000', '$BOARD_TCP');
		const output = await withLease(`(sleep 3; echo hello; sleep 1) | ${words}`);
		expect(output).toContain('HELLO');
	});

	test.skipIf(!has('python3'))('the client in Python', async () => {
		await writeFile(join(folder, 'channel.py'), await blockWith('python channel.py', 'urllib'));
		const output = await withLease(`python3 channel.py $BOARD_LEASE`);
		expect(output).toMatch(/9600\n.*HELLO/s);
		// More than the window, which is smaller here.
		const program = `
import os
import channel
from channel import Channel
channel.WINDOW = 1000
board = Channel(os.environ["BOARD_LEASE"])
line = b"x" * 100 + b"\\r"
for turn in range(50):
    board.write(line)
    assert board.read_until(b"\\n").endswith(b"X" * 100 + b"\\r\\n"), turn
board.close()
debug = Channel(os.environ["BOARD_LEASE"], "debug")
debug.write(b"$?#3f")
print(debug.read_until(b"$T05"))
`;
		await writeFile(join(folder, 'more.py'), program);
		expect(await withLease(`python3 more.py`)).toContain('$T05');
	});
});

async function exitOf(child: ChildProcess): Promise<number | null> {
	if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
	return child.exitCode;
}

// Tools as processes: they fail, hang, print garbage and leave children behind, and no shell runs them.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkConfig } from '../../src/config.ts';
import type { Hardware } from '../../src/drivers/hardware.ts';
import { runCommand } from '../../src/drivers/run-command.ts';
import { markOf } from '../../src/drivers/survivors.ts';
import { hardwareOf } from '../../src/hardware-of.ts';
import { sampleFirmware } from '../../src/samples.ts';
import { until } from '../support/fake-service.ts';
import { elfFile } from '../support/files.ts';
import {
	atEnd,
	isRunning,
	script,
	serviceOf,
	startWith,
	temporaryFolder,
} from '../support/running.ts';

const never = new AbortController().signal;
const mark = markOf(undefined, 'real');

const run = (text: string, options: Partial<Parameters<typeof runCommand>[1]> = {}) =>
	runCommand(script(text), {
		folder: '/',
		timeout: 10_000,
		signal: never,
		mark,
		...options,
	});

function board(settings: object): Hardware {
	const config = {
		id: 'real',
		type: 'real',
		driver: 'command',
		between_leases: 'keep',
		...settings,
	};
	const [checked] = checkConfig({ service: 'https://service.test', boards: [config] }).boards;
	if (checked === undefined) throw new Error('No board');
	return hardwareOf(checked, undefined);
}

describe('a tool', () => {
	test('that succeeds has its output in the message', async () => {
		expect(await run('echo one; echo two >&2')).toBe('one\ntwo');
	});

	test('that draws a progress bar leaves its last state, and the lines around it', async () => {
		const lines = "printf 'one\\r\\n\\rWriting 1 %%\\rWriting 50 %%\\rWriting 100 %%\\ndone\\r\\n'";
		expect(await run(lines)).toBe('one\nWriting 100 %\ndone');
	});

	test('that flashes says how far it is, on both of its streams', async () => {
		const [bytes, reported] = [Uint8Array.of(1), [] as number[]];
		const flash = script(
			'echo "Erasing 90%"; echo "Writing 12%"; sleep 0.1; echo "Writing 80%" >&2',
		);
		const hardware = board({ flash, erase: script('echo 50%') });
		const perform = (work: Parameters<typeof hardware.perform>[0]) =>
			hardware.perform(work, never, undefined, (percent) => reported.push(percent));
		await perform({ action: 'flash', bytes, offset: 0 });
		expect(reported).toEqual([12, 80]);
		await perform({ action: 'erase' });
		expect(reported).toEqual([12, 80]);
	});

	test('that fails has its exit code and last output in the message', async () => {
		await expect(run('echo verifying; echo no board >&2; exit 3')).rejects.toThrow(
			'sh exited with code 3:\nverifying\nno board',
		);
	});

	test.each([
		'avrdude: verification error, first mismatch at byte 0x1a40',
		'** Verify Failed **',
		'MD5 of file does not match data in flash!',
		'Error: failed to verify the flash',
	])('that finds other bytes in the flash has failed to verify it: %s', async (text) => {
		await expect(run(`echo "${text}"; exit 1`)).rejects.toMatchObject({ failure: 'verify_failed' });
	});

	test('that verifies the flash and fails afterwards has another reason', async () => {
		const failing = run('echo "400 bytes of flash verified"; echo "reset failed"; exit 1');
		await expect(failing).rejects.not.toHaveProperty('failure');
	});

	test('that fails because the port of the board is gone says so', async () => {
		const port = join(await temporaryFolder(), 'port');
		const hardware = board({ reset: script('echo no port; exit 1'), with: { port } });
		const reset = () => hardware.perform({ action: 'reset' }, never);
		await expect(reset()).rejects.toMatchObject({ failure: 'no_device' });
		await writeFile(port, '');
		await expect(reset()).rejects.not.toHaveProperty('failure');
	});

	test('that is not installed is named', async () => {
		const command = runCommand(['no-such-tool', 'x'], {
			folder: '/',
			timeout: 1000,
			signal: never,
			mark,
		});
		await expect(command).rejects.toThrow('no-such-tool is not installed');
	});

	test('that hangs is terminated with its children, even if it ignores SIGTERM', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		const file = join(await temporaryFolder(), 'pid');
		const hanging = expect(
			run(`trap "" TERM; sleep 60 & echo $! > ${file}.new; mv ${file}.new ${file}; wait; sleep 60`),
		).rejects.toMatchObject({ message: 'sh took longer than 10 seconds', failure: 'timeout' });
		await until(() => existsSync(file), 'the tool hangs');
		vi.advanceTimersByTime(10_000);
		const child = Number(await readFile(file, 'utf8'));
		expect(isRunning(child)).toBe(true);
		vi.advanceTimersByTime(1_000);
		await hanging;
		await until(() => !isRunning(child), 'the child is terminated');
	});

	test('that leaves a child process behind has the child terminated too', async () => {
		const file = join(await temporaryFolder(), 'pid');
		await runCommand(script('sleep 60 & echo $! > "$1"', file), {
			folder: '/',
			timeout: 10_000,
			signal: never,
			mark,
		});
		const child = Number(await readFile(file, 'utf8'));
		await until(() => !isRunning(child), 'the child is terminated');
	});

	test('that crashes is reported with its signal', async () => {
		await expect(run('kill -SEGV $$')).rejects.toThrow('sh was terminated by SIGSEGV');
	});

	test('that prints garbage endlessly leaves a short message of plain text', async () => {
		const flood =
			"head -c 300000 /dev/urandom; printf '\\033[31mred\\033[0m\\a 10%%\\r 20%%\\r'; exit 1";
		const message = await run(flood).catch((error: Error) => error.message);
		expect(message.length).toBeLessThanOrEqual(4000);
		expect(message).toMatch(/(^|\n) 20%$/);
		expect(message.replaceAll(/[\n\t]/g, '')).toMatch(/^\P{Cc}*$/u);
	});

	test('reads nothing from the terminal of the agent, and does not see its token', async () => {
		expect(await run('cat; env')).not.toMatch(/BOARD_ACCESS_AGENT_TOKEN/);
	});

	test('is ended with its lease', async () => {
		const controller = new AbortController();
		const file = join(await temporaryFolder(), 'started');
		const running = run(`touch ${file}; sleep 60`, { signal: controller.signal });
		await until(() => existsSync(file), 'the tool runs');
		controller.abort();
		await expect(running).rejects.toThrow('sh was stopped');
		await expect(run('true', { signal: controller.signal })).rejects.toThrow('aborted');
	});
});

describe('user input never reaches a shell', () => {
	const hostile = [
		'$(touch /tmp/owned)',
		'`id`',
		'; id',
		'0x0; reboot',
		'-h',
		'0x0\n',
		' 1',
		'1e3',
		'０',
	];

	test.each(hostile)('a flash offset of %j is rejected', async (offset) => {
		const settings = {
			id: 'real',
			type: 'real',
			driver: 'command' as const,
			between_leases: 'keep' as const,
			flash: script('echo "$@"', '{offset}'),
		};
		const { service } = await startWith([settings]);
		const lease = service.grant('real');
		expect(await service.act(lease, 'flash', { file: Buffer.from('x'), offset })).toMatchObject({
			status: 'failed',
			message: 'The flash offset is invalid',
		});
	});

	test('a hostile file ID is only used in the URL, and the agent chooses the file name', async () => {
		const settings = {
			id: 'real',
			type: 'real',
			driver: 'command' as const,
			between_leases: 'keep' as const,
			flash: script('echo "$1"; ls -l "$1"', '{file}'),
		};
		const service = serviceOf([settings]);
		await startWith([settings], { service });
		const lease = service.grant('real');
		const done = await service.act(lease, 'flash', { file: Buffer.from('$(id)') });
		const [path = '', listing] = done.message.split('\n');
		expect(basename(path)).toBe('firmware.bin');
		expect(basename(dirname(path))).toMatch(/^board-access-agent-[\w-]+$/);
		expect(listing).toMatch(/^-rw-------/);
		await expect(readFile(path)).rejects.toThrow('ENOENT');

		service.send({
			boards: [
				{
					board_id: 'real',
					fence: lease.fence,
					lease: {
						id: lease.id,
						remaining_ms: 60_000,
						input: null,
						sync: 0,
						actions: [
							{
								id: 'act_1',
								action: 'flash',
								file_id: '../../keys?x=1#',
								flash_offset: '0x0',
							},
						],
					},
				},
			],
		});
		const request = 'GET /v1/agent/files/..%2F..%2Fkeys%3Fx%3D1%23';
		await until(() => service.requests.includes(request), 'the file is requested');
	});

	test('an argument with the characters of a shell stays one argument', async () => {
		const value = '$(id); "quoted" `x` | y > z';
		const hardware = board({ with: { value }, reset: script('echo "$# $1"', '{value}') });
		expect(await hardware.perform({ action: 'reset' }, never)).toBe(`1 ${value}`);
	});
});

describe('a file is converted to a format that the tool reads', () => {
	const show = script(
		'od -An -tx1 "$1" | head -3; echo "$(basename "$1" | cut -d. -f2) $2 $3 $4"',
		'{file}',
		'{offset}',
		'{address}',
		'{format}',
	);
	const flash = async (settings: object, bytes: Uint8Array, offset = 0) => {
		return board({ flash: show, ...settings }).perform({ action: 'flash', bytes, offset }, never);
	};
	const raw = Uint8Array.of(1, 2, 3);
	const elf = elfFile([
		{ load: 0x8000, data: Uint8Array.of(1, 2) },
		{ load: 0x8004, data: Uint8Array.of(3) },
	]);
	const memory = { start: '0x8000', size: '0x1000' };

	test('as it is', async () => {
		expect(await flash({ memory }, raw, 16)).toBe('01 02 03\nbin 0x10 0x8010 bin');
		expect(
			await flash({ memory }, await sampleFirmware('arduino-uno').catch(() => raw)).catch(String),
		).toContain('outside the flash');
	});

	test('to raw, with gaps filled', async () => {
		expect(await flash({ memory, formats: ['raw'] }, elf)).toBe(
			'01 02 ff ff 03\nbin 0x0 0x8000 bin',
		);
	});

	test('to Intel HEX', async () => {
		expect(await flash({ memory, formats: ['hex'] }, raw, 2)).toMatch(
			/^3a 30 33 38 30 30 32.*hex 0x0 0x8000 hex$/s,
		);
	});

	test('or is rejected if it cannot be converted', async () => {
		await expect(flash({ memory, formats: ['uf2'] }, raw)).rejects.toThrow(
			'takes uf2 files, and a raw file cannot',
		);
	});

	test('with the separate arguments for raw files, if the board has them', async () => {
		const settings = { flash_raw: script('echo raw') };
		expect(await flash(settings, raw)).toBe('raw');
		expect(await flash(settings, await sampleFirmware('arduino-uno'))).toContain('hex 0x0');
	});
});

describe('check', () => {
	test('names each tool that is missing', async () => {
		const hardware = board({ flash: ['no-such-tool'], reset: ['sh'], erase: ['/no/such/tool'] });
		await expect(hardware.check()).rejects.toThrow(
			'no-such-tool is not installed; /no/such/tool is not installed',
		);
	});

	test('warns if the first output after a flash may be missing', async () => {
		const boardConsole = { type: 'tcp', host: '127.0.0.1', port: await listeningPort() };
		const flashed = { flash: ['sh'], console: boardConsole };
		expect(await board(flashed).check()).toMatch(/; without a reset beside the console, the first/);
		expect(await board({ ...flashed, reset: ['sh'] }).check()).not.toContain('without a reset');
	});

	test('lists what is installed', async () => {
		const tool = join(await temporaryFolder(), 'tool');
		await writeFile(tool, '', { mode: 0o755 });
		expect(await board({ reset: [tool], flash: ['sh'] }).check()).toBe(
			`sh is installed; ${tool} is installed`,
		);
	});
});

async function listeningPort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	atEnd(async () => server.close());
	// An AddressInfo, because the server listens on a port and not on a path.
	return (server.address() as AddressInfo).port;
}

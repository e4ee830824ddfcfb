import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkConfig, commandsOf, readConfig, valuesOf } from '../src/config.ts';
import { presets } from '../src/drivers/presets.ts';
import { hardwareOf } from '../src/hardware-of.ts';
import { token } from './support/fake-service.ts';
import { fakeComputer, uno } from './support/usb.ts';

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'agent-config-'));
});

afterAll(() => rm(folder, { recursive: true }));

const emulated = { id: 'uno-1', type: 'arduino-uno', driver: 'emulated' };
const command = { id: 'esp-1', type: 'esp32', driver: 'command', between_leases: 'keep' };
const withBoards = (...boards: object[]) => ({ service: 'https://boards.example', boards });

async function written(name: string, content: string): Promise<string> {
	const file = join(folder, name);
	await writeFile(file, content);
	return file;
}

test.each([
	['avrdude', { size: 0x7e00, machine: 83 }],
	['picotool', { size: 0x7e00, machine: undefined }],
])('firmware has to fit the memory, and the processor that %s implies', (preset, memory) => {
	const settings = { preset, with: { port: '/dev/null' }, memory: { start: 0, size: 0x7e00 } };
	const [board] = checkConfig(withBoards({ ...command, ...settings })).boards;
	if (!board) throw new Error('There is no board');
	expect(hardwareOf(board, undefined).memory).toEqual({ start: 0, ...memory });
});

test.each([
	{ service: 'http://localhost:8787' },
	{ service: 'http://[::1]:8787' },
	{ service: 'http://boards.example', allow_insecure_http: true },
])('plain http is for this machine, or a network that is trusted: %o', (settings) => {
	expect(checkConfig({ ...withBoards(emulated), ...settings }).service).toBe(settings.service);
});

test('an agent has at most 2,000 boards', () => {
	const boards = Array.from({ length: 2_001 }, (_, index) => ({ ...emulated, id: `uno-${index}` }));
	expect(() => checkConfig(withBoards(...boards))).toThrow(
		'boards: must be at most 2,000 boards; create another agent for the others',
	);
	expect(checkConfig(withBoards(...boards.slice(1))).boards).toHaveLength(2_000);
});

test('tools use the port of the console, unless the configuration names another', () => {
	const usb = { vendor_id: '2341', usb_port: '1-1.4' };
	const wired = { ...command, preset: 'esptool', console: { type: 'serial', path: usb } };
	const other = { ...wired, id: 'b', console: { type: 'serial', path: '/dev/ttyX1' } };
	const settings = withBoards(wired, { ...other, with: { port: '/dev/ttyX2' } });
	const values = checkConfig(settings).boards.map(
		(board) => board.driver === 'command' && valuesOf(board),
	);
	expect(values).toMatchObject([{ port: usb }, { port: '/dev/ttyX2' }]);
});

describe('boards that would share a port are rejected', () => {
	const wired = (id: string, settings: object) => ({ ...command, id, ...settings });
	const serial = (path: string) => ({ console: { type: 'serial', path } });
	const tcp = (host?: string) => ({ console: { type: 'tcp', host, port: 4001 } });
	const memory = { start: 0, size: 0x7e00 };
	const withPort = (port: string) => ({ preset: 'avrdude', with: { port }, memory });

	test.each([
		[serial('/dev/ttyX1'), serial('/dev/ttyX1'), /console\.path: \/dev\/ttyX1 is /],
		[
			serial('/dev/ttyX1'),
			serial('/dev/../dev/ttyX1'),
			/console\.path: \/dev\/\.\.\/dev\/ttyX1 is /,
		],
		[tcp(), tcp('LOCALHOST'), /console\.port: LOCALHOST:4001 is /],
		[
			serial('/dev/ttyX1'),
			{ ports: { modem: { type: 'serial', path: '/dev/ttyX1' } } },
			/ports\.modem\.path: \/dev\/ttyX1 is /,
		],
		[serial('/dev/ttyX1'), withPort('/dev/ttyX1'), /with\.port: \/dev\/ttyX1 is /],
	])('%j and %j', (one, other, message) => {
		const boards = [wired('esp-1', one), emulated, wired('esp-2', other)];
		const text = `boards\\[2\\]\\.${message.source}a port of board esp-1 too, so esp-2 needs another$`;
		expect(() => checkConfig(withBoards(...boards))).toThrow(new RegExp(text, 'm'));
	});

	test('also by other names of the port', async () => {
		const port = await written('ttyX1', '');
		const link = join(folder, 'usb-Board_0001-if00');
		await symlink(port, link);
		const boards = [wired('esp-1', serial(port)), wired('esp-2', serial(link))];
		expect(() => checkConfig(withBoards(...boards))).toThrow(
			`boards[1].console.path: ${link} is a port of board esp-1 too, so esp-2 needs another`,
		);
	});

	test('also if USB properties lead to it, or are the same', async () => {
		const { path } = await fakeComputer(uno);
		const usb = { serial_number: uno.serial };
		const serialUsb = (path: object) => ({ console: { type: 'serial', path } });
		const other = { usb_port: uno.usbPort };
		for (const one of [serial(path(uno)), serialUsb(other), { with: { port: other } }]) {
			const boards = [wired('esp-1', one), wired('esp-2', serialUsb(usb))];
			expect(() => checkConfig(withBoards(...boards))).toThrow(
				`boards[1].console.path: { serial_number: ${uno.serial} } is a port of board esp-1 too`,
			);
		}
		const away = serialUsb({ serial_number: 'away' });
		expect(() => checkConfig(withBoards(wired('a', away), wired('b', away)))).toThrow('too');
	});

	test('but not one board that names its port twice, or other values that boards share', () => {
		const own = (id: string, port: string) => wired(id, { ...serial(port), ...withPort(port) });
		const shared = (id: string) => wired(id, { with: { port: '3', relay: '/dev/ttyX9' } });
		const boards = [own('a', '/dev/ttyX1'), own('b', '/dev/ttyX2'), shared('c'), shared('d')];
		expect(checkConfig(withBoards(...boards)).boards).toHaveLength(4);
	});
});

describe('an error names the invalid setting', () => {
	test.each([
		[{}, /^service: .*\nboards: /],
		[
			{ ...withBoards(emulated), service: 'boards.example' },
			/^service: must be an http or https address$/,
		],
		[
			{ ...withBoards(emulated), service: 'http://boards.example:80x' },
			/^service: must be an http or https address$/,
		],
		[
			{ ...withBoards(emulated), service: 'https://boards.example/v1' },
			/^service: must not end in \/v1$/,
		],
		[
			{ ...withBoards(emulated), service: 'http://boards.example' },
			/^service: must be https, or set allow_insecure_http: true/,
		],
		[{ ...withBoards(emulated), token: 'agt_1' }, /^token: must be agt_ and 48 hex digits$/],
		[{ ...withBoards(emulated), tokn: '' }, /^tokn: is not a setting$/],
		[withBoards(), /^boards: must have at least one board$/],
		[withBoards({ ...emulated, cpu_share: 2 }), /^boards\[0\]\.cpu_share: /],
		[withBoards({ ...emulated, driver: 'magic' }), /^boards\[0\]\.driver: /],
		[
			withBoards({ ...emulated, type: 'esp32' }),
			/^boards\[0\]\.emulator: is required, as 'esp32' is not/,
		],
		[withBoards(emulated, emulated), /^boards\[1\]\.id: is the id of boards\[0\] too$/],
		[
			withBoards(emulated, emulated, {
				...command,
				console: { type: 'serial', path: 'x', baud: 'fast' },
			}),
			/^boards\[2\]\.console\.baud: /,
		],
		[withBoards({ ...command, console: { type: 'usb' } }), /^boards\[0\]\.console\.type: /],
		[
			withBoards({ ...command, console: { type: 'serial', path: { vendor_id: 2341 } } }),
			/^boards\[0\]\.console\.path: must be a path, or \{ vendor_id: .* in quotes$/,
		],
		[
			withBoards({ ...command, with: { port: { serial: '1' } } }),
			/^boards\[0\]\.with\.port\.serial: is not a setting$/,
		],
		[
			withBoards({ ...command, console: { type: 'tcp', port: 0 } }),
			/^boards\[0\]\.console\.port: /,
		],
		[
			withBoards({ ...command, console: { type: 'serial', path: 'x', exclusive: 'flash' } }),
			/^boards\[0\]\.console\.exclusive: must be true, if the flash tool needs the port of the console, or false/,
		],
		[
			withBoards({ ...command, between_leases: undefined }),
			/^boards\[0\]\.between_leases: must be erase, power or keep: /,
		],
		[
			withBoards({ ...command, between_leases: 'erase' }),
			/^boards\[0\]\.erase: is required for between_leases: erase$/,
		],
		[
			withBoards({ ...command, between_leases: 'power', power_on: ['on'] }),
			/^boards\[0\]\.power_off: is required for between_leases: power$/,
		],
		[
			withBoards({ ...command, between_leases: 'erase', erase: ['tool'], read_flash: ['tool'] }),
			/^boards\[0\]\.memory: is required, as erase or read_flash needs its size$/,
		],
		[
			withBoards({ ...command, erase: ['tool', '{blank}'] }),
			/^boards\[0\]\.memory: is required, as erase or read_flash needs its size$/,
		],
		[withBoards({ ...command, flash: 'esptool {file}' }), /^boards\[0\]\.flash: /],
		[
			withBoards({ ...command, flash: [] }),
			/^boards\[0\]\.flash: must begin with the name of a tool$/,
		],
		[withBoards({ ...command, preset: 'esp' }), /^boards\[0\]\.preset: /],
		[
			withBoards({ ...command, preset: 'esptool' }),
			/^boards\[0\]\.with\.port: is required by the preset esptool$/,
		],
		[
			withBoards({ ...command, flash: ['tool', '{fiel}'] }),
			/^boards\[0\]\.flash\[1\]: \{fiel\} is not a placeholder/,
		],
		[
			withBoards({ ...command, reset: ['tool', '{file}'] }),
			/^boards\[0\]\.reset\[1\]: \{file\} is not a placeholder/,
		],
		[
			withBoards({ ...command, memory: { start: '8000', size: 1 } }),
			/^boards\[0\]\.memory\.start: must be a number/,
		],
		[withBoards({ ...command, timeouts: { flash: 0 } }), /^boards\[0\]\.timeouts\.flash: /],
	])('%j', (config, message) => {
		expect(() => checkConfig(config)).toThrow(
			expect.objectContaining({ message: expect.stringMatching(message) }),
		);
	});
});

test('all errors are reported at once', () => {
	const config = withBoards({ ...emulated, cpu_share: 2 }, { ...command, power_pause: -1 });
	expect(() => checkConfig(config)).toThrow(
		/boards\[0\]\.cpu_share: .*\nboards\[1\]\.power_pause: /,
	);
});

test.each(Object.entries(presets))('the preset %s only needs its values', (name, preset) => {
	const needed = Object.fromEntries(
		[
			'port',
			'interface',
			'target',
			'usb',
			'build_dir',
			...(name === 'probe-rs' ? ['chip'] : []),
		].map((key) => [key, key]),
	);
	const memory = { start: 0, size: 1024 };
	const config = checkConfig(withBoards({ ...command, preset: name, with: needed, memory }));
	const [board] = config.boards;
	if (board?.driver !== 'command') throw new Error('Another board');
	expect(commandsOf(board)).toMatchObject({ flash: preset.flash });
	expect(valuesOf(board)).toMatchObject({
		...('defaults' in preset && preset.defaults),
		port: 'port',
	});
});

test('a command of the board replaces that of the preset', () => {
	const own = ['my-tool', '{file}'];
	const [board] = checkConfig(withBoards({ ...command, preset: 'picotool', flash: own })).boards;
	if (board?.driver !== 'command') throw new Error('Another board');
	expect(commandsOf(board)).toMatchObject({
		flash: own,
		flash_raw: undefined,
		reset: presets.picotool.reset,
	});
});

test.each([
	'docs/guides/connect-your-hardware.md',
	'agent/README.md',
	'agent/deploy/raspberry-pi.yaml',
])('the configurations in %s are valid', async (document) => {
	const text = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8');
	const blocks = document.endsWith('.yaml')
		? [text]
		: [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = '']) => block);
	expect(blocks).not.toEqual([]);
	for (const block of blocks) {
		const content = parse(block);
		const config = Array.isArray(content) ? withBoards(...content) : content;
		expect(checkConfig(config).boards).not.toEqual([]);
	}
});

describe('the file', () => {
	const yaml = `service: https://boards.example\nboards:\n  - { id: uno-1, type: arduino-uno, driver: emulated }\n`;

	test('is YAML, with the token in the environment', async () => {
		const file = await written('one.yaml', yaml);
		expect(await readConfig(file, { BOARD_ACCESS_AGENT_TOKEN: token })).toMatchObject({
			token,
			state_file: join(folder, 'board-access-agent.state.json'),
			boards: [{ id: 'uno-1', cpu_share: 0.5 }],
		});
	});

	test('may be JSON, with the token in another file', async () => {
		await written('token', `${token}\n`);
		const config = {
			...withBoards({ ...emulated, boot_rom: 'rom.bin' }),
			token_file: 'token',
			state_file: 's.json',
		};
		const file = await written('two.json', JSON.stringify(config));
		expect(await readConfig(file, {})).toMatchObject({
			token,
			state_file: join(folder, 's.json'),
			boards: [{ boot_rom: join(folder, 'rom.bin') }],
		});
	});

	test('keeps its state in the directory that systemd provides', async () => {
		const file = await written('three.yaml', yaml);
		const environment = { BOARD_ACCESS_AGENT_TOKEN: token, STATE_DIRECTORY: '/var/lib/agent' };
		const { state_file: stateFile } = await readConfig(file, environment);
		expect(stateFile).toBe('/var/lib/agent/board-access-agent.state.json');
	});

	test.each([
		['no-token.yaml', yaml, {}, /BOARD_ACCESS_AGENT_TOKEN is required/],
		[
			'bad-token.yaml',
			yaml,
			{ BOARD_ACCESS_AGENT_TOKEN: 'x' },
			/BOARD_ACCESS_AGENT_TOKEN: must be agt_/,
		],
		['no-file.yaml', `${yaml}token_file: nowhere\n`, {}, /token_file: ENOENT/],
		['broken.yaml', 'service: [', {}, /broken\.yaml: .* at line 1, column/],
	])('%s is refused', async (name, content, environment, message) => {
		await expect(readConfig(await written(name, content), environment)).rejects.toThrow(message);
	});

	test('that does not exist is named', async () => {
		await expect(readConfig(join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml: ENOENT/);
	});
});

test.each(['Modem', '1st', 'a'.repeat(21), 'gps_1', ''])('a port is not named %j', (name) => {
	const ports = { [name]: { type: 'serial', path: '/dev/ttyX1' } };
	expect(() => checkConfig(withBoards({ ...command, ports }))).toThrow(
		'must be at most 20 lower-case letters, digits and hyphens, and begin with a letter',
	);
});

test('a console is reset in a way that is known', () => {
	const serial = { type: 'serial', path: '/dev/ttyX1', reset: 'relay' };
	expect(() => checkConfig(withBoards({ ...command, console: serial }))).toThrow(
		/boards\[0\]\.console\.reset: /,
	);
});

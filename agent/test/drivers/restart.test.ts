// The console shows new firmware from its first byte: the board restarts after a flash, while its console is open.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usualLine } from 'board-access-contract';
import { describe, expect, test } from 'vitest';
import { ConsoleTracker } from '../../src/boards/console-tracker.ts';
import { commandsOf, valuesOf } from '../../src/config.ts';
import type { BoardConsole, ConnectionEvents } from '../../src/consoles/reconnecting.ts';
import { ReconnectingConsole } from '../../src/consoles/reconnecting.ts';
import type { CommandSettings } from '../../src/drivers/carry-out.ts';
import { createCommandBoard } from '../../src/drivers/command.ts';
import { type Preset, type PresetName, presets } from '../../src/drivers/presets.ts';
import { needsPort, restartOf } from '../../src/drivers/restart.ts';
import { until } from '../support/fake-service.ts';
import { type BoardSettings, script, startWith, temporaryFolder } from '../support/running.ts';
import { startSerialPort } from '../support/serial-port.ts';
import { pass, unheard, useVirtualTime } from '../support/virtual.ts';

const port = '/dev/ttyTEST7';

/** A console that writes down what is done with it. */
function recordingConsole(record: string[]): BoardConsole {
	const note = (text: string) => async () => void record.push(text);
	return {
		address: port,
		open: () => void record.push('console opens'),
		connected: async () => {
			record.push('console is connected');
			return { write: async () => {}, close: async () => {} };
		},
		write: note('input'),
		set: async () => usualLine,
		forgetSettings() {},
		setLines: async (lines) => void record.push(JSON.stringify(lines)),
		close: note('console closes'),
		check: async () => '',
	};
}

function settingsOf(more: Partial<CommandSettings>, record: string[] = []): CommandSettings {
	const limit = 10_000;
	return {
		commands: {},
		formats: ['raw'],
		flash: { start: 0, size: 1024 },
		values: {},
		timeouts: {
			flash: limit,
			erase: limit,
			read_flash: limit,
			reset: limit,
			power_on: limit,
			power_off: limit,
		},
		power_pause: 0,
		between_leases: 'keep',
		console: recordingConsole(record),
		exclusive: undefined,
		pulse: undefined,
		mark: 'none',
		permit: async () => {},
		...more,
	};
}

const bytes = Buffer.from('new');
const flashWork = {
	action: 'flash',
	bytes,
	offset: 0,
} as const;

/** What happens to the console, and when the output begins. */
async function flashed(more: Partial<CommandSettings>) {
	const record: string[] = [];
	const board = createCommandBoard(settingsOf(more, record));
	const { signal } = new AbortController();
	await board.open(unheard);
	record.length = 0;
	const message = await board.perform(flashWork, signal, () => void record.push('output begins'));
	return { record, message };
}

describe('after a flash', () => {
	const pulse = { hold: { dtr: false, rts: true }, release: { dtr: false, rts: false } };

	test('a port that the flash tool needs is opened again, and the board is reset then', async () => {
		const { record } = await flashed({
			exclusive: true,
			commands: { flash: ['true'], reset: ['true'] },
		});
		expect(record).toEqual([
			'console closes',
			'console opens',
			'console is connected',
			'output begins',
		]);
	});

	test('the control lines reset a board whose reset command needs the port of the console', async () => {
		const { record } = await flashed({
			exclusive: true,
			commands: { flash: ['true'], reset: ['false', port] },
			pulse,
		});
		expect(record.slice(2)).toEqual([
			'console is connected',
			'{"dtr":false,"rts":true}',
			'output begins',
			'{"dtr":false,"rts":false}',
		]);
	});

	test('a board that cannot restart beside its console has its output from the end of the tool on', async () => {
		const { record } = await flashed({
			exclusive: true,
			commands: { flash: ['true'], reset: ['false', port] },
		});
		expect(record).toEqual(['console closes', 'output begins', 'console opens']);
	});

	test('a failed restart is reported, and the flash has succeeded', async () => {
		const { record, message } = await flashed({
			commands: { flash: ['true'], power_on: ['true'], power_off: script('exit $(($# + 3))') },
		});
		expect(message).toBe('The board did not restart after the flash: sh exited with code 3');
		expect(record.at(-1)).toBe('output begins');
	});

	test('a reset by the user uses the control lines too', async () => {
		const record: string[] = [];
		const commands = { flash: ['true'], reset: ['false', port] };
		const board = createCommandBoard(settingsOf({ commands, pulse }, record));
		await board.perform({ action: 'reset' }, new AbortController().signal);
		expect(record).toEqual(['{"dtr":false,"rts":true}', '{"dtr":false,"rts":false}']);
	});
});

describe('a board that another agent has', () => {
	const actions = ['erase', 'reset', 'power_on', 'power_off', 'power_cycle'] as const;
	const reason = new Error('Another agent is connected with the same token.');
	const refused = { permit: () => Promise.reject(reason) };
	const tool = async () => {
		const file = join(await temporaryFolder(), 'used');
		const names = ['flash', 'erase', 'reset', 'power_on', 'power_off'];
		const commands = Object.fromEntries(names.map((name) => [name, ['touch', file]]));
		return { commands, wasUsed: () => existsSync(file) };
	};

	test.each([flashWork, ...actions.map((action) => ({ action }))])(
		'is not touched by $action',
		async (work) => {
			const { commands, wasUsed } = await tool();
			const board = createCommandBoard(settingsOf({ commands, ...refused }));
			await expect(board.perform(work, new AbortController().signal)).rejects.toThrow(
				reason.message,
			);
			expect(wasUsed()).toBe(false);
		},
	);

	test('keeps its power, and its console is closed', async () => {
		const { commands, wasUsed } = await tool();
		const record: string[] = [];
		const board = createCommandBoard(settingsOf({ commands, ...refused }, record));
		await expect(board.close()).rejects.toThrow(reason.message);
		expect(wasUsed()).toBe(false);
		expect(record).toEqual(['console closes']);
	});

	test('gets no input and no pulse of a lease that ended while the agent waited', async () => {
		const record: string[] = [];
		const pulse = { hold: { dtr: false }, release: { dtr: true } };
		const board = createCommandBoard(settingsOf({ pulse }, record));
		const ended = AbortSignal.abort();
		await expect(board.write(bytes, ended)).rejects.toThrow();
		await expect(board.perform({ action: 'reset' }, ended)).rejects.toThrow();
		expect(record).toEqual([]);
	});

	test('gets no input, and no reset by its control lines', async () => {
		const record: string[] = [];
		const pulse = { hold: { dtr: false }, release: { dtr: true } };
		const board = createCommandBoard(settingsOf({ pulse, ...refused }, record));
		await expect(board.write(bytes)).rejects.toThrow(reason.message);
		const reset = board.perform({ action: 'reset' }, new AbortController().signal);
		await expect(reset).rejects.toThrow(reason.message);
		expect(record).toEqual([]);
	});
});

describe('the port of the console', () => {
	const boardOf = (preset: PresetName, more: object = {}): CommandSettings => {
		const own = {
			id: 'real',
			type: 'real',
			driver: 'command',
			between_leases: 'keep',
			preset,
		} as const;
		const { timeouts } = settingsOf({});
		const board = { ...own, with: { port }, timeouts, power_pause: 0 };
		const known: Preset = presets[preset];
		return settingsOf({
			commands: commandsOf(board),
			values: valuesOf(board),
			exclusive: known.usesConsolePort,
			pulse: known.pulse,
			...more,
		});
	};

	test.each([
		['esptool', true, 'pulse'],
		['avrdude', true, 'pulse'],
		['openocd', false, 'reset'],
		['st-flash', false, 'reset'],
		['probe-rs', false, 'reset'],
		['picotool', false, 'reset'],
		['dfu-util', false, undefined],
		['west', false, undefined],
	] as const)(
		'%s: is needed by the flash tool: %s; the board restarts by: %s',
		async (preset, isNeeded, restart) => {
			const settings = boardOf(preset);
			expect(await needsPort('flash', settings)).toBe(isNeeded);
			expect(await restartOf(settings)).toBe(restart);
		},
	);

	test('is not needed for a reset through another port', async () => {
		const settings = boardOf('avrdude', { values: { port: 'usb', programmer: 'usbasp' } });
		expect(await restartOf(settings)).toBe('reset');
	});

	test.each([
		['names it', ['flasher', '--port', port], true],
		['names it within an argument', ['flasher', `--port=${port}`], true],
		['names another', ['flasher', '--port', `${port}0`], false],
	])('is needed by a command without a preset that %s: %j', async (_, flash, isNeeded) => {
		expect(await needsPort('flash', settingsOf({ commands: { flash } }))).toBe(isNeeded);
	});

	test('is recognized by any of its names', async () => {
		const folder = await temporaryFolder();
		const [path, link] = [join(folder, 'ttyUSB0'), join(folder, 'by-id')];
		await writeFile(path, '');
		await symlink(path, link);
		const boardConsole = { ...recordingConsole([]), address: link };
		const settings = settingsOf({ commands: { flash: ['flasher', path] }, console: boardConsole });
		expect(await needsPort('flash', settings)).toBe(true);
	});

	test('is never needed if the configuration says so', async () => {
		const commands = { flash: ['flasher', port], reset: ['resetter', port] };
		const settings = settingsOf({ commands, exclusive: false });
		expect(await needsPort('flash', settings)).toBe(false);
		expect(await restartOf(settings)).toBe('reset');
	});
});

/** A board that prints a text whenever it starts, and nothing else. A line in a file starts it. */
const boardProgram = `
import { readFileSync } from 'node:fs';
const [firmwareFile, startsFile] = process.argv.slice(2);
const read = (file) => readFileSync(file, 'utf8');
let starts = 0;
setInterval(() => {
	const lines = read(startsFile).split('\\n').length - 1;
	if (lines === starts) return;
	starts = lines;
	for (let line = 1; line <= 200; line++) process.stdout.write(read(firmwareFile) + ' ' + line + '\\n');
}, 1);
`;

describe.skipIf(spawnSync('which', ['socat']).status !== 0)(
	'on a serial port (needs socat)',
	() => {
		async function serialBoard(settings: { exclusive?: boolean; namesPort?: boolean }) {
			const { namesPort, ...more } = settings;
			const folder = await temporaryFolder();
			const file = (name: string) => join(folder, name);
			await writeFile(file('firmware'), 'factory');
			await writeFile(file('starts'), '');
			await writeFile(file('board.mjs'), boardProgram);
			const program = [process.execPath, file('board.mjs'), file('firmware'), file('starts')];
			await startSerialPort(folder, program);
			// The tool restarts the board, as most do, and takes a moment to end.
			const tool = 'cp "$1" "$2"; echo flashed >> "$3"; sleep 0.1; echo "$4"';
			const named = namesPort ? file('tty') : 'no port';
			const board: BoardSettings = {
				id: 'real',
				type: 'real-board',
				driver: 'command',
				between_leases: 'keep',
				flash: script(tool, '{file}', file('firmware'), file('starts'), named),
				reset: script('echo reset >> "$1"', file('starts')),
				console: { type: 'serial', path: file('tty'), ...more },
			};
			return { board, starts: () => readFile(file('starts'), 'utf8') };
		}

		test.each([
			['that the flash tool needs', { exclusive: true }],
			['that the flash command names', { namesPort: true }],
			['that stays open', {}],
		])(
			'%s, the output after a flash is the boot output, complete and once',
			{ tags: 'long' },
			async (_, settings) => {
				const { board, starts } = await serialBoard(settings);
				const { service } = await startWith([board]);
				const lease = service.grant('real');
				const flash = await service.act(lease, 'flash', { file: Buffer.from('new') });
				expect(flash.status).toBe('done');
				const own = () => lease.output.subarray(flash.consoleOffset).toString();
				await until(() => own().endsWith('new 200\n'), 'the firmware has started');
				expect(own()).toBe(Array.from({ length: 200 }, (_, line) => `new ${line + 1}\n`).join(''));
				expect(await starts()).toBe('flashed\nreset\n');
			},
		);
	},
);

test.each([
	['no longer than a restart', 4_000, ''],
	['longer than a restart', 6_000, '; 6 s of its output are missing'],
])('a console that is away %s says so before its next output', async (_, away, missing) => {
	useVirtualTime();
	const ports: ConnectionEvents[] = [];
	let back = 0;
	const path = new ReconnectingConsole(async (events) => {
		const left = back - performance.now();
		// biome-ignore lint/plugin: the time is virtual.
		await new Promise((resolve) => setTimeout(resolve, Math.min(left, 3_000)));
		if (left > 3_000) throw new Error('There is no such port');
		ports.push(events);
		// Before the settings of the port are made.
		events.output(Buffer.from('DONE'));
		return { write: async () => {}, close: async () => {} };
	}, port);
	let shown = '';
	const board = createCommandBoard(settingsOf({ console: path }));
	const take = (bytes: Uint8Array) => {
		shown += Buffer.from(bytes);
	};
	const opening = board.open(new ConsoleTracker({ take, report() {} }));
	let isOpen = false;
	void opening.then(() => (isOpen = true));
	while (!isOpen) await pass(100);
	await pass(1_000);
	back = performance.now() + away;
	ports[0]?.closed('unplugged');
	await pass(away + 500);
	ports[0]?.output(Buffer.from('late'));
	await board.close();
	expect(shown).toMatch(
		new RegExp(`unplugged …\\]\r\n\r\n\\[… the console is connected${missing} …\\]\r\nDONElate$`),
	);
});

// Debug servers of real boards: they start, pass bytes on, fail and hang, and never outlive their debugger.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkConfig, debugServerOf } from '../../src/config.ts';
import type { Hardware } from '../../src/drivers/hardware.ts';
import { fillIn, presets } from '../../src/drivers/presets.ts';
import { packetOf } from '../../src/emulators/debug/packets.ts';
import { hardwareOf } from '../../src/hardware-of.ts';
import type { Permit } from '../../src/link/contact.ts';
import { atEnd, isRunning, script, temporaryFolder } from '../support/running.ts';
import { unheard } from '../support/virtual.ts';

/** Writes its number to a file, sends everything back, and says that the processor is halted. */
const echo = `
	const { writeFileSync } = require('node:fs');
	const [port, file, mode] = process.argv.slice(1);
	if (file) writeFileSync(file, String(process.pid));
	if (mode === 'stubborn') process.on('SIGTERM', () => {});
	require('node:net').createServer((socket) => {
		socket.on('error', () => {});
		socket.on('data', (bytes) => {
			if (bytes.includes('crash')) { console.error('probe lost'); process.exit(3); }
			if (bytes.includes('hang up')) socket.destroy();
			else socket.write(bytes.includes('$?#3f') ? '$T05#b9' : bytes);
		});
	}).listen(Number(port), '127.0.0.1');
	console.log('listening');
`;
const server = (...args: string[]) => [process.execPath, '-e', echo, '{port}', ...args];

const base = { id: 'real', type: 'real', driver: 'command', between_leases: 'keep' };

function check(settings: object) {
	const config = { service: 'https://service.test', boards: [{ ...base, ...settings }] };
	const [board] = checkConfig(config).boards;
	if (board?.driver !== 'command') throw new Error('No board');
	return board;
}

function boardWith(command: string[], settings: object = {}, permit?: Permit): Hardware {
	const hardware = hardwareOf(check({ debug: { command, ...settings } }), undefined, permit);
	atEnd(() => hardware.close());
	return hardware;
}

async function attach(hardware: Hardware) {
	const closed = Promise.withResolvers<string>();
	const halts: boolean[] = [];
	let received = '';
	const port = await hardware.debug?.open({
		async output(bytes) {
			received += Buffer.from(bytes).toString('latin1');
		},
		halted: (isHalted) => void halts.push(isHalted),
		closed: closed.resolve,
	});
	if (!port) throw new Error('The board has no debugger');
	const write = (text: string) => port.write(Buffer.from(text, 'latin1'));
	return { port, write, halts, closed: closed.promise, received: () => received };
}

test('bytes pass both ways, halts are noticed, and the server ends with the debugger', async () => {
	const file = join(await temporaryFolder(), 'pid');
	const hardware = boardWith(server(file));
	const { port, write, halts, received } = await attach(hardware);
	// In a packet, those that a packet is made of are escaped.
	const everyByte = packetOf(String.fromCharCode(...Array(256).keys()));
	await write(everyByte);
	await expect.poll(received).toBe(everyByte);
	await write(packetOf('?'));
	await expect.poll(() => halts).toEqual([true]);
	await expect(attach(hardware)).rejects.toThrow('Another debugger is attached');
	const pid = Number(await readFile(file, 'utf8'));
	expect(isRunning(pid)).toBe(true);
	await port.close();
	expect(isRunning(pid)).toBe(false);
	await (await attach(hardware)).port.close();
});

test('a server that dies is reported with its last output', async () => {
	const { write, closed } = await attach(boardWith(server()));
	await write(packetOf('crash'));
	expect(await closed).toMatch(/^node exited with code 3:\n(listening\n)?probe lost$/);
});

test('a server that closes the connection is ended', async () => {
	const { write, closed } = await attach(boardWith(server()));
	await write(packetOf('hang up'));
	expect(await closed).toBe('node has closed the connection:\nlistening');
});

test.each([
	['fails', script('echo no probe; exit 1 # {port}'), 'sh exited with code 1:\nno probe'],
	['is not installed', ['no-such-server', '{port}'], 'no-such-server is not installed'],
	[
		'does not listen',
		script('echo waiting; exec sleep 60 # {port}'),
		'sh accepted no connection within 0.3 seconds:\nwaiting',
	],
])('a server that %s is reported, and may be tried again', async (_, command, message) => {
	const hardware = boardWith(command, { start_timeout: 0.3 });
	await expect(attach(hardware)).rejects.toThrow(message);
	await expect(attach(hardware)).rejects.toThrow(message);
});

test('a server that ignores SIGTERM is killed', { tags: 'long' }, async () => {
	const file = join(await temporaryFolder(), 'pid');
	const { port } = await attach(boardWith(server(file, 'stubborn')));
	const pid = Number(await readFile(file, 'utf8'));
	await port.close();
	expect(isRunning(pid)).toBe(false);
});

test('the debugger is detached when the board is flashed or its lease ends', async () => {
	const hardware = hardwareOf(
		check({ debug: { command: server() }, reset: script('true'), power_on: ['true'] }),
		undefined,
	);
	await hardware.open(unheard);
	const first = await attach(hardware);
	await hardware.perform({ action: 'power_on' }, new AbortController().signal);
	await hardware.perform({ action: 'reset' }, new AbortController().signal);
	expect(await first.closed).toBe('The debugger was detached, because the board is used: reset');
	const second = await attach(hardware);
	await hardware.close();
	expect(await second.closed).toBe('The board was closed');
	await expect(second.write(packetOf('g'))).rejects.toThrow();
});

test('nothing is started or written without a permit', async () => {
	let isPermitted = true;
	const permit = async () => {
		if (!isPermitted) throw new Error('Another agent has the boards');
	};
	const file = join(await temporaryFolder(), 'pid');
	const hardware = boardWith(server(file), {}, permit);
	const { port, write, received } = await attach(hardware);
	isPermitted = false;
	await expect(write('x')).rejects.toThrow('Another agent');
	expect(received()).toBe('');
	await port.close();
	const pid = await readFile(file, 'utf8');
	await expect(attach(hardware)).rejects.toThrow('Another agent');
	expect(await readFile(file, 'utf8')).toBe(pid);
});

test('a debugger that leaves while the server starts ends it', async () => {
	const hardware = boardWith(script('exec sleep 60 # {port}'));
	const opening = attach(hardware);
	await hardware.close();
	await expect(opening).rejects.toThrow('The board was closed');
});

test('a board is closed while its debugger waits for a permit, and nothing is started after that', async () => {
	const permit = Promise.withResolvers<void>();
	const file = join(await temporaryFolder(), 'pid');
	const hardware = boardWith(server(file), {}, () => permit.promise);
	const opening = attach(hardware);
	await hardware.close();
	permit.resolve();
	await expect(opening).rejects.toThrow('The board was closed');
	await expect(readFile(file)).rejects.toThrow('ENOENT');
});

describe('the settings', () => {
	test('of a preset are used if its placeholders have values', () => {
		const values = { interface: 'interface/cmsis-dap.cfg', target: 'target/rp2040.cfg' };
		const board = check({ preset: 'openocd', with: values });
		const command = debugServerOf(board)?.command ?? [];
		expect(fillIn(command, { ...values, port: '4444' })).toEqual([
			...['openocd', '-f', 'interface/cmsis-dap.cfg', '-f', 'target/rp2040.cfg', '-c'],
			'bindto 127.0.0.1; gdb_port 4444; tcl_port disabled; telnet_port disabled',
		]);
		expect(presets['probe-rs'].debug.join(' ')).toContain('127.0.0.1:{port} --chip {chip}');
		const own = { flash: ['x'], flash_raw: ['x'], erase: ['x'], reset: ['x'] };
		expect(debugServerOf(check({ preset: 'probe-rs', ...own }))).toBeUndefined();
		expect(hardwareOf(check({}), undefined).debug).toBeUndefined();
	});

	test.each([
		[{ debug: {} }, 'boards[0].debug.command: is required'],
		[{ debug: { command: ['x'] } }, 'boards[0].debug.command: must contain {port}'],
		[{ debug: { command: ['x', '{port}', '{chip}'] } }, '{chip} is not a placeholder here'],
		[{ debug: { command: ['{port}'], start_timeout: 0 } }, 'boards[0].debug.start_timeout'],
	])('%j are rejected', (settings, message) => {
		expect(() => check(settings)).toThrow(message);
	});
});

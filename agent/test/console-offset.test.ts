// Output of the firmware before an action never counts as output of the action, whatever the board.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: nothing is expected after a moment of chance.
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { chattyUno } from './support/chatty-uno.ts';
import { type FakeLease, type FakeService, until } from './support/fake-service.ts';
import {
	type BoardSettings,
	script,
	startProcess,
	startWith,
	temporaryFolder,
} from './support/running.ts';
import { startSerialPort } from './support/serial-port.ts';

/** The firmware before, and the firmware after. */
const pairs = [
	['A', 'B'],
	['B', 'C'],
] as const;

/** What the console showed from the offset of the action on, and before. */
function split(lease: FakeLease, action: { consoleOffset: number | undefined }) {
	const { consoleOffset: offset } = action;
	if (offset === undefined) throw new Error('The action has no offset');
	expect(lease.output.length).toBeGreaterThanOrEqual(offset);
	const own = () => lease.output.subarray(offset).toString();
	return { before: lease.output.subarray(0, offset).toString(), own };
}

/** Never expected: the tool interrupts the firmware at a different point of its text each time. */
const momentOfChance = () => wait(Math.random() * 60);

/** Flashes one firmware after the other at moments of chance, while both print without end. */
async function flashInTurns(
	{ service, lease }: { service: FakeService; lease: FakeLease },
	firmware: (name: string) => Uint8Array,
) {
	await service.act(lease, 'flash', { file: firmware('A') });
	for (const [old, name] of pairs) {
		await momentOfChance();
		const flash = await service.act(lease, 'flash', { file: firmware(name) });
		expect(flash).toMatchObject({ status: 'done' });
		const { before, own } = split(lease, flash);
		expect(before).toContain(old);
		await until(() => own().length > 40, 'the new firmware prints');
		expect(new Set(own().match(/[A-Z]/g))).toEqual(new Set([name]));
	}
}

describe('an emulated board', () => {
	const uno: BoardSettings = { id: 'uno', type: 'arduino-uno', driver: 'emulated' };
	const start = async (...others: BoardSettings[]) => {
		const { service } = await startWith([uno, ...others]);
		return { service, lease: service.grant('uno') };
	};

	test('never shows old firmware after the offset of a flash', async () => {
		await flashInTurns(await start(), (name) => chattyUno(`${name}\n`));
	});

	test.each(['erase', 'power_off'])('shows nothing after the offset of %s', async (action) => {
		const { service, lease } = await start({ ...uno, id: 'other' });
		await service.act(lease, 'flash', { file: chattyUno('old\n') });
		await service.expect(lease, /old/);
		const { before, own } = split(lease, await service.act(lease, action));
		const other = service.grant('other');
		await service.act(other, 'flash', { file: chattyUno('meanwhile\n') });
		await service.expect(other, /(meanwhile\n){5}/);
		expect(before).toMatch(/old/);
		expect(own()).toBe('');
	});

	test.each(['reset', 'power_cycle'])('starts its text at the offset of %s', async (action) => {
		const { service, lease } = await start();
		await service.act(lease, 'flash', { file: chattyUno('0123456789\n') });
		await service.expect(lease, /0123/);
		const { own } = split(lease, await service.act(lease, action));
		await until(() => own().length > 20, 'the firmware prints');
		expect(own()).toMatch(/^0123456789\n01/);
	});

	test('shows its output after a flood, from its first byte on', async () => {
		const { service, lease } = await start();
		const flood = Uint8Array.of(0x08, 0xe7, 0x00, 0x93, 0xc6, 0x00, 0xfd, 0xcf); // 'x' without end
		await service.act(lease, 'flash', { file: flood });
		await service.expect(lease, /bytes dropped/);
		const flash = await service.act(lease, 'flash', { file: chattyUno('quiet\n') });
		const { own } = split(lease, flash);
		await until(() => own().length > 20, 'the firmware prints');
		expect(own()).toMatch(/^quiet\nquiet\n/);
	});
});

/**
 * A board as a program: prints its firmware, a text in a file, every millisecond, and says when it
 * begins. On standard output, or to everyone who connects to its port.
 */
const boardProgram = `
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
const [firmwareFile, startsFile, portFile] = process.argv.slice(2);
const outputs = new Set();
if (portFile === undefined) outputs.add(process.stdout);
else {
	const server = createServer((socket) => {
		outputs.add(socket);
		socket.on('error', () => {}).on('close', () => outputs.delete(socket));
	});
	server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
}
let running = '';
setInterval(() => {
	const wanted = readFileSync(firmwareFile, 'utf8') + readFileSync(startsFile, 'utf8');
	const text = wanted.split('\\n')[0];
	const line = wanted === running ? text : text + ' starts';
	running = wanted;
	for (const output of outputs) output.write(line + '\\n');
}, 1);
`;

const contentOf = (path: string) => readFile(path, 'utf8').catch(() => '');

/** A board that a script flashes. The script takes a moment, as every tool does. */
async function boardOnDisk({ resets = true, exclusive = false, serial = false }) {
	const folder = await temporaryFolder();
	const [firmware, starts] = [join(folder, 'firmware'), join(folder, 'starts')];
	await writeFile(firmware, 'factory\n');
	await writeFile(starts, '');
	const program = join(folder, 'board.mjs');
	await writeFile(program, boardProgram);
	const open = serial ? openSerialPort : openTcpPort;
	const board: BoardSettings = {
		id: 'real',
		type: 'real-board',
		driver: 'command',
		between_leases: 'keep',
		flash: script('cp "$1" "$2"; echo flashed >> "$3"; sleep 0.05', '{file}', firmware, starts),
		...(resets && { reset: script('echo reset >> "$1"; sleep 0.05', starts) }),
		console: { ...(await open(folder, [program, firmware, starts])), exclusive },
	};
	const { service } = await startWith([board]);
	const lease = service.grant('real');
	await service.expect(lease, /factory/);
	return { service, lease };
}

async function openSerialPort(folder: string, program: string[]) {
	const { path } = await startSerialPort(folder, [process.execPath, ...program]);
	return { type: 'serial' as const, path };
}

async function openTcpPort(folder: string, program: string[]) {
	const file = join(folder, 'port');
	startProcess(process.execPath, [...program, file]);
	await until(async () => (await contentOf(file)) !== '', 'the program listens');
	return { type: 'tcp' as const, host: '127.0.0.1', port: Number(await contentOf(file)) };
}

const kinds = [
	['behind a TCP port', { serial: false }],
	...(spawnSync('which', ['socat']).status === 0
		? [['on a serial port', { serial: true }] as const]
		: []),
] as const;

describe.each(kinds)('a board with tools %s', (_, kind) => {
	const firmware = (name: string) => Buffer.from(`${name}\n`);

	test.each([
		['that stays open', { exclusive: false }],
		['that stays open, without a reset', { exclusive: false, resets: false }],
		['that is closed while a tool runs', { exclusive: true }],
	])(
		'never shows old firmware after the offset of a flash, %s',
		{ tags: 'long' },
		async (_, how) => {
			await flashInTurns(await boardOnDisk({ ...kind, ...how }), firmware);
		},
	);

	test('shows the start of the new firmware, because it is reset after the flash', async () => {
		const { service, lease } = await boardOnDisk(kind);
		const flash = await service.act(lease, 'flash', { file: firmware('new') });
		const { own } = split(lease, flash);
		await until(() => own().includes('new starts\n'), 'the start is shown');
	});

	test('shows its start after the offset of a reset', async () => {
		const { service, lease } = await boardOnDisk(kind);
		const { own } = split(lease, await service.act(lease, 'reset'));
		await until(() => own().includes('factory starts\n'), 'the start is shown');
	});
});

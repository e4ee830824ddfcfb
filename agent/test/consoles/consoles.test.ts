// Consoles of real boards: serial ports by socat, TCP by a socket, and QEMU.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSerialConsole } from '../../src/consoles/serial.ts';
import { until } from '../support/fake-service.ts';
import {
	atEnd,
	type BoardSettings,
	script,
	startProcess,
	startWith,
	temporaryFolder,
} from '../support/running.ts';
import { startSerialPort } from '../support/serial-port.ts';

const has = (command: string) => spawnSync('which', [command]).status === 0;

const realBoard = (settings: object): BoardSettings => ({
	id: 'real',
	type: 'real-board',
	driver: 'command',
	between_leases: 'keep',
	reset: script('true'),
	...settings,
});

/** A program that behaves like a board: it prints a greeting until it gets input, and echoes in upper case. */
const boardProgram = `
process.stdin.setEncoding('utf8');
const greeting = setInterval(() => process.stdout.write('Hello from a serial port\\r\\n'), 300);
process.stdin.on('data', (text) => {
	clearInterval(greeting);
	process.stdout.write(text.toUpperCase());
});
`;

// CI installs socat; elsewhere it may be missing.
describe.skipIf(!has('socat'))('a serial port (needs socat)', () => {
	async function serialBoard(settings: object = {}) {
		const folder = await temporaryFolder();
		const program = join(folder, 'board.mjs');
		await writeFile(program, boardProgram);
		const begin = () => startSerialPort(folder, [process.execPath, program]);
		const { path, socat } = await begin();
		const board = realBoard({ console: { type: 'serial', path, baud: 115_200, ...settings } });
		return { board, socat, begin, path };
	}

	test('is read and written', async () => {
		const { board } = await serialBoard();
		const { service } = await startWith([board]);
		expect(service.capabilities).toMatchObject({ real: { console: true } });
		const lease = service.grant('real');
		await service.expect(lease, /Hello from a serial port\r\n/);
		service.write(lease, 'good morning\r');
		await service.expect(lease, /GOOD MORNING\r/);
	});

	test('whose control lines cannot be set is closed, so that the next attempt is not locked out', async () => {
		const { path } = await serialBoard();
		// A pseudo terminal has no control lines.
		const port = createSerialConsole({ path, baud: 115_200, dtr: true });
		await expect(port.check()).rejects.toThrow(/cannot set/i);
		await expect(port.check()).rejects.toThrow(/cannot set/i);
	});

	test('transfers every byte of a long text', async () => {
		const { board } = await serialBoard();
		const { service } = await startWith([board]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello/);
		const text = Array.from({ length: 300 }, (_, index) => `line ${index} ä\r`).join('');
		service.write(lease, text);
		await service.expect(lease, /LINE 299 Ä\r$/);
		expect(service.output(lease)).toContain(text.toUpperCase());
	});

	test('that disappears is opened again, and the console has a notice', async () => {
		const { board, socat, begin, path } = await serialBoard();
		const { service } = await startWith([board]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello/);
		socat.kill('SIGKILL');
		// The link would lead to the next terminal that anyone opens.
		await rm(path, { force: true });
		await service.expect(lease, /the console is not connected/);
		await begin();
		await service.expect(lease, /the console is connected/);
		service.write(lease, 'again\r');
		await service.expect(lease, /AGAIN/);
	});

	test('that is gone is noticed even if no read ends', async () => {
		const { board, path } = await serialBoard();
		const { service } = await startWith([board]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello/);
		await rm(path);
		await service.expect(lease, /the console is not connected: the port has disappeared/);
		const states = lease.consoleStates.map(({ status }) => status);
		expect(states).toEqual(['connected', 'disconnected']);
	});

	test('is closed while a tool that needs the port runs, and opened again afterwards', async () => {
		const { board, path } = await serialBoard();
		const holders = openPorts(path);
		const { service } = await startWith([{ ...board, reset: holders } as BoardSettings]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello/);
		const reset = await service.act(lease, 'reset');
		expect(reset).toMatchObject({ status: 'done', message: '0' });
		service.write(lease, 'after\r');
		await service.expect(lease, /AFTER/);
	});

	test('stays open while a tool that does not need the port runs', async () => {
		const { board, path } = await serialBoard({ exclusive: false });
		const holders = openPorts(path);
		const { service } = await startWith([{ ...board, reset: holders } as BoardSettings]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello/);
		expect((await service.act(lease, 'reset')).message).toBe('1');
	});

	test('is closed with the lease, so the next lease gets none of its output', async () => {
		const { board } = await serialBoard();
		const { service } = await startWith([board]);
		const first = service.grant('real');
		await service.expect(first, /Hello/);
		service.write(first, 'secret\r');
		await service.expect(first, /SECRET/);
		const second = service.grant('real');
		service.write(second, 'mine\r');
		await service.expect(second, /MINE/);
		expect(service.output(second)).not.toContain('SECRET');
	});
});

test('a serial port that does not exist is named on the console, once', {
	tags: 'long',
}, async () => {
	const { service } = await startWith([
		realBoard({ console: { type: 'serial', path: '/dev/ttyNONE' } }),
	]);
	const lease = service.grant('real');
	await service.expect(lease, /the console is not connected: .*\/dev\/ttyNONE/);
	// The input waits for the port, which the agent tries to open again and again.
	service.write(lease, 'lost');
	await service.expect(
		lease,
		/4 bytes of input may not have arrived: \/dev\/ttyNONE is not connected/,
	);
	expect(service.output(lease).match(/the console is not connected/g)).toHaveLength(1);
});

/** Counts how often this process has the port open. */
const openPorts = (path: string) =>
	// Other files may be closed while they are listed.
	script(
		'ls -l "/proc/$2/fd" 2>/dev/null | grep -c "$(readlink -f "$1")$"; true',
		path,
		String(process.pid),
	);

/** Upper case over TCP, as behind ser2net. */
async function echoServer(port = 0) {
	const sockets = new Set<Socket>();
	const server: Server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.write('Hello over TCP\r\n');
		socket.on('data', (bytes) => socket.write(bytes.toString('utf8').toUpperCase()));
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const stop = async () => {
		for (const socket of sockets) socket.destroy();
		if (server.listening) await new Promise((resolve) => server.close(resolve));
	};
	atEnd(stop);
	// An AddressInfo, because the server listens on a port and not on a path.
	return { port: (server.address() as AddressInfo).port, stop, sockets };
}

/** The timer that the system runs for the connection to this port. */
async function timerTo(port: number) {
	const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
	const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
	const fields = lines.map((line) => line.trim().split(/\s+/));
	const connection = fields.find(([, , to, state]) => to === remote && state === '01');
	const [timer, ticks] = connection?.[5]?.split(':') ?? [];
	return {
		timer: timer === '02' ? 'keepalive' : timer,
		milliseconds: Number.parseInt(ticks ?? '', 16) * 10,
	};
}

describe('a TCP console', () => {
	test('is read and written', async () => {
		const { port } = await echoServer();
		const { service } = await startWith([
			realBoard({ console: { type: 'tcp', host: '127.0.0.1', port } }),
		]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello over TCP\r\n/);
		service.write(lease, 'abc\r');
		await service.expect(lease, /ABC\r/);
	});

	test('reconnects after a loss', async () => {
		const { port, stop } = await echoServer();
		const { service } = await startWith([
			realBoard({ console: { type: 'tcp', host: '127.0.0.1', port } }),
		]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello/);
		await stop();
		await service.expect(lease, /the console is not connected/);
		await echoServer(port);
		await service.expect(lease, /the console is connected/);
		service.write(lease, 'again\r');
		await service.expect(lease, /AGAIN/);
	});

	test.skipIf(process.platform !== 'linux')(
		'is probed after seconds of silence, so that a dead host is noticed',
		async () => {
			const { port } = await echoServer();
			const settings = { type: 'tcp', host: '127.0.0.1', port };
			const { service } = await startWith([realBoard({ console: settings })]);
			await service.expect(service.grant('real'), /Hello/);
			const { timer, milliseconds } = await timerTo(port);
			expect(timer).toBe('keepalive');
			expect(milliseconds).toBeLessThanOrEqual(5_000);
		},
	);

	test('is disconnected with the lease', async () => {
		const { port, sockets } = await echoServer();
		const { service } = await startWith([
			realBoard({ console: { type: 'tcp', host: '127.0.0.1', port } }),
		]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello/);
		service.release(lease);
		await until(
			() => [...sockets].every((socket) => socket.destroyed || socket.readableEnded),
			'disconnected',
		);
	});
});

// Debian's qemu-system-arm. Its microbit prints nothing by itself, so the firmware is ours.
describe.skipIf(!has('qemu-system-arm'))('the serial port of QEMU (needs qemu-system-arm)', () => {
	test('is a TCP console', async () => {
		const folder = await temporaryFolder();
		const image = join(folder, 'hello.bin');
		await writeFile(image, lm3sHello('Hello from QEMU\r\n'));
		const { port, stop } = await echoServer();
		await stop();
		startProcess('qemu-system-arm', [
			...['-M', 'lm3s6965evb', '-nographic', '-monitor', 'none', '-kernel', image],
			...['-serial', `tcp:127.0.0.1:${port},server=on,wait=on`],
		]);
		const { service } = await startWith([
			realBoard({ console: { type: 'tcp', host: '127.0.0.1', port } }),
		]);
		const lease = service.grant('real');
		await service.expect(lease, /Hello from QEMU\r\n/);
		service.write(lease, 'echo me');
		await service.expect(lease, /echo me/);
	});
});

/** Firmware for QEMU's Stellaris board: prints the text, then echoes each byte. */
function lm3sHello(text: string): Uint8Array {
	const code = [
		0x4907, // ldr r1, =UART0
		0xa208, // adr r2, text
		0x7810, // 1: ldrb r0, [r2]
		0x2800, // cmp r0, #0
		0xd002, // beq 2f
		0x6008, // str r0, [r1]
		0x3201, // adds r2, #1
		0xe7f9, // b 1b
		0x698b, // 2: ldr r3, [r1, #0x18]
		0x06db, // lsls r3, #27: the flag "receiver empty"
		0xd4fc, // bmi 2b
		0x6808, // ldr r0, [r1]
		0x6008, // str r0, [r1]
		0xe7f9, // b 2b
		0xbf00,
		0xbf00,
	];
	const bytes = Buffer.alloc(8 + code.length * 2 + 4 + text.length + 1);
	bytes.writeUInt32LE(0x2000_1000, 0);
	bytes.writeUInt32LE(9, 4);
	for (const [index, word] of code.entries()) bytes.writeUInt16LE(word, 8 + index * 2);
	bytes.writeUInt32LE(0x4000_c000, 8 + code.length * 2);
	bytes.write(text, 8 + code.length * 2 + 4, 'latin1');
	return bytes;
}

// Settings and control lines of serial ports, with serialport replaced by a record of what is done with it.
import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LineState } from 'board-access-contract';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { checkConfig } from '../../src/config.ts';
import { createSerialConsole } from '../../src/consoles/serial.ts';
import type { Hardware } from '../../src/drivers/hardware.ts';
import { hardwareOf } from '../../src/hardware-of.ts';
import { temporaryFolder } from '../support/running.ts';

type Done = (error?: Error | null, status?: object) => void;

const record: unknown[] = [];
const ports: FakePort[] = [];
/** Names of steps that fail. */
const failing = new Set<string>();
let modem = { cts: false, dsr: false, dcd: false };

class FakePort extends EventEmitter {
	isOpen = false;
	readonly #options: { baudRate: number; dataBits: number; parity: string; stopBits: number };

	constructor(options: { baudRate: number; dataBits: number; parity: string; stopBits: number }) {
		super();
		this.#options = options;
		ports.push(this);
	}

	open(done: Done) {
		const { baudRate, dataBits, parity, stopBits } = this.#options;
		this.#note('open', `${baudRate} ${dataBits} ${parity} ${stopBits}`, (error) => {
			this.isOpen = !error;
			done(error);
		});
	}

	close(done: Done) {
		this.isOpen = false;
		this.emit('close');
		this.#note('close', '', done);
	}

	update(settings: object, done: Done) {
		this.#note('update', settings, done);
	}

	set(lines: object, done: Done) {
		this.#note('set', lines, done);
	}

	flush(done: Done) {
		this.#note('flush', '', done);
	}

	write(bytes: Buffer, done: Done) {
		this.#note('write', bytes.toString(), done);
	}

	get(done: Done) {
		done(null, modem);
	}

	#note(step: string, detail: unknown, done: Done) {
		record.push(detail === '' ? step : [step, detail]);
		const isFailing = failing.has(step) || failing.has(`${step} ${detail}`);
		setImmediate(() => done(isFailing ? new Error(`cannot ${step}`) : null));
	}
}

vi.mock('serialport', () => ({ SerialPort: FakePort }));

beforeEach(() => {
	record.length = 0;
	ports.length = 0;
	failing.clear();
	modem = { cts: false, dsr: false, dcd: false };
});

async function openConsole(settings: Partial<Parameters<typeof createSerialConsole>[0]> = {}) {
	const path = join(await temporaryFolder(), 'tty');
	await writeFile(path, '');
	const port = createSerialConsole({ path, baud: 9600, ...settings });
	const lost: string[] = [];
	const lines: LineState[] = [];
	const events = {
		output() {},
		connected() {},
		lost: (reason: string) => void lost.push(reason),
		line: (state: LineState) => void lines.push(state),
	};
	port.open(events);
	onTestFinished(() => port.close());
	await port.connected();
	record.length = 0;
	return { port, lost, lines, events };
}

test('a speed is changed without opening the port again', async () => {
	const { port } = await openConsole();
	expect(await port.set({ baud: 57_600 })).toMatchObject({ baud: 57_600, data_bits: 8 });
	expect(await port.set({ baud: 57_600 })).toMatchObject({ baud: 57_600 });
	expect(record).toEqual([['update', { baudRate: 57_600 }]]);
});

test('parity, data bits and stop bits need the port to be opened again, and the console is not lost', async () => {
	const { port, lost } = await openConsole();
	const state = await port.set({ parity: 'even', data_bits: 7, stop_bits: 2, rts: false });
	expect(state).toMatchObject({
		baud: 9600,
		parity: 'even',
		data_bits: 7,
		stop_bits: 2,
		rts: false,
	});
	expect(record).toEqual([
		'close',
		['open', '9600 7 even 2'],
		['set', { dtr: true, rts: false, brk: false }],
	]);
	await port.write(Buffer.from('typed'));
	expect(record.at(-1)).toEqual(['write', 'typed']);
	expect(lost).toEqual([]);
	ports.at(-1)?.emit('close');
	await expect.poll(() => lost).toEqual(['the port was closed']);
});

test('a port that is closed while it is opened again does not stay open', async () => {
	const { port } = await openConsole();
	const setting = port.set({ parity: 'even' });
	await expect.poll(() => record).toEqual(['close', ['open', '9600 8 even 1']]);
	await port.close();
	await setting;
	expect(ports.map(({ isOpen }) => isOpen)).toEqual([false, false]);
});

test('bytes are written after the settings that came before them', async () => {
	const { port } = await openConsole({ reset: 'arduino', dtr: false, rts: false });
	const set = port.set({ dtr: true });
	await port.write(Buffer.from('typed'));
	await set;
	expect(record.at(-1)).toEqual(['write', 'typed']);
	expect(record).toHaveLength(3);
});

test('what the port refuses stays', async () => {
	const { port, lost } = await openConsole();
	failing.add('open 300 8 mark 1').add('update').add('set').add('flush');
	const state = await port.set({ parity: 'mark', baud: 300, dtr: false, break: true, purge: true });
	expect(state).toMatchObject({ parity: 'none', baud: 9600, dtr: true, break: false });
	await port.write(Buffer.from('typed'));
	expect(record.at(-1)).toEqual(['write', 'typed']);
	expect(lost).toEqual([]);
});

test('all control lines are given each time, because serialport sets those that are missing', async () => {
	const { port } = await openConsole({ dtr: false, rts: false });
	await port.set({ rts: true });
	await port.set({ break: true });
	await port.set({ purge: true });
	expect(record).toEqual([
		['set', { dtr: false, rts: true, brk: false }],
		['set', { dtr: false, rts: true, brk: true }],
		'flush',
	]);
});

test('a reset into the boot loader of an ESP32 has the times of the agent', async () => {
	const { port } = await openConsole({ dtr: false, rts: false, reset: 'esp' });
	await port.set({ rts: true });
	const started = performance.now();
	expect(await port.set({ dtr: true })).toMatchObject({ dtr: true, rts: true });
	expect(performance.now() - started).toBeGreaterThan(140);
	await port.set({ rts: false });
	await port.set({ dtr: false });
	expect(record).toEqual([
		['set', { dtr: false, rts: true, brk: false }],
		['set', { dtr: false, rts: true, brk: false }],
		['set', { dtr: true, rts: false, brk: false }],
		['set', { dtr: false, rts: false, brk: false }],
		['set', { dtr: true, rts: false, brk: false }],
		['set', { dtr: false, rts: false, brk: false }],
	]);
});

test('the lines of the board are reported when they change', async () => {
	const { lines } = await openConsole();
	modem = { cts: true, dsr: false, dcd: true };
	await expect.poll(() => lines).toHaveLength(1);
	expect(lines[0]).toMatchObject({ cts: true, dsr: false, cd: true, ri: false, baud: 9600 });
});

test('a port that comes back is set again, and a new lease begins with the configuration', async () => {
	const { port, lost, events } = await openConsole();
	await port.set({ baud: 300, parity: 'odd' });
	record.length = 0;
	ports.at(-1)?.emit('close');
	await expect.poll(() => record).toContainEqual(['open', '300 8 odd 1']);
	expect(lost).toEqual(['the port was closed']);
	await port.close();
	port.forgetSettings();
	record.length = 0;
	port.open(events);
	await port.connected();
	expect(record).toEqual([['open', '9600 8 none 1']]);
});

/** A board whose console and modem are serial ports. */
async function openBoard(permit = async () => {}): Promise<Hardware> {
	const folder = await temporaryFolder();
	const [path, modem] = [join(folder, 'console'), join(folder, 'modem')];
	for (const file of [path, modem]) await writeFile(file, '');
	const board = {
		id: 'real',
		type: 'real',
		driver: 'command',
		between_leases: 'keep',
		preset: 'avrdude',
		with: { port: path },
		memory: { start: 0, size: 1024 },
		console: { type: 'serial', path },
		ports: { modem: { type: 'serial', path: modem, baud: 19_200 } },
	};
	const [checked] = checkConfig({ service: 'https://boards.example', boards: [board] }).boards;
	if (!checked) throw new Error('There is no board');
	return hardwareOf(checked, undefined, permit);
}

test('the console of a board is set, and reset as its preset says', async () => {
	const board = await openBoard();
	await board.open({ output() {}, lost() {}, connected() {} });
	onTestFinished(() => board.close());
	record.length = 0;
	await board.setLine?.({ dtr: false });
	await board.setLine?.({ dtr: true });
	expect(record).toEqual([
		['set', { dtr: false, rts: true, brk: false }],
		['set', { dtr: false, rts: true, brk: false }],
		['set', { dtr: true, rts: true, brk: false }],
	]);
});

test('a board that another agent has is not set, and its ports are not opened', async () => {
	const board = await openBoard(() => Promise.reject(new Error('Another agent is connected')));
	await expect(board.setLine?.({ baud: 300 })).rejects.toThrow('Another agent');
	const opening = board.ports?.get('modem')?.open({ async output() {}, closed() {} });
	await expect(opening).rejects.toThrow('Another agent');
	expect(record).toEqual([]);
});

test('another port of a board is opened for a tool, and lost once', async () => {
	const board = await openBoard();
	const output: string[] = [];
	const closed: string[] = [];
	const events = {
		async output(bytes: Uint8Array) {
			output.push(Buffer.from(bytes).toString());
		},
		closed: (reason: string) => void closed.push(reason),
	};
	const modem = board.ports?.get('modem');
	const port = await modem?.open(events);
	expect(record).toEqual([['open', '19200 8 none 1']]);
	ports[0]?.emit('data', Buffer.from('OK'));
	await port?.write(Buffer.from('AT'));
	expect(await port?.set?.({ baud: 300 })).toMatchObject({ baud: 300 });
	expect(record.slice(1)).toEqual([
		['write', 'AT'],
		['update', { baudRate: 300 }],
	]);
	expect(output).toEqual(['OK']);
	await port?.close();
	expect(closed).toEqual([]);
	const again = await modem?.open(events);
	ports[1]?.emit('close');
	ports[1]?.emit('close');
	expect(closed).toEqual(['the port was closed']);
	await again?.close();
});

test('another port that cannot be opened is an error', async () => {
	const board = await openBoard();
	failing.add('open');
	const opening = board.ports?.get('modem')?.open({ async output() {}, closed() {} });
	await expect(opening).rejects.toThrow('cannot open');
});

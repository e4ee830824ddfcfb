// The configuration that `scan` writes for what is plugged in.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { checkConfig } from '../src/config.ts';
import { scan } from '../src/scan.ts';
import { temporaryFolder } from './support/running.ts';
import { adapter, fakeComputer, type Plugged, twin, uno } from './support/usb.ts';

const pico: Plugged = { name: 'ttyACM1', usbPort: '1-1.3', id: '2e8a:000a', serial: 'E661A4D417' };
const esp: Plugged = { name: 'ttyACM2', usbPort: '1-1.2', id: '303a:1001', serial: 'F4:12:FA:E2' };

/** What a scan prints, with the files that it has read and written. */
async function scanned(options: { config?: string; write?: string } = {}): Promise<string> {
	const printed: string[] = [];
	const keep = (text: unknown) => printed.push(String(text)) > 0;
	using _ = vi.spyOn(process.stdout, 'write').mockImplementation(keep);
	using __ = vi.spyOn(console, 'log').mockImplementation(keep);
	await scan({ config: join(await temporaryFolder(), 'none.yaml'), ...options });
	return printed.join('');
}

function filledIn(text: string): string {
	let count = 0;
	return text.replaceAll(/\bbrd_ /g, () => `brd_${count++} `);
}

const boardsOf = (text: string) => checkConfig(parse(filledIn(text))).boards;

test('has a board for each port, and is a valid configuration once the IDs are filled in', async () => {
	await fakeComputer(uno, pico, esp, adapter);
	const text = await scanned();
	expect(() => checkConfig(parse(text))).toThrow('boards[1].id: is the id of boards[0] too');
	const device = { vendor_id: '2341', product_id: '0043' };
	expect(boardsOf(text)).toMatchObject([
		{
			type: 'arduino-uno',
			preset: 'avrdude',
			between_leases: 'erase',
			console: { path: { ...device, serial_number: uno.serial } },
		},
		{ type: 'rp2040-pico', preset: 'picotool' },
		{ type: 'fill-in', preset: 'esptool', console: { path: { serial_number: 'F4:12:FA:E2' } } },
		{ type: 'fill-in', between_leases: 'keep', console: { path: { vendor_id: '10c4' } } },
	]);
	expect(text).toMatch(/^ {2}# \S+ttyUSB0: CP2102 USB to UART Bridge Controller$/m);
});

test.each([
	['the IDs and the serial number', [uno], { serial_number: uno.serial }],
	['the place of a board without a serial number', [{ ...uno, serial: '' }], { usb_port: '1-1.4' }],
	[
		'the place too, if boards have one serial number',
		[adapter, { ...adapter, name: 'ttyUSB1', usbPort: '1-1.2' }],
		{ serial_number: '0001', usb_port: '1-1.1' },
	],
	[
		'the interface of a device with two ports',
		[twin, { ...twin, name: 'ttyUSB5', interface: '01' }],
		{ serial_number: '0001', interface: '00' },
	],
	[
		'all properties, if it takes them',
		[
			adapter,
			{ ...adapter, name: 'ttyUSB1', interface: '01' },
			{ ...adapter, name: 'ttyUSB2', usbPort: '2-2' },
		],
		{ serial_number: '0001', usb_port: '1-1.1', interface: '00' },
	],
])('names a port by %s', async (_, plugged, properties) => {
	await fakeComputer(...plugged);
	const [vendor_id, product_id] = plugged[0]?.id.split(':') ?? [];
	const [board] = boardsOf(await scanned());
	expect(board).toHaveProperty('console.path', { vendor_id, product_id, ...properties });
});

test('shows only what the configuration lacks, and says so if it lacks nothing', async () => {
	const { path, plug } = await fakeComputer(uno, adapter);
	const config = join(await temporaryFolder(), 'agent.yaml');
	await writeFile(config, filledIn(await scanned()).replace('vendor_id: "2341", ', ''));
	expect(await scanned({ config })).toBe(`# New ports, which ${config} does not have: 0\n`);
	await plug(pico);
	const text = await scanned({ config });
	expect(text).toContain(
		`# New ports, which ${config} does not have: 1\n  # ${path(pico)}: USB device\n`,
	);
	expect(text.match(/- id:/g)).toHaveLength(1);
	const all = (await readFile(config, 'utf8')) + text.replace('brd_ ', 'brd_new ');
	expect(checkConfig(parse(all)).boards).toHaveLength(3);
	await writeFile(config, 'service: 1\nboards: []\n');
	await expect(scanned({ config })).rejects.toThrow(/^service: /);
});

test('writes a new file, and never overwrites one', async () => {
	await fakeComputer(uno);
	const write = join(await temporaryFolder(), 'new.yaml');
	expect(await scanned({ write })).toBe('');
	const text = await readFile(write, 'utf8');
	expect(boardsOf(text)).toHaveLength(1);
	await fakeComputer(pico);
	await expect(scanned({ write })).rejects.toThrow('EEXIST: file already exists');
	expect(await readFile(write, 'utf8')).toBe(text);
});

test('nothing that a device says of itself becomes a setting', async () => {
	const hostile = '"}\nflash: [rm]\r\n\u001b[31m# x: {';
	await fakeComputer({ ...uno, serial: hostile, product: hostile });
	const text = await scanned();
	const [board] = boardsOf(text);
	expect(board).not.toHaveProperty('flash');
	expect(text).not.toContain('\u001b');
	expect(board).toHaveProperty('console.path.serial_number', '"} flash: [rm] # x: {');
});

test('says what to look at if nothing is plugged in', async () => {
	await fakeComputer();
	await expect(scanned()).rejects.toThrow(
		/^No USB serial port is plugged in\. .*data lines.*dialout/,
	);
});

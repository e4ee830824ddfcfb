// Ports by the properties of a USB device, whatever their number is.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { checkConfig } from '../../src/config.ts';
import { devicePath } from '../../src/consoles/usb.ts';
import { causeOf } from '../../src/errors.ts';
import { hardwareOf } from '../../src/hardware-of.ts';
import { until } from '../support/fake-service.ts';
import { atEnd, script, temporaryFolder } from '../support/running.ts';
import { startSerialPort } from '../support/serial-port.ts';
import { adapter, fakeComputer, twin, uno } from '../support/usb.ts';

const hasSocat = spawnSync('which', ['socat']).status === 0;

const twins = [twin, { ...twin, name: 'ttyUSB5', interface: '01' }] as const;

const board = (settings: object) => {
	const own = { id: 'one', type: 'any', driver: 'command', between_leases: 'keep', ...settings };
	const [checked] = checkConfig({ service: 'https://x.test', boards: [own] }).boards;
	if (!checked) throw new Error('There is no board');
	return hardwareOf(checked, undefined);
};

const serial = { type: 'serial', path: { serial_number: uno.serial } };

describe('a port is found by', () => {
	test.each([
		['its serial number', { serial_number: '95735353535351E0D1C1' }, 'ttyACM0'],
		['its IDs', { vendor_id: '2341', product_id: '0043' }, 'ttyACM0'],
		['IDs in capitals', { vendor_id: '10C4', product_id: 'EA60' }, 'ttyUSB0'],
		['where it is plugged in', { usb_port: '1-1.1' }, 'ttyUSB0'],
		['its interface', { vendor_id: '0403', interface: '01' }, 'ttyUSB5'],
	])('%s', async (_, properties, name) => {
		const { root } = await fakeComputer(uno, adapter, ...twins);
		expect(devicePath(properties)).toBe(join(root, 'dev', name));
	});
});

test('an error names no other port, because the holder of the lease reads it', async () => {
	await fakeComputer(uno);
	expect(() => devicePath({ serial_number: 'none' })).toThrow(
		/^No USB serial port has \{ serial_number: none \}$/,
	);
});

test('properties that several ports have are an error', async () => {
	const { path } = await fakeComputer(...twins);
	expect(() => devicePath({ serial_number: '0001' })).toThrow(
		/^Several USB serial ports have \{ serial_number: "0001" \}$/,
	);
	expect(devicePath({ serial_number: '0001', interface: '00' })).toBe(path(twins[0]));
});

test('an error says where Linux lists its ports', async () => {
	vi.stubEnv('HOST_ROOT', await temporaryFolder());
	atEnd(async () => void vi.unstubAllEnvs());
	expect(() => devicePath({ usb_port: '1-1' })).toThrow(/sys\/class\/tty does not exist/);
});

test('the flash command gets the port as it is now, and fails for a board that is not there', async () => {
	const { path, plug, unplug } = await fakeComputer(uno);
	const hardware = board({ reset: ['echo', '{port}'], console: serial });
	const reset = () => hardware.perform({ action: 'reset' }, new AbortController().signal);
	expect(await reset()).toBe(path(uno));
	await unplug(uno);
	const failure = await reset().catch((error: Error) => error);
	expect(causeOf(failure)).toBe('no_device');
	const elsewhere = await plug({ ...uno, name: 'ttyACM7', usbPort: '2-1' });
	expect(await reset()).toBe(elsewhere);
});

test('a tool that fails because the board is unplugged meanwhile finds no device', async () => {
	const { root } = await fakeComputer(uno);
	const unplug = script('rm -r "$1"; exit 1', join(root, 'sys/class/tty', uno.name));
	const hardware = board({ with: { port: serial.path }, reset: [...unplug, '{port}'] });
	const failed = hardware.perform({ action: 'reset' }, new AbortController().signal);
	expect(causeOf(await failed.catch((error: Error) => error))).toBe('no_device');
});

test('the flash tool may use another port than the console', async () => {
	const { path } = await fakeComputer(uno, adapter);
	const port = { vendor_id: '10c4' };
	const hardware = board({ reset: ['echo', '{port}'], console: serial, with: { port } });
	const signal = new AbortController().signal;
	expect(await hardware.perform({ action: 'reset' }, signal)).toBe(path(adapter));
});

describe.runIf(hasSocat)('with a terminal', () => {
	const echo = async () => (await startSerialPort(await temporaryFolder(), ['cat'])).path;

	test('the console goes on when the board is plugged in elsewhere', async () => {
		const { plug, unplug } = await fakeComputer();
		await plug({ ...uno, target: await echo() });
		const hardware = board({ console: serial });
		let [output, losses] = ['', 0];
		await hardware.open({
			output: (bytes) => (output += Buffer.from(bytes)),
			lost: () => losses++,
			connected: () => {},
		});
		atEnd(() => hardware.close());
		await hardware.write(Buffer.from('one'));
		await until(() => output.includes('one'), 'the board answers');
		await unplug(uno);
		await until(() => losses > 0, 'the console is lost');
		await plug({ ...uno, name: 'ttyACM7', usbPort: '2-1', target: await echo() });
		await until(
			() =>
				hardware.write(Buffer.from('two')).then(
					() => true,
					() => false,
				),
			'written',
		);
		await until(() => output.includes('two'), 'the board answers again');
	});

	test('a port besides the console, and check, find it as well', async () => {
		const { path, plug } = await fakeComputer();
		await plug({ ...uno, target: await echo() });
		const modem = board({ ports: { modem: serial } }).ports?.get('modem');
		const closed = Promise.withResolvers<string>();
		const open = await modem?.open({ output: async () => {}, closed: closed.resolve });
		await open?.close();
		expect(await board({ console: serial }).check()).toBe(`${path(uno)} opens`);
	});

	test('the console is closed for a tool that uses its port', async () => {
		const { path, plug } = await fakeComputer();
		await plug({ ...uno, target: await echo() });
		const erase = ['echo', 'free:', '{port}'];
		const hardware = board({ console: serial, erase });
		const events: string[] = [];
		await hardware.open({
			output: () => {},
			lost: (reason) => events.push(reason),
			connected: () => events.push('connected'),
		});
		atEnd(() => hardware.close());
		const { signal } = new AbortController();
		expect(await hardware.perform({ action: 'erase' }, signal)).toBe(`free: ${path(uno)}`);
		await until(() => events.join() === 'connected,connected', 'the console is open again');
	});
});

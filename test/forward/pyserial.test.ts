// The real pyserial on a server for RFC 2217.
import { describe, expect, onTestFinished, test } from 'vitest';
import { type PortServer, serveRfc2217 } from '../../src/forward/serve.ts';
import { hasPyserial, runPython } from '../support/python.ts';
import { createSerial, type FakeSerial } from '../support/remote-serial.ts';

async function serve(...ports: FakeSerial[]) {
	const failures: string[] = [];
	const waiting = [...ports];
	const server: PortServer = await serveRfc2217({
		async open() {
			const port = waiting.shift();
			if (!port) throw new Error('There is no port');
			return port.remote;
		},
		onFailure: ({ message }) => failures.push(message),
	});
	onTestFinished(() => server.stop());
	return { server, failures, run: (program: string) => runPython(server.address, program) };
}

const open = 'port = serial.serial_for_url(url, timeout=5)\n';

describe.skipIf(!hasPyserial)('pyserial', () => {
	test('opens a port, changes what differs, and writes and reads every byte', async () => {
		const port = createSerial();
		const { run } = await serve(port);
		const result = await run(`
started = time.monotonic()
port = serial.serial_for_url(url, baudrate=57600, timeout=5)
opened = time.monotonic() - started
data = bytes(range(256)) * 4
port.write(data)
print(port.read(1024) == data, opened < 3)
port.dtr = False
port.close()
`);
		expect(result).toBe('True True');
		expect(port.input).toEqual([...Array(1024).keys()].map((index) => index % 256));
		const settings = port.changes.filter(({ purge }) => !purge);
		expect(settings).toEqual([{ baud: 57_600 }, { dtr: false }]);
		await expect.poll(() => port.isClosed).toBe(true);
		expect(port.hasListener).toBe(false);
	});

	test('sets everything that a port has', { tags: 'long' }, async () => {
		const port = createSerial();
		const { run } = await serve(port);
		await run(`${open}
port.baudrate = 255 * 257
port.bytesize = 7
port.parity = serial.PARITY_EVEN
port.stopbits = 2
port.parity = serial.PARITY_SPACE
port.stopbits = 1.5
port.rts = False
port.dtr = False
port.rts = True
port.break_condition = True
port.break_condition = False
port.reset_output_buffer()
port.close()
`);
		expect(port.changes).toEqual([
			{ baud: 9600 },
			{ purge: true },
			{ baud: 65_535 },
			{ dataBits: 7 },
			{ parity: 'even' },
			{ stopBits: 2 },
			{ parity: 'space' },
			{ stopBits: 1.5 },
			{ rts: false },
			{ dtr: false },
			{ rts: true },
			{ break: true },
			{ break: false },
			{ purge: true },
		]);
	});

	test('sees what a port refuses, and goes on', { tags: 'long' }, async () => {
		const port = createSerial();
		port.refused.add('parity');
		const { run } = await serve(port);
		const result = await run(`${open}
try:
	port.parity = serial.PARITY_MARK
except ValueError:
	print('refused', end=' ')
port.write(b'on')
print(port.read(2))
`);
		expect(result).toBe("refused b'on'");
	});

	test('sees the modem lines, and their changes', { tags: 'long' }, async () => {
		const port = createSerial((bytes) =>
			port.change(bytes[0] === 49 ? { cts: true, cd: true } : { cts: false, dsr: true, ri: true }),
		);
		const { run } = await serve(port);
		const result = await run(`
port = serial.serial_for_url(url + '?poll_modem')
def lines():
	time.sleep(0.5)
	print(port.cts, port.dsr, port.ri, port.cd, end='; ')
lines()
port.write(b'1')
lines()
port.write(b'2')
lines()
`);
		const expected = ['False False False False', 'True False False True', 'False True True True'];
		expect(result).toBe(`${expected.join('; ')};`);
	});

	test('moves a megabyte both ways, exactly', { tags: 'long' }, async () => {
		const port = createSerial();
		const { run } = await serve(port);
		const result = await run(`${open}
import random, threading
data = random.Random(1).randbytes(1 << 20)
started = time.monotonic()
writer = threading.Thread(target=lambda: port.write(data))
writer.start()
read = bytearray()
while len(read) < len(data):
	read += port.read(65536)
print(read == data, len(data) / (time.monotonic() - started))
`);
		expect(result).toMatch(/^True/);
	});

	test.each([
		['reads', 'port.read(10)'],
		['writes', "port.write(b'x')"],
	])('fails soon where the port ends while it %s', { tags: 'long' }, async (_, statement) => {
		const port = createSerial((bytes) => {
			if (Buffer.from(bytes).includes('end')) port.end('the lease has ended');
		});
		const { run, failures } = await serve(port);
		const result = await run(`${open}
port.write(b'end')
started = time.monotonic()
try:
	while time.monotonic() < started + 4:
		${statement}
		time.sleep(0.01)
except serial.SerialException:
	print(time.monotonic() - started < 1)
`);
		expect(result).toBe('True');
		expect(failures).toEqual(['the lease has ended']);
	});

	test('gets the port after another has left it, and no port while another has it', {
		tags: 'long',
	}, async () => {
		const { run } = await serve(createSerial(), createSerial());
		const result = await run(`${open}
started = time.monotonic()
try:
	serial.serial_for_url(url)
except serial.SerialException:
	print(time.monotonic() - started < 0.1)
port.close()
${open}
port.write(b'again')
print(port.read(5))
`);
		expect(result).toBe("True\nb'again'");
	});
});

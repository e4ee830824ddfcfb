// Servers that give a tool a serial port, with sockets and terminals instead of tools.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type PortServer, serveTcp } from '../../src/forward/serve.ts';
import { createSerial, type FakeSerial } from '../support/remote-serial.ts';

async function serve(ports: FakeSerial[], more: { resetOnOpen?: boolean; port?: number } = {}) {
	const failures: string[] = [];
	const server = await serveTcp({
		async open() {
			const port = ports.shift();
			if (!port) throw new Error('There is no port');
			return port.remote;
		},
		onFailure: ({ message }) => failures.push(message),
		...more,
	});
	onTestFinished(() => server.stop());
	return { server, failures };
}

function portOf({ address }: PortServer) {
	return Number(address.split(':')[1]);
}

async function connectTo(server: PortServer): Promise<Socket> {
	const socket = connect(portOf(server), '127.0.0.1');
	onTestFinished(() => void socket.destroy());
	await once(socket, 'connect');
	return socket;
}

async function untilFree(server: PortServer) {
	await expect.poll(() => connectTo(server).catch(() => undefined)).toBeDefined();
}

test('a tool writes and reads plain bytes, and its last ones arrive before the port is closed', async () => {
	const port = createSerial();
	const { server } = await serve([port]);
	expect(server.address).toMatch(/^127\.0\.0\.1:\d+$/);
	const tool = await connectTo(server);
	tool.write(Uint8Array.of(255, 0, 13));
	expect([...(await once(tool, 'data'))[0]]).toEqual([255, 0, 13]);
	tool.end('last');
	await once(tool, 'close');
	expect(Buffer.from(port.input).subarray(3).toString()).toBe('last');
	expect(port.isClosed).toBe(true);
});

test('DTR resets the board for each tool that connects, if asked to', async () => {
	const port = createSerial();
	const { server } = await serve([port], { resetOnOpen: true });
	await connectTo(server);
	await expect.poll(() => port.changes).toEqual([{ dtr: false }, { dtr: true }]);
});

test('a tool whose board cannot be reset gets no port', async () => {
	const port = createSerial();
	port.refused.add('dtr');
	const { server, failures } = await serve([port], { resetOnOpen: true });
	const tool = await connectTo(server);
	tool.resume();
	await once(tool, 'close');
	expect(failures).toEqual(['refused']);
	expect(port.isClosed).toBe(true);
});

test('a page in a browser reaches nothing', async () => {
	const port = createSerial();
	const { server } = await serve([port]);
	const page = await connectTo(server);
	page.resume();
	page.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n+$g#67');
	await once(page, 'close');
	expect(port.input).toEqual([]);
});

test('a second tool is refused at once, and a tool after the first is served', async () => {
	const { server } = await serve([createSerial(), createSerial()]);
	const first = await connectTo(server);
	first.write('x');
	await once(first, 'data');
	await expect(connectTo(server)).rejects.toThrow('ECONNREFUSED');
	first.destroy();
	await untilFree(server);
});

test('a tool whose port cannot be opened is disconnected, with the reason for its user', async () => {
	const { server, failures } = await serve([]);
	const tool = await connectTo(server);
	tool.resume();
	await once(tool, 'close');
	expect(failures).toEqual(['There is no port']);
	await untilFree(server);
});

test('a tool has all output before the end when its port ends, and cannot write any more', async () => {
	const port = createSerial();
	const { server, failures } = await serve([port]);
	const tool = await connectTo(server);
	const output = buffer(tool);
	await port.send(Buffer.from('before the end'));
	port.end('the lease has ended');
	expect((await output).toString()).toBe('before the end');
	await expect.poll(async () => failures).toEqual(['the lease has ended']);
	expect(port.isClosed).toBe(true);
});

test('a port that takes nothing holds the tool back, and the next byte follows the first room', async () => {
	const taken: number[] = [];
	let room = Promise.withResolvers<void>();
	const port = createSerial(async (bytes) => {
		taken.push(bytes.length);
		await room.promise;
	});
	const { server } = await serve([port]);
	const tool = await connectTo(server);
	const size = 32 * 1024 * 1024;
	const written = new Promise((resolve) => tool.write(new Uint8Array(size), resolve));
	await expect.poll(() => taken.length).toBe(1);
	expect(await Promise.race([written, 'waiting'])).toBe('waiting');
	expect(taken).toHaveLength(1);
	room.resolve();
	room = Promise.withResolvers();
	room.resolve();
	await written;
	await expect.poll(() => taken.reduce((sum, length) => sum + length)).toBe(size);
});

test('a tool that has left does not wait for a port that ends without taking its last bytes', async () => {
	const taken = Promise.withResolvers<void>();
	const port = createSerial((bytes) => {
		taken.resolve();
		return Buffer.from(bytes).includes('last') ? new Promise<void>(() => {}) : undefined;
	});
	const { server } = await serve([port]);
	const tool = await connectTo(server);
	tool.end('last');
	await taken.promise;
	port.end('the lease has ended');
	await untilFree(server);
});

test('a tool that reads nothing holds the port back', async () => {
	const port = createSerial();
	const { server } = await serve([port]);
	await connectTo(server);
	let sent = 0;
	const piece = new Uint8Array(1024 * 1024);
	const sendAll = async () => {
		for (; sent < 64; sent++) await port.send(piece);
	};
	const sending = sendAll();
	let last = -1;
	const hasStopped = () => {
		const isSame = last === sent && sent > 0;
		last = sent;
		return isSame;
	};
	await expect.poll(hasStopped, { interval: 200 }).toBe(true);
	expect(sent).toBeLessThan(32);
	port.end();
	await sending.catch(() => {}); // the port has ended
});

test('a server that is stopped disconnects its tool and leaves the port free', async () => {
	const port = createSerial();
	const { server } = await serve([port]);
	const tool = await connectTo(server);
	tool.resume();
	await server.stop();
	expect(port.isClosed).toBe(true);
	await expect(connectTo(server)).rejects.toThrow('ECONNREFUSED');
	const again = await serve([], { port: portOf(server) });
	expect(again.server.address).toBe(server.address);
});

test('a port of this machine that is taken is an error', async () => {
	const { server } = await serve([]);
	await expect(serve([], { port: portOf(server) })).rejects.toThrow('EADDRINUSE');
});

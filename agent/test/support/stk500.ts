// A programmer like an Arduino's boot loader (STK500, version 1) for a simulated ATmega328P.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const [inSync, ok, endOfCommand] = [0x14, 0x10, 0x20];

/** Listens on a TCP port. `flash` is what was written. */
export async function createProgrammer() {
	const flash = new Uint8Array(32 * 1024).fill(0xff);
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		let address = 0;
		let received = Buffer.alloc(0);
		socket.on('error', () => {});
		socket.on('data', (bytes) => {
			received = Buffer.concat([received, bytes]);
			for (
				let length = lengthOf(received);
				length <= received.length;
				length = lengthOf(received)
			) {
				const command = received.subarray(0, length);
				received = received.subarray(length);
				if (command[0] === 0x55) address = command.readUInt16LE(1) * 2;
				socket.write(Uint8Array.of(inSync, ...resultOf(command, flash, address), ok));
			}
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		// An AddressInfo, because the server listens on a port and not on a path.
		port: (server.address() as AddressInfo).port,
		flash,
		async stop() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The length of the command that begins the bytes; infinite while that is not known. */
function lengthOf(bytes: Buffer): number {
	const fixed: Record<number, number> = { 65: 3, 66: 22, 85: 4, 86: 6, 116: 5 };
	const [command = 0, second = 0, third = 0] = bytes;
	if (bytes.length === 0) return Number.POSITIVE_INFINITY;
	if (command === 0x45) return bytes.length < 2 ? Number.POSITIVE_INFINITY : second + 2;
	if (command === 0x64)
		return bytes.length < 3 ? Number.POSITIVE_INFINITY : second * 256 + third + 5;
	return fixed[command] ?? 2;
}

function resultOf(command: Buffer, flash: Uint8Array, address: number): Iterable<number> {
	if (command.at(-1) !== endOfCommand) throw new Error('The command is broken');
	const size = command.length > 2 ? command.readUInt16BE(1) : 0;
	if (command[0] === 0x41) return [1];
	if (command[0] === 0x56) return [0];
	if (command[0] === 0x75) return [0x1e, 0x95, 0x0f];
	if (command[0] === 0x74) return flash.subarray(address, address + size);
	if (command[0] === 0x64) flash.set(command.subarray(4, 4 + size), address);
	return [];
}

// Real debuggers, connected to the debug port of a board.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { BoardPort } from '../../src/drivers/hardware.ts';
import { atEnd, startProcess } from './running.ts';

/** CI installs the debuggers; elsewhere one may be missing. */
export function hasDebugger(name: string): boolean {
	const isRequired = process.env.REQUIRE_TOOLS !== undefined;
	return isRequired || spawnSync(name, ['--version']).error === undefined;
}

/** Firmware with symbols. */
export function debugFirmware(name: string): string {
	return new URL(`../firmware/${name}.elf`, import.meta.url).pathname;
}

/** The debug port of a board behind a socket, as users have it, and what happens at it. */
export async function serve(port: BoardPort | undefined) {
	const seen = { packets: 0, halts: [] as boolean[], reasons: [] as string[] };
	const join = async (socket: Socket) => {
		const opened = await port?.open({
			async output(bytes) {
				socket.write(bytes);
			},
			halted: (isHalted) => void seen.halts.push(isHalted),
			closed(reason) {
				seen.reasons.push(reason);
				socket.destroy();
			},
		});
		socket.on('close', () => void opened?.close());
		socket.on('data', (bytes: Buffer) => {
			seen.packets += bytes.toString('latin1').split('$').length - 1;
			opened?.write(bytes).catch(() => socket.destroy());
		});
	};
	const server = createServer({ noDelay: true }, (socket) => {
		socket.on('error', () => {}); // the debugger has gone
		join(socket).catch((error: Error) => {
			seen.reasons.push(error.message);
			socket.destroy();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	atEnd(() => new Promise((resolve) => server.close(resolve)));
	// An AddressInfo, because the server listens on a port and not on a path.
	return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const settings = [
	'confirm off',
	'pagination off',
	'width 0',
	'style enabled off',
	'tcp auto-retry off',
];

/** A debugger that is used by its command line. */
export async function startDebugger(debuggerName: string, elf: string) {
	const child = startProcess(debuggerName, ['-nx', '-q', elf], { stdio: ['pipe', 'pipe', 'pipe'] });
	let [output, errors] = ['', ''];
	child.stdout?.on('data', (bytes: Buffer) => {
		output += bytes.toString();
	});
	child.stderr?.on('data', (bytes: Buffer) => {
		errors += bytes.toString();
	});
	/** Resolves with what it has printed when it waits for a command. */
	const prompted = async () => {
		await expect.poll(() => output, { interval: 2 }).toMatch(/\(gdb\) $/);
		const printed = errors + output;
		[output, errors] = ['', ''];
		return printed;
	};
	const send = (command: string) => child.stdin?.write(`${command}\n`);
	const run = (command: string) => {
		send(command);
		return prompted();
	};
	await prompted();
	for (const setting of settings) await run(`set ${setting}`);
	return {
		run,
		/** Sends a command that does not end by itself. */
		send,
		/** Presses Ctrl-C. */
		interrupt() {
			child.kill('SIGINT');
			return prompted();
		},
		kill: () => child.kill('SIGKILL'),
	};
}

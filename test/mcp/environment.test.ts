// The ports of a leased board for scripts that a coding agent writes.
import { copyFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { expect, onTestFinished, test } from 'vitest';
import { hasPyserial, runPython } from '../support/python.ts';
import { start, useBoards } from './support/agents.ts';

const { here } = useBoards();

async function startWithBoard() {
	const agent = await start(here());
	await copyFile(sampleFirmwarePath('arduino-uno'), join(agent.folder, 'uno.hex'));
	const lease_id = await agent.lease('arduino-uno');
	await agent.use('flash', { lease_id, firmware: 'uno.hex' });
	const opened = async () => {
		const { env } = await agent.use('environment', { lease_id });
		return env as Record<string, string>;
	};
	return { ...agent, lease_id, opened };
}

const gone = async (pid: number) => {
	await expect.poll(() => isRunning(pid)).toBe(false);
};

test('names the board, its serial port and its debugger, and every time the same ones', async () => {
	const { opened, lease_id, client, pid } = await startWithBoard();
	const [env, ...others] = await Promise.all([opened(), opened(), opened()]);
	expect(env).toEqual({
		BOARD_SERIAL: expect.stringMatching(/^rfc2217:\/\/127\.0\.0\.1:\d+$/),
		BOARD_GDB: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
		BOARD_LEASE: lease_id,
		BOARD_ID: expect.stringMatching(/^brd_arduino-uno/),
	});
	expect([...others, await opened()]).toEqual([env, env, env]);
	// Nothing that is open keeps the server.
	const { port } = new URL(env.BOARD_SERIAL ?? '');
	await client.close();
	await gone(pid);
	expect(await reach(Number(port))).toBe('ECONNREFUSED');
});

test('a script reads and writes by the serial port', async () => {
	const { opened, use, lease_id } = await startWithBoard();
	const { port } = new URL((await opened()).BOARD_SERIAL ?? '');
	const socket = connect(Number(port), '127.0.0.1');
	onTestFinished(() => void socket.destroy());
	let received = '';
	socket.setEncoding('latin1').on('data', (text) => {
		received += text;
	});
	socket.write('from a script\r');
	await expect.poll(() => received).toContain('FROM A SCRIPT');
	expect(await use('console_read', { lease_id, until: 'SCRIPT' })).toMatchObject({
		completion_reason: 'matched',
	});
	await use('release', { lease_id });
});

test.skipIf(!hasPyserial)('pyserial opens the port', async () => {
	const { opened, use, lease_id } = await startWithBoard();
	const { BOARD_SERIAL = '' } = await opened();
	const program = `
port = serial.serial_for_url(url, baudrate=115200, timeout=1)
read = b''
while b'PYTHON' not in read:
	port.write(b'from python\\r')
	read += port.read_until(b'PYTHON')
print('read')
`;
	expect(await runPython(BOARD_SERIAL, program)).toBe('read');
	await use('release', { lease_id });
});

test('there are no ports of a lease that has ended', async () => {
	const { opened, use, fail, lease_id } = await startWithBoard();
	await opened();
	await use('release', { lease_id });
	expect(await fail('environment', { lease_id })).toMatch(/ has ended: .*\nCode: lease_ended$/s);
});

function isRunning(pid: number) {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** How a connection to a port of this machine fails, if it does. */
function reach(port: number) {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => resolve('open'));
		socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
		onTestFinished(() => void socket.destroy());
	});
}

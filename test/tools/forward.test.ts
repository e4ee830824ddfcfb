// `board-access forward` with commands, in one process with the service and an emulated board.
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { runTool } from '../../src/cli/terminal/tool.ts';
import { useService, type World } from '../support/cli.ts';

const { cli, demo, fetch } = useService({ agent: true });
const uno = ['forward', '--type', 'arduino-uno'];
const world: World = { runTool };

const activeLeases = async () => {
	const { stdout } = await cli('leases list --status active --json');
	return JSON.parse(stdout);
};

/** A command that fails unless its environment is complete. */
const script = `
const { BOARD_SERIAL, BOARD_TCP, BOARD_LEASE, BOARD_ID } = process.env;
const isSet = /^rfc2217:..127.0.0.1:\\d+$/.test(BOARD_SERIAL) && /^127.0.0.1:\\d+$/.test(BOARD_TCP);
process.exit(isSet && /^lse_/.test(BOARD_LEASE) && BOARD_ID === 'brd_arduino-uno-01' ? 7 : 1);
`;

test('a command has the ports in its environment, its exit code is passed on, and the board is released', async () => {
	const command = [process.execPath, '-e', script];
	const { exitCode, stdout } = await cli([...uno, '--serial', '--tcp', '--', ...command], world);
	expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
	expect(await activeLeases()).toEqual([]);
});

test('--flash flashes firmware before the command runs', async () => {
	const actions: unknown[] = [];
	const flash = ['--flash', sampleFirmwarePath('arduino-uno')];
	const { exitCode } = await cli([...uno, ...flash, '--', 'any'], {
		async runTool(_words, { BOARD_LEASE }) {
			const headers = { authorization: `Bearer ${demo().apiKey}` };
			const url = `http://localhost/v1/leases/${BOARD_LEASE}/actions`;
			const { data } = await (await fetch()(url, { headers })).json();
			actions.push(...data);
			return 0;
		},
	});
	expect(exitCode).toBe(0);
	const flashed = { action: 'flash', status: 'done', name: 'uno-sample.hex' };
	expect(actions).toContainEqual(expect.objectContaining(flashed));
});

test.each([
	[['--serial=modem'], 'modem is not a serial port of this board'],
	[['--tcp=modem:4000'], 'modem is not a serial port of this board'],
])('%j is an error on a board without this port', async (options, message) => {
	const { exitCode, stderr } = await cli([...uno, ...options, '--', 'true'], world);
	expect(exitCode).toBe(2);
	expect(stderr).toContain(message);
	expect(await activeLeases()).toEqual([]);
});

test('a program that does not exist is an error', async () => {
	const { exitCode, stderr } = await cli([...uno, '--', 'no-such-program'], world);
	expect({ exitCode, stderr }).toEqual({
		exitCode: 2,
		stderr: expect.stringContaining('no-such-program cannot be run'),
	});
	expect(await activeLeases()).toEqual([]);
});

test('the command ends with the lease', async () => {
	const { exitCode, stderr } = await cli([...uno, '--', 'any'], {
		async runTool(_words, { BOARD_LEASE = '' }, over) {
			const ended = new Promise((resolve) => over.addEventListener('abort', resolve));
			await cli(`leases release ${BOARD_LEASE}`);
			await ended;
			return 143;
		},
	});
	expect(exitCode).toBe(11);
	expect(stderr).toContain('has ended: The lease was released');
});

test('Ctrl-C without a command releases the board', async () => {
	const interruption = new AbortController();
	onTestFinished(() => interruption.abort());
	const printed: string[] = [];
	const said: string[] = [];
	const exited = run(uno, {
		env: { SERVICE_BASE_URL: 'http://localhost', SERVICE_API_KEY: demo().apiKey },
		fetch: fetch(),
		stdin: process.stdin,
		stdout: { write: (text) => printed.push(String(text)) },
		stderr: { write: (text) => said.push(String(text)) },
		signal: interruption.signal,
	});
	await expect.poll(() => said.join('')).toContain('The ports are open until you press Ctrl-C.');
	expect(printed.join('')).toMatch(/^BOARD_SERIAL=rfc2217:\/\/127\.0\.0\.1:\d+$/m);
	expect(await activeLeases()).toHaveLength(1);
	interruption.abort();
	expect(await exited).toBe(0);
	expect(await activeLeases()).toEqual([]);
});

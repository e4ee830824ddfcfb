// Tools of an agent that was killed do not affect the board of the next lease.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkConfig } from '../../src/config.ts';
import { folderName, markName, markOf } from '../../src/drivers/survivors.ts';
import { hardwareOf } from '../../src/hardware-of.ts';
import { token, until } from '../support/fake-service.ts';
import { listen } from '../support/listen.ts';
import {
	type BoardSettings,
	isRunning,
	script,
	serviceOf,
	startProcess,
	temporaryFolder,
} from '../support/running.ts';
import { unheard } from '../support/virtual.ts';

const agentProcess = new URL('../support/agent-process.ts', import.meta.url).pathname;

/** A board whose flash tool writes without end, and an agent for it in its own process. */
async function boardInProcess() {
	const folder = await temporaryFolder();
	await mkdir(join(folder, 'tmp'));
	const [flash, pidFile] = [join(folder, 'flash'), join(folder, 'pid')];
	const slow = 'echo $$ > "$2"; while true; do cat "$3" >> "$1"; sleep 0.02; done';
	const board: BoardSettings = {
		id: 'real',
		type: 'real-board',
		driver: 'command',
		between_leases: 'keep',
		flash: script(slow, flash, pidFile, '{file}'),
		reset: script('echo reset >> "$1"', flash),
	};
	const service = serviceOf([board]);
	const config = {
		service: await listen(service),
		token,
		boards: [board],
		state_file: join(folder, 'state.json'),
	};
	const env = { ...process.env, TMPDIR: join(folder, 'tmp') };
	const startAgent = () =>
		startProcess(process.execPath, [agentProcess, JSON.stringify(config)], { env });
	const flashing = async () => {
		service.request(service.grant('real'), 'flash', { file: Buffer.from('old\n') });
		const pid = async () => Number(await readFile(pidFile, 'utf8').catch(() => ''));
		await until(async () => (await pid()) > 0, 'the tool runs');
		return pid();
	};
	return {
		service,
		startAgent,
		flashing,
		written: () => readFile(flash, 'utf8'),
		/** The temporary folder of the agent. */
		tmp: join(folder, 'tmp'),
		mark: markOf(config.state_file, 'real'),
	};
}

async function killed(child: ChildProcess): Promise<void> {
	child.kill('SIGKILL');
	await once(child, 'exit');
}

/** The process that guards the group of a tool, once it has started. */
async function guardOf(group: number): Promise<number> {
	const find = () =>
		readdirSync('/proc').find((pid) => commandLineOf(pid).endsWith(`\0guard\0${group}\0`));
	await until(() => find() !== undefined, 'the guard has started');
	return Number(find());
}

function commandLineOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
}

test('a tool ends with an agent that is killed, even if the agent never returns', {
	tags: 'long',
}, async () => {
	const { startAgent, flashing } = await boardInProcess();
	const agent = startAgent();
	const tool = await flashing();
	await guardOf(tool);
	await killed(agent);
	await until(() => !isRunning(tool), 'the tool has ended');
});

test('a tool that survives a killed agent writes nothing once the next lease has begun', {
	tags: 'long',
}, async () => {
	const { service, startAgent, flashing, written } = await boardInProcess();
	const first = startAgent();
	const tool = await flashing();
	process.kill(await guardOf(tool), 'SIGKILL');
	await killed(first);
	expect(isRunning(tool)).toBe(true);
	startAgent();
	await until(() => service.bootIds.length === 2, 'the agent has restarted');
	await service.act(service.grant('real'), 'reset');
	expect(isRunning(tool)).toBe(false);
	expect(await written()).toMatch(/old\nreset\n$/);
});

test('the files of an agent that is killed are removed when it returns, before any lease', {
	tags: 'long',
}, async () => {
	const { startAgent, flashing, tmp, mark } = await boardInProcess();
	const agent = startAgent();
	const tool = await flashing();
	await guardOf(tool);
	const other = folderName(markOf(tmp, 'real'));
	await mkdir(join(tmp, other));
	const found = () => readdir(tmp).then((names) => names.filter((name) => name.includes(mark)));
	const [left = ''] = await found();
	await killed(agent);
	expect(await readFile(join(tmp, left, 'firmware.bin'), 'utf8')).toBe('old\n');
	startAgent();
	await until(async () => (await found()).length === 0, 'they are removed');
	expect(await readdir(tmp)).toEqual([other]);
	// It writes into the folder that is removed after the test.
	await until(() => !isRunning(tool), 'the tool has ended');
});

test('survivors are found in other process groups too, and tools of other boards continue', async () => {
	const stateFile = join(await temporaryFolder(), 'state.json');
	const start = (id: string, text: string) =>
		startProcess('sh', ['-c', text], {
			env: { ...process.env, [markName]: markOf(stateFile, id) },
		});
	const own = [start('real', 'sleep 60; true'), start('real', 'setsid sleep 60')];
	const other = start('other', 'sleep 60; true');
	const board = {
		id: 'real',
		type: 'real',
		driver: 'command',
		between_leases: 'keep',
		reset: ['true'],
	};
	const [checked] = checkConfig({ service: 'https://service.test', boards: [board] }).boards;
	if (checked === undefined) throw new Error('No board');
	await Promise.all([...own, other].map((child) => once(child, 'spawn')));
	await hardwareOf(checked, stateFile).open(unheard);
	expect(own.map(({ pid = 0 }) => isRunning(pid))).toEqual([false, false]);
	expect(isRunning(other.pid ?? 0)).toBe(true);
});

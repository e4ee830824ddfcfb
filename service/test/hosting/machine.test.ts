// @module-tag long
// The files for one machine: systemd units, HAProxy, logrotate. Each program checks its own.
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const folder = await mkdtemp(join(tmpdir(), 'board-access-machine-'));
afterAll(() => rm(folder, { recursive: true }));

const pathOf = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
const run = (command: string, ...words: string[]) =>
	spawnSync(command, words, { encoding: 'utf8' });
/** CI installs the tools; elsewhere one may be missing. */
const has = (command: string) =>
	process.env.REQUIRE_TOOLS !== undefined || run(command, '--version').error === undefined;

const service = 'service/deploy/board-access.service';
const agent = 'agent/deploy/board-access-agent.service';

/** The values of a setting of a unit, in the order of the file. */
async function settingsOf(unit: string, name: string) {
	const lines = (await readFile(pathOf(unit), 'utf8')).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'));
	return Array.from(lines, ([, value]) => value);
}

describe.skipIf(!has('systemd-analyze'))('systemd', () => {
	test.each([
		service,
		agent,
		'service/deploy/disk-space.service',
		'service/deploy/disk-space.timer',
	])('accepts %s', (unit) => {
		const { status, stderr } = run('systemd-analyze', 'verify', '--man=no', pathOf(unit));
		expect(stderr).toBe('');
		expect(status).toBe(0);
	});

	/** Whether the exposure is at most this, of 100. */
	const isWithin = (unit: string, most: number) =>
		run('systemd-analyze', 'security', '--offline=true', `--threshold=${most}`, unit).status === 0;

	test.each([
		[service, 15],
		[agent, 20],
	])('finds little exposure in %s', async (unit, most) => {
		expect(isWithin(pathOf(unit), most)).toBe(true);
		const without = join(folder, 'without-filter.service');
		const text = await readFile(pathOf(unit), 'utf8');
		await writeFile(without, text.replaceAll(/^SystemCallFilter=.*$/gm, ''));
		expect(isWithin(without, most)).toBe(false);
	});
});

test('flash tools go on while the agent is drained', async () => {
	expect(await settingsOf(agent, 'KillMode')).toEqual(['mixed']);
});

test('the agent can open ports, also those whose driver is loaded after it has started', async () => {
	// A name would be looked up in /proc/devices when the unit starts. These are ttyUSB, ttyACM and USB.
	expect(await settingsOf(agent, 'DeviceAllow')).toEqual([
		'char-188 rw',
		'char-166 rw',
		'char-189 rw',
	]);
	expect(await settingsOf(agent, 'SupplementaryGroups')).toEqual(['dialout plugdev']);
	for (const hidden of ['PrivateDevices', 'PrivateUsers', 'PrivateNetwork']) {
		expect(await settingsOf(agent, hidden)).toEqual([]);
	}
});

test.each([service, agent])('Node.js can run in %s, and open many files', async (unit) => {
	expect(await settingsOf(unit, 'MemoryDenyWriteExecute')).toEqual([]);
	expect(await settingsOf(unit, 'LimitNOFILE')).toEqual(['16384']);
	expect(await settingsOf(unit, 'SystemCallErrorNumber')).toEqual(['EPERM']);
});

test('the service can write its database', async () => {
	const [state] = await settingsOf(service, 'StateDirectory');
	const [variables] = await settingsOf(service, 'Environment');
	expect(variables).toContain(`DATABASE_URL=/var/lib/${state}/`);
});

test.skipIf(!has('haproxy'))('HAProxy accepts its file', () => {
	const { status, stderr } = run('haproxy', '-c', '-f', pathOf('service/deploy/haproxy.cfg'));
	expect(stderr).toBe('');
	expect(status).toBe(0);
});

test.skipIf(!has('logrotate'))('logrotate empties the log, and keeps what it had', async () => {
	const log = join(folder, 'board-access.log');
	const rules = join(folder, 'logrotate.conf');
	const shipped = await readFile(pathOf('service/deploy/logrotate.conf'), 'utf8');
	await writeFile(rules, shipped.replace('/var/log/board-access.log {', `${log} {`));
	await chmod(rules, 0o644);
	await writeFile(log, '{"msg":"Listening"}\n');
	const checked = run('logrotate', '--debug', rules);
	expect(checked.stderr).toContain('Handling 1 logs');
	expect(checked.stderr).not.toMatch(/error|warning: (?!logrotate in debug mode)/);
	run('logrotate', '--state', join(folder, 'state'), '--force', rules);
	expect(await readFile(log, 'utf8')).toBe('');
	expect(await readFile(`${log}.1`, 'utf8')).toContain('Listening');
});

test('the timer finds a file system with too little space', async () => {
	const [command = ''] = await settingsOf('service/deploy/disk-space.service', 'ExecStart');
	const [, script = ''] = /^\/bin\/sh -c "(.*)"$/.exec(command) ?? [];
	const fake = join(folder, 'df');
	const lookAt = async (percent: number) => {
		await writeFile(
			fake,
			`#!/bin/sh\nprintf 'Use%% Mounted on\\n 10%% /\\n ${percent}%% /data\\n'\n`,
		);
		await chmod(fake, 0o755);
		const env = { PATH: `${folder}:${process.env.PATH}` };
		// systemd reads $$ as one $.
		return spawnSync('/bin/sh', ['-c', script.replaceAll('$$', '$')], { env, encoding: 'utf8' });
	};
	expect(await lookAt(90)).toMatchObject({ status: 0, stdout: '' });
	expect(await lookAt(91)).toMatchObject({ status: 1, stdout: ' 91% /data\n' });
});

// Coding agents that test firmware with one call.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { describe, expect, test } from 'vitest';
import { versions } from '../support/coding-agent.ts';
import { progressing, start, useBoards } from './support/agents.ts';

const { here, open } = useBoards();
const firmware = 'uno.hex';
const greeting = 'Hello from Arduino Uno\n';

/** With the sample firmware in its folder. */
async function startWithFirmware(...given: Parameters<typeof start>) {
	const agent = await start(...given);
	await copyFile(sampleFirmwarePath('arduino-uno'), join(agent.folder, firmware));
	await copyFile(sampleFirmwarePath('rp2040-pico'), join(agent.folder, 'pico.uf2'));
	return agent;
}

test.each(versions)('firmware passes, over version $version', async ({ mode }) => {
	const { use } = await startWithFirmware(here(), { mode });
	const { told, options } = progressing();
	const given = { firmware, boards: ['arduino-uno'], expect: ['Hello', 'Arduino'] };
	expect(await use('run_firmware', given, options)).toEqual({
		result: 'passed',
		why: '',
		lease_id: expect.stringMatching(/^lse_/),
		board_id: expect.stringContaining('arduino-uno'),
		seconds: expect.any(Number),
		untrusted_output: greeting,
	});
	const written = expect.stringMatching(/^\d+ bytes written$/);
	expect(told.slice(-3)).toEqual([written, 'Shown: Hello', 'Shown: Arduino']);
	expect(await open()).toEqual([]);
});

describe('firmware fails', () => {
	const soon = { timeout_seconds: 1 };
	test.each([
		[
			'not_seen',
			{ expect: ['Hello', 'never'], ...soon },
			/^The console did not show "never" within .* s$/,
		],
		[
			'not_seen',
			{ expect: ['/^nev/'], ...soon },
			/^The console did not show \/\^nev\/ within .* s\n\^ and/,
		],
		['fail_seen', { fail: ['from'] }, /^The console showed "from"$/],
		['fail_seen', { fail: ['none', '/from .*/'] }, /^The console showed what it must not show$/],
	])('%s for %j, with why and the end of the console', async (result, patterns, why) => {
		const { use } = await startWithFirmware(here());
		const failed = await use('run_firmware', { firmware, boards: ['arduino-uno'], ...patterns });
		expect(failed).toMatchObject({ result, untrusted_output: greeting });
		expect(failed.why).toMatch(why);
		expect(failed.why).not.toContain('Arduino');
		expect(await open()).toEqual([]);
	});

	test('as a board that keeps what it has, on a lease that goes on', async () => {
		const { lease, use } = await startWithFirmware(here());
		const lease_id = await lease('arduino-uno');
		const given = { lease_id, expect: ['never'], timeout_seconds: 0.5 };
		expect(await use('run_firmware', given)).toMatchObject({ result: 'not_seen', lease_id });
		expect(await open()).toMatchObject([{ id: lease_id, status: 'active' }]);
		await use('release', { lease_id });
	});
});

test('several boards carry out a scenario by their roles, and the log has what all of them print', async () => {
	const { use, folder } = await startWithFirmware(here());
	const steps = [
		'- dut.expect: Hello from Arduino Uno',
		'- peer.expect: Hello',
		'- dut.send: "help\\r"',
		'- dut.expect: Commands',
	];
	await writeFile(join(folder, 'pair.yml'), `steps:\n${steps.join('\n')}\n`);
	const boards = [`dut=arduino-uno,${firmware}`, 'peer=rp2040-pico,pico.uf2'];
	const given = { boards, scenario: 'pair.yml', log: 'pair.log' };
	const { result, why, untrusted_output } = await use('run_firmware', given);
	expect({ result, why }).toEqual({ result: 'passed', why: '' });
	expect(untrusted_output).toContain(`dut: ${greeting}`);
	const log = await readFile(join(folder, 'pair.log'), 'utf8');
	expect(log.replaceAll('\r\n', '\n')).toBe(untrusted_output);
	expect(log).toMatch(/^peer: Hello/m);
	expect(await open()).toEqual([]);
});

test('several boards are expected to print what is for their roles', async () => {
	const { use } = await startWithFirmware(here());
	const boards = [`dut=arduino-uno,${firmware}`, 'peer=rp2040-pico,pico.uf2'];
	const met = { boards, expect: ['peer=Hello', 'dut=Arduino Uno'] };
	expect(await use('run_firmware', met)).toMatchObject({ result: 'passed' });
	const unmet = { boards, expect: ['peer=Arduino Uno'], timeout_seconds: 1 };
	expect(await use('run_firmware', unmet)).toMatchObject({
		result: 'not_seen',
		why: expect.stringMatching(/^The console did not show "Arduino Uno" within .* s$/),
	});
	expect(await open()).toEqual([]);
});

test('a scenario that fails names its line', async () => {
	const { use, folder } = await startWithFirmware(here());
	await writeFile(join(folder, 'one.yml'), 'steps:\n- expect: Hello\n- fail: /Ar.*/\n- wait: 1s\n');
	const given = { firmware, boards: ['arduino-uno'], scenario: 'one.yml', timeout_seconds: 5 };
	const { result, why } = await use('run_firmware', given);
	expect(result).toBe('fail_seen');
	expect(why).toMatch(/one\.yml:\d: The console showed what it must not show$/);
});

test('a log replaces an older one, and that of a console is the whole console', async () => {
	const { use, lease, folder } = await startWithFirmware(here());
	const log = join(folder, 'board.log');
	await writeFile(log, 'older\n'.repeat(100));
	const lease_id = await lease('arduino-uno');
	await use('run_firmware', { lease_id, firmware, expect: ['Hello'], log: 'board.log' });
	expect(await readFile(log, 'utf8')).toBe('Hello from Arduino Uno\r\n');
	const captured = await use('reset_and_capture', { lease_id, max_bytes: 16, log: 'board.log' });
	expect(captured.untrusted_output).toBe(greeting.slice(0, 16));
	expect(await readFile(log, 'utf8')).toMatch(/^Base image.*(\r\nHello from Arduino Uno){2}\r\n$/s);
	await use('release', { lease_id });
});

describe('a test that cannot begin takes no board', () => {
	test.each([
		[
			'firmware that does not exist',
			{ firmware: 'none.hex', expect: ['x'] },
			'none.hex cannot be used: it does',
		],
		['a scenario that does not exist', { scenario: 'none.yml' }, 'none.yml cannot be used: it'],
		['a scenario of one board', { scenario: 'role.yml' }, 'role.yml:2: the step names the role x'],
		[
			'a log in no folder',
			{ log: 'none/a.log', expect: ['x'] },
			'none/a.log cannot be used: it does not exist',
		],
	])('because of %s', async (_, patterns, reason) => {
		const { fail, folder } = await startWithFirmware(here());
		await writeFile(join(folder, 'role.yml'), 'steps:\n- x.expect: Hello\n');
		const given = { firmware, boards: ['arduino-uno'], ...patterns };
		expect(await fail('run_firmware', given)).toContain(reason);
		expect(await open()).toEqual([]);
	});
});

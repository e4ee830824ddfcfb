// Several boards and boards by tags, on the command line.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardAccess } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../../support/cli.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const { cli, demo, fetch } = useService({ agent: true });
const uno = sampleFirmwarePath('arduino-uno');
const pico = sampleFirmwarePath('rp2040-pico');
const boards = ['--board', `dut=rp2040-pico,${pico}`, '--board', `peer=arduino-uno,${uno}`];

let folder: string;
beforeAll(async () => {
	folder = await temporaryDirectory();
});

const client = () =>
	new BoardAccess({ baseUrl: 'http://localhost', apiKey: demo().apiKey, fetch: fetch() });

const live = () => client().leases.list({ status: ['queued', 'preparing', 'active'] });

afterEach(async () => {
	expect(await live()).toEqual([]);
});

async function scenario(...steps: string[]) {
	const file = join(folder, 'two.yml');
	await writeFile(file, `steps:\n${steps.map((step) => `  - ${step}\n`).join('')}`);
	return ['--scenario', file];
}

describe('run with several boards', () => {
	it('flashes each, carries out the steps of each, and names the board of each line', async () => {
		const files = ['--junit', join(folder, 'report.xml'), '--log', join(folder, 'log.txt')];
		const steps = await scenario(
			'dut.expect: Hello from Raspberry',
			'peer.expect: Hello from Arduino',
			"peer.send: 'ping\\r'",
			'peer.expect: PING',
			'dut.reset: true',
			'dut.expect: Raspberry',
		);
		const { exitCode, stdout, stderr } = await cli(['run', ...boards, ...steps, ...files]);
		expect(exitCode, stderr).toBe(0);
		expect(stdout.split(/\r?\n/)).toEqual(
			expect.arrayContaining([
				'dut: Hello from Raspberry Pi Pico',
				'peer: Hello from Arduino Uno',
				'peer: PING',
			]),
		);
		expect(stderr).toMatch(/Using brd_rp2040-pico-01 .*\nUsing brd_arduino-uno-0\d /);
		expect(stderr).toContain('Found dut: Hello from Raspberry');
		expect(stderr).toMatch(/Passed: 4 found on brd_rp2040-pico-01, brd_arduino-uno-0\d in /);
		const report = await readFile(join(folder, 'report.xml'), 'utf8');
		expect(report).toContain('<property name="board.dut" value="brd_rp2040-pico-01"/>');
		expect(report).toMatch(/classname="\S+.uf2, \S+.hex: two.yml" name="peer: PING"/);
		expect(await readFile(join(folder, 'log.txt'), 'utf8')).toContain('peer: PING');
	});

	it('fails with what another board shows between its steps, and after them', async () => {
		const watched = ['peer.fail: PING', 'peer.expect: Hello', "peer.send: 'ping\\r'"];
		const steps = await scenario(...watched, 'dut.expect: Hello');
		const { exitCode, stderr } = await cli(['run', ...boards, ...steps]);
		expect(exitCode, stderr).toBe(9);
		expect(stderr).toContain('The console showed "PING"');
	});

	it('notices what another board shows while a step waits', async () => {
		const steps = await scenario('peer.fail: Hello', 'dut.expect: never');
		const startedAt = performance.now();
		const { exitCode, stderr } = await cli(['run', ...boards, ...steps, '--timeout', '30s']);
		expect(exitCode, stderr).toBe(9);
		expect(stderr).toContain('The console showed "Hello"');
		expect(performance.now() - startedAt).toBeLessThan(25_000);
	});

	it('passes with --fail only if no board shows it', async () => {
		const run = ['run', ...boards, '--timeout', '300ms'];
		expect((await cli([...run, '--fail', 'PANIC'])).exitCode).toBe(0);
		expect((await cli([...run, '--fail', 'Arduino'])).exitCode).toBe(9);
		expect((await cli([...run, '--fail', 'Raspberry'])).exitCode).toBe(9);
	});

	it('says what is wrong with the command before it leases a board', async () => {
		const good = await scenario('dut.expect: Hello');
		const wrong = async (...words: string[]) => (await cli(['run', ...words])).stderr;
		expect(await wrong(...boards, ...boards, ...good)).toContain('The role dut is named twice');
		expect(await wrong(uno, ...boards, ...good)).toContain('--board ROLE=TYPE,FILE');
		expect(await wrong(...boards, '--expect', 'Hello')).toContain(
			'with their roles in a --scenario',
		);
		expect(await wrong(...boards, '--tag', 'a=b', ...good)).toContain('tags after colons');
		expect(await wrong('--board', 'Dut=arduino-uno', ...good)).toContain('must be lower-case');
		expect(await wrong('--board', 'dut=uno:=b', ...good)).toContain('Expected a tag such as');
		expect(await wrong(uno, '--tag', 'a=b')).toContain('Pass --tag with --type');
		expect(await wrong(uno, '--type', 'uno', '--same-tag', 'a')).toContain(
			'only with several boards',
		);
		expect(await wrong('--board', 'dut=', ...good)).toContain('Write a type or an ID after dut=');
		expect(await wrong('--type', 'arduino-uno', ...good)).toContain(
			'Name the file of the firmware',
		);
		expect(await wrong(uno, '--type', 'arduino-uno', ...good)).toMatch(
			/two.yml:2: the step names the role dut; the only board has none/,
		);
		expect(await wrong(...boards, ...(await scenario('expect: Hello')))).toMatch(
			/two.yml:2: the step names no role; the boards are dut, peer/,
		);
		const mixed = await scenario('dut.expect: Hello\n    peer.timeout: 1s');
		expect(await wrong(...boards, ...mixed)).toMatch(/two.yml:2: all fields of a step must have/);
	});

	it('names the role that no board can have', async () => {
		const words = ['--board', `dut=rp2040-pico:driver=none,${pico}`, ...boards.slice(2)];
		const { exitCode, stderr } = await cli([
			'run',
			...words,
			...(await scenario('dut.expect: Hello')),
		]);
		expect(exitCode).toBe(3);
		expect(stderr).toContain('has the tag driver=none. (role dut)');
		expect(stderr).toContain('The boards of this type have driver=emulated.');
	});
});

describe('forward with several boards', () => {
	it('names the ports of each board by its role', async () => {
		let env: Readonly<Record<string, string>> = {};
		const runTool = async (_: readonly string[], given: Readonly<Record<string, string>>) => {
			env = given;
			return 7;
		};
		const words = ['forward', ...boards.map((word) => word.split(',')[0] ?? ''), '--', 'pytest'];
		const { exitCode } = await cli(words, { runTool });
		expect(exitCode).toBe(7);
		expect(env).toMatchObject({
			BOARD_DUT_ID: 'brd_rp2040-pico-01',
			BOARD_DUT_SERIAL: expect.stringMatching(/^rfc2217:/),
			BOARD_PEER_SERIAL: expect.stringMatching(/^rfc2217:/),
			BOARD_PEER_LEASE: expect.stringMatching(/^lse_/),
		});
	});

	it('cannot give several boards one port', async () => {
		const { stderr } = await cli(['forward', ...boards, '--serial=4000', '--', 'true']);
		expect(stderr).toContain('ports on this machine cannot be chosen');
	});
});

describe('leases create', () => {
	it('takes a board by its tags, and prints the role and the ID of each of several', async () => {
		const one = await cli('leases create --type esp32-s3 --tag display --tag location=rack-1');
		expect(one.stderr).toContain('brd_esp32-s3-03 is yours');
		await cli(['leases', 'release', one.stdout.trim()]);
		const two = await cli('leases create --board a=nrf52840-dk --board b=esp32-s3:display=yes');
		const [a, b] = two.stdout
			.trim()
			.split('\n')
			.map((line) => line.split(' '));
		expect([a?.[0], b?.[0]]).toEqual(['a', 'b']);
		expect(two.stderr).toContain('releasing one releases all');
		const { stdout } = await cli(['leases', 'get', b?.[1] ?? '']);
		expect(stdout).toMatch(/Role +b in grp_/);
		await cli(['leases', 'release', a?.[1] ?? '']);
	});

	it('rejects what is no tag', async () => {
		const { exitCode, stderr } = await cli('leases create --type esp32-s3 --tag =yes');
		expect(exitCode).toBe(2);
		expect(stderr).toContain('Expected a tag such as rack=b2');
	});
});

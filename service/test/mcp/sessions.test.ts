// A coding agent that leases a board by /mcp, flashes it, reads its console and releases it.
import { sampleFirmware } from 'board-access-agent/samples';
import { describe, expect, test } from 'vitest';
import { chattyUno } from '../../../agent/test/support/chatty-uno.ts';
import { findAccount } from '../../../core/src/accounts/store.ts';
import { issueKey } from '../../../core/src/keys/store.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { versions } from '../../../test/support/coding-agent.ts';
import { backends } from '../support/backends.ts';
import { base64, connect, openBoards } from './support/agents.ts';

const firmware = base64(await sampleFirmware('arduino-uno'));
const greeting = 'Hello from Arduino Uno';

/** Collects what is told meanwhile. */
function listener() {
	const told: (string | undefined)[] = [];
	return {
		told,
		onprogress: ({ message }: { message?: string | undefined }) => void told.push(message),
	};
}

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	test.each(versions)(
		'a board is found, leased, flashed, read, typed to, reset and released over $version',
		async ({ version, mode }) => {
			const bench = await openBoards(opening);
			const agent = await connect(bench, bench.apiKey, { mode });
			expect(agent.client.getNegotiatedProtocolVersion()).toBe(version);
			const price = { credits_per_minute: 0 };
			const board = { id: 'brd_bench_1', type: 'uno', status: 'available', ...price, tags: {} };
			expect(await agent.use('list_boards', { type: 'uno' })).toEqual({
				boards: [board],
				more: false,
			});

			const leasing = listener();
			const wanted = { boards: ['uno'], minutes: 3, wait_seconds: 20, label: 'by an agent' };
			const { leases } = await agent.use('lease_board', wanted, leasing);
			expect(leases).toEqual([
				{
					lease_id: expect.stringMatching(/^lse_/),
					board_id: 'brd_bench_1',
					expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
				},
			]);
			expect(leasing.told).toContain('Preparing');
			const [{ lease_id }] = leases;
			expect(await agent.use('leases')).toEqual({
				leases: [{ ...leases[0], status: 'active', type: 'uno' }],
				more: false,
			});
			const { body } = await bench.user.json(`/leases/${lease_id}`);
			expect(body).toMatchObject({ minutes: 3, label: 'by an agent' });

			const flashing = listener();
			const flashed = await agent.use('flash', { lease_id, firmware }, flashing);
			expect(flashed.message).toMatch(/bytes written/);
			expect(flashing.told).toEqual(expect.arrayContaining(['uploading', 'flashing']));
			const read = { lease_id, cursor: flashed.cursor, until: greeting, timeout_ms: 30_000 };
			const shown = await agent.use('console_read', read);
			expect(shown).toMatchObject({ completion_reason: 'matched', missing_bytes: 0 });
			expect(shown.untrusted_output).toContain(greeting);

			const typed = await agent.use('console_write', { lease_id, text: 'hello\\r' });
			expect(typed).toEqual({ sent_bytes: 6 });
			const next = { ...read, cursor: shown.cursor, until: 'HELLO\r\n' };
			expect(await agent.use('console_read', next)).toMatchObject({ completion_reason: 'matched' });
			const reset = await agent.use('reset_and_capture', { ...read, cursor: undefined });
			expect(reset.untrusted_output.split('\n')[0]).toBe(greeting);

			const uri = `board-access://leases/${lease_id}/console`;
			const { contents } = await agent.client.readResource({ uri });
			expect(contents).toEqual([
				{ uri, mimeType: 'text/plain', text: expect.stringMatching(/Hello.*HELLO.*Hello/s) },
			]);

			expect(await agent.use('release', { lease_id })).toEqual({ credits: 0 });
			expect(await agent.use('leases')).toEqual({ leases: [], more: false });
		},
	);

	test.each(versions)(
		'firmware is tested and the board released over $version',
		async ({ mode }) => {
			const bench = await openBoards(opening);
			const agent = await connect(bench, bench.apiKey, { mode });
			const run = { boards: ['uno'], firmware, wait_seconds: 20, expect: [greeting] };
			const passing = listener();
			const passed = await agent.use('run_firmware', run, passing);
			expect(passed).toMatchObject({ result: 'passed', why: '', board_id: 'brd_bench_1' });
			expect(passed.untrusted_output).toContain(greeting);
			expect(passing.told).toEqual(expect.arrayContaining(['Flashing', `Shown: ${greeting}`]));

			const failed = await agent.use('run_firmware', {
				...run,
				expect: [],
				fail: ['from Arduino'],
			});
			expect(failed).toMatchObject({
				result: 'fail_seen',
				why: expect.stringContaining('The console showed "from Arduino"'),
			});
			const late = { ...run, expect: ['never shown'], timeout_seconds: 0.2 };
			expect(await agent.use('run_firmware', late)).toMatchObject({ result: 'not_seen' });
			expect(await agent.use('leases')).toEqual({ leases: [], more: false });
		},
	);

	rule('firmware is tested on a lease that goes on', async () => {
		const bench = await openBoards(opening);
		const agent = await connect(bench, bench.apiKey);
		const lease_id = await agent.lease('uno');
		const run = { lease_id, firmware, expect: [greeting] };
		expect(await agent.use('run_firmware', run)).toMatchObject({ result: 'passed', lease_id });
		expect(await agent.use('leases')).toMatchObject({ leases: [{ lease_id }] });
	});

	test('several sessions of an account share its leases, and each has its own progress', async () => {
		const bench = await openBoards(opening, { boards: 3 });
		const agents = await Promise.all(
			['legacy', 'auto', 'legacy'].map((mode) =>
				connect(bench, bench.apiKey, { mode: mode as 'legacy' }),
			),
		);
		const run = { boards: ['uno'], firmware, wait_seconds: 20, expect: [greeting] };
		const listeners = agents.map(listener);
		const results = await Promise.all(
			agents.map((agent, index) => agent.use('run_firmware', run, listeners[index])),
		);
		expect(results.map(({ result }) => result)).toEqual(['passed', 'passed', 'passed']);
		expect(new Set(results.map(({ board_id }) => board_id)).size).toBe(3);
		for (const { told } of listeners) {
			expect(told.filter((words) => words === `Shown: ${greeting}`)).toHaveLength(1);
		}
		const [first, second] = agents;
		const lease_id = await first?.lease('uno');
		await second?.use('flash', { lease_id, firmware });
		await second?.use('release', { lease_id });
		expect(await first?.use('leases')).toMatchObject({ leases: [] });
	});

	rule('boards are leased together by their roles, and released together', async () => {
		const bench = await openBoards(opening, { boards: 2 });
		const agent = await connect(bench, bench.apiKey);
		const boards = ['dut=uno', 'peer=brd_bench_2'];
		const { leases } = await agent.use('lease_board', { boards, wait_seconds: 20 });
		expect(leases).toMatchObject([
			{ role: 'dut', board_id: 'brd_bench_1' },
			{ role: 'peer', board_id: 'brd_bench_2' },
		]);
		await agent.use('release', { lease_id: leases[1].lease_id });
		expect(await agent.use('leases')).toMatchObject({ leases: [] });
	});

	rule('several boards without roles of their own are refused, and none is leased', async () => {
		const bench = await openBoards(opening, { boards: 2 });
		const agent = await connect(bench, bench.apiKey);
		for (const tool of ['lease_board', 'run_firmware']) {
			const roleless = await agent.fail(tool, { boards: ['uno', 'uno'] });
			expect(roleless).toContain('Write each of several boards as role=type');
			const twice = await agent.fail(tool, { boards: ['dut=uno', 'dut=uno'] });
			expect(twice).toContain('The role dut is named twice');
		}
		const flashing = await agent.fail('lease_board', { boards: ['uno,app.hex'] });
		expect(flashing).toContain('lease_board flashes nothing');
		expect(await agent.use('leases')).toMatchObject({ leases: [] });
	});

	rule('errors name the options of the tools', async () => {
		const bench = await openBoards(opening);
		const agent = await connect(bench, bench.apiKey);
		const lease_id = await agent.lease('uno');
		expect((await agent.fail('lease_board', { boards: ['uno'] })).split('\n')).toEqual([
			expect.stringContaining('No board of type uno is free'),
			expect.stringContaining('Hint: Set wait_seconds'),
			'Code: no_board_available',
		]);
		const long = { boards: ['uno'], minutes: 10_000 };
		expect(await agent.fail('lease_board', long)).toContain('minutes must be at most 1440 minutes');
		const raw = { lease_id, firmware: base64(Buffer.from('no format')) };
		expect(await agent.fail('flash', raw)).toContain('pass raw_offset');
		const flashed = await agent.use('flash', { ...raw, raw_offset: '0x0' });
		expect(flashed.message).toMatch(/bytes written/);
	});

	rule('a console is read until a limit, in parts that fit together', async () => {
		const bench = await openBoards(opening);
		const agent = await connect(bench, bench.apiKey);
		const lease_id = await agent.lease('uno');
		await agent.use('run_firmware', { lease_id, firmware, expect: [greeting] });
		const first = await agent.use('console_read', { lease_id, max_bytes: 16 });
		expect(first).toMatchObject({ completion_reason: 'max_bytes', cursor: 16 });
		const rest = await agent.use('console_read', { lease_id, cursor: 16, idle_timeout_ms: 500 });
		expect(rest.completion_reason).toBe('idle');
		expect(first.untrusted_output + rest.untrusted_output).toMatch(/^Hello from Arduino Uno\n/);
		const timed = { lease_id, until: 'never shown', timeout_ms: 100 };
		expect(await agent.use('console_read', timed)).toMatchObject({ completion_reason: 'timeout' });
	});

	rule('what would control a terminal is shown as its codes', async () => {
		const bench = await openBoards(opening);
		const agent = await connect(bench, bench.apiKey);
		const lease_id = await agent.lease('uno');
		const hostile = base64(chattyUno('\x1b[2J\x07 done\r\n'));
		const { cursor } = await agent.use('flash', { lease_id, firmware: hostile, raw_offset: '0x0' });
		const read = await agent.use('console_read', { lease_id, cursor, until: 'done' });
		expect(read.untrusted_output).toContain('\\x1b[2J\\x07 done');
		const run = { lease_id, expect: ['never shown'], timeout_seconds: 0.2 };
		const { why, untrusted_output } = await agent.use('run_firmware', run);
		const uri = `board-access://leases/${lease_id}/console`;
		const { contents } = await agent.client.readResource({ uri });
		expect(JSON.stringify([why, untrusted_output, contents])).not.toMatch(/\\u00(1b|07)/);
	});

	rule('a time that no timer can have is cut, and ends no reading at once', async () => {
		const bench = await openBoards(opening);
		const agent = await connect(bench, bench.apiKey);
		const lease_id = await agent.lease('uno');
		const patient = { lease_id, until: greeting, timeout_ms: 1e12, idle_timeout_ms: 1e300 };
		const reading = agent.use('console_read', patient);
		await agent.use('run_firmware', { lease_id, firmware, expect: [greeting] });
		expect(await reading).toMatchObject({ completion_reason: 'matched' });
	});

	test('a key for boards only can use every tool', async () => {
		const bench = await openBoards(opening);
		const { query } = bench.services.database;
		const account = await findAccount(query, bench.login.email);
		const { key } = await issueKey(query, { accountId: account?.id ?? '', scope: 'boards' });
		const agent = await connect(bench, key);
		const { tools } = await agent.client.listTools();
		const lease_id = await agent.lease('uno');
		const given: Record<string, object> = {
			list_boards: {},
			leases: {},
			flash: { lease_id, firmware },
			reset_and_capture: { lease_id, until: greeting },
			console_read: { lease_id, until: greeting },
			console_write: { lease_id, text: 'x' },
			run_firmware: { lease_id, firmware, expect: [greeting] },
			release: { lease_id },
		};
		expect(tools.map(({ name }) => name).toSorted()).toEqual(
			['lease_board', ...Object.keys(given)].toSorted(),
		);
		for (const [name, fields] of Object.entries(given)) await agent.use(name, { ...fields });
	});
});

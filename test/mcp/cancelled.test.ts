// What a call has taken is given back when it is cancelled, and the session goes on.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { describe, expect, onTestFinished, test } from 'vitest';
import { versions } from '../support/coding-agent.ts';
import { progressing, start, useBoards } from './support/agents.ts';

const { here, client, open } = useBoards();

const board = 'brd_rp2040-pico-01';

/** Takes a board until the end of the test. */
async function occupy() {
	const lease = await client().leases.create({ boardId: board });
	onTestFinished(async () => void (await lease.release()));
	return lease;
}

describe.each(versions)('in version $version', ({ mode }) => {
	test.each([
		['lease_board', { boards: [board] }],
		['lease_board', { boards: [`dut=${board}`, 'peer=arduino-uno'] }],
		['run_firmware', { boards: [board], expect: ['x'] }],
	])('%s leaves the queue: %j', async (name, given) => {
		const other = await occupy();
		const { use } = await start(here(), { mode });
		const { told, options, cancel } = progressing();
		const call = use(name, { ...given, wait_seconds: 60 }, options);
		await expect.poll(() => told[0]).toMatch(/^Queued at position \d/);
		expect((await open()).length).toBeGreaterThan(1);
		cancel();
		await expect(call).rejects.toThrow();
		await expect.poll(open).toMatchObject([{ id: other.id }]);
		expect(await use('leases')).toMatchObject({ leases: [{ lease_id: other.id }] });
	});

	test('run_firmware releases its board', async () => {
		const { use, folder } = await start(here(), { mode });
		await copyFile(sampleFirmwarePath('arduino-uno'), join(folder, 'uno.hex'));
		const { told, options, cancel } = progressing();
		const given = { boards: ['arduino-uno'], firmware: 'uno.hex', expect: ['Hello', 'never'] };
		const call = use('run_firmware', given, options);
		await expect.poll(() => told.at(-1)).toBe('Shown: Hello');
		cancel();
		await expect(call).rejects.toThrow();
		await expect.poll(open).toEqual([]);
		expect(await use('leases')).toEqual({ leases: [], more: false });
	});

	test('a lease that continues is kept', async () => {
		const { use, lease } = await start(here(), { mode });
		const lease_id = await lease('arduino-uno');
		const { options, cancel } = progressing();
		const calls = [
			use('run_firmware', { lease_id, expect: ['never'] }, options),
			use('console_read', { lease_id, until: 'never', timeout_ms: 60_000 }, options),
			use('reset_and_capture', { lease_id, until: 'never', timeout_ms: 60_000 }, options),
		];
		await expect
			.poll(async () => (await (await client().leases.get(lease_id)).actions())[0])
			.toBeTruthy();
		cancel();
		const outcomes = await Promise.allSettled(calls);
		expect(outcomes.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
		const read = await use('console_read', { lease_id, max_bytes: 16 });
		expect(read).toMatchObject({ untrusted_output: 'Base image of Ar' });
		expect(await open()).toMatchObject([{ id: lease_id, status: 'active' }]);
		await use('release', { lease_id });
	});
});

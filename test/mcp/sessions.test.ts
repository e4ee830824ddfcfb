// Coding agents that lease a board, flash it, read its console, type, and release it.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { expect, test } from 'vitest';
import { versions } from '../support/coding-agent.ts';
import { progressing, start, useBoards } from './support/agents.ts';

const { here, client, open } = useBoards();
const greeting = 'Hello from Arduino Uno\n';

test.each(versions)('a session in version $version of the protocol', async ({ version, mode }) => {
	const agent = await start(here(), { mode });
	const { use } = agent;
	expect(agent.client.getNegotiatedProtocolVersion()).toBe(version);
	expect(agent.client.getServerVersion()).toMatchObject({ name: 'board-access' });
	await copyFile(sampleFirmwarePath('arduino-uno'), join(agent.folder, 'uno.hex'));

	const { boards } = await use('list_boards', { type: 'arduino-uno' });
	const board = { id: 'brd_arduino-uno-01', type: 'arduino-uno', status: 'available' };
	expect(boards).toContainEqual(expect.objectContaining(board));

	const lease_id = await agent.lease(board.id);
	const active = { status: 'active', type: board.type, board_id: board.id };
	const leased = { lease_id, ...active, expires_at: expect.stringMatching(/^\d{4}-.*Z$/) };
	expect(await use('leases')).toEqual({ leases: [leased], more: false });

	const { told, options } = progressing();
	const flashed = await use('flash', { lease_id, firmware: 'uno.hex' }, options);
	expect(flashed.message).toMatch(/^\d+ bytes written$/);
	expect(told).not.toEqual([]);
	expect(new Set(told).size).toBe(told.length);

	const { cursor } = flashed;
	const shown = await use('console_read', { lease_id, cursor, until: 'Uno\r\n' });
	const end = Number(cursor) + greeting.length + 1; // of \r\n
	const untrusted_output = greeting;
	const matched = { completion_reason: 'matched', missing_bytes: 0 };
	expect(shown).toEqual({ untrusted_output, cursor: end, ...matched });

	const first = await use('console_read', { lease_id, cursor, max_bytes: 16 });
	const half = { untrusted_output: greeting.slice(0, 16), completion_reason: 'max_bytes' };
	expect(first).toMatchObject({ ...half, cursor: Number(cursor) + 16 });
	const wait = { idle_timeout_ms: 1_000 };
	const rest = await use('console_read', { lease_id, cursor: first.cursor, ...wait });
	const otherHalf = { untrusted_output: greeting.slice(16), completion_reason: 'idle' };
	expect(rest).toMatchObject({ ...otherHalf, cursor: end });
	const nothing = await use('console_read', { lease_id, cursor: end, until: 'x', timeout_ms: 50 });
	const unchanged = { untrusted_output: '', cursor: end, completion_reason: 'timeout' };
	expect(nothing).toMatchObject(unchanged);

	expect(await use('console_write', { lease_id, text: 'hi\\x20there\\r' })).toEqual({
		sent_bytes: 9,
	});
	const echoed = await use('console_read', { lease_id, cursor: end, until: '/^HI (\\w+)\\r\\n/' });
	expect(echoed).toMatchObject({ untrusted_output: 'HI THERE\n', ...matched });

	const captured = await use('reset_and_capture', { lease_id, until: 'Uno\r\n' });
	expect(captured.untrusted_output).toBe(greeting);
	expect(captured.cursor).toBeGreaterThan(end);

	expect(await agent.console(lease_id)).toEqual({
		uri: `board-access://leases/${lease_id}/console`,
		mimeType: 'text/plain',
		text: expect.stringMatching(new RegExp(`${greeting}HI THERE\n${greeting}$`)),
	});

	expect(await use('release', { lease_id })).toEqual({ credits: expect.any(Number) });
	expect(await use('leases')).toEqual({ leases: [], more: false });
	const ended = { cursor: captured.cursor, completion_reason: 'ended', untrusted_output: '' };
	const after = await use('console_read', { lease_id, cursor: captured.cursor });
	expect(after).toMatchObject(ended);
});

test('several boards are leased by their roles, and released together', async () => {
	const { use } = await start(here());
	const boards = ['dut=arduino-uno', 'peer=rp2040-pico'];
	const { leases } = await use('lease_board', { boards, minutes: 2, label: 'a pair' });
	expect(leases).toMatchObject([
		{ role: 'dut', board_id: expect.stringContaining('uno') },
		{ role: 'peer', board_id: expect.stringContaining('pico') },
	]);
	const records = await open();
	expect(records).toMatchObject([
		{ label: 'a pair', minutes: 2 },
		{ label: 'a pair', minutes: 2 },
	]);
	const [{ lease_id }] = leases as [{ lease_id: string }];
	await use('release', { lease_id });
	expect(await open()).toEqual([]);
});

test('two sessions with the same key do not disturb each other', async () => {
	const [one, other] = await Promise.all([start(here()), start(here())]);
	const [its, others] = await Promise.all([one.lease('arduino-uno'), other.lease('arduino-uno')]);
	expect(its).not.toBe(others);
	await Promise.all([
		one.use('console_write', { lease_id: its, text: 'x' }),
		other.use('console_write', { lease_id: others, text: 'y' }),
	]);
	// Both see all leases of the key.
	expect((await one.use('leases')).leases).toHaveLength(2);
	await one.client.close();
	await expect.poll(async () => (await client().leases.get(its)).status).toBe('ended');
	expect((await other.use('leases')).leases).toMatchObject([{ lease_id: others }]);
	expect(await other.use('console_read', { lease_id: others, max_bytes: 16 })).toMatchObject({
		completion_reason: 'max_bytes',
	});
	await other.use('release', { lease_id: others });
});

test('without a board, a call says why and what to do', async () => {
	const agent = await start(here());
	const board = 'brd_rp2040-pico-01';
	const lease_id = await agent.lease(board);
	const text = await agent.fail('lease_board', { boards: [board] });
	expect(text).toMatch(/^The board .* is in use/);
	expect(text).toContain('\nHint: Set wait_seconds to wait in the queue');
	expect(text).toContain('\nCode: no_board_available');
	await agent.use('release', { lease_id });
	const unknown = { lease_id: 'lse_000000000000000000000000' };
	expect(await agent.fail('console_read', unknown)).toContain('There is no such lease');
});

// Debuggers of this machine that coding agents ask about a leased board.
import { spawnSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { start, useBoards } from './support/agents.ts';

const { here } = useBoards();

/** CI installs the debuggers; elsewhere one may be missing. */
const has = (name: string) =>
	process.env.REQUIRE_TOOLS !== undefined || spawnSync(name, ['--version']).error === undefined;

/** Firmware with symbols, which counts and prints the last digit. */
const symbols = (name: string) =>
	fileURLToPath(new URL(`../../agent/test/firmware/${name}-debug.elf`, import.meta.url));

const elf = 'firmware.elf';

/** Leases a board that runs the firmware. */
async function startDebugging(board: string, name: string, env: Record<string, string> = {}) {
	const agent = await start(here(), { env });
	await copyFile(symbols(name), join(agent.folder, elf));
	const lease_id = await agent.lease(board);
	await agent.use('flash', { lease_id, firmware: elf });
	const given = { lease_id, elf };
	return {
		...agent,
		lease_id,
		given,
		async ask(what: string, variable?: string) {
			const { untrusted_output } = await agent.use('debug', { ...given, what, variable });
			return `${untrusted_output}`;
		},
	};
}

for (const [board, name, debuggerName] of [
	['arduino-uno', 'uno', 'avr-gdb'],
	['rp2040-pico', 'pico', 'gdb-multiarch'],
] as const) {
	const tags = name === 'pico' ? 'long' : [];
	test.skipIf(!has(debuggerName))(`${board}: halted, asked, and running on`, { tags }, async () => {
		const { ask, use, lease_id } = await startDebugging(board, name);
		expect(await ask('backtrace')).toMatch(/^#\d .*\b(main|start) \(\)/m);
		expect(await ask('registers')).toMatch(/^pc +0x/m);
		const [, count] = /^\$1 = (\d+)$/m.exec(await ask('variable', 'count')) ?? [];
		expect(Number(count)).toBeGreaterThan(40);
		expect(await ask('variable', 'greeting[1]')).toMatch(/^\$1 = 101 'e'$/m);
		expect(await ask('variable', '&greeting')).toContain('(const char (*)[6])');
		expect(await ask('variable', 'nothing')).toContain('No symbol "nothing" in current context');
		// It prints a digit every few milliseconds.
		const { cursor } = await use('console_read', { lease_id, timeout_ms: 200 });
		const later = { lease_id, cursor, until: '/\\d{5}/' };
		expect(await use('console_read', later)).toMatchObject({ completion_reason: 'matched' });
		const text = await ask('variable', 'count');
		expect(Number(/^\$1 = (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(Number(count));
		await use('release', { lease_id });
	});
}

describe('a debugger', () => {
	test('that cannot be found is named', async () => {
		const { fail, given } = await startDebugging('arduino-uno', 'uno', { GDB: 'no-such-gdb' });
		const text = await fail('debug', { ...given, what: 'registers' });
		expect(text).toBe('There is no GDB here. Set GDB to the one of your toolchain');
	});

	test.skipIf(!has('avr-gdb'))('that knows another processor only says so', async () => {
		const { fail, given } = await startDebugging('rp2040-pico', 'pico', { GDB: 'avr-gdb' });
		const text = await fail('debug', { ...given, what: 'registers' });
		expect(text).toMatch(/^avr-gdb failed: /);
	});

	test.skipIf(!has('avr-gdb'))('runs nothing that the folder has for it', async () => {
		const { ask, use, folder, lease_id } = await startDebugging('arduino-uno', 'uno');
		for (const file of ['.gdbinit', `${elf}-gdb.gdb`, `${elf}-gdb.py`]) {
			await writeFile(join(folder, file), 'print "obeyed"\nshell touch obeyed\n');
		}
		expect(await ask('registers')).not.toContain('obeyed');
		await use('release', { lease_id });
	});

	test('gets only what can have symbols', async () => {
		const { fail, folder, given } = await startDebugging('arduino-uno', 'uno');
		await writeFile(join(folder, elf), 'text');
		const text = await fail('debug', { ...given, what: 'registers' });
		expect(text).toBe('Pass an ELF file, with symbols');
	});
});

// The tools that need the user's machine: ports for own scripts, and a debugger.
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { AnyLease } from 'board-access';
import * as z from 'zod/mini';
import { elfMachines } from '../contract/firmware/index.ts';
import { type Forwarding, forward } from '../forward/index.ts';
import { printed, shown } from './console.ts';
import { leaseId, says, text } from './place.ts';
import { changes, type Tool, tool } from './tool.ts';

const execute = promisify(execFile);

/** As distributions and toolchains name them. The one for AVR supports AVR alone, and the others do not. */
const debuggers = { avr: ['avr-gdb'], others: ['gdb-multiarch', 'arm-none-eabi-gdb'] };

const commands = {
	backtrace: () => 'backtrace 30',
	registers: () => 'info registers',
	variable: (name: string) => `print ${name}`,
};

/** A variable, also one of a structure or an array; no call, which would run firmware. */
const variable = /^[*&]*[A-Za-z_][\w.:]*(?:(?:->|\.)[A-Za-z_]\w*|\[\w+\])*$/;

/** How much a debugger may print, in bytes. */
const maxOutput = 16_384;
const maxMilliseconds = 30_000;

interface Local {
	/** Where the file of a name really is. */
	pathOf(name: string): Promise<string>;
	env: Readonly<Record<string, string | undefined>>;
	/** The ports that are open or being opened, by the lease. */
	ports: Map<string, Promise<Forwarding>>;
}

export function localTools({ pathOf, env, ports }: Local): Tool[] {
	const environment = tool({
		name: 'environment',
		description: 'Open ports of a board on this machine; returns variables for own scripts',
		hints: changes,
		input: z.strictObject(leaseId),
		output: z.object({ env: z.record(text, text) }),
		async run({ lease_id }, { client, signal }) {
			const lease = await client.leases.get(lease_id, { signal });
			if (lease.status === 'ended') lease.signal.throwIfAborted();
			const opened = ports.get(lease_id) ?? openPorts(lease);
			ports.set(lease_id, opened);
			opened.catch(() => ports.delete(lease_id));
			return { env: { ...(await opened).env } };
		},
	});
	const debug = tool({
		name: 'debug',
		description: 'Halt the processor, ask GDB, let it run on',
		hints: changes,
		input: z.strictObject({
			...leaseId,
			elf: says('file with symbols'),
			what: z.enum(['backtrace', 'registers', 'variable']),
			variable: z.optional(text.check(z.regex(variable, 'must be a variable'))),
		}),
		output: z.object({ untrusted_output: printed }),
		async run({ lease_id, elf, what, variable = '' }, { client, signal }) {
			if ((what === 'variable') !== (variable !== ''))
				throw new Error('Pass what: "variable" with variable');
			const file = await pathOf(elf);
			const lease = await client.leases.get(lease_id, { signal });
			await using port = await forward(lease, [{ kind: 'gdb' }]);
			const command = commands[what](variable);
			// Nothing of the folder or of the file is run.
			// Nor are sources shown, which a file may name anywhere.
			const sources = [
				'-iex',
				'set print frame-info location',
				'-iex',
				'set substitute-path / /none',
			];
			const safe = ['-nx', '-batch', '-iex', 'set auto-load off', ...sources];
			const steps = [`target remote ${port.addresses[0]}`, command, 'detach'];
			const words = [...safe, ...steps.flatMap((step) => ['-ex', step]), file];
			const known = env.GDB ? [env.GDB] : debuggers[await machineOf(file)];
			const output = await runDebugger(known, words, signal);
			return { untrusted_output: shown(output.slice(0, maxOutput)) };
		},
	});
	return [environment, debug];
}

/** With a debugger, where the board has one. */
async function openPorts(lease: AnyLease) {
	const serial = { kind: 'serial' } as const;
	return await forward(lease, [serial, { kind: 'gdb' }]).catch(() => forward(lease, [serial]));
}

async function machineOf(file: string) {
	await using elf = await open(file);
	const { buffer } = await elf.read(Buffer.alloc(20), { position: 0 });
	if (!buffer.toString('latin1').startsWith('\x7fELF'))
		throw new Error('Pass an ELF file, with symbols');
	return buffer.readUInt16LE(18) === elfMachines.avr ? 'avr' : 'others';
}

async function runDebugger(
	[program, ...others]: readonly string[],
	words: readonly string[],
	signal: AbortSignal,
): Promise<string> {
	if (program === undefined)
		throw new Error('There is no GDB here. Set GDB to the one of your toolchain');
	const options = { signal, timeout: maxMilliseconds, maxBuffer: 2 ** 20 };
	try {
		const { stdout, stderr } = await execute(program, words, options);
		return stdout + stderr;
	} catch (error) {
		const { code, killed, stderr } = Object(error);
		if (code === 'ENOENT') return await runDebugger(others, words, signal);
		signal.throwIfAborted();
		const reason = killed ? `did not end within ${maxMilliseconds / 1_000} s` : `failed: ${stderr}`;
		throw new Error(`${program} ${reason}`, { cause: error });
	}
}

// The tools that flash and reset a leased board, read what it prints, and type.
import type { AnyLease } from 'board-access';
import * as z from 'zod/mini';
import { readSent } from '../ci/run-options.ts';
import { consolePart, maxBytes, type Reading, readConsole, readWhole, shown } from './console.ts';
import { leaseId, logField, type Place, says, text } from './place.ts';
import { type Call, changes, destroys, reads, type Tool, tool } from './tool.ts';

const milliseconds = z.optional(z.number().check(z.positive()));

const limits = {
	// Fewer may not have room for one character.
	max_bytes: z.optional(z.int().check(z.minimum(16), z.maximum(maxBytes))),
	timeout_ms: milliseconds,
	idle_timeout_ms: milliseconds,
	until: z.optional(text),
};

type Limits = z.output<z.ZodMiniObject<typeof limits>>;

function readingOf(given: Limits, { maxSeconds, readPattern }: Place): Omit<Reading, 'from'> {
	const { max_bytes = 8_192, timeout_ms = 10_000, until } = given;
	const timeoutMs = Math.min(timeout_ms, maxSeconds * 1_000);
	// Silence before the text that is waited for is no end, unless the caller says so.
	const { idle_timeout_ms = until === undefined ? 2_000 : timeoutMs } = given;
	return {
		maxBytes: max_bytes,
		timeoutMs,
		idleMs: Math.min(idle_timeout_ms, timeoutMs),
		until: until === undefined ? undefined : readPattern(until),
	};
}

async function partOf(lease: AnyLease, reading: Reading, { signal }: Call) {
	const { text, ...rest } = await readConsole(lease, reading, signal);
	return { untrusted_output: shown(text), ...rest };
}

const write = tool({
	name: 'console_write',
	description: 'Type on the console: \\r is Enter, \\xNN a byte',
	hints: changes,
	input: z.strictObject({ ...leaseId, text: text.check(z.maxLength(4_096)) }),
	output: z.object({ sent_bytes: z.number() }),
	async run({ lease_id, text }, { client, signal }) {
		const bytes = readSent(text);
		const lease = await client.leases.get(lease_id, { signal });
		await lease.console.write(bytes, { signal });
		return { sent_bytes: bytes.length };
	},
});

export function consoleTools(place: Place): Tool[] {
	const flash = tool({
		name: 'flash',
		description: 'Flash a leased board; its output begins at cursor',
		hints: destroys,
		input: z.strictObject({
			...leaseId,
			firmware: says(place.firmware),
			raw_offset: z.optional(says('where raw bytes go: 0x1000')),
		}),
		output: z.object({ message: text, cursor: z.number() }),
		async run({ lease_id, firmware, raw_offset: flashOffset }, { client, signal, progress }) {
			const bytes = await place.readFirmware(firmware);
			const lease = await client.leases.get(lease_id, { signal });
			const { message } = await lease.flash(bytes, {
				raw: flashOffset !== undefined,
				flashOffset,
				signal,
				onProgress: ({ step, percent }) =>
					progress(percent === null ? step : `${step} ${percent} %`),
			});
			return { message: shown(message), cursor: lease.console.actionOffset };
		},
	});
	const reset = tool({
		name: 'reset_and_capture',
		description: 'Reset the board and read what it prints from there on',
		hints: changes,
		input: z.strictObject({ ...leaseId, ...limits, ...logField(place) }),
		output: consolePart,
		async run({ lease_id, log, ...given }, call) {
			const reading = readingOf(given, place);
			const lease = await call.client.leases.get(lease_id, { signal: call.signal });
			// Also tells before the reset that a log cannot be written.
			if (log !== undefined) await place.files?.writeLog(log, '');
			await lease.reset({ signal: call.signal });
			const captured = await partOf(lease, { ...reading, from: lease.console.actionOffset }, call);
			if (log !== undefined) {
				await place.files?.writeLog(log, await readWhole(lease, call.signal));
			}
			return captured;
		},
	});
	const read = tool({
		name: 'console_read',
		description:
			'Read the console from cursor on (0 unless given), until a text, silence or a limit',
		hints: reads,
		input: z.strictObject({
			...leaseId,
			cursor: z.optional(z.int().check(z.nonnegative())),
			...limits,
		}),
		output: consolePart,
		async run({ lease_id, cursor: from = 0, ...given }, call) {
			const reading = readingOf(given, place);
			const lease = await call.client.leases.get(lease_id, { signal: call.signal });
			return await partOf(lease, { ...reading, from }, call);
		},
	});
	return [flash, reset, read, write];
}

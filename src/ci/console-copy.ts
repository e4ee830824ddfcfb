// Copies what consoles show to the report of a firmware test.
import { setTimeout as wait } from 'node:timers/promises';
import type { AnyLease } from 'board-access';
import type { FirmwareTestReport } from './firmware-report.ts';

interface Copying {
	report: FirmwareTestReport;
	onEvent(event: { event: 'console'; text: string; bytes: Uint8Array }): void;
	signal?: AbortSignal | undefined;
	/** How many characters of the console to keep. */
	keep?: number | undefined;
}

const newline = 0x0a;

/** How long to read the rest of the last line, in milliseconds. */
const endOfLine = 200;

/** Copies the console to the report, up to the end of a line. Of several boards, whole lines with their role. */
export function startCopying(
	{ lease, role }: { lease: AnyLease; role: string | null },
	{ report, onEvent, signal, keep }: Copying,
) {
	const reading = new AbortController();
	const decoder = new TextDecoder();
	let isLastLine = false;
	const print = (bytes: Uint8Array) => {
		const text = decoder.decode(bytes, { stream: true });
		report.output.push(bytes);
		report.console += text;
		if (keep !== undefined) {
			report.console = report.console.slice(-keep);
			report.output.splice(0, report.output.length - 1);
		}
		onEvent({ event: 'console', text, bytes });
	};
	const lines = role === null ? undefined : linesOf(role, print);
	const write = (received: Uint8Array) => {
		if (reading.signal.aborted) return;
		const end = isLastLine ? received.indexOf(newline) + 1 : 0;
		const bytes = end > 0 ? received.subarray(0, end) : received;
		if (lines) lines.add(bytes);
		else print(bytes);
		if (end > 0) reading.abort();
	};
	const copied = copyConsole(lease, reading.signal, write);
	const goOn = async (milliseconds: number) => {
		const over = wait(milliseconds, undefined, { signal }).catch(() => {});
		await Promise.race([copied, over]);
	};
	const endLine = async () => {
		isLastLine = true;
		if (lines || report.output.at(-1)?.at(-1) !== newline) await goOn(endOfLine);
		reading.abort();
		await copied;
		lines?.end();
	};
	return { goOn, endLine };
}

/** The longest line that is kept until its end, in bytes. */
const maxLine = 64 * 1024;

/** Prints whole lines, each after its role. A carriage return ends a line, too, so that no line is without a role. */
function linesOf(role: string, print: (line: Uint8Array) => void) {
	const start = Buffer.from(`${role}: `);
	let open = Buffer.alloc(0);
	const endOf = () => {
		const isEnd = (byte: number, at: number) =>
			byte === newline || (byte === 0x0d && at + 1 < open.length && open[at + 1] !== newline);
		const end = open.findIndex(isEnd) + 1;
		return end === 0 && open.length > maxLine ? open.length : end;
	};
	const printLine = (line: Uint8Array) => {
		const isOpen = line.at(-1) !== newline && line.at(-1) !== 0x0d;
		print(Buffer.concat([start, line, ...(isOpen ? [Buffer.of(newline)] : [])]));
	};
	return {
		add(bytes: Uint8Array) {
			open = Buffer.concat([open, bytes]);
			for (let end = endOf(); end > 0; end = endOf()) {
				printLine(open.subarray(0, end));
				open = open.subarray(end);
			}
		},
		end() {
			if (open.length > 0) printLine(open);
		},
	};
}

async function copyConsole(
	lease: AnyLease,
	signal: AbortSignal,
	write: (bytes: Uint8Array) => void,
) {
	try {
		const from = lease.console.actionOffset;
		for await (const bytes of lease.console.read({ from, signal })) write(bytes);
	} catch {
		// The expectation reports why.
	}
}

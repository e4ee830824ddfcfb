// Follows a lease over a connection, which is opened again when it breaks.
import type { PinSample } from '../drawings/live-board.tsx';
import type { Marks as LeaseMarks } from '../leases/stream.ts';
import { unreachable } from './pages/connection.ts';

// The service sends something every two seconds.
const silentMilliseconds = 4_000;
const retryMilliseconds = 1_000;
const hiddenMilliseconds = 10_000;
const keptBytes = 1024 * 1024;

/** A part of the output. Output from before the stream is old. */
export interface Output {
	bytes: Uint8Array;
	/** The offsets at which the time of the output changes. */
	times: readonly (readonly [offset: number, time: number])[];
	offset: number;
	end: number;
	old: boolean;
}

/** What changes on the page. */
export interface PageUpdate {
	status: string;
	access?: string;
	html: string;
}

interface Marks extends Omit<LeaseMarks, 'time'> {
	/** How far the clock of this browser is behind that of the service. */
	skew: number;
}

/** What a page does with what the stream has for it. */
export interface Handlers {
	output?: (output: Output) => void;
	parts?: (parts: PageUpdate) => void;
	marks?: (marks: Marks) => void;
	typed?: (line: { text: string; offset: number; time: number }) => void;
	pins?: ((sample: PinSample | null) => void) | undefined;
	/** Takes why nothing is received; an empty text when the connection works again. */
	problem?: (text: string) => void;
	/** All output follows again. */
	restart?: () => void;
	/** Another board begins a new console. */
	begin?: () => void;
}

/** A part of the console: its bytes, or how many the service does not keep. */
interface Chunk {
	fence: number;
	from: number;
	output?: string;
	times?: Output['times'];
	dropped?: number;
	old: boolean;
}

type PageChange = PageUpdate & LeaseMarks;

type LeaseEvent = PageChange | { pins: PinSample | null } | { end: true } | Chunk;

function bytesOf(base64: string) {
	return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Follows a lease while its page is visible. */
export function followLease(id: string, on: Handlers) {
	/* The console, kept to be shown again */

	let place: { fence?: number; from: number } = { from: 0 };
	let history: Output[] = [];
	let size = 0;
	let marks: Marks | undefined;
	let replaying = true;
	// Undefined until something is received.
	let problem: string | undefined;
	let ended = false;

	const takeOutput = ({ fence, from, output, times = [], dropped, old }: Chunk) => {
		if (place.fence !== undefined && fence !== place.fence) {
			[history, size] = [[], 0];
			on.begin?.();
			if (marks) on.marks?.(marks);
		}
		place = { fence, from };
		const bytes = output
			? bytesOf(output)
			: new TextEncoder().encode(`\r\n[… ${dropped} bytes dropped …]\r\n`);
		const offset = output ? from - bytes.length : from;
		const piece = { bytes, times, offset, end: from, old: old && replaying };
		history.push({ ...piece, old: true });
		size += bytes.length;
		while (size > keptBytes) size -= history.shift()?.bytes.length ?? size;
		on.output?.(piece);
	};

	const takeParts = ({ actions, end, consoleEnd, time, ...parts }: PageChange) => {
		const skew = time - Date.now();
		marks = { actions, end, consoleEnd, skew };
		on.parts?.(parts);
		on.marks?.(marks);
	};

	const take = (event: LeaseEvent) => {
		if ('html' in event) takeParts(event);
		else if ('pins' in event) on.pins?.(event.pins);
		else if ('end' in event) ended = true;
		else takeOutput(event);
	};

	/* The connection */

	let seen = true;
	let running = false;
	let connection = new AbortController();

	const setProblem = (text: string) => {
		if (problem !== text) on.problem?.(text);
		problem = text;
	};

	const open = async (signal: AbortSignal) => {
		const query = Object.entries(place).map(([name, value]) => [name, String(value)]);
		const address = `/leases/${id}/events?${new URLSearchParams(query)}`;
		const response = await fetch(address, { signal, redirect: 'manual' });
		if (response.ok && response.body) {
			return response.body.pipeThrough(new TextDecoderStream()).getReader();
		}
		if (response.status === 429) throw new Error('Busy', { cause: 'There are too many requests.' });
		if (response.status < 500) {
			// The page says why, or leads to the log-in.
			location.reload();
			ended = true;
		}
		throw new Error(unreachable);
	};

	const read = async (reader: ReadableStreamDefaultReader<string>, onPiece: () => void) => {
		for (let rest = ''; ; ) {
			const { done, value } = await reader.read();
			if (done) return;
			onPiece();
			const lines = (rest + value).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) if (line.startsWith('data: ')) take(JSON.parse(line.slice(6)));
		}
	};

	/** Follows one connection. If it worked and ends, another one is opened before a problem is reported. */
	const connect = async () => {
		const current = new AbortController();
		connection = current;
		const { signal } = current;
		const opened = performance.now();
		let works = false;
		let silence: ReturnType<typeof setTimeout> | undefined;
		const listen = () => {
			clearTimeout(silence);
			silence = setTimeout(() => {
				setProblem(unreachable);
				current.abort();
			}, silentMilliseconds);
		};
		listen();
		try {
			await read(await open(signal), () => {
				listen();
				if (!works) replaying = problem !== '';
				works = true;
				setProblem('');
			});
			if (!works) throw new Error(unreachable);
		} catch (error) {
			const cause = error instanceof Error && error.cause;
			if (!works && !signal.aborted) setProblem(cause ? String(cause) : unreachable);
		} finally {
			clearTimeout(silence);
		}
		// A proxy may end every connection at once.
		const isShort = performance.now() - opened < retryMilliseconds;
		if (isShort && !ended && !signal.aborted) {
			await new Promise<void>((resolve) => setTimeout(() => resolve(), retryMilliseconds));
		}
	};

	const run = async () => {
		if (running) return;
		running = true;
		ended = false;
		while (!ended && seen) await connect();
		running = false;
	};

	const close = () => {
		if (seen || !running) return;
		problem = undefined;
		connection.abort();
	};

	run();
	// A page from the browser's cache is out of date.
	addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
	return {
		/** A page that is hidden closes its connection after a while. */
		setSeen(isSeen: boolean) {
			seen = isSeen;
			if (seen) run();
			else setTimeout(close, hiddenMilliseconds);
		},
		/** Sends all output again. */
		replay() {
			on.restart?.();
			for (const piece of history) on.output?.(piece);
		},
		/** Adds a line that is being sent at the end of the output. */
		addTyped(text: string) {
			on.typed?.({ text, offset: place.from, time: Date.now() + (marks?.skew ?? 0) });
		},
	};
}

// Follows a lease for all its tabs in this browser over one connection, because browsers open only
// six to a host. Runs in a shared worker with the name of the lease, or in the page without one.
import type { LeaseAction } from './lease/console/action-marks.ts';
import { unreachable } from './pages/connection.ts';

// The service sends something every two seconds.
const silentMilliseconds = 4_000;
const retryMilliseconds = 1_000;
const refreshMilliseconds = 100;
const hiddenMilliseconds = 10_000;
const keptBytes = 1024 * 1024;
const maxTyped = 200;

/** A part of the output. Output from before the stream is old. */
export interface Output {
	bytes: Uint8Array;
	/** Since which offsets the output has another time. */
	times: readonly (readonly [offset: number, time: number])[];
	offset: number;
	end: number;
	old: boolean;
}

/** What changes on the page. */
export interface Parts {
	status: string;
	access?: string;
	html: string;
}

/** What a console shows beside its output. */
export interface Marks {
	actions: readonly LeaseAction[];
	end: { end_reason: string; ended_at: string; text: string } | null;
	/** Where the output ends. */
	consoleEnd: number;
	/** How far the clock of this browser is behind that of the service. */
	skew: number;
}

export interface TypedLine {
	text: string;
	offset: number;
	time: number;
}

/** What the agent has read of the pins. */
export interface PinSample {
	power: boolean;
	leds: Record<string, number>;
	pins: Record<string, { mode: string; high: number; hz?: number; volts?: number }>;
}

/** What the stream has for a tab. */
export interface News {
	output: Output;
	parts: Parts;
	marks: Marks;
	typed: TypedLine;
	pins: PinSample | null;
	/** Why nothing is received; empty when something is. */
	problem: string;
	/** What the terminal of this tab is to send to the board. */
	reply: string;
	/** All output follows again. */
	restart: null;
	/** Another board begins a new console. */
	begin: null;
	reload: null;
}

export type Message = { [Kind in keyof News]: { kind: Kind; data: News[Kind] } }[keyof News];

/** What a tab says. */
export interface FromTab {
	/** A line that was sent. */
	typed?: string;
	/** What its terminal replies to the board; one replies, however many show the output. */
	reply?: string;
	/** Its terminal is the one that replies. */
	focused?: boolean;
	/** It needs all output again. */
	replay?: boolean;
	seen?: boolean;
	closed?: boolean;
}

export interface Tab {
	postMessage(message: Message): void;
	onmessage?: ((event: MessageEvent<FromTab>) => void) | null;
}

type Event = { pins: PinSample | null } & Parts &
	Omit<Marks, 'skew' | 'end'> & { end: Marks['end'] | true } & {
		time: number;
		fence: number;
		from: number;
		output?: string;
		times?: Output['times'];
		dropped?: number;
		old: boolean;
	};

function bytesOf(base64: string) {
	return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Returns a function that adds a tab by its message port. */
export function followLease(id: string) {
	// Each tab, and whether it can be seen.
	const tabs = new Map<Tab, boolean>();
	const isSeen = () => [...tabs.values()].includes(true);
	const send = <Kind extends keyof News>(to: Iterable<Tab>, kind: Kind, data: News[Kind]) => {
		// The kind decides of which type the data is.
		for (const tab of to) tab.postMessage({ kind, data } as Message);
	};
	const broadcast = <Kind extends keyof News>(kind: Kind, data: News[Kind]) =>
		send(tabs.keys(), kind, data);

	/* The console, kept for tabs that are opened later */

	let place: { fence?: number; from: number } = { from: 0 };
	let history: Output[] = [];
	let size = 0;
	let marks: Marks | undefined;
	let typed: TypedLine[] = [];
	let replaying = true;
	// Not known before something was received.
	let problem: string | undefined;
	let ended = false;

	const takeOutput = ({ fence, from, output, times = [], dropped, old }: Event) => {
		if (place.fence !== undefined && fence !== place.fence) {
			[history, size, typed] = [[], 0, []];
			broadcast('begin', null);
			if (marks) broadcast('marks', marks);
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
		broadcast('output', piece);
	};

	const takeParts = ({ actions, end, consoleEnd, time, ...parts }: Event) => {
		const skew = time - Date.now();
		marks = { actions, end: end === true ? null : end, consoleEnd, skew };
		broadcast('parts', parts);
		broadcast('marks', marks);
	};

	const take = (event: Event) => {
		if (event.html) takeParts(event);
		else if (event.pins !== undefined) broadcast('pins', event.pins);
		else if (event.end) ended = true;
		else takeOutput(event);
	};

	/* The connection */

	let running = false;
	let connection = new AbortController();
	let refreshing: ReturnType<typeof setTimeout> | undefined;

	const setProblem = (text: string) => {
		if (problem !== text) broadcast('problem', text);
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
			broadcast('reload', null);
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

	/** Follows one connection. One that breaks is opened again before anybody hears of a problem. */
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
		// Something between may end every connection at once.
		const isShort = performance.now() - opened < retryMilliseconds;
		if (isShort && !ended && !signal.aborted) {
			await new Promise<void>((resolve) => setTimeout(() => resolve(), retryMilliseconds));
		}
	};

	const run = async () => {
		if (running) return;
		running = true;
		ended = false;
		while (!ended && isSeen()) await connect();
		running = false;
	};

	/* The tabs */

	let replier: Tab | undefined;

	const receive = (tab: Tab, { typed: text, reply, focused, replay, seen, closed }: FromTab) => {
		if (focused) replier = tab;
		if (text !== undefined) {
			const line = { text, offset: place.from, time: Date.now() + (marks?.skew ?? 0) };
			typed = [...typed, line].slice(-maxTyped);
			broadcast('typed', line);
		}
		if (replay) {
			send([tab], 'restart', null);
			for (const piece of history) send([tab], 'output', piece);
		}
		if (reply) replier ??= tab;
		if (reply && replier === tab && !problem) send([tab], 'reply', reply);
		if (seen !== undefined && tabs.has(tab)) setSeen(tab, seen);
		if (closed) tabs.delete(tab);
	};

	const setSeen = (tab: Tab, seen: boolean) => {
		tabs.set(tab, seen);
		if (seen) {
			run();
			return;
		}
		if (replier === tab) replier = undefined;
		setTimeout(() => {
			if (isSeen() || !running) return;
			problem = undefined;
			connection.abort();
		}, hiddenMilliseconds);
	};

	return (tab: Tab) => {
		tab.onmessage = ({ data }) => receive(tab, data);
		if (marks) send([tab], 'marks', { ...marks, consoleEnd: place.from });
		for (const line of typed) send([tab], 'typed', line);
		for (const piece of history) send([tab], 'output', piece);
		if (problem) send([tab], 'problem', problem);
		tabs.set(tab, true);
		if (!running) {
			run();
			return;
		}
		// The page of the tab may be older than what the connection has shown last.
		clearTimeout(refreshing);
		refreshing = setTimeout(() => connection.abort(), refreshMilliseconds);
	};
}

/** The types of the DOM are those of pages. */
interface SharedWorkerScope {
	name: string;
	onconnect: (event: MessageEvent) => void;
}

if ('onconnect' in globalThis) {
	const worker = globalThis as unknown as SharedWorkerScope; // it has what is looked for above
	const add = followLease(worker.name);
	worker.onconnect = ({ ports: [tab] }) => tab && add(tab);
}

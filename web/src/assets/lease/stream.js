// Follows a lease for all its tabs in this browser over one connection, because browsers open only
// six to a host. Runs in a shared worker with the name of the lease, or in the page without one.
import { unreachable } from '../connection.js';
import { consoleWriter, pause } from './typing/writer.js';

// The service sends something every two seconds.
const silentMilliseconds = 4_000;
const retryMilliseconds = 1_000;
const refreshMilliseconds = 100;
const hiddenMilliseconds = 10_000;
const keptBytes = 1024 * 1024;
const maxTyped = 200;
const holdMilliseconds = 500;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** Returns a function that adds a tab by its message port. */
export const followLease = (id) => {
	// Each tab, and whether it can be seen.
	const tabs = new Map();
	const isSeen = () => [...tabs.values()].includes(true);
	const broadcast = (message) => {
		for (const tab of tabs.keys()) tab.postMessage(message);
	};

	/* The console, kept for tabs that are opened later */

	let place = { from: 0 };
	let history = [];
	let size = 0;
	let replaying = true;

	/** Another board begins a new console. */
	const begin = () => {
		history = [];
		size = 0;
		typed = [];
		held = [];
		broadcast({ kind: 'begin' });
		broadcast(actions);
	};

	const keep = (piece) => {
		history.push(piece);
		size += piece.bytes.length;
		while (size > keptBytes) size -= history.shift().bytes.length;
	};

	const takeOutput = ({ fence, from, output, times = [], dropped, old }) => {
		if (place.fence !== undefined && fence !== place.fence) begin();
		place = { fence, from };
		const bytes = output
			? bytesOf(output)
			: new TextEncoder().encode(`\r\n[… ${dropped} bytes dropped …]\r\n`);
		const offset = output ? from - bytes.length : from;
		const piece = { kind: 'output', bytes, times, offset, end: from };
		keep(piece);
		held.push({ ...piece, old: old && replaying });
		if (!holding) showHeld();
	};

	/* A reply may arrive before it is known that a line was sent: it is held for a moment, to stand below the line */

	let held = [];
	let holding;
	// How many lines are on their way.
	let sending = 0;

	const showHeld = () => {
		clearTimeout(holding);
		holding = undefined;
		for (const piece of held.splice(0)) broadcast(piece);
	};

	const hold = () => {
		holding ??= setTimeout(showHeld, holdMilliseconds);
	};

	const startSending = () => {
		sending += 1;
		hold();
	};

	const stopSending = () => {
		sending = Math.max(0, sending - 1);
		showHeld();
		if (sending > 0) hold();
	};

	const showHistory = (tab) => {
		for (const piece of history) tab.postMessage({ ...piece, old: true });
	};

	/* Beside the output: the actions, and the lines that were typed here */

	let actions;
	let typed = [];
	// How far the clock of this browser is behind that of the service.
	let skew = 0;

	const takeParts = (event) => {
		skew = event.time - Date.now();
		const { actions: all, end, consoleEnd } = event;
		actions = { kind: 'actions', actions: all, end, consoleEnd, skew };
		broadcast({ kind: 'parts', ...event });
		broadcast(actions);
	};

	const noteTyped = ({ tab, number, echo }) => {
		if (number !== undefined) tab.postMessage({ kind: 'accepted', number });
		if (!echo) return;
		const offset = held[0]?.offset ?? place.from;
		const mark = { kind: 'typed', texts: echo, offset, time: Date.now() + skew };
		typed = [...typed, mark].slice(-maxTyped);
		broadcast(mark);
		stopSending();
	};

	/* The connection */

	let problem;
	let running = false;
	let ended = false;
	let connection;
	let refreshing;

	const setProblem = (text) => {
		if (problem !== text) broadcast({ kind: 'problem', problem: text });
		problem = text;
	};

	const take = (event) => {
		if (event.html) takeParts(event);
		else if (event.pins !== undefined) broadcast({ kind: 'pins', sample: event.pins });
		else if (event.end) ended = true;
		else takeOutput(event);
	};

	const open = async (signal) => {
		const address = `/leases/${id}/events?${new URLSearchParams(place)}`;
		const response = await fetch(address, { signal, redirect: 'manual' });
		if (response.ok) return response.body.pipeThrough(new TextDecoderStream()).getReader();
		if (response.status === 429) throw new Error('Busy', { cause: 'There are too many requests.' });
		if (response.status < 500) {
			// The page says why, or leads to the log-in.
			broadcast({ kind: 'reload' });
			ended = true;
		}
		throw new Error(unreachable);
	};

	const read = async (reader, heard) => {
		for (let rest = ''; ; ) {
			const { done, value } = await reader.read();
			if (done) return;
			heard();
			const lines = (rest + value).split('\n');
			rest = lines.pop();
			for (const line of lines) if (line.startsWith('data: ')) take(JSON.parse(line.slice(6)));
		}
	};

	/** Follows one connection. One that breaks is opened again before anybody hears of a problem. */
	const connect = async () => {
		connection = new AbortController();
		const { signal } = connection;
		const opened = performance.now();
		let works = false;
		let silence;
		const listen = () => {
			clearTimeout(silence);
			silence = setTimeout(() => {
				setProblem(unreachable);
				connection.abort();
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
			if (!works && !signal.aborted) setProblem(error.cause ?? unreachable);
		} finally {
			clearTimeout(silence);
		}
		// Something between may end every connection at once.
		const short = performance.now() - opened < retryMilliseconds;
		if (short && !ended && !signal.aborted) await pause(retryMilliseconds);
	};

	const run = async () => {
		if (running) return;
		running = true;
		ended = false;
		while (!ended && isSeen()) await connect();
		running = false;
	};

	/* What is typed, and what the terminals reply */

	const refuse = ({ tab, ...refused }) => tab?.postMessage({ kind: 'refused', ...refused });
	const refuseSent = (refused) => {
		refuse(refused);
		if (refused.echo) stopSending();
	};
	const write = consoleWriter(id, refuseSent, noteTyped);
	let replier;

	const receive = (tab, { typed: text, reply, focused, replay, seen, closed, ...details }) => {
		if (text || focused) replier = tab;
		if (text && problem) refuse({ tab, text, ...details, reason: problem });
		else if (text) {
			if (details.echo) startSending();
			write({ tab, text, ...details });
		}
		if (replay) {
			showHeld();
			tab.postMessage({ kind: 'restart' });
			showHistory(tab);
		}
		// One terminal replies to the board, however many show its output.
		if (reply) replier ??= tab;
		if (reply && replier === tab && !problem) write({ text: reply });
		// A tab that closes is hidden after that.
		if (seen !== undefined && tabs.has(tab)) setSeen(tab, seen);
		if (closed) tabs.delete(tab);
	};

	const setSeen = (tab, seen) => {
		tabs.set(tab, seen);
		if (seen) return run();
		if (replier === tab) replier = undefined;
		setTimeout(() => {
			if (isSeen() || !running) return;
			problem = undefined;
			connection.abort();
		}, hiddenMilliseconds);
	};

	return (tab) => {
		tab.onmessage = ({ data }) => receive(tab, data);
		if (actions) tab.postMessage({ ...actions, consoleEnd: place.from });
		for (const mark of typed) tab.postMessage(mark);
		showHeld();
		showHistory(tab);
		if (problem) tab.postMessage({ kind: 'problem', problem });
		tabs.set(tab, true);
		if (!running) return run();
		// The page of the tab may be older than what the connection has shown last.
		clearTimeout(refreshing);
		refreshing = setTimeout(() => connection.abort(), refreshMilliseconds);
	};
};

if ('onconnect' in globalThis) {
	const add = followLease(globalThis.name);
	globalThis.onconnect = ({ ports: [tab] }) => add(tab);
}

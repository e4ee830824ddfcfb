// Waits until the console shows what is expected. Matches over all that was read and not yet matched.
import { visible } from '../../contract/printable.ts';
import { InputError } from '../../errors/errors.ts';
import { abortable, followSignals, pause } from '../../http/signals.ts';
import { anything, callback, readWorkOptions } from '../../settings/option-rules.ts';
import type { RequestOptions } from '../../settings/settings.ts';
import { ConsoleUnavailableError, ExpectationError } from '../errors.ts';
import type { TrackedLease } from '../tracked-lease.ts';
import type { LeaseAction, LeaseRecord } from '../types.ts';
import { DecodedConsole } from './decoded-console.ts';
import type { ConsoleFeed } from './feed.ts';
import { searchInTime } from './search.ts';
import type { ConsoleMatch, ExpectOptions } from './types.ts';

const maxOutput = 4_000;

/** How much of the output is part of a message. */
const maxLines = 5;
const maxLine = 200;

/** Firmware that restarts its board takes the port of the console along for a moment, in milliseconds. */
const maxRestart = 5_000;

/** When to stop waiting. */
interface Limits extends Pick<ExpectOptions, 'signal' | 'headers' | 'onConnection'> {
	deadline: AbortSignal;
	/** When the deadline is, on the clock of `performance`. */
	endsAt: number;
	/** The lease with which the service has confirmed the output; it may know more than later ones. */
	synced?: LeaseRecord;
	/** Whether the search was stopped: what the output matches is not known then. */
	searchStopped?: true | undefined;
	/** Whether the time was up before its turn came. */
	hadNoTurn?: true;
}

const silentHint =
	'The board has printed nothing since its last flash or reset. If other firmware prints nothing either, its console may not be wired, or have another baud rate: tell the operator of the service.';

const anchorHint = '^ and $ are not the ends of a line: use the flag m, or expectLine.';

interface Manner {
	/** Whether only whole lines count. */
	lines?: boolean;
	/** Whether it is part of work that has its turn. */
	hasTurn?: boolean;
	/** Whether it waits for nothing but `fails`: also in what the last action passes over, and while the board restarts. */
	watches?: boolean;
	/** What may be the reason if nothing matches in time. */
	hint?: string | undefined;
}

interface Wanted extends Manner {
	given: string | RegExp;
	pattern: RegExp;
	fails: readonly RegExp[];
}

/** Where something was found in the text, and up to where the text is consumed with it. */
interface Found {
	match: RegExpExecArray;
	isFailure: boolean;
	index: number;
	end: number;
	line?: string | undefined;
}

export class Expectations {
	readonly #lease: TrackedLease;
	readonly #feed: ConsoleFeed;
	readonly #unmatched = new DecodedConsole();
	/** Where the output of the last action begins: nothing before it counts. */
	earliest = 0;
	#isStartKnown = false;
	#last: Promise<unknown> = Promise.resolve();

	constructor(lease: TrackedLease, feed: ConsoleFeed) {
		this.#lease = lease;
		this.#feed = feed;
	}

	/** Expectations that are called during an action begin when it has ended, whether or not it succeeds. */
	async pausedDuring<Result>(action: Promise<Result>) {
		this.#last = Promise.allSettled([this.#last, action]);
		return await action;
	}

	/** Nothing before the offset counts for expectations whose turn comes later. */
	startAt(offset: number | null | undefined) {
		this.earliest = Math.max(this.earliest, offset ?? 0);
	}

	/** For work that has its turn: nothing that was shown before the last of these actions counts. */
	startAfter(actions: readonly LeaseAction[]) {
		const done = actions.filter(({ status }) => status === 'done');
		for (const { consoleOffset } of done) this.startAt(consoleOffset);
		this.#unmatched.dropBefore(this.earliest);
		this.#isStartKnown = true;
	}

	async expect(
		pattern: string | RegExp,
		options?: ExpectOptions,
		manner: Manner = {},
	): Promise<ConsoleMatch> {
		const own = { fail: anything, onConnection: callback }; // the patterns are checked below
		const given = readWorkOptions(options, own);
		const { fail, timeout = 60_000, signal, headers, onConnection } = given;
		const wanted = {
			...manner,
			given: pattern,
			pattern: expressionOf(pattern, 'pattern'),
			fails: [fail ?? []].flat().map((each) => expressionOf(each, 'fail')),
		};
		signal?.throwIfAborted();
		const endsAt = performance.now() + timeout;
		const { signal: deadline, end } = followSignals([], { milliseconds: timeout });
		const waiting = followSignals([signal, deadline]);
		try {
			const limits: Limits = { signal, headers, deadline, onConnection, endsAt };
			const work = () => this.#untilMatch(wanted, limits);
			const late = () => this.#confirm(limits);
			const match = await (wanted.hasTurn ? work() : this.inTurn(work, waiting.signal, late));
			if (match) return match;
			const error = this.#notSeen(wanted, timeout, limits);
			this.#requireConsole(error.from, wanted, limits);
			throw error;
		} finally {
			waiting.end();
			end();
		}
	}

	/** Once: what was shown before the last action of another process does not count. */
	async #findStart(options: RequestOptions) {
		if (this.#isStartKnown) return;
		this.startAfter(await this.#lease.earlierActions(options));
	}

	/** Throws if the lease has ended, or if output is missing: then what the board showed is not known. */
	#requireConsole(from: number, { watches }: Wanted, { synced }: Limits) {
		if (this.#lease.over.aborted) throw this.#lease.endedError();
		for (const record of [synced, this.#lease.record]) {
			// A status that is not known does not say that the console was read.
			const isAway = (record?.consoleStatus ?? 'connected') !== 'connected';
			const isRestart = watches && (record?.consoleGapMs ?? maxRestart + 1) <= maxRestart;
			const isGap = (record?.consoleGapOffset ?? -1) >= from && !isRestart;
			if (record && (isAway || isGap)) throw new ConsoleUnavailableError(record);
		}
		this.#requireOutput({ from, to: Number.POSITIVE_INFINITY, text: this.#unmatched.text });
	}

	/** Throws if output is missing there. */
	#requireOutput({ from, to, text }: Seen) {
		const { missingUntil } = this.#unmatched;
		if (!missing.test(text) && (missingUntil < from || missingUntil >= to)) return;
		throw new ConsoleUnavailableError();
	}

	/** Runs one at a time: two that wait at the same time would consume each other's text. */
	async inTurn<Result>(
		work: () => Promise<Result>,
		signal: AbortSignal | undefined,
		late?: () => Promise<Result>,
	) {
		const before = this.#last;
		const turn = abortable(before, signal).then(work, late);
		this.#last = Promise.allSettled([before, turn]);
		return await turn;
	}

	/** Throws if the console could not be read until the deadline. What was read is for those before. */
	async #confirm(limits: Limits) {
		limits.hadNoTurn = true;
		for await (const _ of this.#feed.read({ from: this.#unmatched.next, ...limits }));
		limits.synced = await this.#lease.syncConsole(limits);
		return undefined;
	}

	/** Resolves without a match when the deadline has passed. */
	async #untilMatch(wanted: Wanted, limits: Limits) {
		const timeout = Math.max(1, Math.ceil(limits.endsAt - performance.now()));
		const { signal, headers } = limits;
		await this.#findStart({ signal, headers, timeout });
		if (wanted.watches) await this.#searchSkipped(wanted, limits);
		this.#unmatched.dropBefore(this.earliest);
		const inTime = this.#match(wanted, limits) ?? (await this.#search(wanted, limits));
		// What was on its way from the agent is searched, too.
		if (inTime) return inTime;
		limits.synced = await this.#lease.syncConsole(limits);
		return await this.#search(wanted, limits);
	}

	/** Throws if what was shown until the last action contains a failure, or if part of it is missing. */
	async #searchSkipped(wanted: Wanted, limits: Limits) {
		const { start: from, next } = this.#unmatched;
		if (from >= this.earliest) return;
		this.#match(wanted, limits);
		for await (const chunk of this.#feed.read({ from: next, ...limits })) {
			this.#unmatched.append(chunk);
			this.#match(wanted, limits);
			if (chunk.next >= this.earliest) break;
		}
		if (limits.searchStopped) throw this.#notSeen(wanted, 1, limits);
		this.#requireOutput({ from, to: this.earliest, text: this.#unmatched.text });
	}

	/** Resolves without a match when all was read that was shown until the deadline. */
	async #search(wanted: Wanted, limits: Limits) {
		try {
			for await (const chunk of this.#feed.read({ from: this.#unmatched.next, ...limits })) {
				this.#unmatched.append(chunk);
				const match = this.#match(wanted, limits);
				if (match) return match;
				// Timers and requests had to wait for the search.
				if (limits.searchStopped) await pause(0, limits.signal);
			}
			if (!this.#lease.over.aborted) return undefined;
		} catch (error) {
			limits.signal?.throwIfAborted();
			if (!this.#lease.over.aborted) throw error;
		}
		// No line goes on after the end of the console.
		const last = this.#match(wanted, limits, true);
		if (last) return last;
		throw this.#lease.endedError();
	}

	/** The first match wins; the text up to its end is consumed. */
	#match(wanted: Wanted, limits: Limits, isOver = false): ConsoleMatch | undefined {
		const { text, start: from } = this.#unmatched;
		const found = this.#find(wanted, limits, isOver);
		if (!found) return undefined;
		const { match, isFailure, index, end } = found;
		const [matched] = match;
		this.#unmatched.consume(index);
		const { start: offset, receivedAt } = this.#unmatched;
		this.#unmatched.consume(end - (text.length - this.#unmatched.text.length));
		const { start: nextOffset } = this.#unmatched;
		const seen = { text: text.slice(0, end), from, to: nextOffset };
		if (isFailure) {
			throw unexpected(`The console showed ${quoted(matched)}`, { ...seen, matched });
		}
		// What is missing may have been a failure.
		if (wanted.fails.length > 0) this.#requireOutput(seen);
		return {
			matched,
			line: found.line,
			before: text.slice(0, index),
			groups: { ...Object.fromEntries([...match.entries()].slice(1)), ...match.groups },
			offset,
			nextOffset,
			receivedAt,
		};
	}

	/** A search that was stopped is repeated with more text, until the deadline. */
	#find(wanted: Wanted, limits: Limits, isOver: boolean) {
		if (limits.searchStopped && performance.now() >= limits.endsAt) return undefined;
		const { text, gaps } = this.#unmatched;
		const { found, searchStopped } = searchInTime(() => {
			const sections = sectionsOf(text, gaps);
			return search(wanted.lines ? linesOf(sections, isOver) : sections, wanted);
		});
		limits.searchStopped = searchStopped;
		return found;
	}

	#notSeen({ given, pattern, lines, hint }: Wanted, timeout: number, limits: Limits) {
		const { searchStopped, hadNoTurn } = limits;
		const wanted = typeof given === 'string' ? quoted(given) : String(given);
		const { text, start: from, next: to } = this.#unmatched;
		if (hadNoTurn) {
			const message = `The console was not searched for ${wanted} within ${timeout / 1000} s: another expectation or scenario of this lease had its turn`;
			return new ExpectationError(message, { from: to, to, output: '' });
		}
		const message = searchStopped
			? `The console could not be searched within ${timeout / 1000} s: a regular expression takes too long, so simplify it`
			: `The console did not show ${wanted} within ${timeout / 1000} s`;
		// Neither escaped, as those of a text are, nor the first in a set of characters.
		const isAnchored = /(?<![\\[])[$^]/.test(pattern.source) && !pattern.multiline;
		const reason = isAnchored && !lines ? anchorHint : hint;
		const advice = to === this.earliest ? silentHint : reason;
		return unexpected(message, { text, from, to, searchStopped, hint: advice });
	}
}

interface Seen {
	text: string;
	from: number;
	to: number;
	matched?: string;
	searchStopped?: true | undefined;
	hint?: string | undefined;
}

/** The message ends with the last lines, because test runners show nothing else of an error. */
function unexpected(message: string, { text, ...seen }: Seen) {
	const lines = text.split(/[\r\n]+/).filter((line) => line !== '');
	const shown = lines.slice(-maxLines).map((line) => `\n  ${visible(line.slice(-maxLine))}`);
	const printed =
		shown.length > 0 ? `Its last lines:${shown.join('')}` : 'It printed only line ends.';
	const what = seen.from === seen.to ? 'Nothing was printed.' : printed;
	return new ExpectationError(`${message}. ${what}`, {
		...seen,
		output: text.slice(-maxOutput),
	});
}

/** Part of the text, and where it begins. */
type Section = readonly [text: string, index: number];

function search(sections: readonly Section[], wanted: Wanted): Found | undefined {
	for (const [text, index] of sections) {
		const found = earliest(text, wanted);
		const end = index + (wanted.lines ? text.length : (found?.end ?? 0));
		const line = wanted.lines ? text : undefined;
		if (found) return { ...found, index: index + found.index, end, line };
	}
	return undefined;
}

/** Lines that the agent writes into the output. The end of the text can be the beginning of one. */
const notices = /(?:^|\r\n)\[(?:… [^\r\n]* …\]\r\n|(?:…[^\r\n]*)?\r?$)/g;

/** What the agent writes in place of output that it could not keep or read. */
const missing = /\[… [^[\r\n]*(?:bytes dropped|are missing) …\]\r\n/;

/** The text between notices and missing bytes, up to a notice that is not complete: no match spans two sections. */
function sectionsOf(text: string, gaps: readonly number[]): Section[] {
	const cuts = [...gaps, text.length].map((cut) => [cut, cut] as const);
	for (const { 0: notice, index } of text.matchAll(notices)) {
		cuts.push([index, index + notice.length]);
	}
	let [start, next] = [0, 0];
	return cuts
		.sort(([one], [other]) => one - other)
		.map(([end, after]) => {
			[start, next] = [next, Math.max(next, after)];
			return [text.slice(start, end), start];
		});
}

/** The whole lines that are not empty. */
function linesOf(sections: readonly Section[], isOver: boolean): Section[] {
	return sections.flatMap(([text, start], number) => {
		// A line whose end was not seen could still grow.
		const isLast = isOver && number === sections.length - 1;
		// The first line of a later section may have begun before it.
		return [...text.matchAll(number === 0 ? /[^\r\n]+/g : /(?<=[\r\n])[^\r\n]+/g)]
			.filter(({ 0: line, index }) => isLast || index + line.length < text.length)
			.map(({ 0: line, index }) => [line, start + index] as const);
	});
}

/** The match that begins first; of two at the same position, a failure. */
function earliest(text: string, { pattern, fails }: Wanted): Found | undefined {
	const found = [...fails, pattern].flatMap((each): Found[] => {
		const match = each.exec(text);
		if (!match) return [];
		const { index } = match;
		return [{ match, isFailure: each !== pattern, index, end: index + match[0].length }];
	});
	return found.sort((one, other) => one.index - other.index)[0];
}

/** The expression without `lastIndex` state. */
function expressionOf(pattern: string | RegExp, path: string) {
	if (pattern instanceof RegExp) {
		return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
	}
	if (typeof pattern === 'string' && pattern !== '') {
		return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
	}
	throw new InputError([{ path, message: 'must be a text that is not empty, or a RegExp' }]);
}

function quoted(text: string) {
	return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

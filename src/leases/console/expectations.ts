// Waits until the console shows what is expected.
import { visible } from '../../contract/printable.ts';
import { InputError } from '../../errors/errors.ts';
import { abortable, followSignals, pause } from '../../http/signals.ts';
import { anything, callback, readWorkOptions } from '../../settings/option-rules.ts';
import { ConsoleUnavailableError, ExpectationError, type SeenOnConsole } from '../errors.ts';
import type { TrackedLease } from '../tracked-lease.ts';
import type { LeaseAction, LeaseRecord } from '../types.ts';
import { DecodedConsole } from './decoded-console.ts';
import type { ConsoleFeed } from './feed.ts';
import { searchInTime } from './search.ts';
import type { ConsoleMatch, ExpectOptions } from './types.ts';

const maxOutput = 4_000;

/** The output in a message. */
const maxLines = 5;
const maxLine = 200;

/** How long the console may be gone when firmware restarts its board, in milliseconds. */
const maxRestart = 5_000;

interface Limits extends Pick<ExpectOptions, 'signal' | 'headers' | 'onConnection'> {
	deadline: AbortSignal;
	/** The deadline, on the clock of `performance`. */
	endsAt: number;
	/** The lease when the service confirmed the output. */
	synced?: LeaseRecord;
	/** Whether a search was stopped because it took too long. */
	searchStopped?: true | undefined;
	/** Whether the time was up before its turn came. */
	hadNoTurn?: true;
}

const silentHint =
	'The board has printed nothing since its last flash or reset. If other firmware prints nothing either, its console may not be wired, or have another baud rate: tell the operator of the service.';

const anchorHint = '^ and $ are not the ends of a line: use the flag m, or expectLine.';

interface Manner {
	/** Whether to match whole lines. */
	lines?: boolean;
	/** Whether it is part of a scenario, which has its turn. */
	hasTurn?: boolean;
	/** Whether it only watches for failures, also in output before the last action. */
	watches?: boolean;
	/** Advice if nothing matches in time. */
	hint?: string | undefined;
}

interface Wanted extends Manner {
	given: string | RegExp;
	pattern: RegExp;
	fails: readonly RegExp[];
}

/** `end`: the text is consumed up to there. */
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
	/** Where the output of the last action begins. Earlier output does not count. */
	earliest = 0;
	#isStartKnown = false;
	#last: Promise<unknown> = Promise.resolve();

	constructor(lease: TrackedLease, feed: ConsoleFeed) {
		this.#lease = lease;
		this.#feed = feed;
	}

	/** Delays expectations until the action has ended. */
	async pausedDuring<Result>(action: Promise<Result>) {
		this.#last = Promise.allSettled([this.#last, action]);
		return await action;
	}

	startAt(offset: number | null | undefined) {
		this.earliest = Math.max(this.earliest, offset ?? 0);
	}

	/** Skips output before the last of these actions. */
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

	/** Throws if the lease has ended or output is missing, so that it is not known what the board showed. */
	#requireConsole(from: number, { watches }: Wanted, { synced }: Limits) {
		if (this.#lease.over.aborted) throw this.#lease.endedError();
		for (const record of [synced, this.#lease.record]) {
			// Of a status that this version does not know, assume the worst.
			const isAway = (record?.consoleStatus ?? 'connected') !== 'connected';
			const isRestart = watches && (record?.consoleGapMs ?? maxRestart + 1) <= maxRestart;
			const isGap = (record?.consoleGapOffset ?? -1) >= from && !isRestart;
			if (record && (isAway || isGap)) throw new ConsoleUnavailableError(record);
		}
		this.#requireOutput({ from, to: Number.POSITIVE_INFINITY, text: this.#unmatched.text });
	}

	#requireOutput({ from, to, text }: Seen) {
		const { missingUntil } = this.#unmatched;
		if (!missing.test(text) && (missingUntil < from || missingUntil >= to)) return;
		throw new ConsoleUnavailableError();
	}

	/** Runs one at a time, because each consumes text. */
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

	/** Throws if the console could not be read until the deadline, although others were searching it. */
	async #confirm(limits: Limits) {
		limits.hadNoTurn = true;
		for await (const _ of this.#feed.read({ from: this.#unmatched.next, ...limits }));
		limits.synced = await this.#lease.syncConsole(limits);
		return undefined;
	}

	async #untilMatch(wanted: Wanted, limits: Limits) {
		const timeout = Math.max(1, Math.ceil(limits.endsAt - performance.now()));
		const { signal, headers } = limits;
		// Skips output before the last action of another process.
		const earlier = { signal, headers, timeout };
		if (!this.#isStartKnown) this.startAfter(await this.#lease.earlierActions(earlier));
		if (wanted.watches) await this.#searchSkipped(wanted, limits);
		this.#unmatched.dropBefore(this.earliest);
		const inTime = this.#match(wanted, limits) ?? (await this.#search(wanted, limits));
		// Also searches what was on its way from the agent.
		if (inTime) return inTime;
		limits.synced = await this.#lease.syncConsole(limits);
		return await this.#search(wanted, limits);
	}

	/** Searches output before the last action for failures. */
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

	/** Resolves without a match when all output until the deadline was read. */
	async #search(wanted: Wanted, limits: Limits) {
		try {
			for await (const chunk of this.#feed.read({ from: this.#unmatched.next, ...limits })) {
				this.#unmatched.append(chunk);
				const match = this.#match(wanted, limits);
				if (match) return match;
				// Lets timers and requests run.
				if (limits.searchStopped) await pause(0, limits.signal);
			}
			if (!this.#lease.over.aborted) return undefined;
		} catch (error) {
			limits.signal?.throwIfAborted();
			if (!this.#lease.over.aborted) throw error;
		}
		// At the end of the console, the last line is whole.
		const last = this.#match(wanted, limits, true);
		if (last) return last;
		throw this.#lease.endedError();
	}

	/** Consumes the text up to the end of the first match. */
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
		// Missing output may have been a failure.
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
		// Neither escaped nor first in a set of characters.
		const isAnchored = /(?<![\\[])[$^]/.test(pattern.source) && !pattern.multiline;
		const reason = isAnchored && !lines ? anchorHint : hint;
		const advice = to === this.earliest ? silentHint : reason;
		return unexpected(message, { text, from, to, searchStopped, hint: advice });
	}
}

type Seen = Omit<SeenOnConsole, 'output'> & { text: string };

/** The message has the last lines, because test runners show only the message. */
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

/** Notices of the agent in the output; also the beginning of one at the end of the text. */
const notices = /(?:^|\r\n)\[(?:… [^\r\n]* …\]\r\n|(?:…[^\r\n]*)?\r?$)/g;

/** The notice in place of output that the agent could not keep or read. */
const missing = /\[… [^[\r\n]*(?:bytes dropped|are missing) …\]\r\n/;

/** The text between notices and missing bytes. No match spans two sections. */
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

function linesOf(sections: readonly Section[], isOver: boolean): Section[] {
	return sections.flatMap(([text, start], number) => {
		const isLast = isOver && number === sections.length - 1;
		// In a later section, the first line may be incomplete.
		return [...text.matchAll(number === 0 ? /[^\r\n]+/g : /(?<=[\r\n])[^\r\n]+/g)]
			.filter(({ 0: line, index }) => isLast || index + line.length < text.length)
			.map(({ 0: line, index }) => [line, start + index] as const);
	});
}

/** The first match; of two at the same position, the failure. */
function earliest(text: string, { pattern, fails }: Wanted): Found | undefined {
	const found = [...fails, pattern].flatMap((each): Found[] => {
		const match = each.exec(text);
		if (!match) return [];
		const { index } = match;
		return [{ match, isFailure: each !== pattern, index, end: index + match[0].length }];
	});
	return found.sort((one, other) => one.index - other.index)[0];
}

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

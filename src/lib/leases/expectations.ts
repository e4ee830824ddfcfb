// Waits until the console shows what is expected. Matches over all that was read and not yet matched.
import { InputError, TimeoutError } from '../../errors.ts';
import { ExpectationError } from '../../lease-errors.ts';
import type { ConsoleMatch, ExpectOptions } from '../../leases.ts';
import { readTimeout } from '../settings.ts';
import { abortable, joinSignals } from '../time.ts';
import { consolePieces } from './console-stream.ts';
import type { LeaseSession } from './session.ts';

const longestText = 1024 * 1024;
const longestOutput = 4_000;

interface Wanted {
	pattern: RegExp;
	fails: readonly RegExp[];
}

export class Expectations {
	readonly #session: LeaseSession;
	/** What was read and has not matched yet, and where the console goes on after it. */
	#text = '';
	#next = 0;
	#decoder = new TextDecoder();
	#earliest = 0;
	#last: Promise<unknown> = Promise.resolve();

	constructor(session: LeaseSession) {
		this.#session = session;
	}

	/** Makes later expectations wait until the action has ended, whether or not it succeeds. */
	waitFor(action: Promise<unknown>) {
		this.#last = Promise.allSettled([this.#last, action]);
	}

	/** Nothing before the offset counts for expectations whose turn comes later. */
	startAt(offset: number) {
		this.#earliest = offset;
	}

	async expect(
		pattern: string | RegExp,
		{ fail, timeout = 60_000, signal: caller }: ExpectOptions = {},
	): Promise<ConsoleMatch> {
		const wanted = {
			pattern: expressionOf(pattern, 'pattern'),
			fails: [fail ?? []].flat().map((each) => expressionOf(each, 'fail')),
		};
		caller?.throwIfAborted();
		const { signal, abort, detach } = joinSignals(caller);
		const late = new TimeoutError(readTimeout(timeout));
		const timer = setTimeout(() => abort(late), timeout);
		try {
			return await this.#inTurn(() => this.#meet(wanted, signal), signal);
		} catch (error) {
			throw error === late ? this.#notSeen(pattern, timeout) : error;
		} finally {
			clearTimeout(timer);
			detach();
		}
	}

	/** Runs one at a time: two that wait at the same time would consume each other's text. */
	async #inTurn<Result>(work: () => Promise<Result>, signal: AbortSignal) {
		const before = this.#last;
		const turn = abortable(before, signal).then(work);
		this.#last = Promise.allSettled([before, turn]);
		return await turn;
	}

	async #meet(wanted: Wanted, signal: AbortSignal) {
		this.#forgetEarlier();
		const atOnce = this.#match(wanted);
		if (atOnce) return atOnce;
		const pieces = consolePieces(this.#session, { from: this.#next, signal });
		for await (const { bytes, next } of pieces) {
			this.#text += this.#decoder.decode(bytes, { stream: true });
			this.#next = next;
			const match = this.#match(wanted);
			if (match) return match;
			this.#text = this.#text.slice(-longestText);
		}
		throw this.#session.endedError();
	}

	#forgetEarlier() {
		const start = this.#next - new TextEncoder().encode(this.#text).length;
		if (start >= this.#earliest) return;
		this.#text = '';
		this.#next = this.#earliest;
		this.#decoder = new TextDecoder();
	}

	/** The first match wins; the text up to its end is consumed. */
	#match({ pattern, fails }: Wanted): ConsoleMatch | undefined {
		const text = this.#text;
		const found = pattern.exec(text);
		const failure = earliest(fails.map((fail) => fail.exec(text)));
		const first = earliest([failure, found]);
		if (!first) return undefined;
		const [matched] = first;
		const end = first.index + matched.length;
		this.#text = text.slice(end);
		if (first === failure) {
			const output = text.slice(0, end).slice(-longestOutput);
			throw new ExpectationError(`The console showed ${quoted(matched)}`, { output, matched });
		}
		return {
			matched,
			before: text.slice(0, first.index),
			groups: { ...Object.fromEntries([...first.entries()].slice(1)), ...first.groups },
		};
	}

	#notSeen(pattern: string | RegExp, timeout: number) {
		const wanted = typeof pattern === 'string' ? quoted(pattern) : String(pattern);
		const output = this.#text.slice(-longestOutput);
		return new ExpectationError(`The console did not show ${wanted} within ${timeout} ms`, {
			output,
		});
	}
}

/** The match that begins first; of two at the same position, the one listed first. */
function earliest(matches: readonly (RegExpExecArray | null | undefined)[]) {
	const found = matches.filter((match) => match !== null && match !== undefined);
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

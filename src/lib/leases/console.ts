// The console of a lease: its public face over reading, typing and expecting.
import type { ConsoleOptions, ExpectOptions, LeaseConsole } from '../../leases.ts';
import { ConsoleFeed } from './console-feed.ts';
import { ConsoleWriter } from './console-writer.ts';
import { Expectations } from './expectations.ts';
import type { LeaseSession } from './session.ts';

export class BoardConsole implements LeaseConsole {
	readonly #feed: ConsoleFeed;
	readonly #writer: ConsoleWriter;
	readonly #expectations: Expectations;
	#actionOffset = 0;

	constructor(session: LeaseSession) {
		this.#feed = new ConsoleFeed(session);
		this.#writer = new ConsoleWriter(session);
		this.#expectations = new Expectations(session, this.#feed);
	}

	get actionOffset() {
		return this.#actionOffset;
	}

	[Symbol.asyncIterator]() {
		return this.text();
	}

	async *text(options: ConsoleOptions = {}) {
		const decoder = new TextDecoder();
		for await (const bytes of this.read(options)) {
			const text = decoder.decode(bytes, { stream: true });
			if (text !== '') yield text;
		}
	}

	async *read(options: ConsoleOptions = {}) {
		for await (const { bytes } of this.#feed.read(options)) yield bytes;
	}

	async write(data: string | Uint8Array, options: { signal?: AbortSignal | undefined } = {}) {
		await this.#writer.write(data, options.signal);
	}

	async expect(pattern: string | RegExp, options?: ExpectOptions) {
		return await this.#expectations.expect(pattern, options);
	}

	async expectLine(pattern: string | RegExp, options?: ExpectOptions) {
		return await this.#expectations.expect(pattern, options, true);
	}

	/** Expectations that are called during an action begin when it has ended. */
	async pausedDuring<Result>(action: () => Promise<Result>) {
		const result = action();
		this.#expectations.waitFor(result);
		return await result;
	}

	/** An expectation after an action must not match what was shown before its output. */
	startAt(offset: number | null | undefined) {
		if (typeof offset !== 'number' || offset <= this.#actionOffset) return;
		this.#actionOffset = offset;
		this.#expectations.startAt(offset);
	}
}

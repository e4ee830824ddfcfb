// The console of a lease: its public face over reading, typing and expecting.

import type { TrackedLease } from '../tracked-lease.ts';
import type { ConsoleOptions, ExpectOptions, LeaseConsole } from '../types.ts';
import type { Expectations } from './expectations.ts';
import type { ConsoleFeed } from './feed.ts';
import { ConsoleWriter } from './writer.ts';

export class BoardConsole implements LeaseConsole {
	readonly #feed: ConsoleFeed;
	readonly #writer: ConsoleWriter;
	readonly #expectations: Expectations;

	constructor(lease: TrackedLease, feed: ConsoleFeed, expectations: Expectations) {
		this.#feed = feed;
		this.#writer = new ConsoleWriter(lease);
		this.#expectations = expectations;
	}

	get actionOffset() {
		return this.#expectations.earliest;
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
}

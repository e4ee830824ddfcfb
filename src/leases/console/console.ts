// The console of a lease as callers use it.
import { keepCallers } from '../../errors/caller.ts';
import { callback, flag, type OwnRules, wholeNumber } from '../../settings/option-rules.ts';
import { joinLimits } from '../helpers.ts';
import type { TrackedLease } from '../tracked-lease.ts';
import type { Expectations } from './expectations.ts';
import type { ConsoleFeed } from './feed.ts';
import { cutTexts, findLine, findText } from './text.ts';
import type {
	ConsoleOptions,
	ConsoleText,
	ExpectOptions,
	LeaseConsole,
	WriteOptions,
} from './types.ts';
import { ConsoleWriter } from './writer.ts';

/** The limit of the service. */
const maxOffset = 999_999_999_999;

type TextOptions = ConsoleOptions & { withOffsets?: boolean | undefined };

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
		return onlyText(this.#texts({}));
	}

	text(options: TextOptions & { withOffsets: true }): AsyncGenerator<ConsoleText, void, undefined>;
	text(
		options?: TextOptions & { withOffsets?: false | undefined },
	): AsyncGenerator<string, void, undefined>;
	text(options: TextOptions = {}) {
		const texts = this.#texts(options);
		return options?.withOffsets ? texts : onlyText(texts);
	}

	#texts(options: TextOptions) {
		return cutTexts(this.#chunks(options, { withOffsets: flag }), findText);
	}

	lines(options: ConsoleOptions = {}) {
		return cutTexts(this.#chunks(options), findLine);
	}

	async *read(options: ConsoleOptions = {}) {
		for await (const { bytes } of this.#chunks(options)) yield bytes;
	}

	async *#chunks(options: ConsoleOptions, own: OwnRules<TextOptions> = {}) {
		const { signal, end } = joinLimits(options, {
			from: wholeNumber(0, maxOffset),
			onConnection: callback,
			...own,
		});
		try {
			yield* this.#feed.read({ ...options, signal });
		} finally {
			end();
		}
	}

	async write(data: string | Uint8Array, options: WriteOptions = {}) {
		const { signal, end } = joinLimits(options);
		await this.#writer.write(data, { ...options, signal }).finally(end);
	}

	async expect(pattern: string | RegExp, options?: ExpectOptions) {
		return await this.#expectations.expect(pattern, options);
	}

	async expectLine(pattern: string | RegExp, options?: ExpectOptions) {
		return await this.#expectations.expect(pattern, options, { lines: true });
	}
}

keepCallers(BoardConsole.prototype);

async function* onlyText(texts: AsyncIterable<ConsoleText>) {
	for await (const { text } of texts) yield text;
}

// One lease on one board: carries out its actions in order, and ends by the agent's own clock.
import { type BoardPort, type BoardWork, type Hardware, notice } from '../drivers/hardware.ts';
import { AgentError, asAgent, causeOf, messageOf } from '../errors.ts';
import type { Permit } from '../link/contact.ts';
import { type LeaseOnBoard, repeat, type Service } from '../link/service.ts';
import type { LeaseState } from '../link/work.ts';
import type { AgentLog } from '../log.ts';
import { backoff, wait } from '../time.ts';
import { ConsoleTracker } from './console-tracker.ts';
import { ConsoleUpload } from './console-upload.ts';
import { LeaseChannels } from './lease-channels.ts';
import { createReporter, onRejected } from './reporter.ts';
import { watchPins } from './watches.ts';

type Action = LeaseState['actions'][number];

export interface LeaseOptions extends LeaseOnBoard {
	/** The action with which the output of the lease begins. Default: at once. */
	readonly outputFrom: string | undefined;
	readonly hardware: Hardware;
	readonly service: Service;
	readonly log: AgentLog;
	readonly permit: Permit;
	/** Resolves when no earlier lease uses the board. May be retried. */
	acquire(): Promise<void>;
	/** Called when the lease must end: the service has ended it or, with `released`, the agent does. */
	onOver(reason: string, released?: boolean): void;
}

const maxDownload = 60_000;

/** How long to keep a lease past its end, in milliseconds: without a connection, it may have been renewed. */
const maxHold = 60_000;

/** How many bytes of input are written at once. */
const maxInput = 1024;

export class ServedLease {
	readonly #options: LeaseOptions;
	readonly #controller = new AbortController();
	readonly #signal = this.#controller.signal;
	readonly #reporter;
	readonly #upload;
	readonly #tracker;
	readonly #watch;
	readonly #channels: LeaseChannels;
	#opened: Promise<void> | undefined;
	#isTouched = false;
	/** The actions and the input, one after the other. */
	#queue: Promise<void> = Promise.resolve();
	#deadline: NodeJS.Timeout | undefined;
	readonly #begun = new Set<string>();
	#wanted = new Set<string>();
	/** The offset up to which console input was received. */
	#input = 0;
	#interruption = new AbortController();

	constructor(options: LeaseOptions) {
		const signal = this.#signal;
		this.#options = options;
		this.#reporter = createReporter(options, signal);
		this.#upload = new ConsoleUpload({
			signal,
			append: (chunk) => options.service.console(chunk, options, signal),
			onRejected: (error) => onRejected(error, options, signal),
		});
		this.#tracker = new ConsoleTracker(this.#upload, {
			...(options.outputFrom !== undefined && { outputFrom: options.outputFrom }),
			hasConsole: options.hardware.hasConsole,
		});
		this.#channels = new LeaseChannels({
			...options,
			ready: () => this.#open(),
			portOf: ({ kind, port }) => {
				if (kind === 'debug') return options.hardware.debug;
				return port === undefined ? this.#consolePort : options.hardware.ports?.get(port);
			},
			onHalted: (channelId) => this.#tracker.halted(channelId),
		});
		const { pins } = options.hardware;
		this.#watch =
			pins &&
			watchPins(pins, { send: (sample) => options.service.pins(sample, options, signal), signal });
		this.#keepOpening().catch(() => {});
	}

	get fence() {
		return this.#options.fence;
	}

	get hardware() {
		return this.#options.hardware;
	}

	get state() {
		return { id: this.#options.leaseId, input: this.#input, ...this.#upload.confirmed };
	}

	update(state: LeaseState): void {
		const { remaining_ms: remaining, actions, input, sync, output_from } = state;
		if (output_from === undefined) this.#tracker.outputBegins();
		clearTimeout(this.#deadline);
		const hold = remaining + maxHold;
		this.#deadline = setTimeout(this.#options.onOver, hold, 'its time is up', true);
		this.#applyActions(actions);
		if (input !== null) this.#applyInput(input);
		this.#upload.sync(sync);
		this.#usePins(state);
		this.#channels.update(state.channels);
	}

	/** Releases the board. Settles when nothing of this lease uses it any more. */
	async end(): Promise<void> {
		const { log, boardId, leaseId } = this.#options;
		clearTimeout(this.#deadline);
		this.#controller.abort(new Error('The lease has ended'));
		const channels = this.#channels.end();
		await this.#queue;
		await channels;
		await this.#close().catch((error: unknown) => {
			log.error({ boardId, leaseId, reason: messageOf(error) }, 'Releasing the board failed');
		});
	}

	/** Waits until the board is open, so that no earlier lease is measured or driven. */
	#usePins({ watched_ms = 0, driven_pins = {} }: LeaseState) {
		const { pins } = this.#options.hardware;
		if (!pins) return;
		const use = () => {
			if (this.#signal.aborted) return;
			pins.drive(driven_pins);
			this.#watch?.extend(watched_ms);
		};
		this.#open().then(use, () => {}); // a failure is reported elsewhere
	}

	/** Opens the board when it is first needed, and again after a failure. */
	#open(): Promise<void> {
		this.#opened ??= this.#attemptToOpen().catch((error: unknown) => {
			this.#opened = undefined;
			throw error;
		});
		return this.#opened;
	}

	async #attemptToOpen() {
		const { acquire, hardware } = this.#options;
		await acquire();
		this.#signal.throwIfAborted();
		this.#isTouched = true;
		await this.#tracker.during(() => hardware.open(this.#tracker));
	}

	/** Opens the board at once, and again as long as it is the agent that fails. */
	async #keepOpening() {
		for (let attempt = 0; ; attempt++) {
			try {
				return await this.#open();
			} catch (error) {
				this.#signal.throwIfAborted();
				if (attempt === 0) this.#reportUnopened(messageOf(error));
				if (!(error instanceof AgentError)) return;
			}
			await wait(backoff(attempt), this.#signal);
		}
	}

	#reportUnopened(reason: string) {
		const { boardId, leaseId, hardware, log } = this.#options;
		log.error({ boardId, leaseId, reason }, 'The board cannot be opened');
		const text = `the board cannot be opened: ${reason}`;
		if (hardware.hasConsole) this.#tracker.lost(text);
		else this.#tracker.note(text);
	}

	async #close() {
		await this.#opened?.catch(() => {});
		if (this.#isTouched) await this.#options.hardware.close();
	}

	/** What the console shows and takes. Input waits for actions, and for other input. */
	readonly #consolePort: BoardPort = {
		open: async (events) => {
			this.#tracker.taps.add(events);
			const { setLine } = this.#options.hardware;
			return {
				write: async (bytes) => {
					for (let at = 0; at < bytes.length; at += maxInput) {
						await this.#inTurn(bytes.subarray(at, at + maxInput));
					}
				},
				...(setLine && { set: (settings) => setLine(settings) }),
				close: async () => void this.#tracker.taps.delete(events),
			};
		},
	};

	/** Input that an action overtakes is lost, as it would be on a real port. */
	#inTurn(bytes: Uint8Array) {
		this.#enqueue(async () => {
			const hurry = AbortSignal.any([this.#signal, this.#interruption.signal]);
			await this.#options.hardware.write(bytes, this.#signal, hurry).catch((error: unknown) => {
				const text = `${bytes.length} bytes of input may not have arrived: ${messageOf(error)}`;
				if (!this.#signal.aborted) this.#tracker.note(text);
			});
		});
		return this.#queue;
	}

	#enqueue(work: () => Promise<void>) {
		this.#queue = this.#queue.then(async () => {
			if (!this.#signal.aborted) await work();
		});
	}

	/** Carries out each action once, unless the service no longer wants it when its turn comes. */
	#applyActions(actions: readonly Action[]) {
		this.#wanted = new Set(actions.map(({ id }) => id));
		for (const action of actions) {
			if (this.#begun.has(action.id)) {
				this.#reporter.repeat(action.id);
				continue;
			}
			this.#begun.add(action.id);
			// So that an action does not wait for a board that reads no input.
			this.#interruption.abort();
			this.#interruption = new AbortController();
			this.#enqueue(async () => {
				if (this.#wanted.has(action.id)) await this.#carryOut(action, this.#begun.size === 1);
			});
		}
	}

	async #carryOut(action: Action, isFirst: boolean) {
		const { hardware } = this.#options;
		const [signal, reporter, tracker] = [this.#signal, this.#reporter, this.#tracker];
		const running = reporter.running(action.id);
		try {
			await this.#open();
			const work = await this.#workOf(action);
			let begins: Promise<number | undefined> | undefined;
			const outputBegins = () => {
				begins ??= this.#upload.mark();
				// Until the board was reset, the firmware of the last lease prints.
				if (!isFirst || work.action !== 'reset') tracker.outputBegins(action.id);
			};
			const perform = () => hardware.perform(work, signal, outputBegins, running.onProgress);
			const message = await tracker.during(perform);
			tracker.outputBegins(action.id);
			const console_offset = await begins;
			const progress = running.end();
			reporter.report(action.id, { status: 'done', message, console_offset, progress });
		} catch (error) {
			const message = messageOf(error);
			if (!signal.aborted)
				reporter.report(action.id, { status: 'failed', message, cause: causeOf(error) });
		} finally {
			running.end();
		}
	}

	async #workOf({ action, file_id, flash_offset: offset }: Action): Promise<BoardWork> {
		const { hardware, service } = this.#options;
		if (!hardware.actions.includes(action)) {
			throw new Error(`This board does not support ${action}`);
		}
		if (action !== 'flash') return { action };
		if (file_id === null) throw new Error('There is no file to flash');
		const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(maxDownload)]);
		const download = () => service.file(file_id, this.#options, signal);
		const bytes = await asAgent('The agent cannot download the file', () =>
			repeat(download, signal),
		);
		return { action, bytes, offset: offsetOf(offset) };
	}

	/** Writes each byte of the console input once, at its offset. */
	#applyInput({ offset, data }: NonNullable<LeaseState['input']>) {
		const bytes = Buffer.from(data, 'base64');
		const end = offset + bytes.length;
		const missing = offset - this.#input;
		if (missing > 0) this.#upload.take(notice(`${missing} bytes of input were lost`));
		if (end <= this.#input) return;
		const rest = bytes.subarray(Math.max(0, -missing));
		const hurry = AbortSignal.any([this.#signal, this.#interruption.signal]);
		this.#enqueue(() => this.#write(rest, end, hurry));
		this.#input = end;
	}

	/** Confirms only what the board has read, or what is marked as lost. */
	async #write(bytes: Uint8Array, end: number, hurry: AbortSignal) {
		let left = bytes.length;
		try {
			await this.#open();
			for (; left > 0; left = Math.max(0, left - maxInput)) {
				this.#upload.confirm(end - left);
				const next = bytes.subarray(-left).subarray(0, maxInput);
				await this.#options.hardware.write(next, this.#signal, hurry);
			}
		} catch (error) {
			// A port may still send it after the write has timed out.
			const text = `${left} bytes of input may not have arrived: ${messageOf(error)}`;
			if (!this.#signal.aborted) this.#upload.take(notice(text));
		}
		this.#upload.confirm(end);
	}
}

function offsetOf(text: string | null): number {
	if (text === null) return 0;
	if (!/^(0x[0-9a-f]{1,8}|\d{1,10})$/i.test(text)) throw new Error('The flash offset is invalid');
	return Number(text);
}

// The debugger of an emulated board, at the agent's end of the worker thread.
import type { FromWorker, ToWorker } from '../emulators/boards.ts';
import type { OpenPort, PortEvents } from './hardware.ts';

type DebugMessage = Extract<FromWorker, { type: `debug${string}` }>;

const detached = 'The debugger is detached';

export class EmulatedDebugger {
	readonly #post: (message: ToWorker) => void;
	#events: PortEvents | undefined;
	#opening: PromiseWithResolvers<void> | undefined;
	readonly #writing: PromiseWithResolvers<void>[] = [];

	constructor(post: (message: ToWorker) => void) {
		this.#post = post;
	}

	async open(events: PortEvents): Promise<OpenPort> {
		if (this.#events) throw new Error('Another debugger is attached');
		this.#events = events;
		this.#opening = Promise.withResolvers();
		this.#post({ type: 'debug_open' });
		await this.#opening.promise;
		return {
			write: (bytes) => this.#write(bytes, events),
			close: async () => {
				if (this.#events !== events) return;
				this.#post({ type: 'debug_close' });
				this.#end();
			},
		};
	}

	receive(message: DebugMessage): void {
		if (message.type === 'debug_closed') this.lose(message.reason);
		else if (message.type === 'debug_opened') {
			this.#opening?.resolve();
			this.#opening = undefined;
		} else if (this.#opening)
			return; // it was meant for the debugger before
		else if (message.type === 'debug') this.#events?.output(message.bytes);
		else if (message.type === 'debug_halted') this.#events?.halted?.(message.isHalted);
		else this.#writing.shift()?.resolve();
	}

	/** The board has lost the debugger. */
	lose(reason: string): void {
		if (this.#opening) this.#opening.reject(new Error(reason));
		else this.#events?.closed(reason);
		this.#end();
	}

	#write(bytes: Uint8Array, events: PortEvents): Promise<void> {
		if (this.#events !== events) return Promise.reject(new Error(detached));
		const taken = Promise.withResolvers<void>();
		this.#writing.push(taken);
		this.#post({ type: 'debug', bytes });
		return taken.promise;
	}

	#end() {
		this.#events = undefined;
		this.#opening = undefined;
		for (const taken of this.#writing.splice(0)) taken.reject(new Error(detached));
	}
}

// Console input: combined while it arrives fast, sent in order, and never sent twice.
import type { LeaseSession } from './session.ts';

const gatherMs = 30;

/** The most bytes that the service takes in one request. */
const maxConsoleInput = 4 * 1024;

/** One write that waits for its bytes to be sent. */
interface PendingWrite {
	bytes: Uint8Array;
	resolve: () => void;
	reject: (error: unknown) => void;
}

export class ConsoleWriter {
	readonly #session: LeaseSession;
	#pending: PendingWrite[] = [];
	#isSending = false;

	constructor(session: LeaseSession) {
		this.#session = session;
	}

	async write(data: string | Uint8Array, signal?: AbortSignal) {
		// A copy, which the caller cannot change before it is sent.
		const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data.slice();
		let write: PendingWrite | undefined;
		const written = () =>
			new Promise<void>((resolve, reject) => {
				write = { bytes, resolve, reject };
				this.#pending.push(write);
				void this.#send();
			});
		try {
			await this.#session.during(written, { signal });
		} finally {
			this.#pending = this.#pending.filter((other) => other !== write);
		}
	}

	async #send() {
		if (this.#isSending) return;
		this.#isSending = true;
		await Promise.resolve(); // also sends what is written at the same moment
		while (this.#pending.length > 0) {
			await this.#sendPending();
			await new Promise((resolve) => setTimeout(resolve, gatherMs));
		}
		this.#isSending = false;
	}

	async #sendPending() {
		const writes = this.#pending.splice(0);
		try {
			for (const bytes of pieces(writes)) await this.#post(bytes);
			for (const { resolve } of writes) resolve();
		} catch (error) {
			// Sending the rest would put it in the wrong place.
			for (const { reject } of [...writes, ...this.#pending.splice(0)]) reject(error);
		}
	}

	async #post(body: Uint8Array<ArrayBuffer>) {
		await this.#session.transport.request({
			method: 'POST',
			path: `${this.#session.path}/console`,
			body,
			options: { signal: this.#session.over, maxRetries: 0 },
			read: () => undefined,
		});
	}
}

function* pieces(writes: readonly PendingWrite[]) {
	const all = new Uint8Array(writes.reduce((size, { bytes }) => size + bytes.length, 0));
	let end = 0;
	for (const { bytes } of writes) {
		all.set(bytes, end);
		end += bytes.length;
	}
	for (let start = 0; start < all.length; start += maxConsoleInput) {
		yield all.slice(start, start + maxConsoleInput);
	}
}

// Sends what the pins of a board do, as long as somebody looks at them.
import type { HardwarePins } from '../drivers/hardware.ts';
import type { PinSample } from '../emulators/pins.ts';
import { wait } from '../time.ts';

interface WatchOptions {
	send(sample: PinSample): Promise<void>;
	readonly signal: AbortSignal;
}

/** As often as a trace of ten seconds on the page can show, in milliseconds. */
const shortestPause = 100;

/** Sent again after this time although nothing has changed: the service forgets what it was not sent for longer. */
const repeatTime = 4_000;

/** After a sample that the service did not take. */
const failurePause = 1_000;

export class PinWatch {
	readonly #pins: HardwarePins | undefined;
	readonly #options: WatchOptions;
	#until = 0;
	#isRunning = false;
	/** What the service has, and since when. */
	#sent = { text: '', at: 0 };

	constructor(pins: HardwarePins | undefined, options: WatchOptions) {
		this.#pins = pins;
		this.#options = options;
	}

	/** Somebody looks for this time, in milliseconds. */
	extend(milliseconds: number): void {
		this.#until = performance.now() + milliseconds;
		if (this.#isRunning || milliseconds <= 0) return;
		this.#isRunning = true;
		// Rejected once the signal is aborted.
		void this.#run().catch(() => {});
	}

	async #run() {
		const { signal } = this.#options;
		this.#sent = { text: '', at: 0 };
		try {
			while (performance.now() < this.#until) {
				const next = performance.now() + shortestPause;
				// What failed is not repeated, because the next sample says more.
				await this.#sendNews().catch(() => wait(failurePause, signal));
				await wait(Math.max(0, next - performance.now()), signal);
			}
		} finally {
			this.#pins?.rest();
			this.#isRunning = false;
		}
	}

	async #sendNews() {
		const sample = await this.#pins?.sample();
		const [text, at] = [JSON.stringify(sample), performance.now()];
		if (!sample || (text === this.#sent.text && at - this.#sent.at < repeatTime)) return;
		await this.#options.send(sample);
		this.#sent = { text, at };
	}
}

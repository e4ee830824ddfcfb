// Sends what the pins of a board do, as long as somebody looks at them.
import type { HardwarePins } from '../drivers/hardware.ts';
import type { PinSample } from '../emulators/pins.ts';
import { wait } from '../time.ts';
import { Watch } from './watch.ts';

interface PinWatchOptions {
	send(sample: PinSample): Promise<void>;
	readonly signal: AbortSignal;
}

/** As often as a trace of ten seconds on the page can show, in milliseconds. */
const minPause = 100;

/** Sent again after this time although nothing has changed: the service forgets what it was not sent for longer. */
const repeatTime = 4_000;

/** After a sample that the service did not take. */
const failurePause = 1_000;

export function watchPins(pins: HardwarePins, { send, signal }: PinWatchOptions): Watch {
	const nothing = { text: '', at: 0 };
	/** What the service has, and since when. */
	let sent = nothing;
	const sendNews = async () => {
		const sample = await pins.sample();
		const [text, at] = [JSON.stringify(sample), performance.now()];
		if (!sample || (text === sent.text && at - sent.at < repeatTime)) return;
		await send(sample);
		sent = { text, at };
	};
	return new Watch({
		pace: minPause,
		signal,
		// What failed is not repeated, because the next sample says more.
		look: () => sendNews().catch(() => wait(failurePause, signal)),
		rest() {
			sent = nothing;
			pins.rest();
		},
	});
}

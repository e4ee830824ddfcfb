// Sends the pins of a board while somebody looks at its page.
import type { HardwarePins } from '../drivers/hardware.ts';
import type { PinSample } from '../emulators/pins.ts';
import { wait } from '../time.ts';

/** As often as the trace on the page can show, in milliseconds. */
const pace = 100;

/** When an unchanged sample is sent again, in milliseconds: the service forgets older ones. */
const repeatTime = 4_000;

const failurePause = 1_000;

export function watchPins(
	pins: HardwarePins,
	{ send, signal }: { send(sample: PinSample): Promise<void>; signal: AbortSignal },
) {
	const nothing = { text: '', at: 0 };
	let sent = nothing;
	let until = 0;
	let isRunning = false;
	const sendNews = async () => {
		const sample = await pins.sample();
		const [text, at] = [JSON.stringify(sample), performance.now()];
		if (!sample || (text === sent.text && at - sent.at < repeatTime)) return;
		await send(sample);
		sent = { text, at };
	};
	const run = async () => {
		try {
			while (performance.now() < until) {
				const next = performance.now() + pace;
				await sendNews().catch(() => wait(failurePause, signal));
				await wait(Math.max(0, next - performance.now()), signal);
			}
		} finally {
			sent = nothing;
			pins.rest();
			isRunning = false;
		}
	};
	return {
		/** Somebody looks for this time, in milliseconds. */
		extend(milliseconds: number): void {
			until = performance.now() + milliseconds;
			if (isRunning || milliseconds <= 0) return;
			isRunning = true;
			run().catch(() => {}); // the signal was aborted
		},
	};
}

// Sends the pins and the pictures of a board while somebody looks at its page.
import type { HardwarePins } from '../drivers/hardware.ts';
import type { PinSample } from '../emulators/pins.ts';
import { messageOf } from '../errors.ts';
import { wait } from '../time.ts';

interface PinWatchOptions {
	send(sample: PinSample): Promise<void>;
	readonly signal: AbortSignal;
}

/** As often as the trace on the page can show, in milliseconds. */
const pinPace = 100;

/** When an unchanged sample is sent again, in milliseconds: the service forgets older ones. */
const repeatTime = 4_000;

const failurePause = 1_000;

export function watchPins(pins: HardwarePins, { send, signal }: PinWatchOptions) {
	const nothing = { text: '', at: 0 };
	let sent = nothing;
	const sendNews = async () => {
		const sample = await pins.sample();
		const [text, at] = [JSON.stringify(sample), performance.now()];
		if (!sample || (text === sent.text && at - sent.at < repeatTime)) return;
		await send(sample);
		sent = { text, at };
	};
	return createWatch({
		pace: pinPace,
		signal,
		look: () => sendNews().catch(() => wait(failurePause, signal)),
		rest() {
			sent = nothing;
			pins.rest();
		},
	});
}

type Picture = Uint8Array<ArrayBuffer>;

interface CameraWatchOptions {
	take(signal: AbortSignal): Promise<Picture>;
	send(picture: Picture): Promise<void>;
	/** Called with the first of several failures in a row. */
	onFailure(reason: string): void;
	readonly signal: AbortSignal;
}

const picturePace = 1_000;
const maxPictureTime = 5_000;

export function watchCamera({ take, send, onFailure, signal }: CameraWatchOptions) {
	let failed = false;
	const onError = (error: unknown) => {
		signal.throwIfAborted();
		if (!failed) onFailure(messageOf(error));
		failed = true;
	};
	const takeAndSend = async () => {
		const picture = await take(AbortSignal.any([signal, AbortSignal.timeout(maxPictureTime)]));
		failed = false;
		await send(picture).catch(() => {});
	};
	return createWatch({ pace: picturePace, signal, look: () => takeAndSend().catch(onError) });
}

interface WatchOptions {
	readonly pace: number;
	readonly signal: AbortSignal;
	/** Must not reject unless the signal is aborted. */
	look(): Promise<void>;
	/** Called when nobody looks any more. */
	rest?(): void;
}

function createWatch({ pace, signal, look, rest }: WatchOptions) {
	let until = 0;
	let isRunning = false;
	const run = async () => {
		try {
			while (performance.now() < until) {
				const next = performance.now() + pace;
				await look();
				await wait(Math.max(0, next - performance.now()), signal);
			}
		} finally {
			rest?.();
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

// Sends pictures of a board by its camera, as long as somebody looks at them.
import { messageOf } from '../errors.ts';
import { Watch } from './watch.ts';

type Picture = Uint8Array<ArrayBuffer>;

interface CameraWatchOptions {
	take(signal: AbortSignal): Promise<Picture>;
	send(picture: Picture): Promise<void>;
	/** Called with the first failure, and with the first one after a picture. */
	onFailure(reason: string): void;
	readonly signal: AbortSignal;
}

const pace = 1_000;
const maxWait = 5_000;

export function watchCamera({ take, send, onFailure, signal }: CameraWatchOptions): Watch {
	let failed = false;
	const onError = (error: unknown) => {
		signal.throwIfAborted();
		if (!failed) onFailure(messageOf(error));
		failed = true;
	};
	const takeAndSend = async () => {
		const picture = await take(AbortSignal.any([signal, AbortSignal.timeout(maxWait)]));
		failed = false;
		// The next picture says more than one that was lost.
		await send(picture).catch(() => {});
	};
	return new Watch({ pace, signal, look: () => takeAndSend().catch(onError) });
}

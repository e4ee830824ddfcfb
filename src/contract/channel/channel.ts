// A channel as its user and the agent have it: bytes and messages both ways, over one connection after the other.
import { ChannelEnd, type Item } from './end.ts';
import {
	channelWindow,
	endingIn,
	type Frame,
	frameOf,
	maxPayload,
	messageFrame,
	messageIn,
} from './frames.ts';
import {
	type Link,
	type LinkEvents,
	type LinkFetch,
	type LinkSocket,
	openRequests,
	openSocket,
	type Place,
	RejectedError,
} from './links.ts';

export interface ChannelOptions {
	/** Asks for a ticket: once for each connection. */
	place(): Promise<Place>;
	/** Whether no later attempt to get a ticket can succeed. */
	isFinal(error: unknown): boolean;
	fetch: LinkFetch;
	/** Without it, requests carry the frames. */
	WebSocket?: LinkSocket | undefined;
	/** Takes what arrives, one after the other. The sender has room again once it is done. */
	onData(bytes: Uint8Array): Promise<void> | void;
	onMessage(message: unknown): Promise<void> | void;
}

/** Why a channel is over. */
export interface ChannelEnding {
	readonly code: string;
	readonly message: string;
	readonly cause?: unknown;
}

/** How long a channel goes on without a connection, in milliseconds. */
const maxGap = 15_000;

/** How long taking is confirmed later, so that one frame confirms much. In milliseconds. */
const confirmTime = 20;

/** How long the last bytes may take to be read, in milliseconds. */
const readTime = 1_000;

const pingTime = 15_000;
const maxSilence = 40_000;
const retryPause = { min: 50, max: 1_000 };

export class Channel {
	readonly #options: ChannelOptions;
	readonly #end = new ChannelEnd({
		transmit: (frame) => this.#link?.send(frame),
		deliver: (item) => {
			this.#taken = this.#taken.then(() => this.#take(item));
		},
	});
	#link: Link | undefined;
	#way: 'websocket' | 'requests';
	#heardAt = 0;
	/** Resolves when all that was delivered is taken. */
	#taken: Promise<void> = Promise.resolve();
	#turn: Promise<void> = Promise.resolve();
	/** Whether the other end has ended it. */
	#isLast = false;
	#confirming: ReturnType<typeof setTimeout> | undefined;
	readonly #attached = Promise.withResolvers<void>();
	readonly #closed = Promise.withResolvers<ChannelEnding>();
	/** Resolves when both ends are connected for the first time; rejects if the channel ends before. */
	readonly attached = this.#attached.promise;
	/** Resolves when the channel is over. */
	readonly closed = this.#closed.promise;
	#ending: ChannelEnding | undefined;
	#news = Promise.withResolvers<void>();

	constructor(options: ChannelOptions) {
		this.#options = options;
		this.#way = options.WebSocket ? 'websocket' : 'requests';
		this.attached.catch(() => {});
		void this.#keepConnected();
	}

	/** What carries the frames. */
	get way() {
		return this.#way;
	}

	/** Resolves when the bytes are on their way, which waits for room. */
	write(bytes: Uint8Array): Promise<void> {
		return this.#inTurn(async () => {
			for (let at = 0; at < bytes.length; ) {
				await this.#until(() => this.#end.room > 0);
				const next = bytes.slice(at, at + Math.min(maxPayload, this.#end.room));
				this.#end.send({ type: 'data', payload: next });
				at += next.length;
			}
		});
	}

	/** Sends a message in order with the bytes. */
	sendMessage(message: unknown): Promise<void> {
		const { payload } = messageFrame('control', message);
		return this.#inTurn(async () => {
			await this.#until(() => this.#end.room >= payload.length);
			this.#end.send({ type: 'control', payload });
		});
	}

	/** Ends the channel once the other end has taken all that was sent. */
	close(ending: ChannelEnding = usualEnding): Promise<void> {
		const taken = this.#until(() => this.#end.room === channelWindow);
		return this.#endAfter(taken, ending, maxGap);
	}

	/** Ends the channel at once. */
	end(ending: ChannelEnding): void {
		if (this.#ending) return;
		this.#ending = ending;
		this.#sayWhy(ending);
		clearTimeout(this.#confirming);
		this.#attached.reject(new Error(ending.message));
		this.#closed.resolve(ending);
		this.#notify();
	}

	/** Each waits for room, and must not overtake the one before. */
	#inTurn(send: () => Promise<void>) {
		const turn = this.#turn.then(send);
		this.#turn = turn.catch(() => {}); // whoever sends it is told
		return turn;
	}

	#sayWhy({ code, message }: ChannelEnding) {
		this.#link?.send(messageFrame('end', { code, message }));
		this.#link?.close();
	}

	async #until(isReady: () => boolean) {
		while (!isReady()) {
			if (this.#ending) throw new Error(this.#ending.message);
			await this.#news.promise;
		}
		if (this.#ending) throw new Error(this.#ending.message);
	}

	#notify() {
		this.#news.resolve();
		this.#news = Promise.withResolvers();
	}

	async #keepConnected() {
		for (let [lostAt, attempt] = [performance.now(), 0]; !this.#isOver; attempt++) {
			try {
				const { closed } = await this.#connect();
				attempt = 0;
				await closed;
				lostAt = performance.now();
			} catch (cause) {
				const { message } = cause as Error; // functions of a platform throw nothing else
				if (this.#options.isFinal(cause)) return this.end({ code: 'rejected', message, cause });
				if (performance.now() - lostAt > maxGap) {
					return this.end({ code: 'connection_lost', message, cause });
				}
			}
			this.#link = undefined;
			this.#end.detach();
			const pause = Math.min(retryPause.max, retryPause.min * 2 ** attempt);
			if (!this.#isOver) await new Promise((resolve) => setTimeout(resolve, pause));
		}
	}

	/** Resolves when connected; `closed` resolves when that is over. */
	async #connect() {
		const place = await this.#options.place();
		const closed = Promise.withResolvers<void>();
		await this.#open(place, {
			opened: (link) => {
				this.#link = link;
				this.#heardAt = performance.now();
				// The other end is told why, even if it was over before.
				if (this.#ending) this.#sayWhy(this.#ending);
			},
			frame: (frame) => this.#receive(frame),
			closed: closed.resolve,
		});
		const pinging = setInterval(() => {
			if (performance.now() - this.#heardAt > maxSilence) this.#link?.close();
			else this.#link?.send(frameOf('ping'));
		}, pingTime);
		return { closed: closed.promise.finally(() => clearInterval(pinging)) };
	}

	async #open(place: Place, events: LinkEvents): Promise<void> {
		const { fetch, WebSocket } = this.#options;
		if (this.#way === 'requests' || !WebSocket) return openRequests(fetch, place, events);
		try {
			await openSocket(WebSocket, place, events);
		} catch (error) {
			if (error instanceof RejectedError) throw error;
			// Its ticket may be used up, so requests have another one.
			await openRequests(fetch, await this.#options.place(), events);
			this.#way = 'requests';
		}
	}

	#receive(frame: Frame) {
		this.#heardAt = performance.now();
		if (frame.type === 'end') {
			// What arrived before is read first, unless its reader has stopped.
			this.#isLast = true;
			void this.#endAfter(this.#taken, endingIn(frame), readTime);
			return;
		}
		if (!this.#end.receive(frame)) return this.end(brokenEnding);
		if (frame.type === 'resume') this.#attached.resolve();
		if (frame.type === 'ack' || frame.type === 'resume') this.#notify();
	}

	get #isOver() {
		return this.#ending !== undefined || this.#isLast;
	}

	/** Ends it once this has happened, at the latest after so many milliseconds. */
	async #endAfter(event: Promise<void>, ending: ChannelEnding, most: number) {
		const timer = setTimeout(() => this.end(ending), most);
		await event.catch(() => {}); // it has ended
		clearTimeout(timer);
		this.end(ending);
	}

	async #take(item: Item) {
		if (this.#ending) return;
		const { onData, onMessage } = this.#options;
		try {
			if (item.type === 'data') await onData(item.payload);
			else await onMessage(messageIn({ ...frameOf('control'), ...item }));
		} catch (cause) {
			const { message } = cause as Error; // the functions of the owner throw nothing else
			return this.end({ code: 'port_failed', message, cause });
		}
		this.#end.take(item.payload.length);
		this.#confirm();
	}

	#confirm() {
		if (this.#end.untold >= channelWindow / 4) return this.#end.acknowledge();
		this.#confirming ??= setTimeout(() => {
			this.#confirming = undefined;
			this.#end.acknowledge();
		}, confirmTime);
	}
}

const usualEnding: ChannelEnding = { code: 'closed', message: 'The channel was closed' };
const brokenEnding: ChannelEnding = {
	code: 'connection_lost',
	message: 'The other end of the channel was started again',
};

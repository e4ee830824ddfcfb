// One end of a channel: everything arrives at the other end once and in order, over any number of connections.
// Pure: it sends and delivers through functions, and knows no time and no network.
import { channelWindow, type Frame, frameOf } from './frames.ts';

/** What travels through a channel. */
export interface Item {
	readonly type: 'data' | 'control';
	readonly payload: Uint8Array;
}

/** How many frames may wait: short ones cost more memory than their bytes. */
const maxFrames = 4096;

interface Ways {
	/** Sends a frame over the present connection. */
	transmit(frame: Frame): void;
	/** Takes what the other end has sent. */
	deliver(item: Item): void;
}

export class ChannelEnd {
	readonly #ways: Ways;
	/** What the other end has not acknowledged. */
	#unacknowledged: Frame[] = [];
	#acknowledged = 0;
	#sent = 0;
	#received = 0;
	#taken = 0;
	#untakenFrames = 0;
	#toldTaken = 0;
	/** Whether the other end has said from where on to send. */
	#isFlowing = false;

	constructor(ways: Ways) {
		this.#ways = ways;
	}

	/** How many bytes may be sent now. */
	get room(): number {
		if (this.#unacknowledged.length >= maxFrames) return 0;
		return channelWindow - (this.#sent - this.#acknowledged);
	}

	/** How much was taken that the other end has not been told. */
	get untold(): number {
		return this.#taken - this.#toldTaken;
	}

	/** Sends an item that has room. */
	send({ type, payload }: Item): void {
		const frame = frameOf(type, this.#sent, payload);
		this.#sent += payload.length;
		this.#unacknowledged.push(frame);
		if (this.#isFlowing) this.#ways.transmit(frame);
	}

	/** So many bytes of what was delivered are used. */
	take(length: number): void {
		this.#untakenFrames -= 1;
		this.#taken += length;
	}

	/** Tells the other end what was taken. */
	acknowledge(): void {
		if (!this.#isFlowing || this.untold === 0) return;
		this.#toldTaken = this.#taken;
		this.#ways.transmit(frameOf('ack', this.#taken));
	}

	/** The connection was lost. */
	detach(): void {
		this.#isFlowing = false;
	}

	/** Takes a frame from the other end. Returns false if it makes no sense. */
	receive(frame: Frame): boolean {
		const { type, offset } = frame;
		if (type === 'attached') {
			this.#isFlowing = false;
			this.#ways.transmit(frameOf('resume', this.#received));
		} else if (type === 'resume') return this.#resumeFrom(offset);
		else if (type === 'ack') return this.#forget(offset);
		else if (type === 'data' || type === 'control') this.#take({ ...frame, type });
		const untaken = this.#received - this.#taken;
		return untaken <= channelWindow && this.#untakenFrames <= maxFrames;
	}

	/** Bytes that follow a gap are sent again: the other end has not been told yet that frames were lost. */
	#take({ type, offset, payload }: Frame & Item) {
		const known = this.#received - offset;
		if (known < 0 || known >= payload.length) return;
		this.#received = offset + payload.length;
		this.#untakenFrames += 1;
		this.#ways.deliver({ type, payload: payload.subarray(known) });
	}

	#forget(offset: number) {
		if (offset < this.#acknowledged || offset > this.#sent) return false;
		this.#acknowledged = offset;
		for (let [first] = this.#unacknowledged; first && endOf(first) <= offset; ) {
			this.#unacknowledged.shift();
			[first] = this.#unacknowledged;
		}
		return true;
	}

	#resumeFrom(offset: number) {
		// An end that was started anew has none of what was acknowledged.
		if (offset < this.#acknowledged || offset > this.#sent) return false;
		this.#isFlowing = true;
		for (const frame of this.#unacknowledged) {
			if (endOf(frame) > offset) this.#ways.transmit(frame);
		}
		// An acknowledgement may have been lost.
		this.#ways.transmit(frameOf('ack', this.#taken));
		this.#toldTaken = this.#taken;
		return true;
	}
}

function endOf({ offset, payload }: Frame) {
	return offset + payload.length;
}

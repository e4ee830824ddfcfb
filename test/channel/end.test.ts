// Whatever is lost on the way, everything arrives at the other end of a channel once and in order.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChannelEnd, type Item } from '../../src/contract/channel/end.ts';
import { channelWindow, type Frame, frameOf } from '../../src/contract/channel/frames.ts';
import { runs } from '../support/runs.ts';

type Side = 'user' | 'agent';
const other = { user: 'agent', agent: 'user' } as const;
const sides = ['user', 'agent'] as const;

/** Two ends, and between them what the service does: it passes frames on, or drops them while an end is away. */
class Pair {
	/** Frames on their way to the service, and from there to an end. */
	readonly toService: Record<Side, Frame[]> = { user: [], agent: [] };
	readonly toEnd: Record<Side, Frame[]> = { user: [], agent: [] };
	readonly connected: Record<Side, boolean> = { user: false, agent: false };
	readonly sent: Record<Side, Item[]> = { user: [], agent: [] };
	readonly arrived: Record<Side, Item[]> = { user: [], agent: [] };
	/** Delivered and not taken. */
	readonly untaken: Record<Side, number[]> = { user: [], agent: [] };
	readonly ends = { user: this.#end('user'), agent: this.#end('agent') };
	isSound = true;

	#end(side: Side): ChannelEnd {
		return new ChannelEnd({
			transmit: (frame) => {
				if (this.connected[side]) this.toService[side].push(frame);
			},
			deliver: (item) => {
				this.arrived[side].push(item);
				this.untaken[side].push(item.payload.length);
			},
		});
	}

	send(side: Side, item: Item) {
		const length = Math.min(item.payload.length, this.ends[side].room);
		if (length === 0 || (item.type === 'control' && length < item.payload.length)) return;
		const given = { ...item, payload: item.payload.subarray(0, length) };
		this.sent[side].push(given);
		this.ends[side].send(given);
	}

	connect(side: Side) {
		this.disconnect(side);
		this.connected[side] = true;
		if (!this.connected[other[side]]) return;
		for (const each of sides) this.toEnd[each].push(frameOf('attached'));
	}

	/** What is on its way to and from this end is lost, but what the service has passed on is not. */
	disconnect(side: Side) {
		this.connected[side] = false;
		this.toService[side] = [];
		this.toEnd[side] = [];
		this.ends[side].detach();
	}

	step(side: Side) {
		const atService = this.toService[side].shift();
		if (atService && this.connected[other[side]]) this.toEnd[other[side]].push(atService);
		const atEnd = this.toEnd[side].shift();
		if (atEnd) this.isSound &&= this.ends[side].receive(atEnd);
	}

	take(side: Side) {
		const length = this.untaken[side].shift();
		if (length === undefined) return;
		this.ends[side].take(length);
		this.ends[side].acknowledge();
	}

	settle() {
		for (const side of sides) this.connect(side);
		const isBusy = () =>
			sides.some(
				(side) =>
					this.toService[side].length + this.toEnd[side].length + this.untaken[side].length > 0,
			);
		while (isBusy()) for (const side of sides) [this.step(side), this.take(side)];
	}
}

/** The bytes between two messages as one, because data may arrive in other pieces. */
function contentOf(items: readonly Item[]) {
	const content: string[] = [];
	for (const { type, payload } of items) {
		const text = Buffer.from(payload).toString('latin1');
		const last = content.length - 1;
		if (type === 'data' && content[last]?.startsWith('data')) content[last] += text;
		else content.push(`${type}${text}`);
	}
	return content;
}

const side = fc.constantFrom(...sides);
const item = fc.record({
	type: fc.constantFrom('data' as const, 'data' as const, 'control' as const),
	payload: fc.uint8Array({ minLength: 1, maxLength: 40 }),
});
const move = fc.oneof(
	{ weight: 4, arbitrary: fc.tuple(fc.constant('send' as const), side, item) },
	{ weight: 8, arbitrary: fc.tuple(fc.constant('step' as const), side) },
	{ weight: 3, arbitrary: fc.tuple(fc.constant('take' as const), side) },
	{ weight: 1, arbitrary: fc.tuple(fc.constant('connect' as const), side) },
	{ weight: 1, arbitrary: fc.tuple(fc.constant('disconnect' as const), side) },
);

test('all that was sent arrives once and in order, over any connections', {
	tags: 'generated',
}, () => {
	let resumed = 0;
	fc.assert(
		fc.property(fc.array(move, { maxLength: 200 }), (moves) => {
			const pair = new Pair();
			for (const [what, where, given] of moves) {
				if (what === 'send') pair.send(where, given);
				else pair[what](where);
			}
			for (const each of sides) {
				// A prefix at any time.
				const [sent, arrived] = [pair.sent[other[each]], pair.arrived[each]];
				expect(contentOf(sent).join('').startsWith(contentOf(arrived).join(''))).toBe(true);
			}
			pair.settle();
			for (const each of sides) {
				expect(contentOf(pair.arrived[each])).toEqual(contentOf(pair.sent[other[each]]));
				expect(pair.ends[each].room).toBe(channelWindow);
			}
			expect(pair.isSound).toBe(true);
			if (moves.some(([what]) => what === 'disconnect')) resumed += 1;
		}),
		{ numRuns: runs(1_000) },
	);
	expect(resumed).toBeGreaterThan(50);
});

test('no more is on its way than the window has room for', () => {
	const pair = new Pair();
	pair.settle();
	const payload = new Uint8Array(channelWindow);
	pair.send('user', { type: 'data', payload });
	expect(pair.ends.user.room).toBe(0);
	pair.step('user');
	pair.step('agent');
	pair.take('agent');
	while (pair.ends.user.room === 0) for (const each of sides) pair.step(each);
	expect(pair.ends.user.room).toBe(channelWindow);
});

test('an end that was started anew is told apart', () => {
	const pair = new Pair();
	pair.settle();
	pair.send('user', { type: 'data', payload: Uint8Array.of(1) });
	pair.settle();
	const fresh = new ChannelEnd({ transmit: () => {}, deliver: () => {} });
	fresh.receive(frameOf('attached'));
	// It asks for what the user has forgotten.
	expect(pair.ends.user.receive(frameOf('resume', 0))).toBe(false);
	expect(pair.ends.user.receive(frameOf('ack', 99))).toBe(false);
});

test('any frames are survived, and more than the window is a fault', { tags: 'generated' }, () => {
	const types = ['open', 'data', 'control', 'ack', 'attached', 'resume', 'ping', 'end'] as const;
	const frame = fc.record({
		type: fc.constantFrom(...types),
		offset: fc.nat({ max: 100 }),
		payload: fc.uint8Array({ maxLength: 50 }),
	});
	fc.assert(
		fc.property(fc.array(frame), (frames) => {
			const end = new ChannelEnd({ transmit: () => {}, deliver: () => {} });
			for (const each of frames) end.receive(each);
		}),
		{ numRuns: runs(1_000) },
	);
	const end = new ChannelEnd({ transmit: () => {}, deliver: () => {} });
	const payload = new Uint8Array(channelWindow);
	expect(end.receive(frameOf('data', 0, payload))).toBe(true);
	expect(end.receive(frameOf('data', channelWindow, payload))).toBe(false);
});

// Frames on the wire: agents and clients of other versions read these bytes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	createFrameReader,
	decodeFrame,
	encodeFrame,
	encodeWithLength,
	type Frame,
	frameOf,
	maxPayload,
	messageFrame,
	messageIn,
} from '../../src/contract/channel/frames.ts';
import { runs } from '../support/runs.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each<[Frame, string]>([
	[frameOf('open', 0, bytes('ticket')), '01 000000000000 7469636b6574'],
	[frameOf('data', 258, Uint8Array.of(255, 0)), '02 000000000102 ff00'],
	[messageFrame('control', { baud: 9600 }, 2 ** 40), '03 010000000000 7b2262617564223a393630307d'],
	[frameOf('ack', 2 ** 32 + 1), '04 000100000001'],
	[frameOf('attached'), '05 000000000000'],
	[frameOf('resume', 7), '06 000000000007'],
	[frameOf('ping'), '07 000000000000'],
	[messageFrame('end', { code: 'closed' }), '08 000000000000 7b22636f6465223a22636c6f736564227d'],
])('$type', (frame, hex) => {
	const encoded = Buffer.from(hex.replaceAll(' ', ''), 'hex');
	expect(Buffer.from(encodeFrame(frame))).toEqual(encoded);
	expect(decodeFrame(encoded)).toEqual({ ...frame, payload: Buffer.from(frame.payload) });
	const length = encoded.length.toString(16).padStart(8, '0');
	expect(Buffer.from(encodeWithLength(frame)).toString('hex')).toBe(
		`${length}${encoded.toString('hex')}`,
	);
});

const frame = fc.record({
	type: fc.constantFrom('data' as const, 'ack' as const, 'control' as const),
	offset: fc.nat({ max: 2 ** 31 - 1 }),
	payload: fc.uint8Array({ maxLength: 100 }),
});

test('frames are read however their bytes are split', { tags: 'generated' }, () => {
	fc.assert(
		fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 30 })), (frames, sizes) => {
			const all = Buffer.concat(frames.map(encodeWithLength));
			const read = createFrameReader();
			const found: Frame[] = [];
			for (let at = 0, turn = 0; at < all.length; turn++) {
				const size = sizes[turn % Math.max(1, sizes.length)] ?? all.length;
				found.push(...read(all.subarray(at, at + size)));
				at += size;
			}
			expect(found).toEqual(frames);
		}),
		{ numRuns: runs(300) },
	);
});

test('what is no frame is rejected, and nothing is collected for it', { tags: 'generated' }, () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 60 }), (garbage) => {
			expect(() => decodeFrame(garbage)).not.toThrow();
			try {
				createFrameReader()(garbage);
			} catch (error) {
				expect(String(error)).toMatch(/frame is (too long|invalid)/);
			}
		}),
		{ numRuns: runs(500) },
	);
	const tooLong = Buffer.alloc(7 + maxPayload + 1, 2);
	expect(decodeFrame(tooLong)).toBeUndefined();
	expect(() => createFrameReader()(Buffer.from('7fffffff', 'hex'))).toThrow('too long');
	expect(messageIn(frameOf('end', 0, bytes('{')))).toBeUndefined();
});

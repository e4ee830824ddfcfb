import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodedConsole } from '../../../src/leases/console/decoded-console.ts';

interface Character {
	text: string;
	/** The offset of the byte after it. */
	end: number;
}

/** The characters of complete bytes, one byte after the other, as the Encoding standard says. */
function charactersOf(bytes: Uint8Array): Character[] {
	const found: Character[] = [];
	let [point, needed, seen, lower, upper] = [0, 0, 0, 0x80, 0xbf];
	const reset = () => {
		[point, needed, seen, lower, upper] = [0, 0, 0, 0x80, 0xbf];
	};
	for (let at = 0; at < bytes.length; at++) {
		const byte = bytes[at] ?? 0;
		if (needed > 0 && (byte < lower || byte > upper)) {
			found.push({ text: '\ufffd', end: at });
			reset();
		}
		if (needed > 0) {
			[lower, upper] = [0x80, 0xbf];
			point = (point << 6) | (byte & 0x3f);
			if (++seen < needed) continue;
			found.push({ text: String.fromCodePoint(point), end: at + 1 });
			reset();
		} else if (byte < 0x80) found.push({ text: String.fromCharCode(byte), end: at + 1 });
		else if (byte < 0xc2 || byte > 0xf4) found.push({ text: '\ufffd', end: at + 1 });
		else {
			needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
			point = byte & (0x3f >> needed);
			if (byte === 0xe0) lower = 0xa0;
			if (byte === 0xed) upper = 0x9f;
			if (byte === 0xf0) lower = 0x90;
			if (byte === 0xf4) upper = 0x8f;
		}
	}
	return found;
}

/** Bytes that meet in every way that a decoder has to tell apart. */
const hostileBytes = fc.array(
	fc.oneof(
		fc.constantFrom(0x41, 0x0a, 0x80, 0xa9, 0xbf, 0xc2, 0xc3, 0xe2, 0x82, 0xac, 0xed, 0xff),
		fc.constantFrom(0xf0, 0x9f, 0x98, 0xef, 0xbb, 0xe0, 0xf4, 0x90),
		fc.integer({ min: 0, max: 255 }),
	),
	{ maxLength: 60 },
);

describe('the decoded console', () => {
	it('consumes the bytes of each match once, however the bytes are split', () => {
		fc.assert(
			fc.property(
				hostileBytes,
				fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
				fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1 }),
				(given, sizes, counts) => {
					const bytes = Uint8Array.from(given);
					const characters = charactersOf(bytes);
					const decoded = new DecodedConsole();
					let [read, consumed] = [0, 0];
					let text = '';
					for (let step = 0; read < bytes.length; step++) {
						const piece = bytes.slice(read, read + (sizes[step % sizes.length] ?? 1));
						read += piece.length;
						decoded.append({ bytes: piece, next: read, arrivals: [] });
						const there = characters.slice(
							consumed,
							consumed + (counts[step % counts.length] ?? 0),
						);
						const taken = there.map((each) => each.text).join('');
						// Only what was shown can match.
						if (!decoded.text.startsWith(taken)) continue;
						decoded.consume(taken.length);
						text += taken;
						consumed += there.length;
						expect(decoded.start).toBe(characters[consumed - 1]?.end ?? 0);
					}
					const all = characters.map((each) => each.text).join('');
					expect(all.startsWith(text + decoded.text)).toBe(true);
					expect(decoded.next).toBe(bytes.length);
				},
			),
			{ numRuns: 2000 },
		);
	});

	it('drops what was before an offset, even within a character', () => {
		fc.assert(
			fc.property(hostileBytes, fc.nat(60), fc.nat(10), (given, size, characters) => {
				const bytes = Uint8Array.from(given);
				const offset = Math.min(size, bytes.length);
				const decoded = new DecodedConsole();
				decoded.append({ bytes, next: bytes.length, arrivals: [] });
				decoded.consume(characters);
				const { start, text } = decoded;
				decoded.dropBefore(offset);
				expect(decoded.start).toBe(Math.max(start, offset));
				const rest = new TextDecoder('utf-8', { ignoreBOM: true });
				const cut = rest.decode(bytes.subarray(decoded.start), { stream: true });
				expect(decoded.text).toBe(offset > start ? cut : text);
			}),
			{ numRuns: 1000 },
		);
	});

	it('does not join output before and after missing bytes', () => {
		const decoded = new DecodedConsole();
		decoded.append({ bytes: Uint8Array.of(0x50, 0x41, 0xe2, 0x82), next: 4, arrivals: [] });
		decoded.append({ bytes: Uint8Array.of(0xac, 0x53, 0x53), next: 103, arrivals: [] });
		expect(decoded.text).toBe('PA\ufffd\r\n\ufffdSS');
		decoded.consume(6);
		expect([decoded.start, decoded.text]).toEqual([101, 'SS']);
	});

	it('knows the offset of missing bytes', () => {
		const decoded = new DecodedConsole();
		decoded.append({ bytes: new Uint8Array(4).fill(0x78), next: 10, arrivals: [] });
		expect(decoded.gaps).toEqual([0, 0]);
		decoded.append({ bytes: Uint8Array.of(0x79, 0x79), next: 30, arrivals: [] });
		expect(decoded.gaps).toEqual([0, 0, 4, 6]);
		decoded.consume(5);
		expect([decoded.text, decoded.gaps]).toEqual(['\nyy', [1]]);
		decoded.dropBefore(29);
		expect([decoded.text, decoded.gaps]).toEqual(['y', []]);
		decoded.append({ bytes: new Uint8Array(1_500_000).fill(0x78), next: 1_500_030, arrivals: [] });
		expect(decoded.gaps).toEqual([0]);
	});

	it('keeps the end of a console that is longer than the searched part', () => {
		const decoded = new DecodedConsole();
		const piece = new Uint8Array(64 * 1024).fill(0x78);
		for (let read = 0; read < 100; )
			decoded.append({ bytes: piece, next: ++read * piece.length, arrivals: [] });
		expect(decoded.next).toBe(100 * piece.length);
		expect(decoded.next - decoded.start).toBe(decoded.text.length);
		expect(decoded.text.length).toBeGreaterThanOrEqual(1024 * 1024);
		expect(decoded.text.length).toBeLessThan(1.5 * 1024 * 1024);
	});
});

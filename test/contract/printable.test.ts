// What is printed is obeyed by no terminal and by no runner of a CI system.
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what is tested.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	createDrawing,
	createPrintable,
	printable,
	printableJson,
	printableText,
	visible,
} from '../../src/contract/printable.ts';
import { attacks, obeys } from '../support/runners.ts';

/** Text of attacks, of their pieces, of bytes that are not UTF-8, and of anything else. */
const hostile = fc
	.array(
		fc.oneof(
			fc.constantFrom(...attacks),
			fc.constantFrom(
				...['\r', '\n', '\r\n', '\x1b', '\x1b[', '\x1b]', '\x07', '\\', ' ', '\t', ':', '::', '#'],
				...[
					'##',
					'[',
					'vso[',
					'teamcity[',
					'-',
					'--',
					'+',
					'~',
					'^',
					']',
					'm',
					'0',
					'section_end:1:a',
				],
			),
			fc.string({ unit: 'binary', maxLength: 6 }),
			fc.uint8Array({ maxLength: 6 }).map((bytes) => new TextDecoder().decode(bytes)),
		),
		{ maxLength: 12 },
	)
	.map((pieces) => pieces.join(''));

const inChunks = (text: string, cuts: readonly number[]) => {
	const places = cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other);
	return [0, ...places].map((start, index) => text.slice(start, places[index] ?? text.length));
};

const chunked = fc.tuple(hostile, fc.array(fc.nat(200), { maxLength: 8 }));

const streamed = (chunks: readonly string[]) => {
	const lines = createPrintable();
	return chunks.map(lines.add).join('') + lines.end();
};

const runs = { numRuns: 2_000 };

describe('text of others', () => {
	it.each(attacks)('would be obeyed as it is, and is not when it is printed: %j', (attack) => {
		expect(obeys(attack)).not.toEqual([]);
		for (const print of [printable, printableText, visible])
			expect(obeys(print(attack))).toEqual([]);
		for (let cut = 0; cut <= attack.length; cut += 1) {
			expect(obeys(streamed([attack.slice(0, cut), attack.slice(cut)]))).toEqual([]);
		}
	});

	it('is never obeyed, however it is cut into chunks', () => {
		fc.assert(
			fc.property(chunked, ([text, cuts]) => {
				const printed = streamed(inChunks(text, cuts));
				expect(obeys(printed)).toEqual([]);
				expect(printed).toBe(printableText(text));
			}),
			runs,
		);
	});

	it('is never obeyed as one line, in an error, or in JSON, which keeps its value', () => {
		fc.assert(
			fc.property(hostile, (text) => {
				expect(obeys(printable(text))).toEqual([]);
				expect(obeys(visible(text))).toEqual([]);
				for (const indent of [0, 2]) {
					const json = printableJson({ text, [text]: [text] }, indent);
					expect(obeys(json)).toEqual([]);
					expect(JSON.parse(json)).toEqual({ text, [text]: [text] });
				}
			}),
			runs,
		);
	});

	it('is unchanged if no runner and no terminal would obey it', () => {
		fc.assert(
			fc.property(chunked, ([text, cuts]) => {
				fc.pre(obeys(text).length === 0);
				expect(streamed(inChunks(text, cuts))).toBe(text);
			}),
			runs,
		);
	});

	it.each([
		'Hello from Arduino Uno\r\n\tI (312) boot: 100% – ünï ✓ 👩‍🔬\r\n',
		'# title\n## title\n#### :: ::1 is an address\n-----\n- item\n---\n+++\nx --- y\n~ # ls',
	])('stays as it is: %j', (text) => expect(printableText(text)).toBe(text));

	it('shows a prompt at once', () => {
		for (const prompt of ['login: ', '> ', '~ $ ', 'root@board:/# ', 'PASS', 'Password:']) {
			expect(createPrintable().add(`\r\n${prompt}`)).toBe(`\r\n${prompt}`);
		}
	});

	it('is printed in a time in proportion to its length', () => {
		const time = (text: string) => {
			const start = performance.now();
			for (const print of [printable, printableText, visible]) print(text);
			return performance.now() - start;
		};
		for (const unit of [
			'\x1b',
			'\x1b[',
			'\x1b]',
			'\x1b[0',
			'#',
			'\r',
			' ',
			'\r ',
			':',
			'-',
			'\x1b]\x1b',
		]) {
			time(unit.repeat(1_000));
			expect(time(unit.repeat(100_000)), JSON.stringify(unit)).toBeLessThan(2_000);
		}
	});
});

describe('the console of a board on a terminal', () => {
	const kept = [
		'\x1b[31m',
		'\x1b[2K',
		'\x1b[10;2H',
		'\x1b[?25l',
		'\x1b[6n',
		'\x1b(0',
		'\b',
		'\x07',
		'\r',
	];

	it.each(kept)('may draw: %j', (text) => expect(createDrawing()(`${text}a`)).toBe(`${text}a`));

	it.each([
		...attacks.filter((text) => text.includes('\x1b]') || /[\x90-\x9f]|\x1b[P_c]/.test(text)),
		...[
			'\x1b[c',
			'\x1b[>c',
			'\x1b[21t',
			'\x1b[?1003h',
			'\x1b[?1049h',
			'\x1b[3J',
			'\x1b[5i',
			'\x05',
		],
		...['\x1b[>4;1m', '\x1b[9999b', '\x1b#8', '\x1b%G', '\x1b[!p', '\x1b[?2004h', '\x1bZ'],
	])('may not report, remember, or open: %j', (text) => {
		for (let cut = 0; cut <= text.length; cut += 1) {
			const draw = createDrawing();
			const drawn = draw(text.slice(0, cut)) + draw(text.slice(cut)) + draw();
			expect(drawn).not.toMatch(/[^\P{Cc}\r]/u);
		}
	});

	it('has no other control character, however it is cut into chunks', () => {
		fc.assert(
			fc.property(chunked, ([text, cuts]) => {
				const draw = createDrawing();
				const drawn =
					inChunks(text, cuts)
						.map((chunk) => draw(chunk))
						.join('') + draw();
				const rest = drawn.replace(
					/\x1b\[[\d;:?]*[A-HJKLMPSTX@`ad-gmrsunhl]|\x1b[()]?[78DEHM=>AB0-2]/g,
					'',
				);
				expect(rest).not.toMatch(/[^\P{Cc}\x07-\x0a\r]|\p{Bidi_Control}/u);
			}),
			runs,
		);
	});
});

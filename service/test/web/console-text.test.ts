// What the page of a lease reads in the lines of a console.
import { expect, test } from 'vitest';
import { plainText, splitLines } from '../../../web/src/scripts/lease/console/lines.ts';
import { collectNumbers, readNumbers } from '../../../web/src/scripts/lease/plot/numbers.ts';

test.each([
	['plain', 'plain'],
	['\x1b[32;1mgreen\x1b[0m and \x1b[38;2;1;2;3mtrue\x1b[m', 'green and true'],
	['\x1b]0;title\x07text\x1b[K\r', 'text'],
	['10 %\r20 %\r30 %', '30 %'],
	['bell\x07', 'bell'],
])('the text of the line %j is %j', (line, text) => {
	expect(plainText(line)).toBe(text);
});

test('a line has the time of its first byte, however it was sent', () => {
	const lines: object[] = [];
	const split = splitLines((line: object) => lines.push(line));
	const bytes = new TextEncoder().encode('one é\r\ntwo\r\nthree');
	for (const [index, byte] of bytes.entries()) split.take(Uint8Array.of(byte), index);
	expect(lines).toEqual([
		{ text: 'one é', time: 0 },
		{ text: 'two', time: 8 },
	]);
	split.restart();
	split.take(new TextEncoder().encode('again\n'), 99);
	expect(lines.at(-1)).toEqual({ text: 'again', time: 99 });
});

test.each([
	['temp:24.38 target:45.00 duty:0', { temp: 24.38, target: 45, duty: 0 }],
	['Temperature: 24.4 °C, Humidity = 40 %', { Temperature: 24.4, Humidity: 40 }],
	['a:-1.5e3,b:+.5', { a: -1500, b: 0.5 }],
	['1,2.5,-3', { 'value 1': 1, 'value 2': 2.5, 'value 3': -3 }],
	['42', { value: 42 }],
	['warn: 1-wire CRC mismatch (0x5e, 0x1c), reading repeated', undefined],
	['info: settled at 45.0 within 0.4 after 54.9 s', undefined],
	['OK target 60.00', undefined],
	['fan 1, 2140 rpm', undefined],
	['at 14:50:32', undefined],
	['', undefined],
	[`x${':1 x'.repeat(500)}`, undefined],
])('the line %j has the numbers %j', (line, numbers) => {
	const found = readNumbers()(line);
	expect(found && Object.fromEntries(found)).toEqual(numbers);
});

test('a line of names above comma-separated values names them', () => {
	const read = readNumbers();
	expect(read('time, temp,rate')).toBeUndefined();
	expect(read('1,2,3')).toEqual([
		['time', 1],
		['temp', 2],
		['rate', 3],
	]);
	expect(read('1,2')).toEqual([
		['value 1', 1],
		['value 2', 2],
	]);
});

test('numbers are kept with their times, the oldest are dropped, and all of them are downloaded', () => {
	const numbers = collectNumbers(4);
	numbers.add([['a', 1]], 1_000);
	numbers.add([['b "x"', 2]], 2_000);
	numbers.add([['a', 3]], 1_500);
	expect(numbers.csv()).toBe(
		[
			'time,a,"b ""x"""',
			'1970-01-01T00:00:01.000Z,1,',
			'1970-01-01T00:00:02.000Z,,2',
			'1970-01-01T00:00:02.000Z,3,',
			'',
		].join('\n'),
	);
	expect([numbers.last('a'), numbers.last('b "x"')]).toEqual([3, 2]);
	for (const time of [3_000, 4_000]) numbers.add([['a', time]], time);
	expect(numbers.times()).toEqual([2_000, 2_000, 3_000, 4_000]);
	expect(numbers.column('a')).toEqual([null, 3, 3_000, 4_000]);
});

test('a board that numbers its lines does not plot each of them', () => {
	const numbers = collectNumbers();
	for (let line = 0; line < 1_000; line += 1) numbers.add([[`Sample ${line}`, line]], line);
	expect(numbers.names()).toHaveLength(16);
	expect(numbers.times()).toHaveLength(1_000);
});

test('lines that are nearly numbers are read as fast as others', { tags: 'long' }, () => {
	const time = (line: string) => {
		const read = readNumbers();
		const start = performance.now();
		for (let count = 0; count < 200; count += 1) read(line);
		return performance.now() - start;
	};
	const ordinary = 'temp: 24.38 °C, '.repeat(31);
	const parts = [
		'123,',
		'1\t\t',
		'a ,',
		'a\t\t',
		'a b',
		'1e',
		'a:',
		'_ (',
		' ',
		'1',
		'a',
		'a:1 a ',
	];
	for (const begin of ['', 'a', 'a:1', 'a:1 b']) {
		for (const part of parts) {
			const line = begin + part.repeat((496 - begin.length) / part.length);
			for (const end of ['x', '!', ':x', '']) {
				const longer = () => time(line + end) / time(ordinary);
				// The least of several, because others use the processor, too.
				expect(Math.min(longer(), longer(), longer()), line.slice(0, 9) + end).toBeLessThan(100);
			}
		}
	}
});

test('a name after a value without a unit may have a space before its sign', () => {
	expect(readNumbers()('a:1 b : 2')).toEqual([
		['a', 1],
		['b', 2],
	]);
});

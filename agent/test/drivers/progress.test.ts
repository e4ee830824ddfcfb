// The percentages that flash tools print, as they are found in their output.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { watchProgress } from '../../src/drivers/progress.ts';

/** Everything that is reported while a tool writes these chunks. */
function reportedOf(...chunks: readonly Buffer[]) {
	const reported: number[] = [];
	const read = watchProgress((percent) => reported.push(percent))();
	for (const chunk of chunks) read(chunk);
	return reported;
}

const outputs = {
	esptool: [
		'esptool.py v4.8.1\nCompressed 163840 bytes to 95423...\nWriting at 0x00010000... (16 %)\r',
		'Writing at 0x00014000... (33 %)\rWriting at 0x00024000... (100 %)\nWrote 163840 bytes\nHash of data verified.\n',
	].join(''),
	'esptool 5':
		'Writing at 0x00010000 [===>      ]  10.5% 16384/163840 bytes...\rWriting at 0x00038000 [=====] 100.0% 163840/163840 bytes...\n',
	avrdude: [
		'Reading 924 bytes for flash from input file firmware.hex\nWriting 924 bytes to flash\n',
		`Writing | ${'#'.repeat(50)} | 100% 0.15 s \n`,
		`Reading | ${'#'.repeat(50)} | 100% 0.12 s \n924 bytes of flash verified\n`,
	].join(''),
	'dfu-util':
		'Erase   \t[=========================] 100%       4096 bytes\nErase    done.\nDownload\t[=====                    ]  21%       2048 bytes\rDownload\t[=========================] 100%       9500 bytes\n',
	picotool:
		'Loading into Flash: [=====               ]  17%\rLoading into Flash: [====================]  100%\nVerifying Flash:    [====]  12%\n',
	bossac:
		'Erase flash\n\nWrite 22 pages to flash (22 pages)\n[==========                    ] 36% (8/22 pages)\r[==============================] 100% (22/22 pages)\nVerify 22 pages of flash\n[==========                    ] 36% (8/22 pages)\r',
	openocd:
		'** Programming Started **\nwrote 16384 bytes from file firmware.hex in 0.9s (17.4 KiB/s)\n** Programming Finished **\n',
};

test.each<[keyof typeof outputs, readonly number[]]>([
	['esptool', [16, 33, 100]],
	['esptool 5', [10, 100]],
	['avrdude', [100]],
	['dfu-util', [21, 100]],
	['picotool', [17, 100]],
	['bossac', [36, 100]],
	['openocd', []],
])('%s', (tool, expected) => {
	expect(reportedOf(Buffer.from(outputs[tool]))).toEqual(expected);
});

test('a bar of avrdude grows by two percent with each mark', () => {
	const chunks = ['Writing | ', '#', '##', '#'.repeat(22)].map((text) => Buffer.from(text));
	expect(reportedOf(...chunks)).toEqual([2, 6, 50]);
});

test('what a tool reads, erases or verifies is no progress', () => {
	const text = 'Erasing 100%\nReading | ## | 4%\nVerifying: 50 %\n[== ] 60%\n';
	expect(reportedOf(Buffer.from(text))).toEqual([]);
});

test('a percentage without a word counts, numbers that are none do not', () => {
	expect(reportedOf(Buffer.from('5 %\r1234%\r101%\rv1.5%\r7.25 %\n% 9'))).toEqual([5, 7]);
	expect(reportedOf(Buffer.from('5 % done\r7 % done\r'))).toEqual([5, 7]);
});

test('what a tool does before it names a step is no progress', () => {
	expect(reportedOf(Buffer.from('Connecting 100%\n[===] 90%\nUploading 3%\n[=] 7%\n'))).toEqual([
		3, 7,
	]);
	expect(reportedOf(Buffer.from('Wrote address 0x08000100 (1.56%)\r'))).toEqual([1]);
});

test('a line that is read byte by byte is not searched again for each of them', () => {
	const searches = vi.spyOn(String.prototype, 'matchAll');
	const byte = Buffer.from('x');
	expect(reportedOf(...Array.from({ length: 1_000 }, () => byte))).toEqual([]);
	expect(searches.mock.calls.length).toBeLessThan(10);
	searches.mockRestore();
});

test('each stream has its own lines', () => {
	const reported: number[] = [];
	const createReader = watchProgress((percent) => reported.push(percent));
	const [output, errors] = [createReader(), createReader()];
	output(Buffer.from('Writing 1'));
	errors(Buffer.from('9%'));
	output(Buffer.from('2%'));
	expect(reported).toEqual([9, 12]);
});

/** Lines as tools print them, and anything else. */
const line = fc.oneof(
	fc.tuple(
		fc.constantFrom('Writing at 0x1000...', 'Verifying', 'Erasing', 'Download', '', 'Reading |'),
		fc.nat(130).map((percent) => ` (${percent} %)`),
	),
	fc.nat(60).map((marks) => ['Writing | ', '#'.repeat(marks)]),
	fc.string({ unit: 'binary', maxLength: 40 }).map((text) => [text]),
);
const output = fc
	.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n', '')), { maxLength: 30 })
	.map((lines) => Buffer.from(lines.map(([words, end]) => words.join('') + end).join('')))
	// Of a longer line that is not complete, the beginning is forgotten.
	.filter((bytes) =>
		bytes
			.toString('latin1')
			.split(/[\r\n]/)
			.every((line) => line.length <= 256),
	);

test('percentages only grow, from 0 to 100, and do not depend on where chunks end', () => {
	const cuts = fc.array(fc.nat(2000), { maxLength: 20 });
	fc.assert(
		fc.property(output, cuts, (bytes, cuts) => {
			const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length].sort(
				(a, b) => a - b,
			);
			const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
			const whole = reportedOf(bytes);
			const reported = reportedOf(...chunks);
			for (const [index, percent] of reported.entries()) {
				expect(percent).toBeGreaterThan(reported[index - 1] ?? -1);
				expect(percent).toBeLessThanOrEqual(100);
			}
			// A bar that is seen while it grows has more steps.
			expect(reported).toEqual(expect.arrayContaining(whole));
			expect(reported.at(-1)).toBe(whole.at(-1));
		}),
		{ numRuns: 2_000 },
	);
});

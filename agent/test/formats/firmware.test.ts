import { execFileSync } from 'node:child_process';
import {
	checkFormat,
	placeFirmware,
	readFirmware,
	writeIntelHex,
} from 'board-access-contract/firmware';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFirmware, detectFormat, FirmwareError } from '../../src/formats.ts';
import { sampleFirmware } from '../../src/samples.ts';
import { elfFile, uf2Block } from '../support/files.ts';

const text = (content: string) => new TextEncoder().encode(content);
const bytes = (...values: number[]) => Uint8Array.from(values);
const data = (length: number, value = 0xa5) => new Uint8Array(length).fill(value);

describe('the format is detected from the first bytes', () => {
	test.each([
		['hex', text(':00000001FF\n')],
		['hex', text('\r\n  :00000001FF\n')],
		['hex', text(':this means to be Intel HEX')],
		['uf2', uf2Block({ address: 0, data: data(256), number: 0, count: 1 })],
		['elf', elfFile([{ load: 0, data: data(4) }])],
		['raw', bytes(0x3a, 0x00, 0x01)],
		['raw', text('just text')],
		['raw', bytes(0)],
	])('%s', (format, file) => {
		expect(detectFormat(file)).toBe(format);
	});

	test('of the samples', async () => {
		expect(checkFirmware(await sampleFirmware('arduino-uno'))).toEqual({ format: 'hex' });
		expect(checkFirmware(await sampleFirmware('rp2040-pico'))).toEqual({ format: 'uf2' });
	});
});

describe('Intel HEX', () => {
	test('joins the records of all address kinds', () => {
		const file = text(
			[
				':0200000001 02FB'.replace(' ', ''),
				':0200020003 04F5'.replace(' ', ''),
				':020000021000EC',
				':01000000AA55',
				':020000040001F9',
				':01000500BB3F',
				':0400000500000000F7',
				':00000001FF',
			].join('\r\n'),
		);
		expect(readFirmware(file).segments).toEqual([
			{ address: 0, data: bytes(1, 2, 3, 4) },
			{ address: 0x10000, data: bytes(0xaa) },
			{ address: 0x10005, data: bytes(0xbb) },
		]);
	});

	test('reads the output of a compiler', async () => {
		const { segments } = readFirmware(await sampleFirmware('arduino-uno'));
		expect(segments).toHaveLength(1);
		expect(segments[0]).toMatchObject({ address: 0 });
	});

	test.each([
		[':00000001FE', 'Line 1: the checksum does not match'],
		[':0100000001FE\n:02000000G1', 'Line 2, column 10: not a hexadecimal digit'],
		[':0200000001FD', 'Line 1: 2 bytes of data expected, 1 found'],
		[':0', 'Line 1: half of a byte is missing'],
		[':0100000001FE', 'The end-of-file record is missing: the file is cut off'],
		[':00000001FF\n:0100000001FE', 'Line 2: there is data after the end-of-file record'],
		[':0100000001FE\nhello\n:00000001FF', 'Line 2: a record must begin with a colon'],
		[':00000007F9\n:00000001FF', 'Line 1: record type 0x7 does not exist'],
		[':0100000400FB\n:00000001FF', 'Line 1: a record of this type has 2 bytes'],
		[':0100000001FE\n:0100000002FD\n:00000001FF', 'The file has two values for address 0x0'],
		[':00000001FF', 'The file has no data'],
		['  :0100000001FE\t\r\n:', 'Line 2: 0 bytes of data expected, 0 found'],
		[`:${'0'.repeat(5000)}`, 'Line 1: 0 bytes of data expected, 2495 found'],
		[`:FF${'0'.repeat(600)}`, 'Line 1: 255 bytes of data expected, 296 found'],
	])('%j is refused', (file, message) => {
		expect(() => checkFirmware(text(file))).toThrow(new FirmwareError(message));
	});

	test('reads the longest records, lower case, and the line ends of every system', () => {
		const record = [255, 0, 0, 0, ...data(255)];
		const sum = -record.reduce((one, other) => one + other) & 0xff;
		const line = `:${Buffer.from([...record, sum]).toString('hex')}`;
		expect(readFirmware(text(` ${line} \r\r\n\n\t:00000001ff\n\v\r\n`)).segments).toEqual([
			{ address: 0, data: data(255) },
		]);
	});

	test.each([
		['blank lines', '\n'],
		['records without data', ':0000000000\n'],
		['addresses', ':020000040000FA\n'],
	])('many %s in a row are rejected, because only attacks have them', (_, line) => {
		const file = (lines: number) => text(`:0100000001FE\n${line.repeat(lines)}:00000001FF\n`);
		expect(checkFirmware(file(99))).toEqual({ format: 'hex' });
		const message = 'Line 102: more than 100 lines in a row have no data';
		expect(() => checkFirmware(file(100))).toThrow(new FirmwareError(message));
	});

	test('very many blanks before the first colon are no Intel HEX', () => {
		expect(detectFormat(text(`${'\n'.repeat(1023)}:00000001FF`))).toBe('hex');
		expect(detectFormat(text(`${'\n'.repeat(1024)}:00000001FF`))).toBe('raw');
	});

	const pieces = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ address: index * 2, data: bytes(1) }));

	test('a file of very many records is rejected, because it would take too long', () => {
		const few = writeIntelHex(pieces(10_000));
		expect(readFirmware(few).segments).toHaveLength(10_000);
		const many = writeIntelHex(pieces(10_001));
		expect(() => checkFirmware(many)).toThrow('The file has more than 10000 separate sections');
	});

	test('reading returns what was written', () => {
		const segment = fc.record({
			address: fc.integer({ min: 0, max: 0xffff }).map((page) => page * 0x10000 + 0xff80),
			data: fc.uint8Array({ minLength: 1, maxLength: 400 }),
		});
		const segments = fc.uniqueArray(segment, {
			maxLength: 5,
			minLength: 1,
			selector: ({ address }) => address,
		});
		fc.assert(
			fc.property(segments, (parts) => {
				const sorted = parts.toSorted((one, other) => one.address - other.address);
				expect(readFirmware(writeIntelHex(sorted)).segments).toEqual(sorted);
			}),
		);
	});
});

describe('UF2', () => {
	const blocks = (count: number) =>
		Array.from({ length: count }, (_, number) =>
			uf2Block({ address: 0x10000000 + number * 256, data: data(256, number), number, count }),
		);

	test('joins the blocks in the order of their addresses', () => {
		const { segments, family } = readFirmware(Buffer.concat(blocks(3).toReversed()));
		expect(segments).toEqual([
			{
				address: 0x10000000,
				data: Uint8Array.from([...data(256, 0), ...data(256, 1), ...data(256, 2)]),
			},
		]);
		expect(family).toBe(0xe48bff56);
	});

	test('skips blocks that are not for the main flash', () => {
		const other = uf2Block({ address: 0, data: data(256), number: 0, count: 1, flags: 1 });
		expect(readFirmware(Buffer.concat([...blocks(1), other])).segments).toHaveLength(1);
		expect(() => checkFirmware(other)).toThrow('No block of the file is for the main flash');
	});

	const broken = (position: number, value: number) => {
		const [first = data(0), second = data(0)] = blocks(2);
		const changed = Buffer.from(second);
		changed.writeUInt32LE(value, position);
		return Buffer.concat([first, changed]);
	};

	test.each([
		['cut off', Buffer.concat(blocks(2)).subarray(0, 1000), 'The file is cut off: 1000 bytes'],
		['without its first mark', broken(0, 1), 'Block 1 (at byte 512): the marks of a UF2 block'],
		['without its last mark', broken(508, 1), 'Block 1 (at byte 512): the marks of a UF2 block'],
		['with too much data', broken(16, 477), 'Block 1 (at byte 512): 477 bytes of data'],
		['with an impossible number', broken(20, 2), 'Block 1 (at byte 512): number 2 of 2'],
		['for two chips', broken(28, 1), 'The blocks are for different chip families'],
		[
			'that lacks a block',
			Buffer.concat(blocks(3)).subarray(0, 1024),
			'The file has 2 of 3 blocks',
		],
	])('%s is refused', (_, file, message) => {
		expect(() => checkFirmware(file)).toThrow(message);
	});
});

describe('ELF', () => {
	test('uses the load address of initialized variables, not their run-time address', () => {
		const file = elfFile([
			{ load: 0x10000000, data: data(8) },
			{ load: 0x10000008, run: 0x20000000, data: data(4, 1) },
			{ load: 0x20000004, data: data(64), type: 8 },
			{ load: 0, data: data(16), flags: 0 },
		]);
		expect(readFirmware(file)).toMatchObject({
			machine: 40,
			segments: [{ address: 0x10000000, data: Uint8Array.from([...data(8), ...data(4, 1)]) }],
		});
	});

	test('reads a file without sections by its segments', () => {
		const file = elfFile([{ load: 0x100, data: data(8) }], { sections: false });
		expect(readFirmware(file).segments).toEqual([{ address: 0x100, data: data(8) }]);
	});

	test('skips the EEPROM and the fuses of an AVR', () => {
		const file = elfFile(
			[
				{ load: 0, data: data(8) },
				{ load: 0x810000, data: data(4) },
				{ load: 0x820000, data: data(3) },
			],
			{ machine: 83 },
		);
		expect(readFirmware(file).segments).toEqual([{ address: 0, data: data(8) }]);
	});

	const parts = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ load: index, data: bytes(1) }));

	test('a file of very many segments is rejected, because it would take too long', () => {
		expect(readFirmware(elfFile(parts(100))).segments).toEqual([
			{ address: 0, data: data(100, 1) },
		]);
		const message = 'The ELF file has 101 segments; at most 100 are read';
		expect(() => checkFirmware(elfFile(parts(101)))).toThrow(message);
	});

	test('a file whose segments share their bytes is rejected, because it could become gigabytes', () => {
		const file = elfFile(
			[0, 0x1000].map((load) => ({ load, data: data(8) })),
			{ sections: false },
		);
		const view = new DataView(file.buffer);
		for (const header of [52, 52 + 32]) {
			view.setUint32(header + 4, 0, true); // the offset
			view.setUint32(header + 16, file.length, true); // the size
		}
		expect(() => checkFirmware(file)).toThrow('The parts of the ELF file overlap');
	});

	const whole = elfFile([{ load: 0, data: data(64) }]);
	const changed = (position: number, value: number) => {
		const copy = Buffer.from(whole);
		copy[position] = value;
		return copy;
	};

	test.each([
		['cut off in its header', whole.subarray(0, 40), 'cut off within the ELF header'],
		['cut off in its tables', whole.subarray(0, 90), 'headers at byte'],
		['cut off in its data', whole.subarray(0, whole.length - 1), 'The file is cut off: 64 bytes'],
		['of 64 bits', changed(4, 2), 'not for a 32-bit processor'],
		['of the other byte order', changed(5, 2), 'not little-endian'],
		['with nothing to load', elfFile([{ load: 0, data: data(0) }]), 'no data to load'],
	])('%s is refused', (_, file, message) => {
		expect(() => checkFirmware(file)).toThrow(message);
	});
});

describe('firmware and board', () => {
	const flash = { start: 0x10000000, size: 0x1000, machine: 40, family: 0xe48bff56 };

	test('a raw file goes to the flash offset', () => {
		const firmware = readFirmware(bytes(1, 2, 3));
		expect(placeFirmware(firmware, flash, 0x800)).toEqual([
			{ address: 0x800, data: bytes(1, 2, 3) },
		]);
	});

	test.each([
		[
			'beyond the end',
			bytes(1, 2, 3),
			0xffe,
			'The raw file has 3 bytes at 0x10000ffe, outside the flash',
		],
		[
			'before the start',
			elfFile([{ load: 0x100, data: data(4) }]),
			0,
			'The ELF file has 4 bytes at 0x100, outside the flash',
		],
		[
			'with an offset it cannot have',
			elfFile([{ load: 0x10000000, data: data(4) }]),
			16,
			'has its own addresses',
		],
		[
			'for another processor',
			elfFile([{ load: 0, data: data(4) }], { machine: 83 }),
			0,
			'is for AVR, not ARM',
		],
		[
			'for another chip family',
			uf2Block({ address: 0x10000000, data: data(4), number: 0, count: 1, family: 7 }),
			0,
			'is for chip family 0x7, not 0xe48bff56',
		],
	])('a file %s is refused', (_, file, offset, message) => {
		expect(() => placeFirmware(readFirmware(file), flash, offset)).toThrow(message);
	});
});

test.each([
	['of no known format', text('# A file that was meant for people'), {}, 'neither Intel HEX'],
	['without a byte', bytes(), { raw: true }, 'The file is empty'],
	[
		'with an offset it cannot have',
		text(':00000001FF\n'),
		{ flashOffset: '0x10' },
		'The file is Intel HEX, which has its own addresses',
	],
])('a file %s is refused by its first bytes', (_, file, options, message) => {
	expect(() => checkFormat(file, options)).toThrow(message);
});

test('a file of no known format is raw firmware if it is declared as raw', () => {
	expect(() => checkFormat(bytes(1, 2), { raw: true, flashOffset: '0x1000' })).not.toThrow();
	expect(() => checkFormat(text(':00000001FF\n'), { flashOffset: '0x0' })).not.toThrow();
});

test('an empty file is rejected', () => {
	expect(() => checkFirmware(bytes())).toThrow(new FirmwareError('The file is empty'));
});

test('whatever its bytes, a file is accepted or rejected with a FirmwareError', async () => {
	const uno = await sampleFirmware('arduino-uno');
	const seeds = [
		Buffer.from(uno),
		Buffer.from(await sampleFirmware('rp2040-pico')),
		elfFile([
			{ load: 0, data: data(64) },
			{ load: 64, data: data(8) },
		]),
	];
	const damaged = fc
		.tuple(
			fc.constantFrom(...seeds),
			fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
			fc.option(fc.nat()),
		)
		.map(([seed, changes, cut]) => {
			const copy = Buffer.from(seed);
			for (const [position, value] of changes) copy[position % copy.length] = value;
			return cut === null ? copy : copy.subarray(0, cut % copy.length);
		});
	const random = fc.uint8Array({ maxLength: 600 });
	fc.assert(
		fc.property(fc.oneof(damaged, random), (file) => {
			try {
				checkFirmware(file);
			} catch (error) {
				expect(error).toBeInstanceOf(FirmwareError);
			}
		}),
		{ numRuns: 3000 },
	);
});

test('the largest file is read, with every byte at its address', { tags: 'long' }, () => {
	const content = data(5_000_000, 7);
	const { segments } = readFirmware(writeIntelHex([{ address: 0, data: content }]));
	expect(segments).toHaveLength(1);
	expect(Buffer.compare(segments[0]?.data ?? data(0), content)).toBe(0);
});

test('the formats entry point does not need Node', () => {
	const entry = new URL('../../src/formats.ts', import.meta.url).pathname;
	const bundle = execFileSync(
		'npx',
		['esbuild', entry, '--bundle', '--platform=neutral', '--format=esm'],
		{
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		},
	);
	expect(bundle).not.toMatch(/\bfrom\s*["']|require\(|\bBuffer\b|\bprocess\b/);
});

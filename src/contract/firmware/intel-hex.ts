// Intel HEX: lines of `:` length, address, type, data and checksum, all in hexadecimal digits.
import { FirmwareError } from './format.ts';
import { hexadecimal, joinSegments, type Segment } from './segments.ts';

/** Firmware has a few chunks, with gaps between them. */
const maxChunks = 10_000;
/** Tools write at most three such lines in a row; only attacks have more. */
const maxWithoutData = 100;
const maxRecord = 255 + 5;

const recordTypes = { data: 0, endOfFile: 1, linearAddress: 4 } as const;

/** Records with an address: their length, and the unit of the base address that they set. */
const addressTypes: Readonly<Record<number, { readonly length: number; readonly unit?: number }>> =
	{
		2: { length: 2, unit: 16 },
		3: { length: 4 },
		[recordTypes.linearAddress]: { length: 2, unit: 0x10000 },
		5: { length: 4 },
	};

export function readIntelHex(bytes: Uint8Array) {
	const text = new TextDecoder('latin1').decode(bytes);
	const chunks = createChunks(bytes.length);
	const record = new Uint8Array(maxRecord);
	let base = 0;
	let ended = false;
	let lastWithData = 0;
	for (let number = 1, start = 0; start < text.length; number++) {
		const found = text.indexOf('\n', start);
		const end = found < 0 ? text.length : found;
		const line = text.slice(start, end).trim();
		start = end + 1;
		if (number - lastWithData > maxWithoutData) {
			throw new FirmwareError(
				`Line ${number}: more than ${maxWithoutData} lines in a row have no data`,
			);
		}
		if (line === '') continue;
		if (ended)
			throw new FirmwareError(`Line ${number}: there is data after the end-of-file record`);
		const size = readRecord(line, number, record);
		const [, high = 0, low = 0, type] = record;
		const data = record.subarray(4, size - 1);
		if (type === recordTypes.data) {
			if (data.length > 0) lastWithData = number;
			chunks.add(base + high * 256 + low, data);
		} else if (type === recordTypes.endOfFile) ended = true;
		else base = baseAfter({ type, data, base }, number);
	}
	if (!ended) throw new FirmwareError('The end-of-file record is missing: the file is cut off');
	return { segments: joinSegments(chunks.segments()) };
}

/** Collects the data of records. Adjacent records share a chunk, so that a large file costs little. */
function createChunks(fileSize: number) {
	const memory = new Uint8Array(fileSize >> 1);
	const chunks: { address: number; start: number; end: number }[] = [];
	let used = 0;
	return {
		add(address: number, data: Uint8Array): void {
			if (data.length === 0) return;
			memory.set(data, used);
			const last = chunks.at(-1);
			const start = used;
			used += data.length;
			if (last && last.address + start - last.start === address) last.end = used;
			else chunks.push({ address, start, end: used });
			if (chunks.length > maxChunks) {
				throw new FirmwareError(`The file has more than ${maxChunks} separate sections`);
			}
		},
		segments: (): Segment[] =>
			chunks.map(({ address, start, end }) => ({ address, data: memory.subarray(start, end) })),
	};
}

export function writeIntelHex(segments: readonly Segment[]): Uint8Array {
	const lines: string[] = [];
	let upper = 0;
	for (const { address, data } of segments) {
		for (let start = 0; start < data.length; ) {
			const at = address + start;
			if (at >>> 16 !== upper) {
				upper = at >>> 16;
				lines.push(record(recordTypes.linearAddress, 0, [upper >> 8, upper & 0xff]));
			}
			const length = Math.min(16, data.length - start, 0x10000 - (at & 0xffff));
			lines.push(record(recordTypes.data, at & 0xffff, [...data.subarray(start, start + length)]));
			start += length;
		}
	}
	lines.push(record(recordTypes.endOfFile, 0, []));
	return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

function record(type: number, address: number, data: readonly number[]): string {
	const bytes = [data.length, address >> 8, address & 0xff, type, ...data];
	return `:${[...bytes, -sumOf(bytes) & 0xff].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function sumOf(bytes: ArrayLike<number>, size = bytes.length): number {
	let sum = 0;
	for (let position = 0; position < size; position++) sum += bytes[position] ?? 0;
	return sum;
}

/** Reads a record into a buffer that all records share, and returns its size. */
function readRecord(line: string, number: number, record: Uint8Array): number {
	if (!line.startsWith(':')) {
		throw new FirmwareError(`Line ${number}: a record must begin with a colon`);
	}
	const digits = line.length - 1;
	for (let position = 0; position < digits; position++) {
		const value = digit(line.charCodeAt(position + 1));
		if (value < 0) {
			throw new FirmwareError(`Line ${number}, column ${position + 2}: not a hexadecimal digit`);
		}
		// Writes nothing beyond the longest record, which is rejected below.
		record[position >> 1] = ((record[position >> 1] ?? 0) << 4) | value;
	}
	if (digits % 2 !== 0) throw new FirmwareError(`Line ${number}: half of a byte is missing`);
	const size = digits / 2;
	const length = size === 0 ? 0 : (record[0] ?? 0);
	if (size !== length + 5) {
		const found = Math.max(0, size - 5);
		throw new FirmwareError(`Line ${number}: ${length} bytes of data expected, ${found} found`);
	}
	if (sumOf(record, size) % 256 !== 0) {
		throw new FirmwareError(`Line ${number}: the checksum does not match`);
	}
	return size;
}

function digit(byte: number): number {
	if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
	const letter = (byte | 0x20) - 0x61;
	return letter >= 0 && letter < 6 ? letter + 10 : -1;
}

/** The base of the addresses after a record that is neither data nor the end of the file. */
function baseAfter(
	{ type = 0, data, base }: { type: number | undefined; data: Uint8Array; base: number },
	number: number,
): number {
	const wanted = addressTypes[type];
	if (wanted === undefined) {
		throw new FirmwareError(`Line ${number}: record type ${hexadecimal(type)} does not exist`);
	}
	if (data.length !== wanted.length) {
		throw new FirmwareError(`Line ${number}: a record of this type has ${wanted.length} bytes`);
	}
	return wanted.unit ? ((data[0] ?? 0) * 256 + (data[1] ?? 0)) * wanted.unit : base;
}

// Makes firmware files for tests.

interface Uf2Block {
	readonly address: number;
	readonly data: Uint8Array;
	readonly number: number;
	readonly count: number;
	readonly flags?: number;
	readonly family?: number;
}

export function uf2Block(block: Uf2Block): Uint8Array {
	const { address, data, number, count, flags = 0x2000, family = 0xe48bff56 } = block;
	const bytes = Buffer.alloc(512);
	const words = [0x0a324655, 0x9e5d5157, flags, address, data.length, number, count, family];
	for (const [position, word] of words.entries()) bytes.writeUInt32LE(word, position * 4);
	bytes.set(data.subarray(0, 476), 32);
	bytes.writeUInt32LE(0x0ab16f30, 508);
	return bytes;
}

interface ElfPart {
	/** Where it is stored. */
	readonly load: number;
	/** Where it runs. */
	readonly run?: number;
	readonly data: Uint8Array;
	/** 1 for program bits, 8 for none. */
	readonly type?: number;
	readonly flags?: number;
}

/** An ELF file for ARM with a segment and a section for each part. */
export function elfFile(
	parts: readonly ElfPart[],
	{ machine = 40, sections = true } = {},
): Uint8Array {
	const headerSize = 52;
	const programs = Buffer.alloc(parts.length * 32);
	const table = Buffer.alloc(sections ? parts.length * 40 : 0);
	const start = headerSize + programs.length + table.length;
	let offset = start;
	for (const [index, { load, run = load, data, type = 1, flags = 2 }] of parts.entries()) {
		const program = [1, offset, run, load, data.length, data.length, 5, 4];
		for (const [place, word] of program.entries())
			programs.writeUInt32LE(word, index * 32 + place * 4);
		const section = [0, type, flags, run, offset, data.length, 0, 0, 4, 0];
		if (sections) {
			for (const [place, word] of section.entries())
				table.writeUInt32LE(word, index * 40 + place * 4);
		}
		offset += data.length;
	}
	const header = Buffer.alloc(headerSize);
	header.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
	header.writeUInt16LE(machine, 18);
	header.writeUInt32LE(headerSize, 28);
	header.writeUInt32LE(headerSize + programs.length, 32);
	header.writeUInt16LE(32, 42);
	header.writeUInt16LE(parts.length, 44);
	header.writeUInt16LE(40, 46);
	header.writeUInt16LE(sections ? parts.length : 0, 48);
	const pieces = [header, programs, table, ...parts.map(({ data }) => data)];
	return Uint8Array.from(Buffer.concat(pieces));
}

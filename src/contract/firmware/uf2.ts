// UF2: blocks of 512 bytes, each with its own address.
import { FirmwareError } from './format.ts';
import { joinSegments, type Segment } from './segments.ts';

const blockSize = 512;
const firstMagic = 0x0a324655;
const secondMagic = 0x9e5d5157;
const lastMagic = 0x0ab16f30;
const maxPayload = 476;

/** The flags of blocks that are not for the main flash. */
const otherPlaces = 0x0001 | 0x1000;
const hasFamily = 0x2000;

interface Block {
	readonly number: number;
	readonly count: number;
	readonly family: number | null;
	readonly segment: Segment;
}

export function readUf2(bytes: Uint8Array) {
	if (bytes.length % blockSize !== 0) {
		throw new FirmwareError(
			`The file is cut off: ${bytes.length} bytes are not a multiple of ${blockSize}`,
		);
	}
	const blocks: Block[] = [];
	for (let start = 0; start < bytes.length; start += blockSize) {
		const block = readBlock(bytes, start);
		if (block) blocks.push(block);
	}
	const [first] = blocks;
	if (first === undefined) throw new FirmwareError('No block of the file is for the main flash');
	if (blocks.some(({ family }) => family !== first.family)) {
		throw new FirmwareError('The blocks are for different chip families');
	}
	requireAll(blocks);
	return { segments: joinSegments(blocks.map(({ segment }) => segment)), family: first.family };
}

function readBlock(bytes: Uint8Array, start: number): Block | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const word = (position: number) => view.getUint32(start + position, true);
	const where = `Block ${start / blockSize} (at byte ${start})`;
	if (word(0) !== firstMagic || word(4) !== secondMagic || word(508) !== lastMagic) {
		throw new FirmwareError(`${where}: the marks of a UF2 block are missing`);
	}
	const [flags, address, size] = [word(8), word(12), word(16)];
	if (size === 0 || size > maxPayload) {
		throw new FirmwareError(`${where}: ${size} bytes of data; a block has 1 to ${maxPayload}`);
	}
	if (word(20) >= word(24)) {
		throw new FirmwareError(`${where}: number ${word(20)} of ${word(24)} does not exist`);
	}
	if (flags & otherPlaces) return undefined;
	const data = bytes.subarray(start + 32, start + 32 + size);
	const family = flags & hasFamily ? word(28) : null;
	return { number: word(20), count: word(24), family, segment: { address, data } };
}

/** A file that was truncated at a block boundary would otherwise look complete. */
function requireAll(blocks: readonly Block[]): void {
	const numbers = new Set(blocks.map(({ number }) => number));
	const count = blocks.reduce((max, block) => Math.max(max, block.count), 0);
	if (count > numbers.size) {
		throw new FirmwareError(`The file has ${numbers.size} of ${count} blocks`);
	}
}

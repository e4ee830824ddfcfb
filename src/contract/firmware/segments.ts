// What a firmware file puts where.
import { joinBytes } from '../channel/bytes.ts';
import { FirmwareError } from './format.ts';

/** Consecutive bytes that start at an address. */
export interface Segment {
	readonly address: number;
	readonly data: Uint8Array;
}

/** Sorts the chunks and joins those that touch. Chunks that overlap are an error. */
export function joinSegments(chunks: readonly Segment[]): Segment[] {
	const sorted = [...chunks].sort((one, other) => one.address - other.address);
	const runs: [Segment, ...Segment[]][] = [];
	let end = -1;
	for (const chunk of sorted) {
		if (chunk.address < end) {
			throw new FirmwareError(`The file has two values for address ${hexadecimal(chunk.address)}`);
		}
		const run = chunk.address === end ? runs.at(-1) : undefined;
		if (run) run.push(chunk);
		else runs.push([chunk]);
		end = chunk.address + chunk.data.length;
	}
	return runs.map(([first, ...others]) => ({
		address: first.address,
		data: others.length === 0 ? first.data : joinBytes([first, ...others].map(({ data }) => data)),
	}));
}

export function hexadecimal(value: number): string {
	return `0x${value.toString(16)}`;
}

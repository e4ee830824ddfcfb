// What a firmware file puts where.
import { FirmwareError } from './format.ts';

/** Consecutive bytes that start at an address. */
export interface Segment {
	readonly address: number;
	readonly data: Uint8Array;
}

/** Sorts the chunks and joins those that touch. Chunks that overlap are an error. */
export function joinSegments(chunks: readonly Segment[]): Segment[] {
	const sorted = [...chunks].sort((one, other) => one.address - other.address);
	const runs: Segment[][] = [];
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
	return runs.map(joinRun);
}

export function hexadecimal(value: number): string {
	return `0x${value.toString(16)}`;
}

function joinRun(run: readonly Segment[]): Segment {
	const [first] = run;
	if (first === undefined || run.length === 1)
		return first ?? { address: 0, data: new Uint8Array() };
	const data = new Uint8Array(run.reduce((total, chunk) => total + chunk.data.length, 0));
	for (const chunk of run) data.set(chunk.data, chunk.address - first.address);
	return { address: first.address, data };
}

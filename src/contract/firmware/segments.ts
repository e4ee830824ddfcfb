// What a firmware file puts where.
import { FirmwareError } from './firmware-error.ts';

/** Consecutive bytes that start at an address. */
export interface Segment {
	readonly address: number;
	readonly data: Uint8Array;
}

/** Sorts the pieces and joins those that touch. Pieces that overlap are an error. */
export function joinSegments(pieces: readonly Segment[]): Segment[] {
	const sorted = [...pieces].sort((one, other) => one.address - other.address);
	const runs: Segment[][] = [];
	let end = -1;
	for (const piece of sorted) {
		if (piece.address < end) {
			throw new FirmwareError(`The file has two values for address ${hexadecimal(piece.address)}`);
		}
		const run = piece.address === end ? runs.at(-1) : undefined;
		if (run) run.push(piece);
		else runs.push([piece]);
		end = piece.address + piece.data.length;
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
	const data = new Uint8Array(run.reduce((total, piece) => total + piece.data.length, 0));
	for (const piece of run) data.set(piece.data, piece.address - first.address);
	return { address: first.address, data };
}

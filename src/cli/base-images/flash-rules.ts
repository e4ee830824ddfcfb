// The rules for the parts that go onto one board, checked offline.
import * as z from 'zod/mini';
import { hexadecimal as hex } from '../../contract/firmware/index.ts';
import { flashOffset as offsetShape } from '../../contract/index.ts';
import { type FlashPart, isWebAddress } from './flash-file.ts';

export interface Problem {
	rule: string;
	message: string;
}

export interface SizedPart extends FlashPart {
	/** The size of the image in bytes, if it is beside the file. */
	size?: number | undefined;
}

interface PlacedPart extends SizedPart {
	start: number;
}

const sectorBytes = 0x1000;

// Where the boot ROM of each chip expects the bootloader.
const bootloaderOffsets: Readonly<Record<string, number>> = {
	esp8266: 0x0,
	esp32: 0x1000,
	'esp32-s2': 0x1000,
	'esp32-s3': 0x0,
	'esp32-c2': 0x0,
	'esp32-c3': 0x0,
	'esp32-c5': 0x2000,
	'esp32-c6': 0x0,
	'esp32-c61': 0x0,
	'esp32-h2': 0x0,
	'esp32-p4': 0x2000,
};

/** All problems of one board type. A disabled entry is only checked on its own. */
export function problemsOf(parts: readonly SizedPart[]): Problem[] {
	const enabled = parts.filter((part) => part.enabled !== false);
	const placed = enabled
		.filter((part) => part.action === 'flash' && offsetProblem(part) === undefined)
		.map((part) => ({ ...part, start: Number(part.flashOffset ?? 0) }))
		.sort((one, other) => one.start - other.start);
	return [
		...parts.flatMap((part) => [...rejected(part)]),
		...placed.flatMap((part) => [...misplaced(part)]),
		...overlaps(placed),
		...erasesAfterFlash(enabled),
		...repeatedPositions(enabled),
	];
}

function offsetProblem({ flashOffset }: FlashPart) {
	return z.safeParse(offsetShape, flashOffset ?? '0x0').error?.issues[0]?.message;
}

/** What the service rejects, also if the entry is disabled. */
function* rejected(part: FlashPart) {
	const { action, name, url, flashOffset, sha256 } = part;
	const offset = offsetProblem(part);
	if (offset) yield { rule: 'offset', message: `${name}: the offset ${flashOffset} ${offset}` };
	if (action === 'flash' && !url) yield { rule: 'address', message: `${name} has no address` };
	if (action === 'erase' && (url || sha256 || Number(flashOffset ?? 0) !== 0)) {
		yield { rule: 'erase', message: `${name}: an erase has no address, offset and sha256` };
	}
	if (action === 'flash' && /^http:/i.test(url ?? '') && !sha256) {
		yield { rule: 'checksum', message: `${name}: an http address needs sha256` };
	}
	if (url && /^[a-z][a-z\d+.-]*:\/\//i.test(url) && !isWebAddress(url)) {
		yield { rule: 'address', message: `${name}: ${url} is not an http or https address` };
	}
}

/** With what follows, the board would not start. */
function* misplaced({ name, boardType, url, start, size = 1, flashSize }: PlacedPart) {
	if (start % sectorBytes !== 0) {
		const message = `${name}: ${hex(start)} does not start at a sector of ${hex(sectorBytes)} bytes`;
		yield { rule: 'alignment', message };
	}
	if (flashSize !== undefined && start + size > flashSize) {
		const message = `${name} extends beyond the end of the flash at ${hex(flashSize)}`;
		yield { rule: 'flash-size', message };
	}
	const expected = bootloaderOffsets[boardType] ?? start;
	if (expected !== start && /bootloader/i.test(`${name} ${url}`)) {
		const message = `${name} is at ${hex(start)}; the bootloader of ${boardType} starts at ${hex(expected)}`;
		yield { rule: 'bootloader-offset', message };
	}
}

function overlaps(placed: readonly PlacedPart[]) {
	return placed.slice(1).flatMap(({ name, start }, index) => {
		const before = placed[index];
		const end = before ? before.start + (before.size ?? 1) : 0;
		const message = `${before?.name} ends at ${hex(end)}, after ${name} begins at ${hex(start)}`;
		return end > start ? [{ rule: 'overlap', message }] : [];
	});
}

function erasesAfterFlash(parts: readonly FlashPart[]) {
	const inOrder = parts
		.map((part, index) => ({ ...part, position: part.position ?? index }))
		.sort((one, other) => one.position - other.position);
	const firstFlash = inOrder.findIndex(({ action }) => action === 'flash');
	return inOrder
		.filter(({ action }, index) => action === 'erase' && firstFlash !== -1 && index > firstFlash)
		.map(({ name }) => ({
			rule: 'erase-after-flash',
			message: `${name} erases what was flashed before it`,
		}));
}

function repeatedPositions(parts: readonly FlashPart[]) {
	const positions = parts.flatMap(({ position }) => position ?? []);
	const repeated = positions.filter((position, index) => positions.indexOf(position) < index);
	return [...new Set(repeated)].map((position) => ({
		rule: 'duplicate-position',
		message: `position ${position} is used more than once`,
	}));
}

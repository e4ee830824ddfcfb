// The rules for the parts that go onto one board, checked offline.
import * as z from 'zod/mini';
import { flashOffset } from '../../contract/index.ts';
import { type FlashPart, isWebAddress } from './flash-part.ts';

export interface Problem {
	rule: string;
	message: string;
}

/** Returns a message for each problem. */
type Rule = (parts: readonly FlashPart[]) => string[];

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

/** The service refuses entries with these problems, enabled or not. */
const ofEach: readonly (readonly [name: string, rule: Rule])[] = [
	['offset', offsetForm],
	['address', noAddress],
	['address', otherAddress],
];

/** With these problems, the board would not start. */
const together: typeof ofEach = [
	['alignment', alignment],
	['overlap', overlap],
	['flash-size', flashEnd],
	['erase-after-flash', eraseAfterFlash],
	['duplicate-position', duplicatePosition],
	['bootloader-offset', bootloaderOffset],
];

/** All problems of one board type. A disabled entry is only checked on its own. */
export function problemsOf(parts: readonly FlashPart[]): Problem[] {
	const enabled = parts.filter((part) => part.enabled !== false);
	const found = (rules: typeof ofEach, checked: readonly FlashPart[]) =>
		rules.flatMap(([rule, check]) => check(checked).map((message) => ({ rule, message })));
	return [...found(ofEach, parts), ...found(together, enabled)];
}

function offsetForm(parts: readonly FlashPart[]) {
	return parts.flatMap(({ name, offset }) => {
		const issue = z.safeParse(flashOffset, offset).error?.issues[0];
		return issue ? [`${name}: the offset ${offset} ${issue.message}`] : [];
	});
}

function noAddress(parts: readonly FlashPart[]) {
	return parts
		.filter(({ action, path }) => action === 'flash' && path === '')
		.map(({ name }) => `${name} has no address`);
}

function otherAddress(parts: readonly FlashPart[]) {
	return parts
		.filter(({ path }) => /^[a-z][a-z\d+.-]*:\/\//i.test(path) && !isWebAddress(path))
		.map(({ name, path }) => `${name}: ${path} is not an http or https address`);
}

function alignment(parts: readonly FlashPart[]) {
	return flashed(parts)
		.filter(({ start }) => start % sectorBytes !== 0)
		.map(
			({ name, offset }) =>
				`${name}: ${offset} does not start at a sector of ${hex(sectorBytes)} bytes`,
		);
}

function overlap(parts: readonly FlashPart[]) {
	const inPlace = flashed(parts).sort((one, other) => one.start - other.start);
	return inPlace.slice(1).flatMap(({ name, start }, index) => {
		const before = inPlace[index];
		const end = before ? before.start + (before.size ?? 1) : 0;
		return before && end > start
			? [`${before.name} ends at ${hex(end)}, after ${name} begins at ${hex(start)}`]
			: [];
	});
}

function flashEnd(parts: readonly FlashPart[]) {
	return flashed(parts).flatMap(({ name, start, size = 1, flashSize }) =>
		flashSize !== undefined && start + size > flashSize
			? [`${name} extends beyond the end of the flash at ${hex(flashSize)}`]
			: [],
	);
}

function eraseAfterFlash(parts: readonly FlashPart[]) {
	const inOrder = parts
		.map((part, index) => ({ ...part, place: part.position ?? index }))
		.sort((one, other) => one.place - other.place);
	const firstFlash = inOrder.findIndex(({ action }) => action === 'flash');
	return inOrder
		.filter(({ action }, index) => action === 'erase' && firstFlash !== -1 && index > firstFlash)
		.map(({ name }) => `${name} erases what was flashed before it`);
}

function duplicatePosition(parts: readonly FlashPart[]) {
	const positions = parts.flatMap(({ position }) => position ?? []);
	const repeated = positions.filter((position, index) => positions.indexOf(position) < index);
	return [...new Set(repeated)].map((position) => `position ${position} is used more than once`);
}

function bootloaderOffset(parts: readonly FlashPart[]) {
	return flashed(parts).flatMap(({ name, path, chip, start, offset }) => {
		const expected = bootloaderOffsets[chip];
		return expected !== undefined && expected !== start && /bootloader/i.test(`${name} ${path}`)
			? [`${name} is at ${offset}; the bootloader of ${chip} starts at ${hex(expected)}`]
			: [];
	});
}

function hex(offset: number) {
	return `0x${offset.toString(16)}`;
}

function flashed(parts: readonly FlashPart[]) {
	return parts
		.filter(({ action, offset }) => action === 'flash' && z.safeParse(flashOffset, offset).success)
		.map((part) => ({ ...part, start: Number(part.offset) }));
}

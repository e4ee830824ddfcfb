// The rules for the parts that go onto one board, checked offline.
import * as z from 'zod/mini';
import { flashOffset } from '../../contract/index.ts';
import { type FlashPart, isWebAddress } from './flash-part.ts';

export interface SizedPart extends FlashPart {
	/** In bytes, if the image is beside the file. */
	size?: number | undefined;
}

export interface Problem {
	rule: string;
	message: string;
}

type Rule = (parts: readonly SizedPart[]) => Problem[];

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

const offsetForm: Rule = (parts) =>
	parts.flatMap(({ name, offset }) => {
		const issue = z.safeParse(flashOffset, offset).error?.issues[0];
		return issue
			? [{ rule: 'offset', message: `${name}: the offset ${offset} ${issue.message}` }]
			: [];
	});

const alignment: Rule = (parts) =>
	flashed(parts)
		.filter(({ start }) => start % sectorBytes !== 0)
		.map(({ name, offset }) => ({
			rule: 'alignment',
			message: `${name}: ${offset} does not start at a sector of ${hex(sectorBytes)} bytes`,
		}));

const overlap: Rule = (parts) => {
	const inPlace = flashed(parts).sort((one, other) => one.start - other.start);
	return inPlace.slice(1).flatMap((part, index) => {
		const before = inPlace[index];
		const end = before && before.start + (before.size ?? 1);
		if (!before || end === undefined || end <= part.start) return [];
		const message = `${before.name} ends at ${hex(end)}, after ${part.name} begins at ${hex(part.start)}`;
		return [{ rule: 'overlap', message }];
	});
};

const flashEnd: Rule = (parts) =>
	flashed(parts)
		.filter(({ start, size = 1, flashSize }) => flashSize !== undefined && start + size > flashSize)
		.map(({ name, flashSize = 0 }) => ({
			rule: 'flash-size',
			message: `${name} extends beyond the end of the flash at ${hex(flashSize)}`,
		}));

const eraseAfterFlash: Rule = (parts) => {
	const inOrder = parts
		.map((part, index) => ({ ...part, place: part.position ?? index }))
		.sort((one, other) => one.place - other.place);
	const firstFlash = inOrder.findIndex(({ action }) => action === 'flash');
	return inOrder
		.slice(firstFlash + 1)
		.filter(({ action }) => action === 'erase' && firstFlash !== -1)
		.map(({ name }) => ({
			rule: 'erase-after-flash',
			message: `${name} erases what was flashed before it`,
		}));
};

const duplicatePosition: Rule = (parts) => {
	const positions = parts.flatMap(({ position }) => (position === undefined ? [] : [position]));
	return [
		...new Set(positions.filter((position, index) => positions.indexOf(position) < index)),
	].map((position) => ({
		rule: 'duplicate-position',
		message: `position ${position} is used more than once`,
	}));
};

const bootloaderOffset: Rule = (parts) =>
	flashed(parts).flatMap(({ name, path, chip, start, offset }) => {
		const expected = bootloaderOffsets[chip];
		if (expected === undefined || expected === start || !/bootloader/i.test(`${name} ${path}`)) {
			return [];
		}
		const message = `${name} is at ${offset}; the bootloader of ${chip} starts at ${hex(expected)}`;
		return [{ rule: 'bootloader-offset', message }];
	});

const noAddress: Rule = (parts) =>
	parts
		.filter(({ action, path }) => action === 'flash' && path === '')
		.map(({ name }) => ({ rule: 'address', message: `${name} has no address` }));

const otherAddress: Rule = (parts) =>
	parts
		.filter(({ path }) => /^[a-z][a-z\d+.-]*:\/\//i.test(path) && !isWebAddress(path))
		.map(({ name, path }) => ({
			rule: 'address',
			message: `${name}: ${path} is not an http or https address`,
		}));

/** The service refuses entries with these problems, enabled or not. */
const ofEach = [offsetForm, noAddress, otherAddress];

/** With these problems, the board would not start. */
const together = [
	alignment,
	overlap,
	flashEnd,
	eraseAfterFlash,
	duplicatePosition,
	bootloaderOffset,
];

/** All problems of one board type. A disabled entry is only checked on its own. */
export function problemsOf(parts: readonly SizedPart[]): Problem[] {
	const enabled = parts.filter((part) => part.enabled !== false);
	return [...ofEach.flatMap((rule) => rule(parts)), ...together.flatMap((rule) => rule(enabled))];
}

function hex(offset: number) {
	return `0x${offset.toString(16)}`;
}

function flashed(parts: readonly SizedPart[]) {
	return parts
		.filter(({ action, offset }) => action === 'flash' && z.safeParse(flashOffset, offset).success)
		.map((part) => ({ ...part, start: Number(part.offset) }));
}

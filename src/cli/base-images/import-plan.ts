// Turns the parts of a file into the base images to create.
import type { BaseImageInput } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { chipName, type FlashPart, isWebAddress } from './flash-part.ts';

export interface PlanOptions {
	/** Only the parts of this chip. */
	chip?: string;
	/** The board type to write, instead of the name of the chip. */
	boardType?: string;
	/** The address below which the images are served. */
	filesUrl?: string;
	firstPosition: number;
	eraseFirst?: true;
	disabled?: true;
}

/** The parts for the chip that is asked for. */
export function partsToImport(parts: readonly FlashPart[], { chip, boardType }: PlanOptions) {
	const chosen = chip === undefined ? parts : parts.filter((part) => part.chip === chipName(chip));
	const chips = [...new Set(parts.map((part) => part.chip))].join(', ');
	if (chosen.length === 0) throw wrong(`There is nothing for ${chip}`, `There is: ${chips}.`);
	const several = chosen.some((part) => part.chip !== chosen[0]?.chip);
	if (several && boardType !== undefined) {
		throw wrong('The file is for several chips', `Pick one with --chip: ${chips}.`);
	}
	return chosen;
}

function eraseEntry(boardType: string): BaseImageInput {
	return {
		action: 'erase',
		boardType,
		name: 'erase',
	};
}

function imageOf(part: FlashPart, boardType: string, filesUrl: string | undefined) {
	return {
		action: part.action,
		boardType,
		name: part.name,
		...(part.description && { description: part.description }),
		...(part.path && { url: addressOf(part.path, filesUrl) }),
		...(part.action === 'flash' && { flashOffset: part.offset }),
		...(part.position !== undefined && { position: part.position }),
		...(part.enabled !== undefined && { enabled: part.enabled }),
	};
}

function forChip(parts: readonly FlashPart[], boardType: string, options: PlanOptions) {
	const images = parts.map((part) => imageOf(part, boardType, options.filesUrl));
	const all: BaseImageInput[] = options.eraseFirst ? [eraseEntry(boardType), ...images] : images;
	return all.map((image, index) => ({
		...image,
		position: image.position ?? options.firstPosition + index,
		...(options.disabled && { enabled: false }),
	}));
}

/** The base images to create, in order; each board type counts its positions for itself. */
export function planImport(parts: readonly FlashPart[], options: PlanOptions) {
	const chips = Map.groupBy(parts, ({ chip }) => chip);
	return [...chips].flatMap(([chip, own]) => {
		const boardType = options.boardType ?? chip;
		if (boardType === '') throw wrong('The file names no chip', 'Pass --board-type.');
		return forChip(own, boardType, options);
	});
}

function wrong(message: string, hint: string) {
	return new CliError(message, { code: 'usage', exitCode: exitCodes.usage, hint });
}

function addressOf(path: string, filesUrl: string | undefined) {
	if (isWebAddress(path)) return path;
	const base = filesUrl?.replace(/\/*$/, '/');
	if (base === undefined) {
		throw wrong(
			`${path} is a path, not an address`,
			'Pass --files-url with the address below which the images are served.',
		);
	}
	if (!URL.canParse(path, base) || /[?#]/.test(base)) {
		throw wrong(`${base} is not an address without "?" and "#"`, 'Look at --files-url.');
	}
	return new URL(path, base).href;
}

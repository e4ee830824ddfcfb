// Turns the parts of a file into the base images to create.
import type { BaseImageInput } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { chipName, type FlashPart } from './flash-file.ts';

export interface PlanOptions {
	/** Only the parts of this chip. */
	chip?: string;
	/** The board type to write, instead of the name of the chip. */
	boardType?: string;
	/** The address of the directory from which the images are served. */
	filesUrl?: string;
	firstPosition: number;
	eraseFirst?: true;
	disabled?: true;
}

/** The parts of the chosen chip. */
export function partsToImport(parts: readonly FlashPart[], { chip, boardType }: PlanOptions) {
	const chosen =
		chip === undefined ? parts : parts.filter((part) => part.boardType === chipName(chip));
	const chips = [...new Set(parts.map((part) => part.boardType))].join(', ');
	if (chosen.length === 0)
		throw invalid(`The file has no images for ${chip}`, `Chips in the file: ${chips}.`);
	const hasSeveral = chosen.some((part) => part.boardType !== chosen[0]?.boardType);
	if (hasSeveral && boardType !== undefined) {
		throw invalid('The file is for several chips', `Choose one with --chip: ${chips}.`);
	}
	return chosen;
}

/** The base images to create, in order. Each board type has its own positions. */
export function planImport(parts: readonly FlashPart[], options: PlanOptions): BaseImageInput[] {
	const { filesUrl, firstPosition, eraseFirst, disabled } = options;
	return [...Map.groupBy(parts, (part) => part.boardType)].flatMap(([chip, own]) => {
		const boardType = options.boardType ?? chip;
		if (boardType === '') throw invalid('The file does not name a chip', 'Pass --board-type.');
		const images = own.map(({ url, ...image }): BaseImageInput => {
			const address = url ? addressOf(url, filesUrl) : undefined;
			return { ...image, boardType, ...(address && { url: address }) };
		});
		const erase: BaseImageInput = { action: 'erase', boardType, name: 'erase' };
		return [...(eraseFirst ? [erase] : []), ...images].map((image, index) => ({
			...image,
			position: image.position ?? firstPosition + index,
			...(disabled && { enabled: false }),
		}));
	});
}

function addressOf(path: string, filesUrl: string | undefined) {
	if (/^https?:\/\//i.test(path)) return path;
	const base = filesUrl?.replace(/\/*$/, '/');
	if (base === undefined) {
		throw invalid(
			`${path} is a path, not an address`,
			'Pass --files-url with the address of the directory from which the images are served.',
		);
	}
	if (!URL.canParse(path, base) || /[?#]/.test(base)) {
		throw invalid(`${base} must be an address without "?" and "#"`, 'Check --files-url.');
	}
	return new URL(path, base).href;
}

function invalid(message: string, hint: string) {
	return new CliError(message, { hint });
}

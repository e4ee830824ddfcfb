// `base-images import`: makes the entries of a file those of their board types. Shows a plan first.
import type { BaseImage, BaseImageInput, BaseImagePlan } from 'board-access';
import { warnOfUnknownType } from '../boards/boards.ts';
import { CliError } from '../failures/cli-error.ts';
import type { ServiceOptions } from '../options.ts';
import { type Call, connect } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson, printList } from '../terminal/output.ts';
import type { Column, Moment } from '../terminal/table.ts';
import { chipName, type FlashPart, readFlashFile } from './flash-file.ts';

export interface ImportOptions extends ServiceOptions, PlanOptions {
	apply?: true;
	dryRun?: true;
}

/** Existing base images, and planned ones. */
type Shown = { [Field in keyof BaseImage]?: BaseImage[Field] | null | undefined };

export const columns: readonly Column<Shown>[] = [
	{ title: 'ID', value: (image) => image.id, whole: true },
	{ title: 'POSITION', value: (image) => image.position, whole: true },
	{ title: 'BOARD TYPE', value: (image) => image.boardType, whole: true },
	{ title: 'ACTION', value: (image) => image.action, whole: true },
	{ title: 'OFFSET', value: (image) => image.flashOffset, whole: true },
	{ title: 'NAME', value: (image) => image.name },
	{ title: 'URL', value: (image) => image.url },
	{ title: 'SHA256', value: (image) => image.sha256 },
	{ title: 'ENABLED', value: ({ enabled }) => (enabled === false ? 'no' : 'yes') },
];

interface Row {
	change: 'add' | 'change' | 'remove';
	image: Shown;
	before?: Shown;
}

const changeColumns: readonly Column<Row>[] = [
	{ title: 'CHANGE', value: ({ change }) => change, whole: true },
	...columns.slice(1).map(({ title, value }) => ({
		title,
		value: ({ image, before }: Row, moment: Moment) =>
			changeText(before && value(before, moment), value(image, moment)),
	})),
];

export async function importFile(file: string, options: ImportOptions, io: Io) {
	const images = planImport(partsToImport(await readFlashFile(file), options), options);
	if (options.dryRun) return printList(images, { columns, empty: '' }, { options, io });
	const { signal } = io;
	const call = { client: await connect(options, io), options, io, signal };
	const { baseImages } = call.client.admin;
	const dryRun = !options.apply;
	const plans: (BaseImagePlan & { boardType: string })[] = [];
	for (const [boardType, own] of Map.groupBy(images, (image) => image.boardType ?? '')) {
		// In one request, which the service carries out as a whole or not at all.
		const plan = await baseImages.replace({ boardType, images: own, dryRun }, { signal });
		plans.push({ boardType, ...plan });
	}
	if (options.json) printJson(plans, io);
	else printPlans(plans, call);
	for (const { boardType, added, changed } of plans) {
		if (added.length + changed.length > 0) await warnOfUnknownType(boardType, call);
	}
}

function printPlans(plans: readonly BaseImagePlan[], call: Omit<Call<ImportOptions>, 'status'>) {
	const rows = plans.flatMap(({ added, changed, removed }) => [
		...removed.map((image): Row => ({ change: 'remove', image })),
		...changed.map(({ before, after }): Row => ({ change: 'change', before, image: after })),
		...added.map((image): Row => ({ change: 'add', image })),
	]);
	const unchanged = plans.reduce((sum, plan) => sum + plan.unchanged, 0);
	const empty = `Nothing to change: ${entries(unchanged)} already up to date.`;
	printList(rows, { columns: changeColumns, empty }, call);
	if (rows.length === 0) return;
	const done = `Done: ${entries(rows.length)} changed, ${unchanged} unchanged.`;
	const { options, io } = call;
	note(options.apply ? done : 'Nothing was changed. Pass --apply to carry out the plan.', io);
}

function entries(count: number) {
	return count === 1 ? '1 entry' : `${count} entries`;
}

function changeText(before: unknown, after: unknown) {
	const text = String(after ?? '');
	return before === undefined || before === after ? text : `${before} → ${text}`;
}

interface PlanOptions {
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
function partsToImport(parts: readonly FlashPart[], { chip, boardType }: PlanOptions) {
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
function planImport(parts: readonly FlashPart[], options: PlanOptions): BaseImageInput[] {
	const { filesUrl, firstPosition, eraseFirst, disabled } = options;
	return [...Map.groupBy(parts, (part) => part.boardType)].flatMap(([chip, own]) => {
		const boardType = options.boardType ?? chip;
		if (boardType === '') throw invalid('The file does not name a chip', 'Pass --board-type.');
		const images = own.map((part) => ({ ...part, boardType, url: addressOf(part.url, filesUrl) }));
		const erase: BaseImageInput = { action: 'erase', boardType, name: 'erase' };
		return [...(eraseFirst ? [erase] : []), ...images].map((image, index) => ({
			...image,
			position: firstPosition + index,
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

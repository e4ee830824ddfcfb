// `board-access admin base-images`: entries created one by one or from a file, and files checked.
import type { BaseImage, BaseImageInput } from 'board-access';
import { type Command, Option } from 'commander';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import type { Fault } from './flash-rules.ts';
import type { PlanOptions } from './import-plan.ts';
import type { Invocation, Io } from './io.ts';
import {
	addCommand,
	addServiceCommand,
	examples,
	type OutputOptions,
	type ServiceOptions,
	wholeNumber,
} from './options.ts';
import { printJson, printList } from './output.ts';
import { connect } from './service.ts';

interface CreateOptions extends ServiceOptions, BaseImageInput {
	disabled?: true;
	idempotencyKey?: string;
}

interface ImportOptions extends ServiceOptions, PlanOptions {
	startAt: number;
	dryRun?: true;
}

/** What an entry and the input for one have in common. */
type Shown = {
	[Field in Exclude<keyof BaseImageInput, 'action'>]?: BaseImage[Field] | undefined;
} & {
	action?: string | null;
};

const inputColumns = [
	{ title: 'POSITION', value: (image: Shown) => image.position },
	{ title: 'BOARD TYPE', value: (image: Shown) => image.boardType },
	{ title: 'ACTION', value: (image: Shown) => image.action },
	{ title: 'OFFSET', value: (image: Shown) => image.flashOffset },
	{ title: 'NAME', value: (image: Shown) => image.name },
	{ title: 'URL', value: (image: Shown) => image.url },
];

const columns = [{ title: 'ID', value: (image: BaseImage) => image.id }, ...inputColumns];

const create = async (options: CreateOptions, io: Io) => {
	const client = await connect(options, io);
	const { action, boardType, name, description, url, flashOffset, position } = options;
	const enabled = options.disabled ? false : undefined;
	const image = await client.admin.baseImages.create(
		{ action, boardType, name, description, url, flashOffset, position, enabled },
		{ idempotencyKey: options.idempotencyKey, signal: io.signal },
	);
	if (options.json) return printJson(image, io);
	printList([image], { columns, empty: '' }, { options, io });
};

const importFile = async (file: string, options: ImportOptions, run: Invocation) => {
	const { readFlashFile } = await import('./flash-file.ts');
	const { planImport } = await import('./import-plan.ts');
	const images = planImport(await readFlashFile(file), options);
	const empty = 'There is nothing to create.';
	if (options.dryRun) {
		return printList(images, { columns: inputColumns, empty }, { options, io: run });
	}
	const { importImages } = await import('./import-images.ts');
	const client = await connect(options, run);
	const created = await importImages(client, { images, startAt: options.startAt }, run);
	printList(created, { columns, empty }, { options, io: run });
};

const faultColumns = [
	{ title: 'RULE', value: (fault: Fault) => fault.rule },
	{ title: 'FAULT', value: (fault: Fault) => fault.message },
];

const lint = async (file: string, options: OutputOptions, io: Io) => {
	const { readFlashFile } = await import('./flash-file.ts');
	const { lintParts } = await import('./lint-parts.ts');
	const faults = await lintParts(await readFlashFile(file), file);
	printList(faults, { columns: faultColumns, empty: `${file}: no fault found.` }, { options, io });
	if (faults.length === 0) return;
	throw new CliError(`${file}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`, {
		code: 'lint_faults',
		exitCode: exitCodes.general,
		hint: 'A board that is flashed like this will most likely not start.',
	});
};

const addCreate = (baseImages: Command, io: Io) =>
	addServiceCommand(baseImages, 'create')
		.description('create one entry')
		.addOption(
			new Option('--action <action>', 'what the entry does')
				.choices(['flash', 'erase'])
				.makeOptionMandatory(),
		)
		.option('--board-type <type>', 'the board type that it applies to')
		.option('--name <name>', 'what people call it')
		.option('--description <text>', 'free text')
		.option('--url <url>', 'where the image is; needed to flash')
		.option('--flash-offset <offset>', 'where in the flash it begins, for example 0x1000')
		.option('--position <number>', 'the place in the order; the last one by default', wholeNumber)
		.option('--disabled', 'create it without using it yet')
		.option('--idempotency-key <key>', 'makes repeating this command safe for 24 hours')
		.addHelpText(
			'after',
			examples(
				'board-access admin base-images create --action erase --board-type esp32-s3 --name erase',
				'board-access admin base-images create --action flash --board-type esp32-s3 --name app \\\n      --url https://images.example.com/app.bin --flash-offset 0x10000',
			),
		)
		.action((options: CreateOptions) => create(options, io));

const addImport = (baseImages: Command, run: Invocation) =>
	addServiceCommand(baseImages, 'import')
		.description('create entries from flasher_args.json, an ESP Web Tools manifest or a list')
		.argument('<file>', 'the file to read')
		.option('--dry-run', 'show what would be created, create nothing')
		.option('--files-url <url>', 'the address below which the images of the file are served')
		.option('--board-type <type>', 'the board type to write; the name of the chip by default')
		.option('--chip <chip>', 'only the images for this chip, for example esp32-s3')
		.option('--first-position <number>', 'the position of the first entry', wholeNumber, 0)
		.option('--erase-first', 'begin with an entry that erases the flash')
		.option('--disabled', 'create the entries without using them yet')
		.option('--start-at <number>', 'go on with this entry, counted from 1', wholeNumber, 1)
		.addHelpText(
			'after',
			examples(
				'board-access admin base-images import build/flasher_args.json --files-url https://images.example.com/v1 --dry-run',
				'board-access admin base-images import manifest.json --chip esp32-s3 --files-url https://images.example.com',
			),
		)
		.action((file: string, options: ImportOptions) => importFile(file, options, run));

const addLint = (baseImages: Command, io: Io) =>
	addCommand(baseImages, 'lint')
		.description('look for faults in such a file; nothing is sent')
		.argument('<file>', 'the file to read; images beside it are measured')
		.addHelpText('after', examples('board-access admin base-images lint build/flasher_args.json'))
		.action((file: string, options: OutputOptions) => lint(file, options, io));

export const addBaseImages = (program: Command, run: Invocation) => {
	const admin = program.command('admin').description('what only admins may do');
	const baseImages = admin
		.command('base-images')
		.description('what is flashed onto the boards of a type, and in what order');
	addCreate(baseImages, run);
	addImport(baseImages, run);
	addLint(baseImages, run);
};

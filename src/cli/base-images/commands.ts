// `board-access admin base-images`: the entries of a board type, one by one or from a file.
import type { BaseImageInput } from 'board-access';
import { type Command, Option } from 'commander';
import {
	addCommand,
	addServiceCommand,
	examples,
	type OutputOptions,
	type ServiceOptions,
	wholeNumber,
} from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Invocation, Io } from '../terminal/io.ts';
import { printJson, printList } from '../terminal/output.ts';
import { imageColumns } from './columns.ts';
import type { ImportOptions } from './import-file.ts';
import { addManagement } from './manage.ts';

interface CreateOptions extends ServiceOptions, BaseImageInput {
	disabled?: true;
	idempotencyKey?: string;
}

export function addBaseImages(program: Command, run: Invocation) {
	const admin = program.command('admin').description('commands for admins');
	const baseImages = admin
		.command('base-images')
		.description('what is flashed onto the boards of a type, and in which order');
	addCreate(baseImages, run);
	addManagement(baseImages, run);
	addImport(baseImages, run);
	addLint(baseImages, run);
}

async function create(options: CreateOptions, io: Io) {
	const client = await connect(options, io);
	const { action, boardType, name, description, url, flashOffset, position } = options;
	const enabled = options.disabled ? false : undefined;
	const image = await client.admin.baseImages.create(
		{ action, boardType, name, description, url, flashOffset, position, enabled },
		{ idempotencyKey: options.idempotencyKey, signal: io.signal },
	);
	if (options.json) return printJson(image, io);
	printList([image], { columns: imageColumns, empty: '' }, { options, io });
}

function addCreate(baseImages: Command, io: Io) {
	return addServiceCommand(baseImages, 'create')
		.description('create one entry')
		.addOption(
			new Option('--action <action>', 'what the entry does')
				.choices(['flash', 'erase'])
				.makeOptionMandatory(),
		)
		.option('--board-type <type>', 'board type that the entry applies to')
		.option('--name <name>', 'name of the entry')
		.option('--description <text>', 'free text')
		.option('--url <url>', 'location of the image; required to flash')
		.option('--flash-offset <offset>', 'where in the flash the image begins, for example 0x1000')
		.option('--position <number>', 'place in the order; last by default', wholeNumber)
		.option('--disabled', 'create the entry disabled')
		.option('--idempotency-key <key>', 'make repeating the command safe for 24 hours')
		.addHelpText(
			'after',
			examples(
				'board-access admin base-images create --action erase --board-type esp32-s3 --name erase',
				'board-access admin base-images create --action flash --board-type esp32-s3 --name app \\\n      --url https://images.example.com/app.bin --flash-offset 0x10000',
			),
		)
		.action((options: CreateOptions) => create(options, io));
}

function addImport(baseImages: Command, run: Invocation) {
	return addServiceCommand(baseImages, 'import')
		.description(
			'replace the entries of board types with those of a file; without --apply, show a plan',
		)
		.argument('<file>', 'file to read')
		.option('--apply', 'carry out the plan: add, change and remove entries')
		.option('--dry-run', 'only list the entries of the file, without sending a request')
		.option('--files-url <url>', 'address of the directory from which the images are served')
		.option('--board-type <type>', 'board type to write; the name of the chip by default')
		.option('--chip <chip>', 'only the images for this chip, for example esp32-s3')
		.option('--first-position <number>', 'position of the first entry', wholeNumber, 0)
		.option('--erase-first', 'start with an entry that erases the flash')
		.option('--disabled', 'import the entries disabled')
		.option('--force', 'import the entries even if lint finds problems')
		.addHelpText(
			'after',
			examples(
				'board-access admin base-images import build/flasher_args.json --files-url https://images.example.com/v1',
				'board-access admin base-images import manifest.json --chip esp32-s3 --files-url https://images.example.com --apply',
			),
		)
		.action(async (file: string, options: ImportOptions) => {
			const { importFile } = await import('./import-file.ts');
			await importFile(file, options, run);
		});
}

function addLint(baseImages: Command, io: Io) {
	return addCommand(baseImages, 'lint')
		.description('check a file for import offline')
		.argument('<file>', 'file to read; the sizes of images beside it are used')
		.addHelpText('after', examples('board-access admin base-images lint build/flasher_args.json'))
		.action(async (file: string, options: OutputOptions) => {
			const { lintFile } = await import('./lint-file.ts');
			await lintFile(file, options, io);
		});
}

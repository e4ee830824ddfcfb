// `board-access admin base-images`: the entries of a board type, one by one or from a file.
import type { BaseImage, BaseImageInput, BaseImageUpdate } from 'board-access';
import { type Command, Option } from 'commander';
import { warnOfUnknownType } from '../boards/boards.ts';
import { nothingToChange } from '../failures/cli-error.ts';
import { addCommand, type ServiceOptions, wholeNumber } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import { confirm } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printList, printResult } from '../terminal/output.ts';
import { columns, type ImportOptions, importFile } from './import-file.ts';

interface CreateOptions extends ServiceOptions, BaseImageInput {
	disabled?: true;
	idempotencyKey?: string;
}

const sampleId = 'img_0123456789abcdef01234567';

export function addBaseImages(program: Command, io: Io) {
	const baseImages = program
		.command('admin')
		.description('commands for admins')
		.command('base-images')
		.description('what is flashed onto the boards of a type, and in which order');
	addCreate(baseImages, io);
	addList(baseImages, io);
	addEdit(baseImages, io);
	addSwitch(baseImages, { enabled: true }, io);
	addSwitch(baseImages, { enabled: false }, io);
	addDelete(baseImages, io);
	addImport(baseImages, io);
}

function addCreate(baseImages: Command, io: Io) {
	const command = addCommand(baseImages, 'create', 'create one entry', [
		'board-access admin base-images create --action erase --board-type esp32-s3 --name erase',
		'board-access admin base-images create --action flash --board-type esp32-s3 --name app \\\n      --url https://images.example.com/app.bin --flash-offset 0x10000',
	]);
	withFields(command, actionOption().makeOptionMandatory())
		.option('--disabled', 'create the entry disabled')
		.option('--idempotency-key <key>', 'make repeating the command safe for 24 hours')
		.action(
			withClient(io, async (call: Call<CreateOptions>) => {
				const { client, options, signal } = call;
				const { action, disabled, idempotencyKey } = options;
				const image = await client.admin.baseImages.create(
					{ ...fieldsOf(options), action, enabled: disabled ? false : undefined },
					{ idempotencyKey, signal },
				);
				if (options.json) printJson(image, io);
				else printList([image], { columns, empty: '' }, call);
				await warnOfUnknownType(image.boardType, call);
			}),
		);
}

function addList(baseImages: Command, io: Io) {
	const does = 'list entries in the order in which they are carried out';
	const example = 'board-access admin base-images list --board-type esp32-s3';
	addCommand(baseImages, 'list', does, [example])
		.option('--board-type <type>', 'only entries for this board type')
		.action(
			withClient(io, async (call: Call<ServiceOptions & { boardType?: string }>) => {
				const { client, options, signal } = call;
				const { boardType } = options;
				const images = await client.admin.baseImages.list({ boardType }, { signal });
				const empty = boardType ? `There are no base images for ${boardType}.` : 'No base images.';
				printList(images, { columns, empty }, call);
			}),
		);
}

function addEdit(baseImages: Command, io: Io) {
	const example = `board-access admin base-images edit ${sampleId} --position 2`;
	const command = addCommand(baseImages, 'edit', 'change some fields of an entry', [example]);
	withFields(command.argument('<id>', 'ID of the entry'), actionOption())
		.option('--no-sha256', 'require no SHA-256 any more')
		.action(
			withClient(io, async (call: Call<ServiceOptions & Fields>, id: string) => {
				const changes = fieldsOf(call.options);
				if (Object.values(changes).every((value) => value === undefined)) throw nothingToChange();
				await update(call, [id], changes);
			}),
		);
}

function addSwitch(baseImages: Command, changes: { enabled: boolean }, io: Io) {
	const [name, does] = changes.enabled
		? ['enable', 'enable disabled entries again']
		: ['disable', 'keep entries, but skip them when a board is prepared'];
	addCommand(baseImages, name, does, [`board-access admin base-images ${name} ${sampleId}`])
		.argument('<ids...>', 'IDs of the entries')
		.action(withClient(io, (call, ids: string[]) => update(call, ids, changes)));
}

function addDelete(baseImages: Command, io: Io) {
	const example = `board-access admin base-images delete ${sampleId} --yes`;
	addCommand(baseImages, 'delete', 'delete an entry', [example])
		.argument('<id>', 'ID of the entry')
		.option('--yes', 'do not ask for confirmation')
		.action(withClient(io, remove));
}

function addImport(baseImages: Command, io: Io) {
	const does =
		'replace the entries of board types with those of a file; without --apply, show a plan';
	addCommand(baseImages, 'import', does, [
		'board-access admin base-images import build/flasher_args.json --files-url https://images.example.com/v1',
		'board-access admin base-images import manifest.json --chip esp32-s3 --files-url https://images.example.com --apply',
	])
		.argument('<file>', 'file to read')
		.option('--apply', 'carry out the plan: add, change and remove entries')
		.option('--dry-run', 'only list the entries of the file, without sending a request')
		.option('--files-url <url>', 'address of the directory from which the images are served')
		.option('--board-type <type>', 'board type to write; the name of the chip by default')
		.option('--chip <chip>', 'only the images for this chip, for example esp32-s3')
		.option('--first-position <number>', 'position of the first entry', wholeNumber, 0)
		.option('--erase-first', 'start with an entry that erases the flash')
		.option('--disabled', 'import the entries disabled')
		.action((file: string, options: ImportOptions) => importFile(file, options, io));
}

function actionOption() {
	return new Option('--action <action>', 'what the entry does').choices(['flash', 'erase']);
}

function withFields(command: Command, action: Option) {
	const order = 'position in the order; a new entry is last by default';
	return command
		.addOption(action)
		.option('--board-type <type>', 'board type that the entry applies to')
		.option('--name <name>', 'name of the entry')
		.option('--description <text>', 'free text')
		.option('--url <url>', 'location of the image; required to flash')
		.option('--flash-offset <offset>', 'where in the flash the image begins, for example 0x1000')
		.option('--sha256 <digits>', 'SHA-256 that the image must have; required for an http address')
		.option('--position <number>', order, wholeNumber);
}

/** The checksum is false with `--no-sha256`. */
type Fields = Omit<BaseImageUpdate, 'sha256'> & { sha256?: BaseImageUpdate['sha256'] | false };

function fieldsOf({ sha256: digits, ...options }: Fields): BaseImageUpdate {
	const { action, boardType, name, description, url, flashOffset, position } = options;
	const sha256 = digits === false ? '' : digits;
	return { action, boardType, name, description, url, flashOffset, position, sha256 };
}

async function update(call: Call, ids: readonly string[], changes: BaseImageUpdate) {
	const changed: BaseImage[] = [];
	for (const id of new Set(ids)) {
		changed.push(await call.client.admin.baseImages.update(id, changes, { signal: call.signal }));
	}
	printList(changed, { columns, empty: '' }, call);
}

async function remove(call: Call<ServiceOptions & { yes?: true }>, id: string) {
	const { baseImages } = call.client.admin;
	const { signal } = call;
	await confirm('Deleting a base image', call, async () => {
		const image = await baseImages.get(id, { signal });
		return `Delete "${image.name}" of ${image.boardType}?`;
	});
	await baseImages.delete(id, { signal });
	printResult({ id }, `The base image ${id} is deleted.`, call);
}

// `board-access admin base-images`: list, edit, enable, disable and delete entries.
import type { BaseImage, BaseImageUpdate } from 'board-access';
import { type Command, Option } from 'commander';
import { nothingToChange } from '../failures/nothing-to-change.ts';
import { addServiceCommand, examples, type ServiceOptions, wholeNumber } from '../options.ts';
import { connect } from '../service/connect.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson, printList } from '../terminal/output.ts';
import { listColumns } from './columns.ts';

interface ListOptions extends ServiceOptions {
	boardType?: string;
}

interface EditOptions extends ServiceOptions, BaseImageUpdate {}

interface DeleteOptions extends ServiceOptions {
	yes?: true;
}

const sampleId = 'img_0123456789abcdef01234567';

export function addManagement(baseImages: Command, io: Io) {
	addServiceCommand(baseImages, 'list')
		.description('list entries in the order in which they are carried out')
		.option('--board-type <type>', 'only entries for this board type')
		.addHelpText('after', examples('board-access admin base-images list --board-type esp32-s3'))
		.action((options: ListOptions) => list(options, io));
	addEdit(baseImages, io);
	for (const enabled of [true, false]) {
		const name = enabled ? 'enable' : 'disable';
		addServiceCommand(baseImages, name)
			.description(
				enabled
					? 'enable disabled entries again'
					: 'keep entries, but skip them when a board is prepared',
			)
			.argument('<ids...>', 'IDs of the entries')
			.addHelpText('after', examples(`board-access admin base-images ${name} ${sampleId}`))
			.action((ids: string[], options: ServiceOptions) =>
				update(ids, { enabled }, { options, io }),
			);
	}
	addServiceCommand(baseImages, 'delete')
		.description('delete an entry')
		.argument('<id>', 'ID of the entry')
		.option('--yes', 'do not ask for confirmation')
		.addHelpText('after', examples(`board-access admin base-images delete ${sampleId} --yes`))
		.action((id: string, options: DeleteOptions) => remove(id, options, io));
}

function addEdit(baseImages: Command, io: Io) {
	return addServiceCommand(baseImages, 'edit')
		.description('change some fields of an entry')
		.argument('<id>', 'ID of the entry')
		.addOption(new Option('--action <action>', 'what the entry does').choices(['flash', 'erase']))
		.option('--board-type <type>', 'board type that the entry applies to')
		.option('--name <name>', 'name of the entry')
		.option('--description <text>', 'free text')
		.option('--url <url>', 'location of the image')
		.option('--flash-offset <offset>', 'where in the flash the image begins, for example 0x1000')
		.option('--position <number>', 'place in the order', wholeNumber)
		.addHelpText('after', examples(`board-access admin base-images edit ${sampleId} --position 2`))
		.action((id: string, options: EditOptions) => {
			const { action, boardType, name, description, url, flashOffset, position } = options;
			const changes = { action, boardType, name, description, url, flashOffset, position };
			if (Object.values(changes).every((value) => value === undefined)) throw nothingToChange();
			return update([id], changes, { options, io });
		});
}

async function list(options: ListOptions, io: Io) {
	const client = await connect(options, io);
	const { boardType } = options;
	const images = await client.admin.baseImages.list({ boardType }, { signal: io.signal });
	const empty = boardType ? `There are no base images for ${boardType}.` : 'No base images.';
	printList(images, { columns: listColumns, empty }, { options, io });
}

async function update(
	ids: readonly string[],
	changes: BaseImageUpdate,
	{ options, io }: { options: ServiceOptions; io: Io },
) {
	const client = await connect(options, io);
	const changed: BaseImage[] = [];
	for (const id of new Set(ids)) {
		changed.push(await client.admin.baseImages.update(id, changes, { signal: io.signal }));
	}
	printList(changed, { columns: listColumns, empty: '' }, { options, io });
}

async function remove(id: string, options: DeleteOptions, io: Io) {
	const client = await connect(options, io);
	if (!options.yes) {
		await confirm(
			{
				unattended: 'Deleting a base image needs --yes without a terminal',
				question: async () => {
					const image = await client.admin.baseImages.get(id, { signal: io.signal });
					return `Delete "${image.name}" of ${image.boardType}?`;
				},
				refused: 'Nothing was deleted',
			},
			io,
		);
	}
	await client.admin.baseImages.delete(id, { signal: io.signal });
	if (options.json) return printJson({ id }, io);
	note(`The base image ${id} is deleted.`, io);
}

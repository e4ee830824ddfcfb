// Base images for administrators: what is flashed or erased, in which order, for each board type.
import { baseImageInput, baseImageUpdate } from 'board-access-contract';
import {
	ApiError,
	createBaseImage,
	deleteBaseImage,
	listBaseImages,
	listBoardTypes,
	moveImage,
	readBaseImage,
	updateBaseImage,
} from 'board-access-core';
import { readId } from 'board-access-http/read';
import { requestExamples, SameRequest } from '../elements/code.tsx';
import { BoardTypeField, ButtonLink, Field, Radios } from '../elements/form.tsx';
import { EmptyState } from '../elements/list.tsx';
import { Name, PageHead } from '../elements/text.tsx';
import { filledValues, readForm, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { imageTable } from './image-table.tsx';
import { offsetHelp } from './offset-help.tsx';
import { ItemForm, resourcePages, wholeNumber } from './resource.tsx';

const path = '/admin/base-images';

export function baseImagePages(pages: Pages) {
	pages.admins.get(path, listImages);
	pages.admins.post(`${path}/:id/change`, changeInList);
	resourcePages(pages, {
		path,
		schemas: { create: baseImageInput, update: baseImageUpdate },
		read: ({ services }, id) => readBaseImage(services, id),
		names,
		sentences,
		showForm,
		valuesOf: ({ position, enabled, sha256 = '', ...texts }) => ({
			...texts,
			sha256,
			position: String(position),
			enabled: enabled ? 'on' : '',
		}),
		inputOf,
		create: async ({ c, services }, input, claim) => {
			const { name } = (await createBaseImage(services, input, claim)).result;
			return goTo(c, path, 'image-created', name);
		},
		update: ({ services }, id, update) => updateBaseImage(services, id, update),
		remove: ({ services }, id) => deleteBaseImage(services, id),
		changed: (c, name) => goTo(c, path, 'image-changed', name),
		removal: 'delete',
		question: ({ name, board_type, action }) => ({
			title: 'Delete this base image?',
			lead: 'It is no longer part of the preparation of its boards. You cannot undo this.',
			facts: [
				['Name', <Name>{name}</Name>],
				['Board type', <code dir="auto">{board_type}</code>],
				['Action', action],
			],
			cancel: path,
			submit: 'Delete base image',
		}),
		removed: (c, name) => goTo(c, path, 'image-deleted', name),
	});
}

async function listImages({ services: { database, settings } }: MemberVisit) {
	const images = await listBaseImages(database.query);
	const types = await listBoardTypes(database.query);
	const main = (
		<>
			<PageHead
				title="Base images"
				lead="The flash and erase actions of each board type, in the order in which they run."
			>
				<ButtonLink href={`${path}/new`} text="Add base image" icon="plus" look="primary" />
			</PageHead>
			{images.length === 0 && (
				<EmptyState icon="board" title="There are no base images yet">
					<p>
						A base image flashes or erases the boards of one type. Add the first one, or import a
						whole build with{' '}
						<code>board-access admin base-images import build/flasher_args.json</code>.
					</p>
				</EmptyState>
			)}
			{[...Map.groupBy(images, ({ board_type }) => board_type)].map(([type, entries]) => (
				<section class="group">
					<div class="group-head">
						<h2>
							<code dir="auto">{type}</code>
						</h2>
						<a href={withQuery(`${path}/new`, { board_type: type })}>Add for this type</a>
					</div>
					{!types.includes(type) && (
						<p class="callout">No board has this type, so nothing runs these entries.</p>
					)}
					{imageTable(type, entries)}
				</section>
			))}
			<SameRequest examples={createImageRequest(settings.baseUrl)} />
		</>
	);
	return { title: 'Base images', main };
}

async function changeInList({ c, services }: MemberVisit) {
	const { change } = await readForm(c, ['change']);
	const { id, name } = await readBaseImage(services, readId(c));
	if (change === 'up' || change === 'down') {
		await moveImage(services.database.query, id, change === 'up' ? -1 : 1);
	} else if (change === 'enable' || change === 'disable') {
		await updateBaseImage(services, id, { enabled: change === 'enable' });
	} else {
		throw new ApiError('not_found', 'This action does not exist.');
	}
	return goTo(c, path, 'image-changed', name);
}

const names = [
	...['action', 'board_type', 'name', 'description'],
	...['url', 'sha256', 'flash_offset', 'position', 'enabled'],
] as const;

const sentences = {
	action: 'Choose flash or erase.',
	board_type: 'Enter a board type of at most 100 characters.',
	name: 'Enter a name of at most 200 characters.',
	description: 'Enter at most 2,000 characters.',
	url: 'Enter the http or https address of the image, without spaces or a user name.',
	sha256:
		'Enter the SHA-256 of the image, 64 hexadecimal digits; only with https can it be left out.',
	flash_offset: 'Enter the offset as 0x10000 or 65536; the highest is 0xffffffff.',
	position: 'Enter a whole number from 0 to 2,147,483,647, or leave it empty.',
};

/** With help for the offset, which is the most common mistake. */
async function showForm({ c, services }: MemberVisit) {
	const { enabled = 'on' } = filledValues(c);
	const isNew = c.req.param('id') === undefined;
	const title = isNew ? 'Add a base image' : 'Edit a base image';
	const lead = 'A flash or an erase action that prepares the boards of one type for each lease.';
	const main = (
		<>
			<ItemForm c={c} title={title} lead={lead} add="Add base image" cancel={path}>
				<Radios name="action" legend="Action" options={actions} chosen="flash" />
				<div class="pair">
					<BoardTypeField
						value={readLine(c, 'board_type')}
						help="The type exactly as your boards have it."
						types={await listBoardTypes(services.database.query)}
					/>
					<Field
						name="name"
						label="Name"
						help="For example “Bootloader”."
						input={{ maxlength: 200 }}
					/>
				</div>
				<Field
					name="url"
					label="Image address"
					help="The http or https address of the image."
					class="flash-only"
					input={{ required: false, type: 'url', maxlength: 2048 }}
				/>
				<Field
					name="sha256"
					label="SHA-256"
					help="64 hexadecimal digits that the image must have. An http address needs it."
					class="flash-only"
					input={{ required: false, maxlength: 64, spellcheck: 'false' }}
				/>
				<div class="pair">
					<Field
						name="flash_offset"
						label="Flash offset"
						value="0x0"
						help="Where the image starts: 0x and hex digits, or a decimal number."
						class="flash-only"
						input={{ required: false, maxlength: 12, spellcheck: 'false' }}
					/>
					<Field
						name="position"
						label="Position"
						help="0 runs first. Leave it empty to run last."
						optional
						input={{ inputmode: 'numeric', maxlength: 10 }}
					/>
				</div>
				<div class="flash-only">{offsetHelp}</div>
				<Field
					name="description"
					label="Description"
					optional
					input={{ rows: 2, maxlength: 2000 }}
				/>
				<label class="check">
					<input type="checkbox" name="enabled" value="on" checked={enabled === 'on'} />
					Enabled
				</label>
			</ItemForm>
			{isNew && <SameRequest examples={createImageRequest(services.settings.baseUrl)} />}
		</>
	);
	return { title, main };
}

const actions = [
	{ value: 'flash', label: 'Flash', help: 'writes an image at the offset' },
	{ value: 'erase', label: 'Erase', help: 'clears the flash' },
];

function inputOf({
	position,
	enabled,
	url,
	sha256,
	flash_offset,
	...texts
}: Record<(typeof names)[number], string>) {
	// The form hides these two for an erase, even if they still contain text.
	const image = { url, sha256: sha256.trim(), flash_offset: flash_offset.trim() || '0x0' };
	const flash = texts.action === 'erase' ? {} : image;
	return {
		...texts,
		...flash,
		...(position.trim() && { position: wholeNumber(position) }),
		enabled: enabled === 'on',
	};
}

function createImageRequest(baseUrl: string) {
	const url = 'https://images.example.com/app.bin';
	return requestExamples({
		baseUrl,
		method: 'POST',
		path: '/v1/admin/base-images',
		json: { action: 'flash', board_type: 'esp32-s3', name: 'App', url, flash_offset: '0x10000' },
		cli: [
			...['admin', 'base-images', 'create', '--action', 'flash', '--board-type', 'esp32-s3'],
			...['--name', 'App', '--url', url, '--flash-offset', '0x10000'],
		],
		typescript: `const image = await client.admin.baseImages.create({
  action: 'flash',
  boardType: 'esp32-s3',
  name: 'App',
  url: '${url}',
  flashOffset: '0x10000',
});`,
	});
}

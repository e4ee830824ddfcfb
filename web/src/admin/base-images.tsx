// Base images for administrators: what is flashed or erased, in which order, for each board type.
import { type Done, listBaseImages, listBoardTypes } from 'board-access-core';
import { BoardTypeField, ButtonLink, Field, Radios } from '../elements/form.tsx';
import { type Column, EmptyState, Table } from '../elements/list.tsx';
import { CodeNote, Name, Note, StrongName } from '../elements/text.tsx';
import { filledValues, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { check, type Fields, text, wholeNumber } from './fields.ts';
import { ItemForm, itemSentences, resourcePages } from './resource.tsx';

const path = '/admin/base-images';

type Image = Done<'getBaseImage'>;

export function baseImagePages(pages: Pages) {
	pages.admins.get(path, listImages);
	resourcePages(pages, {
		path,
		operations: {
			create: 'createBaseImage',
			read: 'getBaseImage',
			update: 'updateBaseImage',
			remove: 'deleteBaseImage',
		},
		fields,
		sentences,
		showForm,
		created: ({ c }) => goTo(c, path, 'image-created'),
		changed: ({ c }) => goTo(c, path, 'image-changed'),
		removal: 'delete',
		question: ({ name, board_type }) => ({
			title: 'Delete this base image?',
			lead: 'It is no longer part of the preparation of its boards. You cannot undo this.',
			facts: [
				['Name', <Name>{name}</Name>],
				['Board type', <code dir="auto">{board_type}</code>],
			],
			cancel: path,
			submit: 'Delete base image',
		}),
		removed: ({ c }) => goTo(c, path, 'image-deleted'),
	});
}

async function listImages({ services: { database } }: MemberVisit) {
	const images = await listBaseImages(database.query);
	const types = await listBoardTypes(database.query);
	const main = (
		<>
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
					<Table caption={`Base images of ${type}`} rows={entries} columns={columns} />
				</section>
			))}
		</>
	);
	const lead = 'The flash and erase actions of each board type, in the order in which they run.';
	const actions = (
		<ButtonLink href={`${path}/new`} text="Add base image" icon="plus" look="primary" />
	);
	return { title: 'Base images', lead, actions, main };
}

const columns: Column<Image>[] = [
	{ label: 'Position', cell: ({ position }) => <span class="number">{position}</span> },
	{ label: 'Name', cell: ImageName, class: 'main-cell' },
	{
		label: 'Action',
		cell: ({ action }) => <span class={`badge action-${action}`}>{action}</span>,
	},
	{
		label: 'Offset',
		cell: ({ action, flash_offset }) =>
			action === 'erase' ? <span class="muted">–</span> : <code>{flash_offset}</code>,
	},
	{ label: 'State', cell: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled') },
	{ label: 'Change', cell: Changes, class: 'end' },
];

function ImageName({ name, description, url, sha256, enabled }: Image) {
	return (
		<>
			<StrongName text={name} struck={!enabled} />
			<Note text={description} />
			<CodeNote text={url} />
			<CodeNote text={sha256} before="SHA-256" />
		</>
	);
}

function Changes({ id, name }: Image) {
	const address = `${path}/${id}`;
	return (
		<div class="actions">
			<ButtonLink href={address} text="Edit" label={`Edit ${name}`} />
			<ButtonLink href={`${address}/delete`} text="Delete" look="danger" label={`Delete ${name}`} />
		</div>
	);
}

/** The form hides what only a flash has, even if it still contains text. */
const ofFlash = (empty = ''): Fields[string] => ({
	...text,
	read: (value, { action }) => (action === 'erase' ? undefined : value.trim() || empty),
});

const fields = {
	action: text,
	board_type: text,
	name: text,
	description: text,
	url: ofFlash(),
	sha256: ofFlash(),
	flash_offset: ofFlash('0x0'),
	position: wholeNumber,
	enabled: check,
};

const sentences = {
	...itemSentences,
	action: 'Choose flash or erase.',
	url: 'Enter the http or https address of the image, without spaces or a user name.',
	sha256:
		'Enter the SHA-256 of the image, 64 hexadecimal digits; only with https can it be left out.',
	flash_offset: 'Enter the offset as 0x10000 or 65536; the highest is 0xffffffff.',
	position: 'Enter a whole number from 0 to 2,147,483,647, or leave it empty.',
};

async function showForm(visit: MemberVisit) {
	const { c, services } = visit;
	const { enabled = 'on' } = filledValues(c);
	const isNew = c.req.param('id') === undefined;
	const title = isNew ? 'Add a base image' : 'Edit a base image';
	const lead = 'A flash or an erase action that prepares the boards of one type for each lease.';
	const main = (
		<ItemForm visit={visit} title={title} lead={lead} add="Add base image" cancel={path}>
			<Radios name="action" legend="Action" options={actions} chosen="flash" />
			<div class="pair">
				<BoardTypeField
					value={readLine(c, 'board_type')}
					help="The type exactly as your boards have it."
					suggestions={await listBoardTypes(services.database.query)}
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
					help="0x and hex digits, or a decimal number. ESP-IDF writes every offset to build/flasher_args.json; .hex, .elf and .uf2 files contain theirs: leave 0x0."
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
			<Field name="description" label="Description" optional input={{ rows: 2, maxlength: 2000 }} />
			<label class="row">
				<input type="checkbox" name="enabled" value="on" checked={enabled === 'on'} />
				Enabled
			</label>
		</ItemForm>
	);
	return { title, main };
}

const actions = [
	{ value: 'flash', label: 'Flash', help: 'writes an image at the offset' },
	{ value: 'erase', label: 'Erase', help: 'clears the flash' },
];

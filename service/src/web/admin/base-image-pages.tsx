// The base images of every board type, in the order in which they run, and the form of one.
import { type BaseImageRecord, listBaseImages } from '../../base-images/store.ts';
import { listBoardTypes } from '../../boards/store.ts';
import type { ApiError } from '../../errors.ts';
import { requestExamples, SameRequest } from '../elements/code.tsx';
import { BoardTypeField, Button, ButtonLink, Field, PostForm } from '../elements/form.tsx';
import { type Column, EmptyState, Table } from '../elements/list.tsx';
import { Note, PageHead, StrongName, Time } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { OffsetHelp } from './offset-help.tsx';

export async function listImages({ parts: { database, settings } }: MemberVisit) {
	const images = await listBaseImages(database.query);
	const types = await listBoardTypes(database.query);
	const main = (
		<>
			<PageHead
				title="Base images"
				lead="The flash and erase actions of each board type, in the order in which they run."
			>
				<ButtonLink
					href="/admin/base-images/new"
					text="Add base image"
					icon="plus"
					look="primary"
				/>
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
						<a href={withQuery('/admin/base-images/new', { board_type: type })}>
							Add for this type
						</a>
					</div>
					{!types.includes(type) && (
						<p class="callout">No board has this type, so nothing runs these entries.</p>
					)}
					<ImageTable type={type} images={entries} editable />
				</section>
			))}
			<SameRequest
				examples={createImageRequest(settings.baseUrl)}
				summary="Add an entry from code"
			/>
		</>
	);
	return { title: 'Base images', main };
}

interface ImageTableProps {
	type: string;
	images: BaseImageRecord[];
	editable?: boolean;
}

export function ImageTable({ type, images, editable = false }: ImageTableProps) {
	const changes = (image: BaseImageRecord) => (
		<ImageChanges image={image} first={image === images[0]} last={image === images.at(-1)} />
	);
	const last: Column<BaseImageRecord> = editable
		? { label: 'Change', cell: changes, class: 'changes-cell' }
		: { label: 'Added', cell: ({ created_at }) => <Time at={created_at} />, class: 'muted' };
	return (
		<Table
			caption={`Base images of ${type}`}
			rows={images}
			columns={[
				{ label: 'Position', cell: ImagePosition, class: 'narrow-cell' },
				{ label: 'Name', cell: ImageName, class: 'main-cell' },
				{ label: 'Action', cell: ImageAction },
				{ label: 'Offset', cell: ImageOffset },
				{ label: 'State', cell: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled') },
				last,
			]}
		/>
	);
}

function ImagePosition({ position }: BaseImageRecord) {
	return <span class="number">{position}</span>;
}

function ImageAction({ action }: BaseImageRecord) {
	return <span class={`badge action-${action}`}>{action}</span>;
}

function ImageOffset({ action, flash_offset }: BaseImageRecord) {
	return action === 'erase' ? <span class="muted">–</span> : <code>{flash_offset}</code>;
}

function ImageName({ name, description, url, enabled }: BaseImageRecord) {
	return (
		<>
			<StrongName text={name} struck={!enabled} />
			<Note text={description} />
			{url && (
				<p class="small">
					<code class="address">{url}</code>
				</p>
			)}
		</>
	);
}

interface ImageChangesProps {
	image: BaseImageRecord;
	first: boolean;
	last: boolean;
}

function ImageChanges({ image: { id, name, enabled }, first, last }: ImageChangesProps) {
	const path = `/admin/base-images/${id}`;
	const state = enabled ? 'Disable' : 'Enable';
	const buttons = [
		{ text: '↑', value: 'up', label: `Move ${name} up`, disabled: first },
		{ text: '↓', value: 'down', label: `Move ${name} down`, disabled: last },
		{ text: state, value: state.toLowerCase(), label: `${state} ${name}` },
	];
	return (
		<div class="row-actions">
			<form method="post" action={`${path}/change`}>
				{buttons.map((button) => (
					<Button {...button} name="change" />
				))}
			</form>
			<ButtonLink href={path} text="Edit" label={`Edit ${name}`} />
			<ButtonLink
				href={`${path}/delete`}
				text="Delete"
				label={`Delete ${name}`}
				look="danger"
				asks
			/>
		</div>
	);
}

export const baseImageFields = [
	'action',
	'board_type',
	'name',
	'description',
	'url',
	'flash_offset',
	'position',
	'enabled',
] as const;

export type BaseImageValues = Record<(typeof baseImageFields)[number], string>;

/** With help for the offset, which is the most common mistake. */
export async function showImageForm(
	{ c, parts }: MemberVisit,
	values: BaseImageValues,
	error?: ApiError,
) {
	const id = c.req.param('id');
	const form = { values, error };
	const types = await listBoardTypes(parts.database.query);
	const title = id ? 'Edit a base image' : 'Add a base image';
	const main = (
		<>
			<section class="card medium">
				<h1>{title}</h1>
				<p class="lead">
					A flash or an erase action that prepares the boards of one type for each lease.
				</p>
				<PostForm
					action={id ? `/admin/base-images/${id}` : '/admin/base-images'}
					error={error}
					submit={id ? 'Save' : 'Add base image'}
					cancel="/admin/base-images"
				>
					<ActionChoice action={values.action} />
					<div class="pair">
						<BoardTypeField
							form={form}
							types={types}
							help="The type exactly as your boards have it."
						/>
						<Field
							name="name"
							label="Name"
							form={form}
							help="For example “Bootloader”."
							input={{ maxlength: 200 }}
						/>
					</div>
					<Field
						name="url"
						label="Image address"
						form={form}
						help="The http or https address of the image."
						class="flash-only"
						input={{ required: false, type: 'url', maxlength: 2048 }}
					/>
					<div class="pair">
						<Field
							name="flash_offset"
							label="Flash offset"
							form={form}
							help="Where the image starts: 0x and hex digits, or a decimal number."
							class="flash-only"
							input={{ required: false, maxlength: 12, spellcheck: 'false' }}
						/>
						<Field
							name="position"
							label="Position"
							form={form}
							help="0 runs first. Leave it empty to run last."
							optional
							input={{ inputmode: 'numeric', maxlength: 10 }}
						/>
					</div>
					<div class="flash-only">
						<OffsetHelp />
					</div>
					<Field
						name="description"
						label="Description"
						form={form}
						optional
						input={{ rows: 2, maxlength: 2000 }}
					/>
					<label class="check">
						<input type="checkbox" name="enabled" value="on" checked={values.enabled === 'on'} />
						Enabled
					</label>
				</PostForm>
			</section>
			{!id && <SameRequest examples={createImageRequest(parts.settings.baseUrl)} />}
		</>
	);
	return { title, main };
}

function ActionChoice({ action }: { action: string }) {
	return (
		<fieldset class="choice" id="action">
			<legend>Action</legend>
			<label>
				<input type="radio" name="action" value="flash" checked={action !== 'erase'} />
				<span>
					<strong>Flash</strong> writes an image at the offset
				</span>
			</label>
			<label>
				<input type="radio" name="action" value="erase" checked={action === 'erase'} />
				<span>
					<strong>Erase</strong> clears the flash
				</span>
			</label>
		</fieldset>
	);
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

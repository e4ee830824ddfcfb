// The base images of one board type, in the order in which they run.
import type { listBaseImages } from 'board-access-core';
import { Button, ButtonLink } from '../elements/form.tsx';
import { type Column, Table } from '../elements/list.tsx';
import { Note, StrongName } from '../elements/text.tsx';

type Image = Awaited<ReturnType<typeof listBaseImages>>[number];

const columns: Column<Image>[] = [
	{
		label: 'Position',
		cell: ({ position }) => <span class="number">{position}</span>,
		class: 'narrow-cell',
	},
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
];

export function imageTable(type: string, images: Image[]) {
	const cell = (image: Image) => changesOf(image, images);
	const changes = { label: 'Change', cell, class: 'changes-cell' };
	return <Table caption={`Base images of ${type}`} rows={images} columns={[...columns, changes]} />;
}

function ImageName({ name, description, url, sha256, enabled }: Image) {
	return (
		<>
			<StrongName text={name} struck={!enabled} />
			<Note text={description} />
			{url && (
				<p class="small">
					<code class="address">{url}</code>
				</p>
			)}
			{sha256 && (
				<p class="small">
					SHA-256 <code class="address">{sha256}</code>
				</p>
			)}
		</>
	);
}

function changesOf(image: Image, images: Image[]) {
	const { id, name, enabled } = image;
	const path = `/admin/base-images/${id}`;
	const state = enabled ? 'Disable' : 'Enable';
	const remove = { text: 'Delete', label: `Delete ${name}`, look: 'danger', asks: true } as const;
	const buttons = [
		{ text: '↑', value: 'up', label: `Move ${name} up`, disabled: image === images[0] },
		{ text: '↓', value: 'down', label: `Move ${name} down`, disabled: image === images.at(-1) },
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
			<ButtonLink href={`${path}/delete`} {...remove} />
		</div>
	);
}

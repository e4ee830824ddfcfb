// The base images of one board type, in the order in which they run.
import type { listBaseImages } from 'board-access-core';
import { ButtonLink } from '../elements/form.tsx';
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
	{ label: 'Change', cell: Changes, class: 'changes-cell' },
];

export function imageTable(type: string, images: Image[]) {
	return <Table caption={`Base images of ${type}`} rows={images} columns={columns} />;
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

function Changes({ id, name }: Image) {
	const path = `/admin/base-images/${id}`;
	return (
		<div class="row-actions">
			<ButtonLink href={path} text="Edit" label={`Edit ${name}`} />
			<ButtonLink
				href={`${path}/delete`}
				text="Delete"
				look="danger"
				label={`Delete ${name}`}
				asks
			/>
		</div>
	);
}

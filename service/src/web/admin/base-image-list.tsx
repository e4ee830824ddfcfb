// The base images of every board type, in the order in which they run.
import type { BaseImageRecord } from '../../base-images/store.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { Icon } from '../elements/icon.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../paths.ts';
import { createImageRequest } from './base-image-form.tsx';

interface BaseImageListProps {
	images: BaseImageRecord[];
	/** The types that a board has. */
	types: string[];
	baseUrl: string;
}

export function BaseImageList({ images, types, baseUrl }: BaseImageListProps) {
	return (
		<>
			<PageHead
				title="Base images"
				lead="The flash and erase actions of each board type, in the order in which they run."
			>
				<a class="button primary" href="/admin/base-images/new">
					<Icon name="plus" />
					Add base image
				</a>
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
			<SameRequest examples={createImageRequest(baseUrl)} summary="Add an entry from code" />
		</>
	);
}

interface ImageTableProps {
	type: string;
	images: BaseImageRecord[];
	editable?: boolean;
}

export function ImageTable({ type, images, editable = false }: ImageTableProps) {
	const last = images.at(-1)?.id;
	return (
		<Table
			caption={`Base images of ${type}`}
			rows={images}
			columns={[
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
				...(editable
					? [
							{
								label: 'Change',
								cell: (image: BaseImageRecord) => (
									<ImageChanges
										image={image}
										first={image.id === images[0]?.id}
										last={image.id === last}
									/>
								),
								class: 'changes-cell',
							},
						]
					: [
							{
								label: 'Added',
								cell: ({ created_at }: BaseImageRecord) => <Time at={created_at} />,
								class: 'muted',
							},
						]),
			]}
		/>
	);
}

function ImageName({ name, description, url, enabled }: BaseImageRecord) {
	return (
		<>
			<strong class={enabled ? undefined : 'struck'}>
				<Name>{name}</Name>
			</strong>
			{description && (
				<p class="muted small">
					<Name>{description}</Name>
				</p>
			)}
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

function ImageChanges({ image, first, last }: ImageChangesProps) {
	const { id, name, enabled } = image;
	const path = `/admin/base-images/${id}`;
	return (
		<div class="row-actions">
			<form method="post" action={`${path}/change`}>
				<button
					type="submit"
					class="button"
					name="change"
					value="up"
					aria-label={`Move ${name} up`}
					disabled={first}
				>
					↑
				</button>
				<button
					type="submit"
					class="button"
					name="change"
					value="down"
					aria-label={`Move ${name} down`}
					disabled={last}
				>
					↓
				</button>
				<button
					type="submit"
					class="button"
					name="change"
					value={enabled ? 'disable' : 'enable'}
					aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
				>
					{enabled ? 'Disable' : 'Enable'}
				</button>
			</form>
			<a class="button" href={path} aria-label={`Edit ${name}`}>
				Edit
			</a>
			<a class="button danger" href={`${path}/delete`} aria-label={`Delete ${name}`} data-confirm>
				Delete
			</a>
		</div>
	);
}

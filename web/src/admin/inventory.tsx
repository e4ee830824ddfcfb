// The inventory: how many boards of each type there are, and the form that imports boards.
import { importGiven, summarizeBoardTypes, type TypeSummary } from 'board-access-core';
import { boardsRequest } from '../boards/requests.ts';
import { statuses, statusWords } from '../boards/status.tsx';
import { SameRequest } from '../elements/code.tsx';
import { ButtonLink, Field, PostForm } from '../elements/form.tsx';
import { type Column, Table } from '../elements/list.tsx';
import { PageHead, TypeLink } from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit } from '../pages.tsx';

export async function showInventory({ services }: MemberVisit) {
	const types = await summarizeBoardTypes(services.database.query);
	const main = (
		<>
			<PageHead title="Inventory" lead="The boards of this service, type by type.">
				<ButtonLink href="/admin/boards/new" text="Add board" icon="plus" look="primary" />
			</PageHead>
			{types.length > 0 && (
				<Table caption="Boards of each type" rows={types} columns={typeColumns} />
			)}
			<section class="card" id="import">
				<h2>Import boards</h2>
				<p>
					Existing boards, matched by <code>id</code> or, without one, by name and type, are
					updated. All others are added. If one board is invalid, nothing is imported.
				</p>
				<PostForm action="/admin/boards" submit="Import">
					<Field
						name="boards"
						label="Boards as CSV or as a JSON array"
						help="Required: name and board_type. Up to 2,000 boards and 256 KiB; for more, use board-access-service boards import."
						input={{ rows: 6, placeholder: example, spellcheck: 'false', class: 'mono' }}
					/>
				</PostForm>
			</section>
			<SameRequest examples={boardsRequest(services.settings.baseUrl)} />
		</>
	);
	return { title: 'Inventory', main };
}

const example = `name,board_type,status,description,tags.location
esp32-s3-04,esp32-s3,available,ESP32-S3-DevKitC-1,rack-1`;

export const typeColumns: Column<TypeSummary>[] = [
	{ label: 'Type', cell: (type) => <TypeLink type={type.board_type} />, class: 'main-cell' },
	...statuses.map((status) => tally(statusWords[status], (type) => type[status])),
	{ label: 'All', class: 'tally', cell: (type) => <strong class="number">{type.all}</strong> },
	tally('Failing', ({ failing }) => failing),
	tally('Keeping earlier firmware', ({ keeping }) => keeping),
];

/** A column of numbers, of which the zeros are faint. */
function tally(label: string, count: (type: TypeSummary) => number) {
	const cell = (type: TypeSummary) => (
		<span class={count(type) === 0 ? 'number muted' : 'number'}>
			{count(type).toLocaleString('en')}
		</span>
	);
	return { label, class: 'tally', cell };
}

export const importInventory = onSubmit({
	fields: ['boards'],
	change: async ({ c, services }: MemberVisit, { boards }) => {
		await importGiven(services, boards);
		return goTo(c, '/admin/boards', 'boards-imported');
	},
	again: showInventory,
});

// The inventory: how many boards of each type there are.
import { summarizeBoardTypes, type TypeSummary } from 'board-access-core';
import { statuses, statusWords } from '../boards/status.tsx';
import { ButtonLink } from '../elements/form.tsx';
import { type Column, Table } from '../elements/list.tsx';
import { TypeLink } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';

export async function showInventory({ services }: MemberVisit) {
	const types = await summarizeBoardTypes(services.database.query);
	const main = (
		<>
			{types.length > 0 && (
				<Table caption="Boards of each type" rows={types} columns={typeColumns} />
			)}
			<p class="muted">
				To add many boards at once, use <code>board-access-service boards import boards.csv</code>{' '}
				or <a href="/docs#importBoards">the API</a>.
			</p>
		</>
	);
	const lead = 'The boards of this service, type by type.';
	const actions = (
		<ButtonLink href="/admin/boards/new" text="Add board" icon="plus" look="primary" />
	);
	return { title: 'Inventory', lead, actions, main };
}

export const typeColumns: Column<TypeSummary>[] = [
	{ label: 'Type', cell: (type) => <TypeLink type={type.board_type} />, class: 'main-cell' },
	...statuses.map((status) => tally(statusWords[status], (type) => type[status])),
	{ label: 'All', class: 'tally', cell: (type) => <strong class="number">{type.all}</strong> },
	tally('Failing', ({ failing }) => failing),
	tally('Keeping earlier firmware', ({ keeping }) => keeping),
];

/** A column of numbers; zeros are muted. */
function tally(label: string, count: (type: TypeSummary) => number) {
	const cell = (type: TypeSummary) => (
		<span class={count(type) === 0 ? 'number muted' : 'number'}>
			{count(type).toLocaleString('en')}
		</span>
	);
	return { label, class: 'tally', cell };
}

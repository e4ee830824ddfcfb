// A table that becomes a list of cards on a narrow screen.
import type { Child } from 'hono/jsx';

export interface Column<Row> {
	label: string;
	cell: (row: Row) => Child;
	/** How the column is ordered now, and the address that orders by it. */
	sort?: { direction: 'ascending' | 'descending' | undefined; href: string } | undefined;
	class?: string;
}

interface TableProps<Row> {
	caption: string;
	columns: readonly Column<Row>[];
	rows: readonly Row[];
}

export function Table<Row>({ caption, columns, rows }: TableProps<Row>) {
	return (
		<div class="table-box">
			<table>
				<caption class="unseen">{caption}</caption>
				<thead>
					<tr>
						{columns.map((column) => (
							<th scope="col" class={column.class} aria-sort={column.sort?.direction}>
								{column.sort ? <a href={column.sort.href}>{column.label}</a> : column.label}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr>
							{columns.map(({ label, cell, class: name }) => (
								<td class={name} data-label={label}>
									{cell(row)}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

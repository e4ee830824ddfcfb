// Lists: tables that become cards on a narrow screen, and what surrounds them.
import type { Child } from 'hono/jsx';
import { Icon, type IconName } from './text.tsx';

export interface Column<Row> {
	label: string;
	cell: (row: Row) => Child;
	class?: string;
}

export interface TableProps<Row> {
	caption: string;
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	rowClass?: ((row: Row) => string | undefined) | undefined;
}

export function Table<Row>({ caption, columns, rows, rowClass }: TableProps<Row>) {
	return (
		<div class="table-box">
			<table>
				<caption class="unseen">{caption}</caption>
				<thead>
					<tr>
						{columns.map((column) => (
							<th scope="col" class={column.class}>
								{column.label}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr class={rowClass?.(row)}>
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

/** What a script reads again every few seconds. */
export function Live({ children }: { children: Child }) {
	return (
		<div data-live-filter data-live-seconds={10}>
			<div data-live-results>{children}</div>
		</div>
	);
}

/** Parts of a page as a stream sends them; each takes the place of the one with its name. */
export function liveParts(parts: Readonly<Record<string, Child>>) {
	const named = Object.entries(parts).map(([name, part]) => (
		<div data-live-results={name}>{part}</div>
	));
	return String(<div data-live-filter>{named}</div>);
}

/** When a list was read, and a link that reads it again. */
export function AsOf({ at, href }: { at: string | number; href: string }) {
	const time = new Date(at).toISOString();
	return (
		<p class="as-of muted small">
			<span data-live-message>
				As of{' '}
				<time datetime={time} data-clock>
					{`${time.slice(11, 19)} UTC`}
				</time>
			</span>{' '}
			<a href={href}>Refresh</a>
		</p>
	);
}

/** The way to the next page of a list whose length is not known. */
export function NextPage({ href, text = 'Older' }: { href: string | null; text?: string }) {
	if (!href) return null;
	return (
		<nav class="pager" aria-label="Pages">
			<a class="button" rel="next" href={href}>
				{text}
				<Icon name="right" />
			</a>
		</nav>
	);
}

interface EmptyStateProps {
	icon: IconName;
	title: string;
	children: Child;
}

/** A list with nothing in it, and what to do about that. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
	return (
		<section class="empty">
			<Icon name={icon} />
			<h2>{title}</h2>
			{children}
		</section>
	);
}

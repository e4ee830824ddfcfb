// Lists: kept up to date by a script, searched, sorted and paged by their address.
import type { Child } from 'hono/jsx';
import type { ServiceContext } from '../../http/environment.ts';
import { readLine } from '../form.ts';
import { withQuery } from '../paths.ts';
import { HiddenFields } from './form.tsx';
import { Icon } from './icon.tsx';
import { type PageChoice, Pager, sizeText } from './pager.tsx';
import { readSort, type Sort, sortLink, sortText } from './sort.ts';
import { type Column, Table } from './table.tsx';

/** What a script reads again every few seconds, where it has seconds. */
export function Live({ seconds, children }: { seconds?: number; children: Child }) {
	return (
		<div data-live-filter data-live-seconds={seconds}>
			<div data-live-results>{children}</div>
		</div>
	);
}

/** When a list was read, and a link that reads it again. */
export function AsOf({ at, href }: { at: string; href: string }) {
	return (
		<p class="as-of muted small">
			<span data-live-message>
				As of{' '}
				<time datetime={at} data-clock>
					{`${at.slice(11, 19)} UTC`}
				</time>
			</span>{' '}
			<a href={href}>Refresh</a>
		</p>
	);
}

/** The way to the next page of a list whose length is not known. */
export function Older({ href, children }: { href: string | null; children?: Child }) {
	if (!href && !children) return null;
	return (
		<nav class="pager" aria-label="Pages">
			{children}
			{href && (
				<a class="button" rel="next" href={href}>
					Older
					<Icon name="right" />
				</a>
			)}
		</nav>
	);
}

interface EmptyStateProps {
	icon: Parameters<typeof Icon>[0]['name'];
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

/** What an address says about a list: the search and the order. */
export function readSearch<Name extends string>(
	c: ServiceContext,
	sorts: readonly [Name, ...Name[]],
) {
	return { text: readLine(c, 'q'), sort: readSort(c.req.query('sort'), sorts) };
}

interface ListAddress<Name extends string> {
	path: string;
	sorts: readonly [Name, ...Name[]];
	text: string;
	sort: Sort<Name>;
	pageSize: number;
	/** Further parts of the address. */
	filter?: Record<string, string | undefined>;
}

/** The addresses of a list: of the current view with a change, and of the order by each column. */
export function listLinks<Name extends string>(list: ListAddress<Name>) {
	const kept = { sort: sortText(list.sort, list.sorts), size: sizeText(list.pageSize) };
	const hrefOf = (change: Record<string, string | undefined>) =>
		withQuery(list.path, { q: list.text, ...list.filter, ...kept, ...change });
	const sorted = (name: Name) => sortLink(name, list.sort, (sort) => hrefOf({ sort }));
	return { kept, hrefOf, sorted };
}

interface SearchFormProps {
	action: string;
	label: string;
	placeholder: string;
	text: string;
	/** What the search keeps of the address: the order and the page size. */
	kept?: Record<string, string | undefined>;
	name?: string;
	submit?: string;
	/** Further fields. */
	children?: Child;
}

export function SearchForm({ name = 'q', submit = 'Search', ...props }: SearchFormProps) {
	const { action, label, placeholder, text, kept = {}, children } = props;
	return (
		<search>
			<form class="toolbar" method="get" action={action}>
				<div class="search">
					<Icon name="search" />
					<label class="unseen" for={name}>
						{label}
					</label>
					<input
						id={name}
						name={name}
						type="search"
						value={text}
						placeholder={placeholder}
						maxlength={200}
					/>
				</div>
				{children}
				<HiddenFields values={kept} />
				<button type="submit" class="button">
					{submit}
				</button>
			</form>
		</search>
	);
}

interface ChoiceProps {
	name: string;
	label: string;
	/** What chooses nothing. */
	all: string;
	options: readonly (readonly [value: string, text: string])[];
	chosen: string | undefined;
}

/** A field of a search that chooses one of several values. */
export function Choice({ name, label, all, options, chosen }: ChoiceProps) {
	return (
		<>
			<label class="unseen" for={name}>
				{label}
			</label>
			<select id={name} name={name}>
				<option value="">{all}</option>
				{options.map(([value, text]) => (
					<option value={value} selected={value === chosen} dir="auto">
						{text}
					</option>
				))}
			</select>
		</>
	);
}

/** How many rows match a search, for people who do not see them appear. */
export function Matches({ total, noun }: { total: number; noun: string }) {
	const what = total === 1 ? `${noun} matches` : `${noun}s match`;
	return <output class="unseen">{`${total.toLocaleString('en')} ${what}`}</output>;
}

interface SearchedListProps<Row, Name extends string> extends PageChoice, ListAddress<Name> {
	/** What a row is, in the singular. */
	noun: string;
	placeholder: string;
	rows: readonly Row[];
	columns: (sorted: (name: Name) => Column<Row>['sort']) => readonly Column<Row>[];
	caption: string;
	/** What surrounds the table. */
	around?: (table: Child) => Child;
}

/** A table with its search, its order and its pages. */
export function SearchedList<Row, Name extends string>(props: SearchedListProps<Row, Name>) {
	const { path, noun, rows, total, around = (table) => table } = props;
	const { kept, hrefOf, sorted } = listLinks(props);
	const table = <Table caption={props.caption} rows={rows} columns={props.columns(sorted)} />;
	const form = { action: path, text: props.text, placeholder: props.placeholder, kept };
	return (
		<div data-live-filter>
			<SearchForm label={`Search ${noun}s`} {...form} />
			<div data-live-results>
				<Matches total={total} noun={noun} />
				{rows.length > 0 ? (
					around(table)
				) : (
					<EmptyState icon="search" title={`No ${noun} matches`}>
						<p>
							Shorten the search, or <a href={path}>{`show all ${noun}s`}</a>.
						</p>
					</EmptyState>
				)}
				<Pager {...props} hrefOf={hrefOf} />
			</div>
		</div>
	);
}

// Lists that are searched, sorted and paged by their address.
import type { Child } from 'hono/jsx';
import type { ServiceContext } from '../../http/environment.ts';
import { readLine } from '../form.ts';
import { withQuery } from '../paths.ts';
import { Button, HiddenFields } from './form.tsx';
import { Icon } from './icon.tsx';
import { type Column, EmptyState, Table } from './list.tsx';

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
				<Button text={submit} />
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

export interface Sort<Name extends string> {
	by: Name;
	descending: boolean;
}

/** What the address asks for, or the first of the names if it asks for nothing known. */
function readSort<Name extends string>(
	text: string | undefined,
	names: readonly [Name, ...Name[]],
): Sort<Name> {
	const by = names.find((name) => name === text?.replace(/^-/, ''));
	return { by: by ?? names[0], descending: by !== undefined && text?.startsWith('-') === true };
}

/** How an address asks for it; the first of the names need not be asked for. */
function sortText<Name extends string>(
	{ by, descending }: Sort<Name>,
	names: readonly [Name, ...Name[]],
) {
	return by === names[0] && !descending ? undefined : `${descending ? '-' : ''}${by}`;
}

/** The header of a column: how it is ordered now, and what a click on it asks for. */
function sortLink<Name extends string>(
	name: Name,
	now: Sort<Name>,
	hrefOf: (sort: string) => string,
) {
	const active = now.by === name;
	const direction = now.descending ? ('descending' as const) : ('ascending' as const);
	return {
		direction: active ? direction : undefined,
		href: hrefOf(active && !now.descending ? `-${name}` : name),
	};
}

const pageSizes = [25, 50, 100, 200] as const;
const usualSize = 50;

interface PageChoice {
	page: number;
	pageSize: number;
	total: number;
}

interface PagerProps extends PageChoice {
	hrefOf: (change: { page?: string; size?: string | undefined }) => string;
}

/** The page that an address asks for, or the nearest one that exists, and the rows of it. */
export function readPage(
	{ page: text, size }: { page?: string | undefined; size?: string | undefined },
	total: number,
) {
	const pageSize = pageSizes.find((known) => String(known) === size) ?? usualSize;
	const wanted = /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1;
	const page = Math.min(wanted, Math.max(1, Math.ceil(total / pageSize)));
	return { page, pageSize, total, slice: { limit: pageSize, offset: (page - 1) * pageSize } };
}

/** How an address asks for a page size; the usual one is left out. */
function sizeText(pageSize: number) {
	return pageSize === usualSize ? undefined : String(pageSize);
}

export function Pager(props: PagerProps) {
	const { page, pageSize, total, hrefOf } = props;
	if (total <= pageSizes[0]) return null;
	const first = (page - 1) * pageSize + 1;
	const last = Math.min(page * pageSize, total);
	return (
		<div class="pager">
			<p>{`${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${total.toLocaleString('en')}`}</p>
			<PageSizes pageSize={pageSize} hrefOf={hrefOf} />
			{total > pageSize && <PageNumbers {...props} />}
		</div>
	);
}

function PageSizes({ pageSize, hrefOf }: Pick<PagerProps, 'pageSize' | 'hrefOf'>) {
	return (
		<nav class="page-sizes" aria-label="Rows per page">
			<span class="muted">Rows</span>
			{pageSizes.map((size) => (
				<a
					href={hrefOf({ size: sizeText(size) })}
					aria-current={size === pageSize ? 'true' : undefined}
				>
					{size}
				</a>
			))}
		</nav>
	);
}

function PageNumbers({ page, pageSize, total, hrefOf }: PagerProps) {
	const pages = Math.ceil(total / pageSize);
	const link = (number: number) => hrefOf({ page: String(number) });
	return (
		<nav class="page-numbers" aria-label="Pages">
			{page > 1 && (
				<a class="button" rel="prev" href={link(page - 1)} aria-label="Previous page">
					<Icon name="left" />
				</a>
			)}
			{nearbyPages(page, pages).map((number) =>
				number === undefined ? (
					<span aria-hidden="true">…</span>
				) : (
					<a
						class="button"
						href={link(number)}
						aria-label={`Page ${number}`}
						aria-current={number === page ? 'page' : undefined}
					>
						{number.toLocaleString('en')}
					</a>
				),
			)}
			{page < pages && (
				<a class="button" rel="next" href={link(page + 1)} aria-label="Next page">
					<Icon name="right" />
				</a>
			)}
		</nav>
	);
}

/** The first, the last and the neighbouring pages; undefined where pages are left out. */
export function nearbyPages(page: number, pages: number) {
	const numbers = [1, page - 1, page, page + 1, pages].filter(
		(number, index, all) => number >= 1 && number <= pages && all.indexOf(number) === index,
	);
	return numbers.flatMap((number, index) => {
		const before = numbers[index - 1];
		return before !== undefined && number > before + 1 ? [undefined, number] : [number];
	});
}

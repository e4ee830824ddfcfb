// Lists that are searched, sorted and paged by their address.

import type { ServiceContext } from 'board-access-http/environment';
import type { Child } from 'hono/jsx';
import { readLine } from '../form.ts';
import { withQuery } from '../paths.ts';
import { Button, HiddenFields } from './form.tsx';
import { type Column, EmptyState, Table } from './list.tsx';
import { Icon } from './text.tsx';

type Query = Record<string, string | undefined>;

export interface Sort<Name extends string> {
	by: Name;
	descending: boolean;
}

/** What the address of a list says, and the addresses of its other views. */
export type List<Name extends string> = ReturnType<typeof readList<Name>>;

/** Reads the address of a list; without a sort that is known, the first one orders it. */
export function readList<Name extends string>(
	c: ServiceContext,
	sorts: readonly [Name, ...Name[]],
	filter: Query = {},
) {
	const { sort: wanted = '' } = c.req.query();
	const by = sorts.find((name) => name === wanted.replace(/^-/, ''));
	const descending = by !== undefined && wanted.startsWith('-');
	const sort: Sort<Name> = { by: by ?? sorts[0], descending };
	/** What a new search keeps. */
	const kept: Query = { ...filter, sort: by && wanted };
	const text = readLine(c, 'q');
	const { path } = c.req;
	/** The current address with a change, on the first page. */
	const hrefOf = (change: Query) => withQuery(path, { q: text, ...kept, ...change });
	/** The header of a column: how it is ordered now, and the address that orders by it. */
	const sorted = (name: Name) => {
		const isCurrent = sort.by === name;
		return {
			direction: isCurrent ? (sort.descending ? 'descending' : 'ascending') : undefined,
			href: hrefOf({ sort: isCurrent && !sort.descending ? `-${name}` : name }),
		} as const;
	};
	return { path, text, sort, hrefOf, sorted, kept };
}

interface SearchFormProps {
	path: string;
	label: string;
	placeholder: string;
	text: string;
	kept?: Query;
	name?: string;
	submit?: string;
	children?: Child;
}

export function SearchForm({ name = 'q', submit = 'Search', ...props }: SearchFormProps) {
	const { path, label, placeholder, text, kept = {}, children } = props;
	const input = { id: name, name, value: text, placeholder, maxlength: 200 };
	return (
		<search>
			<form class="toolbar" method="get" action={path}>
				<div class="search">
					<Icon name="search" />
					<label class="unseen" for={name}>
						{label}
					</label>
					<input type="search" {...input} />
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

interface SearchedListProps<Row, Name extends string> extends PageChoice {
	list: List<Name>;
	/** What a row is, in the singular. */
	noun: string;
	placeholder: string;
	caption: string;
	rows: readonly Row[];
	columns: readonly Column<Row>[];
	/** How often a script reads the rows again, if it does. */
	seconds?: number;
	/** Further fields of the search. */
	filter?: Child;
	rowClass?: (row: Row) => string | undefined;
	above?: Child;
	below?: Child;
}

/** A table with its search, its order and its pages. */
export function SearchedList<Row, Name extends string>(props: SearchedListProps<Row, Name>) {
	const { list, noun, placeholder, rows, total } = props;
	const what = total === 1 ? `${noun} matches` : `${noun}s match`;
	return (
		<div data-live-filter data-live-seconds={props.seconds}>
			<SearchForm {...list} label={`Search ${noun}s`} placeholder={placeholder}>
				{props.filter}
			</SearchForm>
			<div data-live-results>
				{props.above}
				{/* For people who do not see the rows appear. */}
				<output class="unseen">{`${total.toLocaleString('en')} ${what}`}</output>
				{rows.length > 0 ? (
					<Table {...props} />
				) : (
					<EmptyState icon="search" title={`No ${noun} matches`}>
						<p>
							Shorten the search, or <a href={list.path}>{`show all ${noun}s`}</a>.
						</p>
					</EmptyState>
				)}
				<Pager {...props} hrefOf={list.hrefOf} />
				{props.below}
			</div>
		</div>
	);
}

const pageSize = 50;

type PageChoice = Omit<ReturnType<typeof readPage>, 'slice'>;

/** The page that an address asks for, or the nearest one that exists, and the rows of it. */
export function readPage({ page: text = '' }: { page?: string | undefined }, total: number) {
	const wanted = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
	const page = Math.min(wanted, Math.max(1, Math.ceil(total / pageSize)));
	return { page, total, slice: { limit: pageSize, offset: (page - 1) * pageSize } };
}

function Pager({ page, total, hrefOf }: PageChoice & Pick<List<string>, 'hrefOf'>) {
	if (total <= pageSize) return null;
	const range = [(page - 1) * pageSize + 1, Math.min(page * pageSize, total), total];
	const [first, last, all] = range.map((number) => number.toLocaleString('en'));
	return (
		<nav class="pager" aria-label="Pages">
			<p>{`${first}–${last} of ${all}`}</p>
			{page > 1 && (
				<a class="button" rel="prev" href={hrefOf({ page: String(page - 1) })}>
					<Icon name="left" />
					Previous
				</a>
			)}
			{page * pageSize < total && (
				<a class="button" rel="next" href={hrefOf({ page: String(page + 1) })}>
					Next
					<Icon name="right" />
				</a>
			)}
		</nav>
	);
}

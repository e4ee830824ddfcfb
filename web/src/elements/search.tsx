// Lists that are searched and paged by their address.
import type { ServiceContext } from 'board-access-http/environment';
import type { Child } from 'hono/jsx';
import { readLine } from '../form.ts';
import { type Query, withQuery } from '../paths.ts';
import { Button, HiddenFields } from './form.tsx';
import { EmptyState, NextPage, Table, type TableProps } from './list.tsx';
import { Icon } from './text.tsx';

/** How many rows a page has. */
const pageSize = 50;

/** What the address of a list says, and the addresses of its other views. */
export function readList(c: ServiceContext, filter: Query = {}) {
	const { path } = c.req;
	const text = readLine(c, 'q');
	return {
		path,
		text,
		page: { limit: pageSize, cursor: c.req.query('cursor') },
		/** The current address with a change, on the first page. */
		hrefOf: (change: Query) => withQuery(path, { q: text, ...filter, ...change }),
	};
}

interface SearchFormProps {
	path: string;
	label: string;
	placeholder: string;
	text: string;
	kept?: Query | undefined;
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

interface SearchedListProps<Row> extends TableProps<Row> {
	list: ReturnType<typeof readList>;
	/** What a row is, in the singular. */
	noun: string;
	placeholder: string;
	/** Where the next page begins. */
	next: string | null;
	/** How often a script reads the rows again, if it does. */
	seconds?: number;
	/** Further fields of the search, and what it keeps without a field. */
	fields?: Child;
	kept?: Query;
	above?: Child;
	below?: Child;
}

/** A table with its search and the way to its next page. */
export function SearchedList<Row>(props: SearchedListProps<Row>) {
	const { list, noun, placeholder, kept, rows, next } = props;
	return (
		<div data-live-filter data-live-seconds={props.seconds}>
			<SearchForm {...list} label={`Search ${noun}s`} placeholder={placeholder} kept={kept}>
				{props.fields}
			</SearchForm>
			<div data-live-results>
				{props.above}
				{/* For people who do not see the rows appear. */}
				<output class="unseen">{`${rows.length} ${rows.length === 1 ? noun : `${noun}s`}`}</output>
				{rows.length > 0 ? (
					<Table {...props} />
				) : (
					<EmptyState icon="search" title={`No ${noun} matches`}>
						<p>
							Shorten the search, or <a href={list.path}>{`show all ${noun}s`}</a>.
						</p>
					</EmptyState>
				)}
				<NextPage href={next && list.hrefOf({ cursor: next })} text="Next" />
				{props.below}
			</div>
		</div>
	);
}

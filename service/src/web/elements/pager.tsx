// Page numbers and page sizes of a list whose length is known.
import { Icon } from './icon.tsx';

const pageSizes = [25, 50, 100, 200] as const;
const usualSize = 50;

export interface PageChoice {
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
export function sizeText(pageSize: number) {
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

// From page to page of a list whose length is known.
import { Icon } from './icon.tsx';

interface PagerProps {
	page: number;
	pageSize: number;
	total: number;
	hrefOf: (page: number) => string;
}

/** The page that an address asks for, or the nearest that there is, and which rows it has. */
export function readPage(
	text: string | undefined,
	{ total, pageSize }: { total: number; pageSize: number },
) {
	const wanted = /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1;
	const page = Math.min(wanted, Math.max(1, Math.ceil(total / pageSize)));
	return { page, slice: { limit: pageSize, offset: (page - 1) * pageSize } };
}

export function Pager({ page, pageSize, total, hrefOf }: PagerProps) {
	const first = (page - 1) * pageSize + 1;
	const last = Math.min(page * pageSize, total);
	if (total <= pageSize) return null;
	return (
		<nav class="pager" aria-label="Pages">
			<p>{`${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${total.toLocaleString('en')}`}</p>
			{page > 1 && (
				<a class="button" rel="prev" href={hrefOf(page - 1)}>
					<Icon name="left" />
					Previous
				</a>
			)}
			{last < total && (
				<a class="button" rel="next" href={hrefOf(page + 1)}>
					Next
					<Icon name="right" />
				</a>
			)}
		</nav>
	);
}

// What a visitor keeps of the list of boards: favorites, and filters by their names.
import { readFilters, saveFilter, setFavorite } from '../../boards/saved.ts';
import { Button, HiddenFields } from '../elements/form.tsx';
import { Name } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit } from '../pages.tsx';
import { localPath } from '../paths.ts';

interface StarProps {
	board: { id: string; name: string };
	on: boolean;
	/** The page that it is on. */
	back: string;
}

export function Star({ board, on, back }: StarProps) {
	const label = { 'aria-pressed': on, 'aria-label': `Favorite ${board.name}`, title: 'Favorite' };
	return (
		<form
			class="star"
			method="post"
			action={`/boards/${encodeURIComponent(board.id)}/favorite`}
			data-in-place
		>
			<HiddenFields values={{ back, on: String(!on) }} />
			<button type="submit" id={`star-${board.id}`} {...label}>
				{on ? '★' : '☆'}
			</button>
		</form>
	);
}

export async function changeFavorite({ c, account, parts }: MemberVisit) {
	const { on, back } = await readForm(c, ['on', 'back']);
	const owned = { accountId: account.id, id: c.req.param('id') ?? '' };
	await setFavorite(parts.database.query, owned, on === 'true');
	return goTo(c, localPath(back, '/boards'));
}

/** The saved filters, and what saves the current one; `href` is the address of the list. */
export async function savedFilters({ account, parts }: MemberVisit, href: string) {
	const current = new URLSearchParams(href.split('?')[1]).toString();
	const filters = await readFilters(parts.database.query, account.id);
	const saved = filters.find(({ query }) => query === current);
	if (filters.length === 0 && !current) return null;
	return (
		<div class="saved-filters">
			{filters.length > 0 && (
				<nav aria-label="Saved filters">
					{filters.map(({ name, query }) => (
						<a href={`/boards?${query}`} aria-current={query === current ? 'true' : undefined}>
							<Name>{name}</Name>
						</a>
					))}
				</nav>
			)}
			{saved ? (
				<form class="row-action" method="post" action="/boards/filters">
					<HiddenFields values={{ name: saved.name }} />
					<Button text="Remove" label={`Remove the filter ${saved.name}`} />
				</form>
			) : (
				current && <SaveForm query={current} />
			)}
		</div>
	);
}

function SaveForm({ query }: { query: string }) {
	return (
		<details>
			<summary>Save this filter</summary>
			<form class="toolbar" method="post" action="/boards/filters">
				<HiddenFields values={{ query }} />
				<label class="unseen" for="filter-name">
					Name of the filter
				</label>
				<input id="filter-name" name="name" placeholder="Name" maxlength={60} required />
				<Button text="Save" />
			</form>
		</details>
	);
}

export async function changeFilters({ c, account, parts }: MemberVisit) {
	const sent = await readForm(c, ['name', 'query']);
	const name = sent.name
		.replace(/\p{Cc}/gu, ' ')
		.trim()
		.slice(0, 60);
	const query = new URLSearchParams(sent.query).toString().slice(0, 1000);
	await saveFilter(parts.database.query, { accountId: account.id, name, query });
	if (!query) return goTo(c, '/boards', 'filter-removed', name);
	return goTo(c, `/boards?${query}`, 'filter-saved', name);
}

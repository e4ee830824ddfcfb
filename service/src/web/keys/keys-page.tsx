// The keys of an account: enough of each to tell it from the others, never the key itself.

import { expiryOf, type keySorts, type LiveKey, mostKeysShown } from '../../keys/search.ts';
import type { listKeys } from '../../keys/store.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { Icon } from '../elements/icon.tsx';
import { Matches } from '../elements/matches.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { type PageChoice, Pager, sizeText } from '../elements/pager.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { SearchForm } from '../elements/search-form.tsx';
import { type Sort, sortLink, sortText } from '../elements/sort.ts';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../paths.ts';
import { KeyTable } from './key-table.tsx';
import { listKeysRequest } from './requests.ts';

export type ApiKey = Awaited<ReturnType<typeof listKeys>>['data'][number];

interface KeysPageProps extends PageChoice {
	/** All keys that are not revoked. */
	all: LiveKey[];
	/** Those of this page, as searched and ordered. */
	keys: LiveKey[];
	text: string;
	sort: Sort<(typeof keySorts)[number]>;
	names: typeof keySorts;
	paid: boolean;
	baseUrl: string;
}

export function KeysPage(props: KeysPageProps) {
	const { all, text, sort, names, paid, baseUrl, keys, ...choice } = props;
	const kept = { sort: sortText(sort, names), size: sizeText(choice.pageSize) };
	const hrefOf = (change: Record<string, string | undefined>) =>
		withQuery('/keys', { q: text, ...kept, ...change });
	return (
		<>
			<KeysHead />
			<ExpiryWarning keys={all} />
			{all.length === 0 ? (
				<NoKeys paid={paid} />
			) : (
				<div data-live-filter>
					<SearchForm
						action="/keys"
						label="Search keys"
						placeholder="Label or masked key…"
						text={text}
						kept={kept}
					/>
					<div data-live-results>
						<Matches total={choice.total} noun="key" />
						{keys.length === 0 ? (
							<EmptyState icon="search" title="No key matches">
								<p>
									Shorten the search, or <a href="/keys">show all keys</a>.
								</p>
							</EmptyState>
						) : (
							<KeyTable
								keys={keys}
								sorted={(name) => sortLink(name, sort, (sort) => hrefOf({ sort }))}
							/>
						)}
						<Pager {...choice} hrefOf={hrefOf} />
					</div>
				</div>
			)}
			{all.length === mostKeysShown && (
				<p class="muted small">
					{`These are the newest ${mostKeysShown.toLocaleString('en')} keys; `}
					the command line lists all of them.
				</p>
			)}
			<p class="filter-line">
				<a href="/keys?revoked=true">Show revoked keys too</a>
			</p>
			<SameRequest examples={listKeysRequest(baseUrl)} />
		</>
	);
}

export function KeysHead() {
	return (
		<PageHead title="API keys" lead="For the command line, your code and your pipelines.">
			<a class="button primary" href="/keys/new">
				<Icon name="plus" />
				Create key
			</a>
		</PageHead>
	);
}

const mostNamed = 5;

function ExpiryWarning({ keys }: { keys: LiveKey[] }) {
	const soon = keys.filter((key) => expiryOf(key) === 'soon');
	if (soon.length === 0) return null;
	return (
		<section class="callout important" aria-label="Keys that expire soon">
			<Icon name="alert" />
			<div>
				<strong>
					{soon.length === 1
						? 'A key expires within a week.'
						: `${soon.length} keys expire within a week.`}
				</strong>{' '}
				Create new ones and replace them where they are used.
				<ul>
					{soon.slice(0, mostNamed).map(({ label, hint, expires_at }) => (
						<li>
							<Name>{label ?? hint}</Name> {expires_at && <Time at={expires_at} />}
						</li>
					))}
				</ul>
			</div>
		</section>
	);
}

function NoKeys({ paid }: { paid: boolean }) {
	return (
		<EmptyState icon="key" title="You have no keys yet">
			<p>
				A key lets the command line, your code and your pipelines act for you. They read it from the
				environment variable <code>SERVICE_API_KEY</code>.
			</p>
			<p class="actions">
				<a class="button primary" href="/keys/new">
					Create your first key
				</a>
			</p>
			{!paid && (
				<p class="muted small">
					Creating keys needs the paid tier: <a href="/credits">top up credits</a> first.
				</p>
			)}
		</EmptyState>
	);
}

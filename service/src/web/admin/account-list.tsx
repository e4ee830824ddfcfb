// All accounts, with what an administrator looks for in them.
import { type AccountRecord, accountSorts } from '../../accounts/search.ts';
import { CodeBlock } from '../elements/code-block.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Pager } from '../elements/pager.tsx';
import { SearchBox } from '../elements/search-box.tsx';
import { type Sort, sortLink, sortText } from '../elements/sort.ts';
import { Table } from '../elements/table.tsx';
import { Credits } from '../elements/tier.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../local-path.ts';
import { AccountBadges } from './account-state.tsx';

interface AccountListProps {
	text: string;
	sort: Sort<(typeof accountSorts)[number]>;
	accounts: AccountRecord[];
	total: number;
	page: number;
	pageSize: number;
}

export function AccountList({ text, sort, accounts, total, page, pageSize }: AccountListProps) {
	const order = sortText(sort, accountSorts);
	const hrefOf = (change: Record<string, string | undefined>) =>
		withQuery('/admin/accounts', { q: text, sort: order, ...change });
	const sorted = (name: (typeof accountSorts)[number]) =>
		sortLink(name, sort, (wish) => hrefOf({ sort: wish }));
	return (
		<>
			<PageHead title="Accounts" lead="Who may use this service, and on which tier." />
			<div data-live-filter>
				<search>
					<form class="toolbar" method="get" action="/admin/accounts">
						<SearchBox label="Search accounts" placeholder="Email address…" text={text} />
						<button type="submit" class="button">
							Search
						</button>
					</form>
				</search>
				<div data-live-results>
					<output class="unseen">{`${total.toLocaleString('en')} accounts match`}</output>
					{accounts.length === 0 ? (
						<EmptyState icon="search" title="No account matches">
							<p>
								Search for less, or <a href="/admin/accounts">show all accounts</a>.
							</p>
						</EmptyState>
					) : (
						<Table
							caption="Accounts"
							rows={accounts}
							columns={[
								{ label: 'Account', cell: AccountName, sort: sorted('email'), class: 'main-cell' },
								{ label: 'Standing', cell: AccountBadges, class: 'bare' },
								{
									label: 'Credits',
									cell: ({ credits }) => <Credits amount={credits} />,
									sort: sorted('credits'),
								},
								{
									label: 'Created',
									cell: ({ created_at }) => <Time at={created_at} />,
									sort: sorted('created_at'),
								},
							]}
						/>
					)}
					<Pager
						page={page}
						pageSize={pageSize}
						total={total}
						hrefOf={(number) => hrefOf({ page: String(number) })}
					/>
				</div>
			</div>
			<details class="same-call">
				<summary>The same from the machine that runs the service</summary>
				<CodeBlock id="account-commands" what="the commands" text={commands} />
			</details>
		</>
	);
}

const commands = `board-access-service account list
board-access-service account create ann@example.com
board-access-service account credit ann@example.com 100
board-access-service account promote ann@example.com
board-access-service account disable ann@example.com`;

function AccountName({ id, email }: AccountRecord) {
	return (
		<>
			<a href={`/admin/accounts/${id}`}>
				<strong>{email}</strong>
			</a>{' '}
			<code class="muted small">{id}</code>
		</>
	);
}

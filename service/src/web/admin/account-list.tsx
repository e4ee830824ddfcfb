// The list of all accounts.

import { type AccountRecord, accountSorts } from '../../accounts/search.ts';
import { CodeBlock } from '../elements/code-block.tsx';
import { Credits } from '../elements/credits.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { Matches } from '../elements/matches.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { type PageChoice, Pager, sizeText } from '../elements/pager.tsx';
import { SearchForm } from '../elements/search-form.tsx';
import { type Sort, sortLink, sortText } from '../elements/sort.ts';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../paths.ts';
import { AccountBadges } from './account-badges.tsx';

interface AccountListProps extends PageChoice {
	text: string;
	sort: Sort<(typeof accountSorts)[number]>;
	accounts: AccountRecord[];
}

export function AccountList({ text, sort, accounts, ...choice }: AccountListProps) {
	const kept = { sort: sortText(sort, accountSorts), size: sizeText(choice.pageSize) };
	const hrefOf = (change: Record<string, string | undefined>) =>
		withQuery('/admin/accounts', { q: text, ...kept, ...change });
	const sorted = (name: (typeof accountSorts)[number]) =>
		sortLink(name, sort, (sort) => hrefOf({ sort }));
	return (
		<>
			<PageHead title="Accounts" lead="Everyone who can use this service, with tier and role." />
			<div data-live-filter>
				<SearchForm
					action="/admin/accounts"
					label="Search accounts"
					placeholder="Email address…"
					text={text}
					kept={kept}
				/>
				<div data-live-results>
					<Matches total={choice.total} noun="account" />
					{accounts.length === 0 ? (
						<EmptyState icon="search" title="No account matches">
							<p>
								Shorten the search, or <a href="/admin/accounts">show all accounts</a>.
							</p>
						</EmptyState>
					) : (
						<Table
							caption="Accounts"
							rows={accounts}
							columns={[
								{ label: 'Account', cell: AccountName, sort: sorted('email'), class: 'main-cell' },
								{ label: 'Tier and role', cell: AccountBadges, class: 'bare' },
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
					<Pager {...choice} hrefOf={hrefOf} />
				</div>
			</div>
			<details class="same-request">
				<summary>From the command line, on the machine that runs the service</summary>
				<CodeBlock id="account-commands" what="the commands" text={commands} />
			</details>
		</>
	);
}

const commands = `board-access-service account list
board-access-service account create ann@example.com
board-access-service account credit ann@example.com 100
board-access-service account promote ann@example.com
board-access-service account disable ann@example.com
board-access-service account reset-two-factor ann@example.com
board-access-service account delete ann@example.com`;

function AccountName({ id, email }: AccountRecord) {
	return (
		<a href={`/admin/accounts/${id}`}>
			<strong>
				<Name>{email}</Name>
			</strong>
		</a>
	);
}

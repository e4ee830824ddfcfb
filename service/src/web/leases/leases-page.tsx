// The leases of an account, live ones and past ones.
import { AsOf } from '../elements/as-of.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { Icon } from '../elements/icon.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Table } from '../elements/table.tsx';
import { withQuery } from '../paths.ts';
import { leaseColumns } from './lease-columns.tsx';
import { EndReason, type Lease } from './status.tsx';

interface LeasesPageProps {
	leases: Lease[];
	next: string | null;
	/** The names of boards by their identifiers. */
	names: Map<string, string>;
	at: string;
}

export function LeasesPage({ leases, next, names, at }: LeasesPageProps) {
	return (
		<>
			<PageHead
				title="Leases"
				lead="The boards that you are using, and those that you used before. Consoles are kept for 24 hours."
			/>
			<div data-live-filter data-live-seconds="10">
				<div data-live-results>
					<AsOf at={at} href="/leases" />
					{leases.length === 0 ? <NoLeases /> : <LeaseTable leases={leases} names={names} />}
					{next && (
						<nav class="pager" aria-label="Pages">
							<a class="button" rel="next" href={withQuery('/leases', { cursor: next })}>
								Older
								<Icon name="right" />
							</a>
						</nav>
					)}
				</div>
			</div>
		</>
	);
}

function LeaseTable({ leases, names }: Pick<LeasesPageProps, 'leases' | 'names'>) {
	return (
		<Table
			caption="Leases"
			rows={leases}
			columns={[
				{
					label: 'Board',
					cell: ({ id, board_id, board_type }) => (
						<a class="row-link" href={`/leases/${id}`}>
							<strong>
								<bdi>{names.get(board_id ?? '') ?? board_id ?? board_type}</bdi>
							</strong>
						</a>
					),
					class: 'main-cell',
				},
				...leaseColumns,
				{ label: 'End', cell: EndReason },
			]}
		/>
	);
}

function NoLeases() {
	return (
		<EmptyState icon="board" title="You have no leases yet">
			<p>
				Choose a board and <strong>Use this board</strong>: it is then reserved for you.
			</p>
			<p class="actions">
				<a class="button primary" href="/boards?status=available">
					Choose a board
				</a>
			</p>
		</EmptyState>
	);
}

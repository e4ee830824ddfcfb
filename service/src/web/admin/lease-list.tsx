// The leases of every account: live ones first, then those that have ended.
import type { adminLease } from 'board-access-contract';
import type * as z from 'zod/mini';
import { AsOf } from '../elements/as-of.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { Icon } from '../elements/icon.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Table } from '../elements/table.tsx';
import { leaseColumns } from '../leases/lease-columns.tsx';
import { withQuery } from '../paths.ts';

export type AdminLease = z.output<typeof adminLease>;

interface LeaseListProps {
	leases: AdminLease[];
	next: string | null;
	/** The names of boards and accounts by their identifiers. */
	names: Map<string, string>;
	at: string;
}

export function LeaseList({ leases, next, names, at }: LeaseListProps) {
	return (
		<>
			<PageHead title="All leases" lead="The leases of every account, live ones first." />
			<div data-live-filter data-live-seconds="10">
				<div data-live-results>
					<AsOf at={at} href="/admin/leases" />
					{leases.length === 0 ? (
						<EmptyState icon="board" title="There are no leases yet">
							<p>A lease appears here when someone uses a board.</p>
						</EmptyState>
					) : (
						<LeaseTable leases={leases} names={names} />
					)}
					{next && (
						<nav class="pager" aria-label="Pages">
							<a class="button" rel="next" href={withQuery('/admin/leases', { cursor: next })}>
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

function LeaseTable({ leases, names }: Pick<LeaseListProps, 'leases' | 'names'>) {
	const nameOf = ({ board_id, board_type }: AdminLease) =>
		names.get(board_id ?? '') ?? board_id ?? board_type;
	return (
		<Table
			caption="All leases"
			rows={leases}
			columns={[
				{
					label: 'Board',
					cell: (lease) => (
						<strong>
							{names.has(lease.board_id ?? '') ? (
								<a href={`/boards/${encodeURIComponent(lease.board_id ?? '')}`}>
									<Name>{nameOf(lease)}</Name>
								</a>
							) : (
								<Name>{nameOf(lease)}</Name>
							)}
						</strong>
					),
					class: 'main-cell',
				},
				{
					label: 'Account',
					cell: ({ account_id }) => (
						<a href={`/admin/accounts/${account_id}`}>
							<Name>{names.get(account_id) ?? account_id}</Name>
						</a>
					),
				},
				...leaseColumns,
				{
					label: 'End',
					cell: (lease) =>
						lease.status === 'ended' ? (
							<span class="small">
								<Name>{lease.end_message ?? ''}</Name>
							</span>
						) : (
							<a
								class="button danger"
								href={`/admin/leases/${lease.id}/end`}
								aria-label={`End the lease of ${nameOf(lease)}`}
								data-confirm
							>
								End
							</a>
						),
					class: 'end',
				},
			]}
		/>
	);
}

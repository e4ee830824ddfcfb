// A list of leases: of one account, or of all.
import type { Child } from 'hono/jsx';
import { AsOf, type Column, EmptyState, Live, NextPage, Table } from '../elements/list.tsx';
import { Credits, Time } from '../elements/text.tsx';
import { withQuery } from '../paths.ts';
import { type Lease, LeaseStatus } from './status.tsx';

interface LeaseListProps<Row extends Lease> {
	caption: string;
	path: string;
	leases: Row[];
	columns: readonly Column<Row>[];
	next_cursor: string | null;
	at: string;
	above?: Child;
	/** What to do about an empty list. */
	children: Child;
}

export function LeaseList<Row extends Lease>(props: LeaseListProps<Row>) {
	const { caption, path, leases, columns, next_cursor, at, children } = props;
	const who = path === '/leases' ? 'You have' : 'There are';
	return (
		<Live>
			<AsOf at={at} href={path} />
			{props.above}
			{leases.length === 0 ? (
				<EmptyState icon="board" title={`${who} no leases yet`}>
					{children}
				</EmptyState>
			) : (
				<Table caption={caption} rows={leases} columns={columns} />
			)}
			<NextPage href={next_cursor && withQuery(path, { cursor: next_cursor })} />
		</Live>
	);
}

/** The columns that every list of leases has. */
export const leaseColumns: readonly Column<Lease>[] = [
	{ label: 'Status', cell: LeaseStatus, class: 'bare' },
	{ label: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
	{ label: 'Cost', cell: CostOf },
];

function CostOf({ credits }: Lease) {
	if (credits === null) return '–';
	return credits === 0 ? 'Free' : <Credits amount={credits} />;
}

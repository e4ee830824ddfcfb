// The columns that every list of leases has.
import { Credits } from '../elements/credits.tsx';
import type { Column } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { type Lease, LeaseStatus } from './status.tsx';

export const leaseColumns: readonly Column<Lease>[] = [
	{ label: 'Status', cell: LeaseStatus, class: 'bare' },
	{ label: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
	{
		label: 'Cost',
		cell: ({ credits }) => (credits === null ? '–' : <Credits amount={credits} />),
	},
];

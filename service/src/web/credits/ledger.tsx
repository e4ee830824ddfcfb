// The credit entries of an account, newest first.
import type { CreditEntryRow } from '../../database/schema.ts';
import { Credits } from '../elements/credits.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';

const reasons = { top_up: 'Top-up', lease: 'Lease', grant: 'Grant by the operator' } as const;

export function Ledger({ entries }: { entries: CreditEntryRow[] }) {
	return (
		<Table
			caption="Ledger"
			rows={entries}
			columns={[
				{ label: 'Entry', cell: ({ reason }) => reasons[reason], class: 'main-cell' },
				{ label: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
				{ label: 'Reference', cell: ({ reference }) => <code class="small">{reference}</code> },
				{ label: 'Amount', cell: ({ amount }) => <Credits amount={amount} />, class: 'end' },
			]}
		/>
	);
}

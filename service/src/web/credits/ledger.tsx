// The credit entries of an account, newest first.
import type { CreditEntryRow } from '../../database/schema.ts';
import { Table } from '../elements/list.tsx';
import { Credits, Time } from '../elements/text.tsx';

const reasons = { top_up: 'Top-up', lease: 'Lease', grant: 'Grant by the operator' } as const;

interface LedgerProps {
	entries: CreditEntryRow[];
	/** Whether the reader can open the leases in it. */
	own: boolean;
}

export function Ledger({ entries, own }: LedgerProps) {
	return (
		<Table
			caption="Ledger"
			rows={entries}
			columns={[
				{ label: 'Entry', cell: ({ reason }) => reasons[reason], class: 'main-cell' },
				{ label: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
				{ label: 'Reference', cell: (entry) => <Reference entry={entry} own={own} /> },
				{ label: 'Amount', cell: ({ amount }) => <Credits amount={amount} />, class: 'end' },
			]}
		/>
	);
}

function Reference({ entry, own }: { entry: CreditEntryRow; own: boolean }) {
	const { reason, reference } = entry;
	const text = <code class="small">{reference}</code>;
	if (reason !== 'lease' || !own) return text;
	return <a href={`/leases/${encodeURIComponent(reference.replace(/^lease /, ''))}`}>{text}</a>;
}

// The credit entries of an account, newest first.
import type { listCredits } from 'board-access-core';
import { Table } from '../elements/list.tsx';
import { Credits, Time } from '../elements/text.tsx';

const reasons = { top_up: 'Top-up', lease: 'Lease', grant: 'Grant by the operator' } as const;

type Entry = Awaited<ReturnType<typeof listCredits>>[number];

/** A table of entries. With `own`, they link to the leases of the reader. */
export function ledger(entries: Entry[], own: boolean) {
	const referenceOf = ({ reason, reference }: Entry) => {
		const text = <code class="small">{reference}</code>;
		if (reason !== 'lease' || !own) return text;
		return <a href={`/leases/${encodeURIComponent(reference.replace(/^lease /, ''))}`}>{text}</a>;
	};
	return (
		<Table
			caption="Ledger"
			rows={entries}
			columns={[
				{ label: 'Entry', cell: ({ reason }) => reasons[reason], class: 'main-cell' },
				{ label: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
				{ label: 'Reference', cell: referenceOf },
				{ label: 'Amount', cell: ({ amount }) => <Credits amount={amount} />, class: 'end' },
			]}
		/>
	);
}

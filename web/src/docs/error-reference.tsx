// Every error code and its status.
import { errorStatuses } from 'board-access-contract';
import { Table } from '../elements/list.tsx';

export function errorReference() {
	return (
		<section>
			<h2 id="errors">Errors</h2>
			<p>
				The body of every error is{' '}
				<code>{'{"error": {"code", "message", "hint", "param", "errors", "request_id"}}'}</code>.
				Branch on <code>code</code>: messages can change. <code>message</code> and <code>hint</code>{' '}
				say what is wrong and what to do.
			</p>
			<Table
				caption="Error codes"
				rows={Object.entries(errorStatuses)}
				columns={[
					{
						label: 'Code',
						cell: ([code]) => <code id={`error-${code}`}>{code}</code>,
						class: 'main-cell',
					},
					{ label: 'Status', cell: ([, status]) => status },
				]}
			/>
		</section>
	);
}

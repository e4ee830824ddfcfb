// Asks once before several keys are revoked, and names each of them.
import { Name } from '../elements/name.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import type { ApiKey } from './keys-page.tsx';

export function RevokeKeys({ keys }: { keys: ApiKey[] }) {
	return (
		<section class="card medium" data-confirm-question>
			<h1 id="question">{`Revoke these ${keys.length} keys?`}</h1>
			<p class="lead">
				They stop working immediately, wherever they are used. You cannot undo this.
			</p>
			<Table
				caption="Keys to revoke"
				rows={keys}
				columns={[
					{
						label: 'Key',
						cell: ({ label }) =>
							label === null ? <span class="muted">No label</span> : <Name>{label}</Name>,
						class: 'main-cell',
					},
					{ label: 'Masked key', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
					{ label: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
					{
						label: 'Last used',
						cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'Never'),
					},
				]}
			/>
			<form method="post" action="/keys/revoke" class="actions">
				{keys.map(({ id }) => (
					<input type="hidden" name="id" value={id} />
				))}
				<a class="button" href="/keys" data-cancel autofocus>
					Keep the keys
				</a>
				<button type="submit" class="button primary danger">
					Revoke keys
				</button>
			</form>
		</section>
	);
}

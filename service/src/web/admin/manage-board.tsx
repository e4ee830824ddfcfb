// What an administrator does with one board, on its page.
import type { BoardRecord } from '../../boards/store.ts';
import { Field } from '../elements/field.tsx';

export function ManageBoard({ board }: { board: BoardRecord }) {
	const path = `/admin/boards/${encodeURIComponent(board.id)}`;
	return (
		<section class="card">
			<div class="group-head">
				<h2>Manage</h2>
				<span class="actions">
					<a class="button" href={path}>
						Edit
					</a>
					<a class="button danger" href={`${path}/retire`} data-confirm>
						Retire
					</a>
				</span>
			</div>
			{board.status === 'maintenance' ? (
				<form method="post" action={`${path}/maintenance`}>
					<p class="muted">No lease is granted on the board until its maintenance ends.</p>
					<button type="submit" class="button" name="on" value="false">
						End maintenance
					</button>
				</form>
			) : (
				<form method="post" action={`${path}/maintenance`}>
					<Field
						name="reason"
						label="Reason"
						help="Everyone sees it on this page. A current lease of the board continues until it ends."
						optional
						input={{ maxlength: 500, autocomplete: 'off' }}
					/>
					<button type="submit" class="button" name="on" value="true">
						Start maintenance
					</button>
				</form>
			)}
		</section>
	);
}

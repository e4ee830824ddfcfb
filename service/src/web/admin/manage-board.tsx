// What an administrator does with one board, on its page.
import type { BoardRecord } from '../../boards/store.ts';
import { statusWords } from '../boards/status.tsx';
import { Field } from '../elements/field.tsx';

interface ManageBoardProps {
	board: BoardRecord;
	/** The status that an administrator set. */
	baseStatus: BoardRecord['status'];
}

export function ManageBoard({ board, baseStatus }: ManageBoardProps) {
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
			{(baseStatus === 'offline' || baseStatus === 'in_use') && (
				<form method="post" action={`${path}/available`}>
					<p class="muted">
						An administrator set this board to “{statusWords[baseStatus]}”, so no lease is granted
						on it.
					</p>
					<button type="submit" class="button">
						Set to available
					</button>
				</form>
			)}
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

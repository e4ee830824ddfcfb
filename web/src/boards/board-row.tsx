// A board in the list: what it is, who uses it and until when, and the button to use it.
import { randomUUID } from 'node:crypto';
import type { BoardUse, FoundBoard } from 'board-access-core';
import { BoardPicture } from '../drawings/board-picture.tsx';
import { Button, ButtonLink, HiddenFields } from '../elements/form.tsx';
import type { Column } from '../elements/list.tsx';
import { Clock, Name, Note, Since, StrongName } from '../elements/text.tsx';
import { StatusBadge, statusWords } from './status.tsx';
import { describeHolder, isOwn, type Viewer } from './uses.ts';

/** The minutes of a lease that is started from the list. */
export const usualMinutes = '10';

const isUsable = ({ status }: FoundBoard) => status === 'available' || status === 'in_use';

export function boardColumns(viewer: Viewer): readonly Column<BoardUse>[] {
	return [
		{ label: 'Board', cell: ({ board }) => boardCell(board), class: 'board-cell main-cell' },
		{
			label: 'State',
			cell: (use) => <StateBadge board={use.board} own={isOwn(use, viewer)} />,
			class: 'fixed bare',
		},
		{ label: 'Who, and until when', cell: (use) => <UsedBy use={use} viewer={viewer} /> },
		{
			label: 'Credits',
			cell: ({ board }) => <PerMinute credits={board.credits_per_minute} />,
			class: 'fixed bare end',
		},
		{ label: 'Action', cell: (use) => actionOf(use, viewer), class: 'bare end' },
	];
}

function boardCell(board: FoundBoard) {
	const { id, name, board_type, description, keeps_firmware } = board;
	return (
		<div class="board-name">
			<BoardPicture boardType={board_type} label="" />
			<div>
				<a class="row-link" href={`/boards/${encodeURIComponent(id)}`}>
					<StrongName text={name} />
				</a>
				<p class="muted small">
					<code dir="auto">{board_type}</code>
					{description && [' · ', <Name>{description}</Name>]}
					{keeps_firmware && ' · Keeps earlier firmware'}
				</p>
			</div>
		</div>
	);
}

/** Boards without an agent are marked: they can be leased, but neither flashed nor read. */
export function StateBadge({ board, own }: { board: FoundBoard; own: boolean }) {
	const yours = <span class="badge status-yours">Yours</span>;
	const noAgent = !board.has_agent && <span class="badge no-agent">No agent</span>;
	return [own ? yours : <StatusBadge status={board.status} />, ' ', noAgent];
}

interface UsedByProps {
	use: BoardUse;
	viewer: Viewer;
}

function UsedBy({ use, viewer }: UsedByProps) {
	const { lease, waitingId } = use;
	const who = waitingId ? 'You wait for it' : lease && describeHolder(lease, viewer);
	return (
		<>
			<p>
				<FreeAt use={use} viewer={viewer} />
			</p>
			<Note text={who ?? null} />
		</>
	);
}

/** When a board is free, or why nobody can use it. */
export function FreeAt({ use, viewer }: UsedByProps) {
	const { board, lease, waiting } = use;
	const { status, status_reason, status_since } = board;
	if (!isUsable(board)) {
		return (
			<>
				<Name>{status_reason || statusWords[status]}</Name> <br />
				<span class="muted small">
					<Since at={status_since} />
				</span>
			</>
		);
	}
	if (!lease) return status === 'available' ? 'Available now' : 'Set by an administrator';
	const end = <Clock at={lease.endsAt} />;
	const isCertain = isOwn(use, viewer) && lease.status === 'active';
	if (isCertain) return ['Yours until ', end];
	const first = isOwn(use, viewer) ? 'Yours until about ' : 'Free at about ';
	return [first, end, waiting > 0 && `, ${waiting} waiting`];
}

function PerMinute({ credits }: { credits: number }) {
	if (credits === 0) return 'Free';
	return (
		<span class="number">
			<strong>{credits.toLocaleString('en')}</strong> / min
		</span>
	);
}

function actionOf(use: BoardUse, viewer: Viewer) {
	const { board, lease, waitingId } = use;
	const own = isOwn(use, viewer) ? lease?.id : waitingId;
	if (own) {
		return (
			<ButtonLink href={`/leases/${own}`} text="Open" look="primary" label={`Open ${board.name}`} />
		);
	}
	if (!isUsable(board) || (board.status === 'in_use' && !lease)) return null;
	const [text, label] = lease
		? ['Queue', `Queue for ${board.name}`]
		: ['Use', `Use ${board.name} for ${usualMinutes} minutes`];
	return (
		<form method="post" action={`/boards/${encodeURIComponent(board.id)}/use`}>
			<HiddenFields values={{ token: randomUUID() }} />
			<Button name="minutes" value={usualMinutes} text={text} label={label} />
		</form>
	);
}

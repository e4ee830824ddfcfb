// One board: its details, how it is brought to a known state, and the requests with its identifier.
import type { BaseImageRecord } from '../../base-images/store.ts';
import type { findBoard } from '../../boards/store.ts';
import type { ApiError } from '../../errors.ts';
import { ImageTable } from '../admin/base-image-pages.tsx';
import { ManageBoard } from '../admin/board-pages.tsx';
import { Back } from '../elements/button.tsx';
import { Facts } from '../elements/facts.tsx';
import { AsOf } from '../elements/list.tsx';
import { Name, TypeLink } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { Time } from '../elements/time.tsx';
import { UseBoard } from '../leases/use-board.tsx';
import { withQuery } from '../paths.ts';
import { boardRequests } from './requests.ts';
import { StatusBadge } from './status.tsx';
import { Tags } from './tags.tsx';

type Board = NonNullable<Awaited<ReturnType<typeof findBoard>>>;

interface BoardPageProps {
	board: Board;
	/** The base images of its type, in their order. */
	images: BaseImageRecord[];
	/** The lease of the visitor that waits for the board. */
	waitingId: string | undefined;
	error: ApiError | undefined;
	/** When the board was read. */
	at: string;
	baseUrl: string;
	/** For administrators: the status that was set for the board. */
	baseStatus: Board['status'] | undefined;
}

export function BoardPage(props: BoardPageProps) {
	const { board, images, waitingId, error, at, baseUrl, baseStatus } = props;
	const { id, board_type } = board;
	return (
		<>
			<Back href="/boards" text="Boards" />
			<PageHead
				title={<Name>{board.name}</Name>}
				lead={board.description && <Name>{board.description}</Name>}
			/>
			<div class="columns" data-live-filter data-live-seconds="15">
				<section class="card" data-live-results>
					<h2>Details</h2>
					<BoardFacts {...board} />
					<AsOf at={at} href={`/boards/${encodeURIComponent(id)}`} />
				</section>
				<UseBoard board={board} waitingId={waitingId} error={error} />
			</div>
			{baseStatus && <ManageBoard board={board} baseStatus={baseStatus} />}
			<section>
				<h2>Base images</h2>
				<p class="muted">
					Before each lease the enabled entries of this type run in this order.{' '}
					{baseStatus && (
						<a href={withQuery('/admin/base-images/new', { board_type })}>Add an entry</a>
					)}
				</p>
				{images.length === 0 ? (
					<p>There are no base images for this type.</p>
				) : (
					<ImageTable type={board_type} images={images} />
				)}
			</section>
			<SameRequest examples={boardRequests(baseUrl, id)} summary="This board from code" />
		</>
	);
}

function BoardFacts(board: Board) {
	return (
		<Facts
			facts={[
				['Status', <BoardStatusText {...board} />],
				['Type', <TypeLink type={board.board_type} />],
				['Tags', <Tags tags={board.tags} />],
				['Price', price(board.credits_per_minute)],
				['Updated', <Time at={board.updated_at} />],
				['Identifier', <code>{board.id}</code>],
			]}
		/>
	);
}

function BoardStatusText({ status, status_reason }: Board) {
	return (
		<>
			<StatusBadge status={status} /> <Name>{status_reason}</Name>
		</>
	);
}

export function price(creditsPerMinute: number) {
	if (creditsPerMinute === 0) return 'Free';
	return `${creditsPerMinute} ${creditsPerMinute === 1 ? 'credit' : 'credits'} a minute`;
}

// One board: its details, how it is brought to a known state, and the requests with its identifier.
import { listBaseImages } from '../../base-images/store.ts';
import { type BoardRecord, baseStatusOf, findBoard, noSuchBoard } from '../../boards/store.ts';
import { timeIn } from '../../database/clock.ts';
import { findWaitingLease } from '../../leases/store.ts';
import { manageBoard } from '../admin/boards.tsx';
import { imageTable } from '../admin/image-table.tsx';
import { SameRequest } from '../elements/code.tsx';
import { Back } from '../elements/form.tsx';
import { AsOf } from '../elements/list.tsx';
import { Facts, Name, PageHead, Time, TypeLink } from '../elements/text.tsx';
import { UseBoard } from '../leases/use-board.tsx';
import type { MemberVisit } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { boardRequests } from './requests.ts';
import { StatusBadge, Tags } from './status.tsx';

export async function showBoard({ c, account, parts }: MemberVisit) {
	const { query } = parts.database;
	const id = c.req.param('id') ?? '';
	const board = await findBoard(query, { accountId: account.id, id });
	if (!board) throw noSuchBoard();
	const { board_type } = board;
	const images = await listBaseImages(query, board_type);
	const waitingId = await findWaitingLease(query, { accountId: account.id, boardId: id });
	// For administrators: the status that was set for the board.
	const baseStatus = account.role === 'admin' ? await baseStatusOf(query, id) : undefined;
	const main = (
		<>
			<Back href="/boards" text="Boards" />
			<PageHead
				title={<Name>{board.name}</Name>}
				lead={board.description && <Name>{board.description}</Name>}
			/>
			<div class="columns" data-live-filter data-live-seconds="15">
				<section class="card" data-live-results>
					<h2>Details</h2>
					{factsOf(board)}
					<AsOf at={timeIn(query)} href={`/boards/${encodeURIComponent(id)}`} />
				</section>
				<UseBoard board={board} waitingId={waitingId} />
			</div>
			{baseStatus && manageBoard(board, baseStatus)}
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
					imageTable(board_type, images)
				)}
			</section>
			<SameRequest
				examples={boardRequests(parts.settings.baseUrl, id)}
				summary="This board from code"
			/>
		</>
	);
	return { title: board.name, main };
}

function factsOf(board: BoardRecord) {
	const status = (
		<>
			<StatusBadge status={board.status} /> <Name>{board.status_reason}</Name>
		</>
	);
	return (
		<Facts
			facts={[
				['Status', status],
				board.keeps_firmware && ['Firmware', keepsFirmware],
				['Type', <TypeLink type={board.board_type} />],
				['Tags', <Tags tags={board.tags} />],
				['Price', price(board.credits_per_minute)],
				['Updated', <Time at={board.updated_at} />],
				['Identifier', <code>{board.id}</code>],
			]}
		/>
	);
}

const keepsFirmware = (
	<>
		<strong>Keeps earlier firmware.</strong> Until you flash the board, it may run what an earlier
		user flashed, which can print or receive anything. To change this, an administrator sets{' '}
		<code>between_leases: erase</code> in the configuration of the agent, or adds a base image.
	</>
);

export function price(creditsPerMinute: number) {
	if (creditsPerMinute === 0) return 'Free';
	return `${creditsPerMinute} ${creditsPerMinute === 1 ? 'credit' : 'credits'} a minute`;
}

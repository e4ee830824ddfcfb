// One board: its details, how it is brought to a known state, and the requests with its identifier.
import { lease } from 'board-access-contract';
import { listBaseImages } from '../../base-images/store.ts';
import { type BoardRecord, baseStatusOf, findBoard, noSuchBoard } from '../../boards/store.ts';
import { timeIn } from '../../database/clock.ts';
import { findWaitingLease } from '../../leases/store.ts';
import { manageBoard } from '../admin/boards.tsx';
import { imageTable } from '../admin/image-table.tsx';
import { bodyOf, requestApi } from '../api.ts';
import { SameRequest } from '../elements/code.tsx';
import { Back, ButtonLink, Field, formKey, PostForm } from '../elements/form.tsx';
import { AsOf } from '../elements/list.tsx';
import { Facts, Name, PageHead, Time, TypeLink } from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit } from '../pages.tsx';
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
				{useForm(board, waitingId)}
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

/** Starts a lease of the board, or leads to the one of this account that uses it or waits for it. */
function useForm(board: BoardRecord, waitingId: string | undefined) {
	const { id, status, has_agent, lease_id, credits_per_minute: rate } = board;
	const leaseId = lease_id ?? waitingId;
	if (leaseId) {
		return (
			<section class="card">
				<h2>You are {lease_id ? 'using' : 'waiting for'} this board</h2>
				<p>
					<ButtonLink href={`/leases/${leaseId}`} text="Go to the lease" look="primary" />
				</p>
			</section>
		);
	}
	const use = has_agent ? 'Use this board' : 'Lease this board';
	const submit = status === 'available' ? use : 'Wait for this board';
	const help =
		rate === 0
			? 'Free. You can renew the lease while it runs.'
			: `${rate} credits a minute. You pay for the minutes you use.`;
	return (
		<section class="card">
			<h2>{use}</h2>
			<p class="muted">{has_agent ? explanations[status] : withoutAgent}</p>
			<PostForm action={`/boards/${encodeURIComponent(id)}/use`} submit={submit}>
				<Field
					name="minutes"
					label="Minutes"
					value="10"
					help={help}
					input={{ type: 'number', min: 1, max: 1440 }}
				/>
			</PostForm>
		</section>
	);
}

const withoutAgent =
	'No agent drives this board: you can lease it, but not flash it or open its console.';

const explanations = {
	available: 'The board is prepared with its base images and is then yours.',
	in_use: 'Someone is using the board. You wait in its queue for up to ten minutes.',
	maintenance: 'The board is in maintenance. You wait in its queue for up to ten minutes.',
	offline: 'The board is offline. You wait in its queue for up to ten minutes.',
} as const;

/** How long a visitor stays in the queue. */
const queueSeconds = 600;

export const useBoard = onSubmit({
	fields: ['minutes', 'token'],
	change: async (visit: MemberVisit, { minutes, token }) => {
		const wanted = { board_id: visit.c.req.param('id'), minutes: Number(minutes) };
		const sent = { json: { ...wanted, wait_seconds: queueSeconds }, key: formKey(token) };
		const { id } = await bodyOf(await requestApi(visit, 'POST', '/leases', sent), lease);
		return goTo(visit.c, `/leases/${id}`);
	},
	again: showBoard,
	sentences: { minutes: 'Enter a whole number of minutes from 1 to 1440.' },
	done: 'started a lease with other minutes',
});

function factsOf(board: BoardRecord) {
	const status = [<StatusBadge status={board.status} />, ' ', <Name>{board.status_reason}</Name>];
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

// One board: what it is, when it is free, how to use it, and how its leases went.
import { lease } from 'board-access-contract';
import {
	capabilitiesOf,
	clockOf,
	type FoundBoard,
	findFreeBoard,
	freeAfterQueue,
	listBaseImages,
	noSuchBoard,
	readManaged,
	readPast,
	readQueueOfType,
	readUsualTimes,
	searchBoards,
	timeIn,
	timestamp,
} from 'board-access-core';
import { manageBoard } from '../admin/boards.tsx';
import { bodyOf, requestApi } from '../api.ts';
import { price } from '../credits/prices.tsx';
import { BoardPicture } from '../drawings/board-picture.tsx';
import { CodeBlock, codeTab, Tabs } from '../elements/code.tsx';
import { Back, formKey } from '../elements/form.tsx';
import { AsOf } from '../elements/list.tsx';
import { Facts, Name, PageHead, TypeLink } from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit } from '../pages.tsx';
import { Figures, historyDays, LastLeases, mostListed, mostRead, Today } from './board-history.tsx';
import { Preparation, plannedSteps } from './board-preparation.tsx';
import { FreeAt, Since, StateBadge } from './board-row.tsx';
import { useForm } from './board-use.tsx';
import { boardExamples } from './requests.ts';
import { Tags } from './status.tsx';
import { type BoardUse, describeHolder, isOwn, readNames, readUses } from './uses.ts';

const day = 24 * 60 * 60_000;

export async function showBoard(visit: MemberVisit) {
	const view = await readBoardView(visit);
	const { use, viewer, managed, steps } = view;
	const { board } = use;
	const { query } = visit.parts.database;
	const main = (
		<div class="board-page">
			<Back href="/boards" text="Boards" />
			<PageHead
				title={
					<>
						<Name>{board.name}</Name> <StateBadge board={board} own={isOwn(use, viewer)} />
					</>
				}
				lead={board.description && <Name>{board.description}</Name>}
			/>
			<div class="board-columns" data-live-filter data-live-seconds="15">
				<section class="card board-facts" data-live-results>
					<BoardPicture boardType={board.board_type} label={`Drawing of ${board.board_type}`} />
					<div>
						{factsOf(view)}
						<AsOf at={timeIn(query)} href={`/boards/${encodeURIComponent(board.id)}`} />
					</div>
				</section>
				<div class="board-side">
					{await useForm({ visit, ...view })}
					<Preparation steps={steps} times={await readUsualTimes(query, board.id)} />
					<Figures {...view} />
					{visit.account.role === 'admin' && manageBoard(board, managed.base_status)}
				</div>
				<div>
					<Today {...view} />
					<section class="card">
						<h2>How to use it</h2>
						{howTo(board, visit.parts.settings.baseUrl)}
					</section>
					<LastLeases {...view} />
				</div>
			</div>
		</div>
	);
	return { title: board.name, main };
}

type BoardView = Awaited<ReturnType<typeof readBoardView>>;

async function readBoardView(visit: MemberVisit) {
	const { query } = visit.parts.database;
	const id = visit.c.req.param('id') ?? '';
	const slice = { by: 'name', descending: false, limit: 1, offset: 0 } as const;
	const [board] = await searchBoards(query, { text: '', ids: [id] }, slice);
	if (!board) throw noSuchBoard();
	const now = clockOf(query).now();
	const since = timestamp(now - historyDays * day);
	const pasts = await readPast(query, { boardIds: [id], since, most: mostRead });
	const past = pasts.get(id) ?? [];
	const { uses, viewer } = await readUses(visit, [board]);
	const named = await readNames(visit, past.slice(0, mostListed));
	const managed = await readManaged(query, id);
	const images = await listBaseImages(query, board.board_type);
	return {
		// There is one for each board.
		...{ use: uses[0] as BoardUse, past, managed, now },
		viewer: { account: visit.account, names: new Map([...viewer.names, ...named]) },
		steps: plannedSteps(capabilitiesOf(managed), images),
		...(board.status !== 'available' && (await readAlternatives(visit, board, now))),
	};
}

/** When another lease can probably have the board, and a board that is free instead. */
async function readAlternatives({ parts }: MemberVisit, board: FoundBoard, now: number) {
	const { query } = parts.database;
	const { boards, queue } = await readQueueOfType(query, board.board_type, now);
	return {
		start: freeAfterQueue(boards, queue).get(board.id),
		alternative: await findFreeBoard(query, board),
	};
}

function factsOf({ use, viewer, managed, now }: BoardView) {
	const isAdmin = viewer.account.role === 'admin';
	const { board, lease } = use;
	const capabilities = capabilitiesOf(managed);
	const canDo = [...(capabilities?.actions ?? []), capabilities?.console && 'console'].filter(
		Boolean,
	);
	const usedBy = lease && [
		<Name>{describeHolder(lease, viewer)}</Name>,
		' ',
		<Since at={lease.granted_at ?? ''} />,
	];
	return (
		<Facts
			facts={[
				usedBy && ['Used by', usedBy],
				['Availability', <FreeAt use={use} viewer={viewer} now={now} />],
				['Price', price(board.credits_per_minute)],
				['Type', <TypeLink type={board.board_type} />],
				canDo.length > 0 && ['Can do', canDo.join(', ').replaceAll('_', ' ')],
				board.keeps_firmware && ['Firmware', keepsFirmware],
				['Tags', <Tags tags={board.tags} />],
				isAdmin && managed.agent_name !== null && ['Agent', <Name>{managed.agent_name}</Name>],
				['Identifier', <Identifier id={board.id} />],
			]}
		/>
	);
}

function Identifier({ id }: { id: string }) {
	return <CodeBlock id="board-id" what="the identifier" text={id} />;
}

const keepsFirmware = (
	<>
		<strong>Keeps earlier firmware.</strong> Until you flash the board, it may run what an earlier
		user flashed, which can print or receive anything. To change this, an administrator sets{' '}
		<code>between_leases: erase</code> in the configuration of the agent, or adds a base image.
	</>
);

function howTo({ id, has_agent }: FoundBoard, baseUrl: string) {
	const examples = boardExamples(baseUrl, id);
	const onThisPage = (
		<ol>
			<li>Choose how many minutes you need, and start the lease.</li>
			<li>Wait until the board is prepared: nothing is charged until then.</li>
			<li>Drop a firmware file on the page of the lease, and type into the console.</li>
			<li>Release the board when you are done. You pay for the started minutes.</li>
		</ol>
	);
	return (
		<>
			{!has_agent && <p>No agent drives this board: flashing and the console do not work on it.</p>}
			<Tabs
				legend="Way to use the board"
				tabs={[
					['page', 'This page', onThisPage],
					codeTab('cli', 'Command line', examples.cli),
					codeTab('typescript', 'TypeScript', examples.typescript),
					codeTab('ci', 'CI', examples.ci),
					codeTab('curl', 'curl', examples.curl),
				]}
			/>
		</>
	);
}

/** How long a visitor stays in the queue, in seconds. */
const queueSeconds = 3600;

export const useBoard = onSubmit({
	fields: ['minutes', 'other', 'token'],
	change: async (visit: MemberVisit, { minutes, other, token }) => {
		const chosen = Number(minutes === 'other' ? other : minutes);
		const wanted = { board_id: visit.c.req.param('id'), minutes: chosen };
		const sent = { json: { ...wanted, wait_seconds: queueSeconds }, key: formKey(token) };
		const { id } = await bodyOf(await requestApi(visit, 'POST', '/leases', sent), lease);
		return goTo(visit.c, `/leases/${id}`);
	},
	again: showBoard,
	sentences: { minutes: 'Enter a whole number of minutes from 1 to 1440.' },
	done: 'started a lease with other minutes',
});

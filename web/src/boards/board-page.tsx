// One board: what it is, when it is free, and how to use it.
import { readWantedBoard } from 'board-access-contract';
import { type BoardView, type FoundBoard, readBoardView, run } from 'board-access-core';
import { readId } from 'board-access-http/read';
import { manageBoard } from '../admin/boards.tsx';
import { price } from '../credits/prices.tsx';
import { BoardPicture } from '../drawings/board-picture.tsx';
import { CodeBlock, codeTab, Tabs } from '../elements/code.tsx';
import { Back } from '../elements/form.tsx';
import { AsOf } from '../elements/list.tsx';
import { Facts, Name, PageHead, Since, TypeLink } from '../elements/text.tsx';
import { claimFor, goTo, type MemberVisit, onSubmit } from '../pages.tsx';
import { FreeAt, StateBadge } from './board-row.tsx';
import { useForm } from './board-use.tsx';
import { boardExamples } from './requests.ts';
import { Tags } from './status.tsx';
import { describeHolder, isOwn, type Viewer } from './uses.ts';

export async function showBoard(visit: MemberVisit) {
	const { c, services, account, caller } = visit;
	const { query } = services.database;
	const found = await readBoardView(query, caller, readId(c));
	const { use, names, managed } = found;
	const { board } = use;
	const viewer = { account, names };
	const view = { ...found, viewer };
	const state = <StateBadge board={board} own={isOwn(use, viewer)} />;
	const main = (
		<div class="board-page stack">
			<Back href="/boards" text="Boards" />
			<PageHead
				title={[<Name>{board.name}</Name>, ' ', state]}
				lead={board.description && <Name>{board.description}</Name>}
			/>
			<div class="board-columns" data-live-filter data-live-seconds="15">
				<section class="card board-facts" data-live-results>
					<BoardPicture boardType={board.board_type} label={`Drawing of ${board.board_type}`} />
					<div>
						{factsOf(view)}
						<AsOf at={found.now} href={`/boards/${encodeURIComponent(board.id)}`} />
					</div>
				</section>
				<div class="board-side stack">
					{useForm({ visit, ...view })}
					{caller.isAdmin && manageBoard(board, managed.base_status)}
				</div>
				<section class="card">
					<h2>How to use it</h2>
					{howTo(board, services.settings.baseUrl)}
				</section>
			</div>
		</div>
	);
	return { title: board.name, main };
}

function factsOf(view: BoardView & { viewer: Viewer }) {
	const { use, viewer, managed, capabilities } = view;
	const isAdmin = viewer.account.role === 'admin';
	const { board, lease } = use;
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
				['Availability', <FreeAt use={use} viewer={viewer} />],
				['Price', price(board.credits_per_minute)],
				['Type', <TypeLink type={board.board_type} />],
				canDo.length > 0 && ['Can do', canDo.join(', ').replaceAll('_', ' ')],
				board.keeps_firmware && ['Firmware', keepsFirmware],
				['Tags', <Tags tags={board.tags} />],
				isAdmin && managed.agent_name !== null && ['Agent', <Name>{managed.agent_name}</Name>],
				isAdmin && ['Leases', <a href={`/admin/leases?board=${board.id}`}>Leases of this board</a>],
				['Identifier', <CodeBlock id="board-id" what="the identifier" text={board.id} />],
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

/** How long a visitor waits in the queue, in seconds. */
const queueSeconds = 3600;

export const useBoard = onSubmit({
	fields: ['minutes', 'peers', 'token'],
	change: async (visit: MemberVisit, { minutes, peers: names, token }) => {
		const { c, services, caller } = visit;
		const terms = { minutes: Number(minutes), wait_seconds: queueSeconds };
		const own = { board_id: readId(c) };
		const claim = (input: unknown) => claimFor(visit, input, token);
		const others = names
			.split(',')
			.map((name) => name.trim())
			.filter(Boolean);
		if (others.length === 0) {
			const sent = { input: { ...own, ...terms }, claimFor: claim };
			const { result } = await run(services, caller, 'createLease', () => sent);
			return goTo(c, `/leases/${result.id}`);
		}
		const roleAt = (index: number) => (index === 0 ? 'peer' : `peer${index + 1}`);
		const peers = others.map((name, index) => [roleAt(index), readWantedBoard(name)]);
		const boards = { dut: own, ...Object.fromEntries(peers) };
		const sent = { input: { boards, ...terms }, claimFor: claim };
		const { result } = await run(services, caller, 'createLeaseGroup', () => sent);
		return goTo(c, `/leases/${result.leases[0]?.id}/group`);
	},
	again: showBoard,
	sentences: { minutes: 'Enter a whole number of minutes from 1 to 1440.' },
	done: 'started a lease with other minutes',
});

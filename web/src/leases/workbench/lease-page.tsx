// A lease as a workbench: the console, what is left of the time and what can be done above it, the board
// beside it, and the steps below it.
import type { LeaseView } from 'board-access-core';
import { price } from '../../credits/prices.tsx';
import { LiveBoard, type LivePins } from '../../drawings/live-board.tsx';
import { creditParts } from '../../elements/bar.tsx';
import { Button, FormAlert } from '../../elements/form.tsx';
import { liveParts } from '../../elements/list.tsx';
import {
	BoardLink,
	Clock,
	Credits,
	Facts,
	Icon,
	Name,
	Time,
	TypeLink,
} from '../../elements/text.tsx';
import { EndReason, type Lease } from '../status.tsx';
import { Console } from './console.tsx';
import { Controls } from './controls.tsx';
import { LeaseFacts, StartNow } from './lease-facts.tsx';
import { ShareForm, ShareList } from './shares.tsx';
import { Stage } from './stage.tsx';
import { StepList } from './steps.tsx';
import { Halted, OwnTools } from './tools.tsx';

interface LeasePageProps extends LeaseView {
	/** The address of the page, to share it. */
	address: string;
	/** The last output of the board; undefined while it has no console. */
	console?: string | undefined;
	/** The actions that the board supports; undefined while that is unknown. */
	supported: readonly string[] | undefined;
	live?: (LivePins & { ports?: string[] | undefined; debug?: boolean | undefined }) | undefined;
}

export function LeasePage(props: LeasePageProps) {
	const { lease, board, console, supported } = props;
	const parts = livePartsOf(props);
	const hasConsole = console !== undefined && lease.status !== 'preparing';
	return (
		<div
			class="workbench"
			data-lease={lease.id}
			data-lease-status={lease.status}
			data-lease-access={lease.access}
			data-live-filter
		>
			{hasConsole ? (
				<Console lease={lease} text={console} />
			) : (
				<section class="console stage" aria-label="Progress" data-live-results="stage">
					{parts.stage}
				</section>
			)}
			<div class="strips">
				<div data-live-results="end" role="status">
					{parts.end}
				</div>
				<div data-live-results="lost">{parts.lost}</div>
				<FormAlert />
				<div class="strip alert" role="alert" data-lease-alert hidden>
					<span />
					<Button type="button" text="Dismiss" />
				</div>
			</div>
			{hasConsole && lease.status === 'active' && lease.access === 'hold' && (
				<DropTarget name={board?.name ?? ''} />
			)}
			<div class="lease-start" data-live-results="start">
				{parts.start}
			</div>
			<div class="lease-bar row">
				<div class="lease-facts row" data-live-results="facts">
					{parts.facts}
				</div>
				<div class="lease-part" data-live-results="controls">
					{parts.controls ?? <Controls {...props} supported={hasConsole ? supported : []} />}
				</div>
			</div>
			<Views hidden={lease.board_id === null} />
			<aside class="side" aria-label="Board">
				<div class="lease-part" data-live-results="board">
					{parts.board ?? boardOf(lease, props.live)}
				</div>
				<section data-plot hidden />
				<p class="plot-empty muted">
					Numbers that the board prints are plotted here: <code>temp:24.5 target:45</code> or{' '}
					<code>24.5,45</code>, one line at a time.
				</p>
				<section data-live-results="details">{parts.details}</section>
				{hasConsole && lease.status === 'active' && lease.access !== 'look' && (
					<OwnTools lease={lease} ports={props.live?.ports} debug={props.live?.debug} />
				)}
				{lease.access === 'hold' && (lease.status !== 'ended' || props.shares.length > 0) && (
					<section>
						<h2>Sharing</h2>
						<div data-live-results="shares">{parts.shares}</div>
						{lease.status !== 'ended' && <ShareForm address={props.address} />}
					</section>
				)}
			</aside>
			<details class="steps-drawer" data-steps>
				<summary class="row">
					<Icon name="down" />
					<strong>Steps</strong>{' '}
					<span class="muted number" data-live-results="count">
						{parts.count}
					</span>
				</summary>
				<div class="step-list" data-live-results="steps">
					{parts.steps}
				</div>
			</details>
			<output class="lease-notice row" data-lease-notice />
		</div>
	);
}

/** Shown while a file is dragged over the page. */
function DropTarget({ name }: { name: string }) {
	return (
		<div class="drop" data-drop hidden>
			<Icon name="flash" />
			<h2>
				Drop to flash <Name>{name}</Name>
			</h2>
			<p class="muted">Intel HEX, UF2 or ELF, at most 16 MiB</p>
			<p>The board restarts, and its console goes on.</p>
		</div>
	);
}

/** What the stream sends to an open page when its lease changes. */
export function leaseParts(view: LeaseView) {
	const { status, access } = view.lease;
	const parts = { ...livePartsOf(view), ...(view.credits && creditParts(view.credits)) };
	return { status, access, html: liveParts(parts) };
}

/** The parts that change while the page is open. */
function livePartsOf(view: LeaseView) {
	return {
		// Replaces what can only be done or seen until the end.
		...(view.lease.status === 'ended' && {
			end: <EndStrip {...view} />,
			controls: <Controls {...view} supported={[]} />,
			board: boardOf(view.lease),
		}),
		stage: <Stage {...view} />,
		lost: [lostConsole(view.lease), <Halted lease={view.lease} />],
		facts: <LeaseFacts {...view} />,
		start: <StartNow {...view} />,
		details: detailsOf(view),
		shares: <ShareList {...view} />,
		count: view.actions.length,
		steps: <StepList actions={view.actions} leaseId={view.lease.id} />,
	};
}

function boardOf({ board_type, access }: Lease, live?: LivePins) {
	return <LiveBoard boardType={board_type} live={live} canDrive={access !== 'look'} />;
}

const viewWords = { console: 'Console', board: 'Board', plot: 'Plot', steps: 'Steps' };

/** On a narrow screen, one of these is shown at a time. */
function Views({ hidden }: { hidden: boolean }) {
	return (
		<fieldset class="views" hidden={hidden}>
			<legend class="unseen">View</legend>
			{Object.entries(viewWords).map(([view, word]) => (
				<label>
					<input type="radio" name="view" value={view} checked={view === 'console'} />
					{word}
				</label>
			))}
		</fieldset>
	);
}

/** The console of a lease is deleted a day after its end. */
const keptMilliseconds = 24 * 60 * 60 * 1000;

/** Why the lease has ended, above its console, which stays. */
function EndStrip({ lease, consoleEnd }: Pick<LeaseView, 'lease' | 'consoleEnd'>) {
	const { end_reason, ended_at } = lease;
	// The infrastructure failed, not what the visitor or the firmware did.
	const isFailure = end_reason === 'agent_lost' || end_reason === 'prepare_failed';
	const kept = ended_at && consoleEnd > 0 && <Clock at={Date.parse(ended_at) + keptMilliseconds} />;
	return (
		<p class={isFailure ? 'strip failure' : 'strip'}>
			{isFailure && <Icon name="alert" />}
			<span>
				<strong>
					<EndReason {...lease} />
				</strong>{' '}
				{isFailure &&
					'The infrastructure failed: this is not the result of your firmware or of anything you did. '}
				{kept && ['The console is kept until ', kept, '.']}
			</span>
		</p>
	);
}

/** Says why the agent cannot reach the console. */
function lostConsole({ status, console_status, console_lost_at, console_message }: Lease) {
	if (status === 'ended' || console_status !== 'disconnected') return null;
	return (
		<p class="strip warning">
			<Icon name="alert" />
			<span>
				<strong>Not connected:</strong> the console of the board was lost{' '}
				{console_lost_at && <Time at={console_lost_at} />}
				{console_message && [': ', <Name>{console_message}</Name>]}
			</span>
		</p>
	);
}

function detailsOf({ lease, board, held, waiting }: LeaseView) {
	const others = waiting === 1 ? '1 lease waits' : `${waiting} leases wait`;
	return (
		<>
			<h2>Lease</h2>
			<Facts
				facts={[
					board && ['Board', <BoardLink {...board} />],
					['Type', <TypeLink type={lease.board_type} />],
					board && ['Price', price(board.credits_per_minute)],
					held > 0 && ['Held', <Credits amount={held} />],
					waiting > 0 && ['Waiting', `${others} for a board of this type`],
					lease.ended_at !== null && ['Ended', <Time at={lease.ended_at} />],
					['Identifier', <code>{lease.id}</code>],
				]}
			/>
		</>
	);
}

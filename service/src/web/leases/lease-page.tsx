// A lease: the queue position, the preparation, then the board itself with console and buttons.
import { price } from '../boards/board-page.tsx';
import { Back, Button, ButtonLink, FormAlert, FormToken } from '../elements/form.tsx';
import { AsOf } from '../elements/list.tsx';
import { BoardLink, Credits, Facts, Name, PageHead, Time } from '../elements/text.tsx';
import { actionWords, Controls } from './controls.tsx';
import { EndReason, type Lease, LeaseStatus } from './status.tsx';
import { type LeaseView, shownActions } from './stream.ts';

interface LeasePageProps extends LeaseView {
	/** What the board has written last; undefined while it has no console. */
	console?: string | undefined;
	/** Whether it has written more before that. */
	isCut?: boolean;
	/** The actions that the board supports; undefined if that is not known at the moment. */
	supported: readonly string[] | undefined;
	at: string;
}

export function LeasePage(props: LeasePageProps) {
	const { lease, board, console, isCut = false, supported } = props;
	const active = lease.status === 'active';
	// The infrastructure failed, not what the visitor or the firmware did.
	const isFailure = lease.end_reason === 'agent_lost' || lease.end_reason === 'prepare_failed';
	return (
		<div class="lease" data-lease={lease.id} data-lease-status={lease.status}>
			<Back href="/leases" text="Leases" />
			<PageHead title={<Name>{board?.name ?? lease.board_type}</Name>}>{formsOf(lease)}</PageHead>
			<FormAlert />
			<output class="notice" data-lease-notice hidden />
			{isFailure && (
				<p class="callout important">
					The infrastructure failed: this is not the result of your firmware or of anything you did.
				</p>
			)}
			{cardsOf(props, props.at)}
			{active && console !== undefined && <Controls leaseId={lease.id} supported={supported} />}
			{active && console === undefined && (
				<p class="callout">
					No agent is connected to this board: you have it, but it has no console.
				</p>
			)}
			{console !== undefined && consoleOf(lease, console, isCut)}
		</div>
	);
}

/** What the script of an open page has to know of a lease that has changed. */
export function leaseParts(view: LeaseView) {
	return { status: view.lease.status, html: String(cardsOf(view)) };
}

function cardsOf(view: LeaseView, at?: string) {
	const { lease, actions } = view;
	const used = lease.status === 'active' || lease.status === 'ended';
	const ended = lease.status === 'ended' ? 'Kept for 24 hours after the lease.' : 'None.';
	return (
		<div class="columns" data-live-filter>
			<section class="card" data-live-results>
				<h2>Lease</h2>
				{factsOf(view)}
				{at && <AsOf at={at} href={`/leases/${lease.id}`} />}
			</section>
			<section class="card" data-live-results>
				<h2>{used ? 'Actions' : 'Preparation'}</h2>
				{actions.length === shownActions && (
					<p class="small">
						The last {shownActions}. <a href={`/leases/${lease.id}/actions`}>All actions</a>
					</p>
				)}
				{actions.length > 0 ? (
					<Steps actions={actions} leaseId={lease.id} />
				) : (
					<p class="muted">
						{lease.status === 'queued'
							? 'The preparation starts when a board is available. You can close this page in the meantime.'
							: ended}
					</p>
				)}
			</section>
		</div>
	);
}

function formsOf({ id, status, board_id }: Lease) {
	if (status === 'ended') {
		const board = board_id ? `/boards/${encodeURIComponent(board_id)}` : '/boards';
		return <ButtonLink href={board} text="Use the board again" look="primary" />;
	}
	return (
		<>
			{status === 'active' && (
				<form method="post" action={`/leases/${id}/renew`} class="actions" data-stay>
					<FormToken />
					<Button text="10 more minutes" />
				</form>
			)}
			<form method="post" action={`/leases/${id}/release`} class="actions" data-stay>
				<Button text={status === 'queued' ? 'Leave the queue' : 'Release'} look="danger" />
			</form>
		</>
	);
}

function factsOf({ lease, board, time }: LeaseView) {
	const { status, queue_position, expires_in_ms, preparation_expires_at: limit, credits } = lease;
	const ended = status === 'ended';
	const waits = status === 'queued' || status === 'preparing';
	const free = `${lease.minutes} minutes from when the board is ready. Nothing is charged until then.`;
	const lost = lease.console_status === 'disconnected' && !ended;
	const cost =
		credits === null ? board && price(board.credits_per_minute) : <Credits amount={credits} />;
	return (
		<Facts
			facts={[
				['Status', <LeaseStatus status={status} />],
				queue_position !== null && [
					'Queue position',
					queue_position === 1 ? 'Next' : queue_position,
				],
				limit !== null && ['Ready within', timeLeft(Date.parse(limit) - time)],
				waits && ['Your time', free],
				status === 'active' && expires_in_ms !== null && ['Time left', timeLeft(expires_in_ms)],
				ended && ['Ended', lease.ended_at && <Time at={lease.ended_at} />],
				ended && ['Reason', <EndReason {...lease} />],
				lost && ['Console', lostConsole(lease)],
				['Cost', cost],
				board && ['Board', <BoardLink {...board} />],
				['Identifier', <code>{lease.id}</code>],
			]}
		/>
	);
}

function lostConsole({ console_lost_at, console_message }: Lease) {
	return (
		<>
			<span class="badge status-offline">Not connected</span>{' '}
			{console_lost_at && ['lost ', <Time at={console_lost_at} />]}
			{console_message && [': ', <Name>{console_message}</Name>]}
		</>
	);
}

/** Counted on by the script from here, so that the clock of the browser does not matter. */
function timeLeft(milliseconds: number) {
	const seconds = Math.max(0, Math.round(milliseconds / 1000));
	return (
		<span data-countdown={milliseconds} class="number">
			{`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}
		</span>
	);
}

const stepWords = {
	queued: 'Waiting',
	running: 'Running',
	done: 'Done',
	failed: 'Failed',
} as const;

/** Actions of a lease, in order. */
export function Steps({ actions, leaseId }: Pick<LeaseView, 'actions'> & { leaseId: string }) {
	return <ol class="steps">{actions.map((action) => stepOf(action, leaseId))}</ol>;
}

function stepOf(step: LeaseView['actions'][number], leaseId: string) {
	const { id, action, name, phase, status, message, console_offset: offset } = step;
	return (
		<li id={id} class={`step-${status}`}>
			<span>
				{actionWords[action]}
				{name && [': ', <Name>{name}</Name>]}
			</span>{' '}
			<span class="muted small">{stepWords[status]}</span>{' '}
			{phase === 'use' && status === 'done' && offset !== null && (
				<a class="small" href={`/leases/${leaseId}/console.txt?from=${offset}`} download>
					Output<span class="unseen"> since {actionWords[action]}</span>
				</a>
			)}
			{message && (
				<p class="small">
					<Name>{message}</Name>
				</p>
			)}
		</li>
	);
}

function consoleOf({ id, status }: Lease, text: string, isCut: boolean) {
	const input = { id: 'line', name: 'line', autocomplete: 'off', maxlength: 1000 };
	return (
		<section class="console" aria-labelledby="console">
			<div class="group-head">
				<h2 id="console">Console</h2>
				<span>
					<a class="no-script" href={`/leases/${id}#console`}>
						Refresh
					</a>{' '}
					<a href={`/leases/${id}/console.txt`} download>
						Download
					</a>
				</span>
			</div>
			{isCut && (
				<p class="muted">
					This page begins with the last 64 KiB.{' '}
					<a href={`/leases/${id}/console.txt`} download>
						The download
					</a>{' '}
					has all that is kept, at most 1 MiB.
				</p>
			)}
			<div class="callout important" data-unsent hidden>
				<p role="status" />
				<button type="button" class="button" data-send-again>
					Send again
				</button>
				<button type="button" class="button" data-dismiss>
					Dismiss
				</button>
			</div>
			<div class="live-terminal" data-terminal hidden />
			<pre class="console-text" tabindex={0} data-console-text>
				{text === '' ? '(nothing yet)' : text}
			</pre>
			{status === 'active' && (
				<form class="toolbar" method="post" action={`/leases/${id}/console`} data-console-input>
					<FormToken />
					<label class="unseen" for="line">
						Line to send
					</label>
					<input {...input} placeholder="Line to send" />
					<Button text="Send" />
				</form>
			)}
		</section>
	);
}

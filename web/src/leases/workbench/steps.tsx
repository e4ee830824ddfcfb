// The steps of a lease: its actions as a list.
import { type LeaseAction, type LeaseView, shownActions } from 'board-access-core';
import type { Child } from 'hono/jsx';
import { ClockTime, Icon, Name } from '../../elements/text.tsx';
import { ActionText, actionWords } from './controls.tsx';
import { secondsText } from './time-left.ts';

/** Counts each step of a preparation, although the list has one row for a preparation that is done. */
export function StepsSummary({ actions }: Pick<LeaseView, 'actions'>) {
	return (
		<>
			<Icon name="down" />
			<strong>Steps</strong> <span class="muted number">{actions.length}</span>
		</>
	);
}

/** The steps in order; a preparation that is done is one of them. */
export function StepList({ actions, leaseId }: { actions: LeaseAction[]; leaseId: string }) {
	if (actions.length === 0) return <p class="muted">No steps yet.</p>;
	return (
		<>
			{actions.length === shownActions && (
				<p class="small">
					The last {shownActions}. <a href={`/leases/${leaseId}/actions`}>All steps</a>
				</p>
			)}
			<ol class="steps">{rowsOf(actions, leaseId)}</ol>
		</>
	);
}

/** A preparation with several actions that are done is one row. */
function rowsOf(actions: LeaseAction[], leaseId: string) {
	const prepared = actions.filter(({ phase }) => phase === 'prepare');
	const [first, last] = [prepared[0], prepared.slice(1).at(-1)];
	if (!first || !last || prepared.some(({ status }) => status !== 'done')) {
		return actions.map((step) => stepOf(step, leaseId));
	}
	const used = actions.filter(({ phase }) => phase === 'use');
	return [
		<Step
			step={{ ...first, id: last.id, created_at: last.ended_at ?? last.created_at }}
			title="Prepared"
			detail={prepared.map((step, index) => [index > 0 && ', ', <ActionText {...step} />])}
			duration={durationOf({ started_at: first.created_at, ended_at: last.ended_at })}
		/>,
		...used.map((step) => stepOf(step, leaseId)),
	];
}

const stepWords = {
	queued: 'Waiting',
	running: 'Running',
	done: 'Done',
	failed: 'Failed',
} as const;

/** An action as a step of its own. */
export function stepOf(step: LeaseAction, leaseId: string) {
	const { action, phase, status, console_offset: offset, name, message, requested_by: who } = step;
	const isNamed = action !== 'flash' && name !== null;
	const texts = [who && `by ${who}`, !isNamed && name, message]
		.filter((text) => text)
		.map((text, index) => [
			index > 0 && (status === 'done' ? ', ' : ': '),
			<Name>{text || ''}</Name>,
		]);
	return (
		<Step
			step={step}
			title={isNamed ? <Name>{name}</Name> : actionWords[action]}
			detail={texts}
			duration={durationOf(step)}
		>
			{phase === 'use' && offset !== null && (
				<a href={`/leases/${leaseId}/console.txt?from=${offset}`} data-show={offset}>
					Show<span class="unseen"> the output since {actionWords[action]}</span>
				</a>
			)}
		</Step>
	);
}

interface StepProps {
	step: LeaseAction;
	title: Child;
	detail: Child;
	duration: number | null;
	children?: Child;
}

function Step({ step, title, detail, duration, children }: StepProps) {
	const { id, action, phase, name, status, progress, created_at } = step;
	const flashed = action === 'flash' && phase === 'use' ? name : undefined;
	const percent = status === 'running' && progress !== null ? `, ${progress} %` : '';
	return (
		<li id={id} class={`step-${status}`} data-flashed={flashed}>
			<ClockTime at={created_at} />
			<span class="step-mark" aria-hidden="true" />
			<strong>{title}</strong>
			<span class="step-detail">{detail}</span>
			<span class="step-state number muted">
				<span class={status === 'done' ? 'unseen' : undefined}>{stepWords[status] + percent} </span>
				{status === 'done' && duration !== null && secondsText(duration)}
			</span>
			<span>{children}</span>
		</li>
	);
}

/** How long the agent took for an action; null until it has ended. */
export function durationOf({ started_at, ended_at }: Pick<LeaseAction, 'started_at' | 'ended_at'>) {
	return ended_at === null ? null : Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
}

// The steps of a lease: its actions as a list.
import { type LeaseAction, shownActions } from 'board-access-core';
import { ClockTime, Name } from '../../elements/text.tsx';
import { actionWords } from './controls.tsx';
import { secondsText } from './time-left.ts';

/** The steps in order, with those of the preparation. */
export function StepList({ actions, leaseId }: { actions: LeaseAction[]; leaseId: string }) {
	if (actions.length === 0) return <p class="muted">No steps yet.</p>;
	return (
		<>
			{actions.length === shownActions && (
				<p class="small">The last {shownActions}. The API has all of them.</p>
			)}
			<ol class="steps">{actions.map((step) => stepOf(step, leaseId))}</ol>
		</>
	);
}

const stepWords = {
	queued: 'Waiting',
	running: 'Running',
	done: 'Done',
	failed: 'Failed',
} as const;

function stepOf(step: LeaseAction, leaseId: string) {
	const { id, action, phase, name, status, progress, message, created_at } = step;
	const { console_offset: offset, requested_by: who } = step;
	const isNamed = action !== 'flash' && name !== null;
	const texts = [who && `by ${who}`, !isNamed && name, message]
		.filter((text) => text)
		.map((text, index) => [
			index > 0 && (status === 'done' ? ', ' : ': '),
			<Name>{text || ''}</Name>,
		]);
	const percent = status === 'running' && progress !== null ? `, ${progress} %` : '';
	const duration = status === 'done' ? durationOf(step) : null;
	return (
		<li id={id} class={`step-${status}`}>
			<ClockTime at={created_at} />
			<span class="step-mark" aria-hidden="true" />
			<strong>{isNamed ? <Name>{name}</Name> : actionWords[action]}</strong>
			<span class="step-detail">{texts}</span>
			<span class="step-state number muted">
				<span class={status === 'done' ? 'unseen' : undefined}>{stepWords[status] + percent} </span>
				{duration !== null && secondsText(duration)}
			</span>
			<span>
				{phase === 'use' && offset !== null && (
					<a href={`/leases/${leaseId}/console.txt?from=${offset}`} data-show={offset}>
						Show<span class="unseen"> the output since {actionWords[action]}</span>
					</a>
				)}
			</span>
		</li>
	);
}

/** How long the agent took for an action; null until it has ended. */
export function durationOf({ started_at, ended_at }: Pick<LeaseAction, 'started_at' | 'ended_at'>) {
	return ended_at === null ? null : Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
}

// Shown in place of a console: that the lease waits, how far its preparation is, or why there is no console.
import type { LeaseAction, LeaseView } from 'board-access-core';
import { Name } from '../../elements/text.tsx';
import { ActionText } from './controls.tsx';
import { Countdown } from './lease-facts.tsx';
import { durationOf } from './steps.tsx';
import { secondsText } from './time-left.ts';

export function Stage(view: LeaseView) {
	const { status, board_id } = view.lease;
	if (status === 'preparing') return <Preparation {...view} />;
	const gotNone = status === 'ended' && board_id === null;
	return <p class="stage-text muted">{gotNone ? 'This lease got no board.' : texts[status]}</p>;
}

const texts = {
	queued: 'The preparation starts when a board is available.',
	active: 'No agent is connected to this board: you have it, but it has no console.',
	ended: 'This lease has no console.',
};

function Preparation({ lease, actions, time }: LeaseView) {
	const limit = lease.preparation_expires_at;
	const timeOf = (step: LeaseAction) => {
		const milliseconds = durationOf(step);
		if (milliseconds !== null) return secondsText(milliseconds);
		return step.usually !== undefined && `usually ${secondsText(step.usually)}`;
	};
	return (
		<>
			<ol class="preparation steps">
				{actions
					.filter(({ phase }) => phase === 'prepare')
					.map((step) => (
						<li class={`step-${step.status}`}>
							<span class="step-mark" aria-hidden="true" />
							<span>
								<ActionText {...step} />
							</span>{' '}
							<span class="number muted">{timeOf(step)}</span>
							{step.message && (
								<p class="small">
									<Name>{step.message}</Name>
								</p>
							)}
						</li>
					))}
			</ol>
			<p class="stage-foot muted">
				Nothing is charged until the board is ready.
				{limit !== null && [' Ready within ', <Countdown left={Date.parse(limit) - time} />]}
			</p>
		</>
	);
}

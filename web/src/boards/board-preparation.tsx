// How a board is brought to its known state before each lease, and how long that usually takes.
import type { BoardView } from 'board-access-core';
import { ActionText } from '../leases/workbench/controls.tsx';
import { secondsText } from '../leases/workbench/steps.tsx';

export function Preparation({ steps }: Pick<BoardView, 'steps'>) {
	if (steps.length === 0) return null;
	const all = steps.reduce((sum, { usually }) => sum + (usually ?? Number.NaN), 0);
	return (
		<section class="card">
			<div class="group-head">
				<h2>Preparation</h2>
				{Number.isFinite(all) && <span class="muted small">usually {inSeconds(all)}</span>}
			</div>
			<ol class="planned-steps">
				{steps.map((step) => (
					<li>
						<span>
							<ActionText {...step} />
						</span>
						<span class="muted number">{inSeconds(step.usually)}</span>
					</li>
				))}
			</ol>
		</section>
	);
}

function inSeconds(milliseconds: number | undefined) {
	return milliseconds === undefined ? '' : secondsText(milliseconds);
}

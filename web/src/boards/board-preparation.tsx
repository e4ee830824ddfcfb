// How a board is brought to its known state before each lease, and how long that usually takes.
import { type BaseImageRecord, type Capabilities, stepKey } from 'board-access-core';
import { ActionText, type actionWords } from '../leases/workbench/controls.tsx';
import { secondsText } from '../leases/workbench/steps.tsx';

interface Step {
	action: keyof typeof actionWords;
	name: string | null;
}

/** The steps that the next lease begins with, as `leases/preparation/steps.ts` plans them. */
export function plannedSteps(
	capabilities: Capabilities | undefined,
	images: readonly BaseImageRecord[],
): Step[] {
	if (!capabilities) return [];
	const { actions, between_leases } = capabilities;
	const own = (action: 'power_cycle' | 'reset') =>
		actions.includes(action) ? [{ action, name: null }] : [];
	const enabled = images.filter((image) => image.enabled);
	const steps = [...own('power_cycle'), ...enabled, ...own('reset')];
	if (steps.length > 0 || between_leases !== 'erase') return steps;
	return [{ action: 'erase', name: null }];
}

interface PreparationProps {
	steps: readonly Step[];
	times: ReadonlyMap<string, number>;
}

export function Preparation({ steps, times }: PreparationProps) {
	if (steps.length === 0) return null;
	const known = steps.map((step) => times.get(stepKey(step)));
	const all =
		known.reduce((sum, time) => (sum ?? Number.NaN) + (time ?? Number.NaN), 0) ?? Number.NaN;
	return (
		<section class="card">
			<div class="group-head">
				<h2>Preparation</h2>
				{Number.isFinite(all) && <span class="muted small">usually {inSeconds(all)}</span>}
			</div>
			<ol class="planned-steps">
				{steps.map((step, index) => (
					<li>
						<span>
							<ActionText {...step} />
						</span>
						<span class="muted number">{inSeconds(known[index])}</span>
					</li>
				))}
			</ol>
		</section>
	);
}

function inSeconds(milliseconds: number | undefined) {
	return milliseconds === undefined ? '' : secondsText(milliseconds);
}

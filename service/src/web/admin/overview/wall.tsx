// A cell for each board, in groups by agent. A board stays in its place, so that a pattern means something.

import {
	type BoardState,
	boardStates,
	type Cell,
	type FleetAgent,
	type StateCount,
} from 'board-access-core';
import { html } from 'hono/html';
import { statusWords } from '../../boards/status.tsx';
import { Name } from '../../elements/text.tsx';
import { number } from './figures.tsx';

export const stateWords: Record<BoardState, string> = { ...statusWords, failing: 'Failing' };

export type Group = Pick<FleetAgent, 'name' | 'connection_id'> & { id: string | null };

interface WallProps {
	groups: readonly Group[];
	counts: readonly StateCount[];
	cells: readonly Cell[];
}

export function Wall({ groups, counts, cells }: WallProps) {
	const ofAgent = Map.groupBy(cells, ({ agent_id }) => agent_id);
	const countsOf = Map.groupBy(counts, ({ agent_id }) => agent_id);
	return (
		<div class="wall" data-wall>
			{groups.map((group) => (
				<Agent
					group={group}
					counts={countsOf.get(group.id) ?? []}
					cells={ofAgent.get(group.id) ?? []}
				/>
			))}
		</div>
	);
}

interface AgentProps extends Omit<WallProps, 'groups'> {
	group: Group;
}

function Agent({ group: { id, name, connection_id }, counts, cells }: AgentProps) {
	const all = counts.reduce((sum, { boards }) => sum + boards, 0);
	const used = counts.find(({ state }) => state === 'in_use')?.boards ?? 0;
	const isAway = id !== null && connection_id === null;
	return (
		<section>
			<h3>
				<Name>{name}</Name>
				{isAway ? <strong class="offline">offline</strong> : <span>{`${used} / ${all}`}</span>}
			</h3>
			<ul>{cells.map(cellOf)}</ul>
			{all > cells.length && <p class="muted small">{`and ${number(all - cells.length)} more`}</p>}
		</section>
	);
}

/** A template, which takes a third of the time of elements: there are hundreds. */
function cellOf({ id, name, state }: Cell) {
	const text = `${name}: ${stateWords[state]}`;
	const address = `/boards/${encodeURIComponent(id)}`;
	return html`<li><a class="cell state-${state}" href="${address}" title="${text}"><span class="unseen">${text}</span></a></li>`;
}

/** What the cells mean, and how many boards are in each state. */
export function Legend({ counts }: Pick<WallProps, 'counts'>) {
	return (
		<ul class="legend">
			{boardStates.map((state) => (
				<li>
					<span class={`cell state-${state}`} /> {stateWords[state]}{' '}
					<strong>
						{number(
							counts.reduce((sum, count) => sum + (count.state === state ? count.boards : 0), 0),
						)}
					</strong>
				</li>
			))}
		</ul>
	);
}

import type { drivenBoard } from 'board-access-contract';
import type * as z from 'zod/mini';
import type { BoardRow } from '../database/schema.ts';

export type Capabilities = Pick<
	z.output<typeof drivenBoard>,
	'actions' | 'console' | 'between_leases' | 'memory' | 'pins' | 'ports' | 'debug'
>;

/** What the agent can do with a board; undefined while the agent is away. */
export function capabilitiesOf({ capabilities }: Pick<BoardRow, 'capabilities'>) {
	// Written by this service, from what the agent sent.
	return capabilities === null ? undefined : (JSON.parse(capabilities) as Capabilities);
}

/** The same as text, without what the agent reports about leases. */
export function capabilityText(driven: Capabilities) {
	const { actions, console, between_leases, memory, pins, ports, debug } = driven;
	return JSON.stringify({ actions, console, between_leases, memory, pins, ports, debug });
}

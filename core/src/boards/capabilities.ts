import type { drivenBoard } from 'board-access-contract';
import type * as z from 'zod/mini';
import type { BoardRow } from '../database/schema.ts';

type DrivenBoard = z.output<typeof drivenBoard>;

/** Without what the agent reports about leases. */
export type Capabilities = Omit<DrivenBoard, 'fence' | 'released' | 'lease'>;

/** What the agent can do with a board; undefined while the agent is away. */
export function capabilitiesOf({ capabilities }: Pick<BoardRow, 'capabilities'>) {
	// Written by this service, from what the agent sent.
	return capabilities === null ? undefined : (JSON.parse(capabilities) as Capabilities);
}

/** The same as text. */
export function capabilityText({ fence, released, lease, ...capabilities }: DrivenBoard) {
	return JSON.stringify(capabilities);
}

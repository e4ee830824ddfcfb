// What users type on the console of a lease.
import { boardChange } from '../../announcements.ts';
import { type Claim, once } from '../../claims.ts';
import type { Caller, Core } from '../../core.ts';
import { endGrace } from '../minutes.ts';
import { accessTo } from '../sharing/access.ts';
import { appendInput } from './store.ts';

interface Typed {
	leaseId: string;
	data: Buffer;
	offset: number | undefined;
	piece: string | undefined;
}

/** Appends input for the board, and returns the next offset. */
export async function typeInput(
	core: Core,
	caller: Caller,
	{ leaseId, ...typed }: Typed,
	claim?: Claim,
) {
	const asking = { ...caller, id: leaseId };
	const { lease, sharedAs } = await accessTo(core.database.query, asking, 'type');
	const by = sharedAs === null ? 'holder' : 'colleague';
	const { result, replayed } = await once(core, claim, {
		create: async (db) => {
			const { next, ...appended } = await appendInput(db, { id: leaseId, ...typed, by });
			return { id: String(next), ...appended };
		},
		replay: async (_, id) => ({ id, board_id: null, added: 0 }),
		mismatch: 'idempotency_conflict',
	});
	core.happenings.emit('console', 'input', result.added);
	await endGrace(core, lease);
	if (result.board_id !== null) await core.dispatch({ names: [boardChange(result.board_id)] });
	return { next: Number(result.id), replayed };
}

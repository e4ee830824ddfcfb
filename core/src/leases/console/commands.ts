// What users do with the console of a lease besides reading it: they type, and ask for all output until now.
import { boardChange } from '../../announcements.ts';
import { type Claim, once } from '../../claims.ts';
import type { Caller, Core } from '../../core.ts';
import type { LeaseRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { endGrace } from '../minutes.ts';
import { requireDriven } from '../requirements.ts';
import { type Accessible, accessTo } from '../sharing/access.ts';
import { readableLease } from '../store.ts';
import { waitForLease } from '../wait.ts';
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

/** Long enough for an agent that was cut off for a moment. */
const maxWait = 5_000;

/** Returns the lease when all output is stored, or with a disconnected console. */
export async function syncConsole(
	core: Core,
	{ lease: before, owned, access }: Accessible,
	signal: AbortSignal,
) {
	const { query } = core.database;
	const number = await askAgent(core, before);
	const until = (lease: LeaseRow) => lease.status !== 'active' || lease.console_synced >= number;
	const lease = await waitForLease(core, { ...owned, signal, until, milliseconds: maxWait });
	const record = await readableLease(query, lease, access);
	if (until(lease) || lease.console_status === 'disconnected') return record;
	if (core.stopping.aborted) throw new ApiError('unavailable', 'The service is stopping.');
	const console_message = 'The agent of the board did not respond.';
	return { ...record, console_status: 'disconnected' as const, console_message };
}

/** Returns the number that the agent has to confirm; 0 if there is nothing to wait for. */
async function askAgent(
	{ database: { query }, dispatch }: Core,
	{ id, status, board_id }: LeaseRow,
) {
	if (status !== 'active' || board_id === null) return 0;
	const capabilities = await requireDriven(query, id);
	if (!capabilities.console) return 0;
	const { number } = await query
		.updateTable('leases')
		.set((eb) => ({ console_sync: eb('console_sync', '+', 1) }))
		.where('id', '=', id)
		.returning('console_sync as number')
		.executeTakeFirstOrThrow();
	await dispatch({ names: [boardChange(board_id)] });
	return number;
}

// The answer to a creation that is asked for twice: its key cannot be shown again.
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { ApiFault } from '../http/fault.ts';
import { createKey, revokeKey } from './store.ts';

/** Revokes the key that never arrived and makes another like it, unless it has been used. */
export const replaceUnusedKey = async (
	db: Kysely<Schema>,
	{ accountId, id, used }: { accountId: string; id: string; used: boolean },
) => {
	const first = await revokeKey(db, { accountId, id });
	if (!first || used || first.last_used_at !== null) {
		throw new ApiFault('idempotency_delivered', 'The key of this request was delivered and used.', {
			hint: 'Use another Idempotency-Key to create another API key.',
		});
	}
	return createKey(db, { accountId, label: first.label ?? undefined });
};

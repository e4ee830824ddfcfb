// The response to a repeated creation: the first key cannot be shown again.
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { replaceKey, revokeUnusedKey } from './store.ts';

/** Revokes the key that never arrived and creates another like it, unless it was used or revoked. */
export async function replaceUnusedKey(
	db: Kysely<Schema>,
	{ accountId, id, used }: { accountId: string; id: string; used: boolean },
) {
	const first = used ? undefined : await revokeUnusedKey(db, { accountId, id });
	if (!first) {
		const message = 'The key that this request created was used or revoked.';
		throw new ApiError('idempotency_delivered', message, {
			hint: 'Use another Idempotency-Key to create another API key.',
		});
	}
	const like = {
		accountId,
		label: first.label ?? undefined,
		scope: first.scope,
		expiresAt: first.expires_at,
		createdBy: first.created_by,
	};
	return replaceKey(db, like, id);
}

// Finds who a key belongs to. It runs on every request, so it is compiled once.
import type { InferResult, Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { hashKey } from './secret.ts';

export const createKeyLookup = (db: Kysely<Schema>) => {
	const query = db
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select([
			'api_keys.id as keyId',
			'api_keys.revoked_at as revokedAt',
			'accounts.id as accountId',
			'accounts.email',
			'accounts.role',
			'accounts.disabled_at as disabledAt',
		])
		.where('api_keys.hash', '=', '');
	type Owner = InferResult<typeof query>[number];
	const compiled = query.compile();
	return async (key: string) => {
		const { rows } = await db.executeQuery<Owner>({ ...compiled, parameters: [hashKey(key)] });
		return rows[0];
	};
};

export type KeyLookup = ReturnType<typeof createKeyLookup>;

// The first API key of an account that the operator creates: printed once, and nowhere else.
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { createKey, revokeKey } from '../keys/store.ts';

interface NewAccount {
	accountId: string;
	email: string;
	/** Set if the command made it up. */
	password: string | undefined;
}

/** Creates the key and writes it to standard output, alone or in a JSON record. */
export async function deliverFirstKey(
	db: Kysely<Schema>,
	{ accountId, email, password }: NewAccount,
	{ json }: { json: boolean },
) {
	const created = await createKey(db, { accountId, label: 'first key' });
	const record = { id: accountId, email, ...(password && { password }), api_key: created };
	try {
		await written(json ? JSON.stringify(record, null, 2) : created.key);
	} catch (error) {
		// The key was never shown, so it must not stay valid.
		await revokeKey(db, { accountId, id: created.id });
		const message = `The account ${email} is created, but its key could not be written and is revoked`;
		throw new Error(`${message}: ${error instanceof Error ? error.message : error}`, {
			cause: error,
		});
	}
}

function written(text: string) {
	return new Promise<void>((resolve, reject) => {
		// A stream reports a failed write both ways.
		process.stdout.once('error', reject);
		process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
	});
}

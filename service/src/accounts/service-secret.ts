// Secrets of the service itself.
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** A random secret: made by the first replica that asks for it, shared by all. */
export async function serviceSecret(query: Kysely<Schema>, name: string) {
	await query
		.insertInto('service_secrets')
		.values({ name, value: randomBytes(32).toString('base64url') })
		.onConflict((conflict) => conflict.column('name').doNothing())
		.execute();
	const { value } = await query
		.selectFrom('service_secrets')
		.select('value')
		.where('name', '=', name)
		.executeTakeFirstOrThrow();
	return value;
}

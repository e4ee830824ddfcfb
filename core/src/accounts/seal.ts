// Encrypts secrets, so that a copy of a table does not reveal them.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Db } from '../database/schema.ts';

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** Encrypts a text, which only the same secret and owner decrypt. */
export function seal(secret: string, owner: string, text: string) {
	const iv = randomBytes(ivLength);
	const cipher = createCipheriv(algorithm, keyOf(secret), iv).setAAD(Buffer.from(owner));
	const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

export function unseal(secret: string, owner: string, text: string) {
	const bytes = Buffer.from(text, 'base64url');
	const iv = bytes.subarray(0, ivLength);
	const decipher = createDecipheriv(algorithm, keyOf(secret), iv)
		.setAAD(Buffer.from(owner))
		.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
	const opened = decipher.update(bytes.subarray(ivLength + tagLength));
	return Buffer.concat([opened, decipher.final()]).toString('utf8');
}

function keyOf(secret: string) {
	return Buffer.from(hkdfSync('sha256', secret, '', 'two-factor', 32));
}

/** A random secret that all replicas share. */
export async function serviceSecret(query: Db, name: string) {
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

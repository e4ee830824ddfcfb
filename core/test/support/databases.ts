// Both databases, for tests that run on each. Each call returns an empty database.
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject, test } from 'vitest';
import { createAccount } from '../../src/accounts/store.ts';
import { addCredits } from '../../src/credits/store.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { createPostgres } from './postgres.ts';

export const databaseKinds = ['SQLite', 'PostgreSQL'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

export async function emptyDatabase(kind: DatabaseKind): Promise<string> {
	return kind === 'SQLite'
		? join(await mkdtemp(join(tmpdir(), 'database-')), 'service.db')
		: createPostgres(inject('postgres'));
}

/** The same with the current schema. */
export function migratedDatabase(kind: DatabaseKind): Promise<string> {
	return copyOf(kind, inject('migrated')[kind]);
}

/** A copy of a template: of a file, or of a database of the cluster. */
export async function copyOf(kind: DatabaseKind, template: string) {
	if (kind === 'PostgreSQL') return createPostgres(inject('postgres'), template);
	const location = await emptyDatabase(kind);
	await copyFile(template, location);
	return location;
}

/** The location of a database with the current schema, on which these statements ran. */
export async function databaseWith(kind: DatabaseKind, ...statements: string[]) {
	const location = await emptyDatabase(kind);
	const { query, close } = await openDatabase(location);
	await migrate(query);
	// Compares the schema, too, so that the next start need not.
	await migrate(query);
	for (const statement of statements) await sql.raw(statement).execute(query);
	await close();
	return location;
}

/** As a service opens it that does not check the schema. */
export async function openSynchronized(location: string) {
	const database = await openDatabase(location);
	await database.clock.synchronize();
	return database;
}

/** An open database with the current schema. */
export async function readyDatabase(kind: DatabaseKind): Promise<Database> {
	const database = await openDatabase(await migratedDatabase(kind));
	// Of the process, so that tests can pass time.
	return Object.assign(database, {
		clock: Object.assign(database.clock, { now: () => Date.now(), wall: () => Date.now() }),
	});
}

/** `test` for what is the same on every database, which SQLite suffices for. */
export function ruleTest(kind: DatabaseKind): typeof test {
	return kind === 'SQLite' ? test : noTest;
}

// All that a test of a rule uses of it.
const noTest = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof test;

let made = 0;

/** An account on the free tier. */
export function newAccount(
	{ query }: Database,
	role: 'user' | 'admin' = 'user',
	{ verified = false } = {},
) {
	made += 1;
	const email = `account-${made}@example.com`;
	return createAccount(query, { email, password: 'a long password', role, verified });
}

/** An account on the paid tier. */
export async function paidAccount(database: Database) {
	const account = await newAccount(database);
	const entry = { account_id: account.id, amount: 10, reason: 'grant' } as const;
	await addCredits(database.query, { ...entry, reference: `test ${account.id}` });
	return account;
}

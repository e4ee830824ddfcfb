// Migrations from an empty database to the current schema. A migration on `main` never changes.
import { type Migration, Migrator } from 'kysely';
import { createSchema } from './migrations/0001-schema.ts';
import { addServiceTime } from './migrations/0002-service-time.ts';
import { countLeaseChanges } from './migrations/0003-lease-changes.ts';
import { addRank } from './migrations/0004-rank.ts';
import { addChannels } from './migrations/0005-channels.ts';
import { addGroups } from './migrations/0006-groups.ts';
import { addKeyLimits } from './migrations/0007-key-limits.ts';
import { addFormerTokens } from './migrations/0008-agent-tokens.ts';
import type { Db } from './schema.ts';
import { checkSchema } from './schema-check.ts';
import { afterDeadlocks } from './transactions.ts';

export const migrations: Readonly<Record<string, Migration>> = {
	'0001-schema': { up: createSchema },
	'0002-service-time': { up: addServiceTime },
	'0003-lease-changes': { up: countLeaseChanges },
	'0004-rank': { up: addRank },
	'0005-channels': { up: addChannels },
	'0006-groups': { up: addGroups },
	'0007-key-limits': { up: addKeyLimits },
	'0008-agent-tokens': { up: addFormerTokens },
};

/** Applies migrations under a lock, and returns their names. Rejects a schema that differs from what earlier ones made. */
export async function migrate(db: Db): Promise<string[]> {
	await checkSchema(db, migrations);
	const migrator = migratorOf(db);
	// An older replica and the migration may wait for each other.
	return afterDeadlocks(async () => {
		const { error, results } = await migrator.migrateToLatest();
		if (error) throw error;
		return (results ?? []).map((step) => step.migrationName);
	});
}

/** The names of the migrations that a start would apply. Rejects what `migrate` rejects. */
export async function pendingMigrations(db: Db): Promise<string[]> {
	await checkSchema(db, migrations);
	const all = await migratorOf(db).getMigrations();
	return all.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

function migratorOf(db: Db) {
	return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

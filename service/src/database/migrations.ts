// Numbered steps from an empty database to the current schema. A released step is never edited.
import { type Kysely, type Migration, Migrator } from 'kysely';
import { createAccounts } from './migrations/0001-accounts.ts';
import { createApiKeys } from './migrations/0002-api-keys.ts';
import { createBoards } from './migrations/0003-boards.ts';
import { createBaseImages } from './migrations/0004-base-images.ts';
import { createCredits } from './migrations/0005-credits.ts';
import { createIdempotency } from './migrations/0006-idempotency.ts';
import { createRateLimits } from './migrations/0007-rate-limits.ts';
import { createAgents } from './migrations/0008-agents.ts';
import { createLeases } from './migrations/0009-leases.ts';
import { createFilesAndConsoles } from './migrations/0010-files-and-consoles.ts';
import { limitApiKeys } from './migrations/0011-api-key-limits.ts';
import { createAccountLinks } from './migrations/0020-account-links.ts';
import { addConsoleOffsets } from './migrations/0021-console-offsets.ts';
import { createRevisions } from './migrations/0023-revisions.ts';
import { createBoardSearch } from './migrations/0024-board-search.ts';
import { extendSessions } from './migrations/0030-sessions.ts';
import { createKnownDevices } from './migrations/0031-known-devices.ts';
import { createTwoFactor } from './migrations/0032-two-factor.ts';
import { allowDeletion } from './migrations/0033-account-deletion.ts';
import { createActivity } from './migrations/0040-activity.ts';
import { addLastUsedAddress } from './migrations/0041-last-used-address.ts';
import { createImageDownloads } from './migrations/0050-image-downloads.ts';
import { addLeaseRequirements } from './migrations/0051-lease-requirements.ts';
import { indexLeaseQueue } from './migrations/0052-lease-queue.ts';
import { writeRevisionOnce } from './migrations/0053-revision-once.ts';
import { addLeaseTimes } from './migrations/0060-lease-times.ts';
import { confirmConsoleInput } from './migrations/0061-console-input.ts';
import { nameConsolePieces } from './migrations/0062-console-pieces.ts';
import type { Schema } from './schema.ts';

export const migrations: Record<string, Migration> = {
	'0001-accounts': { up: createAccounts },
	'0002-api-keys': { up: createApiKeys },
	'0003-boards': { up: createBoards },
	'0004-base-images': { up: createBaseImages },
	'0005-credits': { up: createCredits },
	'0006-idempotency': { up: createIdempotency },
	'0007-rate-limits': { up: createRateLimits },
	'0008-agents': { up: createAgents },
	'0009-leases': { up: createLeases },
	'0010-files-and-consoles': { up: createFilesAndConsoles },
	'0011-api-key-limits': { up: limitApiKeys },
	'0020-account-links': { up: createAccountLinks },
	'0021-console-offsets': { up: addConsoleOffsets },
	'0023-revisions': { up: createRevisions },
	'0024-board-search': { up: createBoardSearch },
	'0030-sessions': { up: extendSessions },
	'0031-known-devices': { up: createKnownDevices },
	'0032-two-factor': { up: createTwoFactor },
	'0033-account-deletion': { up: allowDeletion },
	'0040-activity': { up: createActivity },
	'0041-last-used-address': { up: addLastUsedAddress },
	'0050-image-downloads': { up: createImageDownloads },
	'0051-lease-requirements': { up: addLeaseRequirements },
	'0052-lease-queue': { up: indexLeaseQueue },
	'0053-revision-once': { up: writeRevisionOnce },
	'0060-lease-times': { up: addLeaseTimes },
	'0061-console-input': { up: confirmConsoleInput },
	'0062-console-pieces': { up: nameConsolePieces },
};

/** Brings the schema up to date, under a lock, and returns the steps that were applied. */
export async function migrate(db: Kysely<Schema>): Promise<string[]> {
	const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
	const { error, results } = await migrator.migrateToLatest();
	if (error) throw error;
	return (results ?? []).map((step) => step.migrationName);
}

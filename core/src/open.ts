// Opens the core. The service also starts the background work; the commands of operators do not.
import { EventEmitter } from 'node:events';
import { createMail } from './accounts/mail/mail.ts';
import { createContacts } from './agents/contacts.ts';
import type { Core } from './core.ts';
import { setClock } from './database/clock.ts';
import { type Database, openDatabase } from './database/database.ts';
import { migrate } from './database/migrations.ts';
import { watchSchema } from './database/schema-check.ts';
import { createWake, type Wake } from './database/wake.ts';
import type { Settings } from './env.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createLastUsed } from './keys/last-used.ts';
import { dispatch } from './leases/dispatch.ts';
import { startImageDownloads } from './leases/preparation/image-downloads.ts';
import { startScheduler } from './leases/scheduler.ts';
import type { Log } from './log.ts';
import { createAttempts } from './members/attempts.ts';
import type { Happenings } from './operations/figures.ts';

/** What tests and simulations replace. The database must have the current schema. */
export interface Given {
	database?: Database;
	createWake?(database: Database): Wake;
}

/** Opens the database and migrates it. */
export async function openCore(settings: Settings, log: Log, given: Given = {}) {
	const happenings = new EventEmitter<Happenings>();
	const onQuery = (query: Happenings['query'][0]) => void happenings.emit('query', query);
	const database = given.database ?? (await openDatabase(settings.database, onQuery));
	const { migrations, checkSchema } = given.database ? current : await prepare(database);
	setClock(database.query, database.clock);
	const stopping = new AbortController();
	const wake = (given.createWake ?? createWake)(database);
	const background: { close(): Promise<unknown> }[] = [];
	const core: Core = {
		settings,
		database,
		wake,
		// Only the service grants boards, by its own settings.
		dispatch: (events) => dispatch(core, background.length > 0 ? events : { ...events, types: [] }),
		happenings,
		log,
		mail: createMail(settings, log),
		attempts: createAttempts(database, settings),
		contacts: createContacts(database, settings),
		lastUsed: createLastUsed(database.query),
		checkSchema,
		stopping: stopping.signal,
	};
	return {
		...core,
		/** The names of the migrations that were applied. */
		migrations,
		/** Starts the background work: the queue, ends of leases, housekeeping, downloads. */
		start() {
			background.push(startHousekeeping(core), startScheduler(core), startImageDownloads(core));
		},
		/** Ends all requests that wait for a change. */
		stop: () => stopping.abort(),
		async close() {
			stopping.abort();
			for (const work of background) await work.close();
			await core.contacts.close();
			await wake.close();
			await core.lastUsed.close();
			await core.mail?.close();
			await database.close();
		},
	};
}

const current = { migrations: [], checkSchema: async () => {} };

async function prepare(database: Database) {
	try {
		const migrations = await migrate(database.patient);
		await database.clock.synchronize();
		return { migrations, checkSchema: await watchSchema(database) };
	} catch (error) {
		await database.close();
		throw error;
	}
}

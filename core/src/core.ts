// What the commands and queries of the core work with.
import type { Mail } from './accounts/mail/mail.ts';
import type { Contacts } from './agents/contacts.ts';
import type { Database } from './database/database.ts';
import type { Wake } from './database/wake.ts';
import type { Settings } from './env.ts';
import type { LastUsed } from './keys/last-used.ts';
import type { Log } from './log.ts';
import type { Attempts } from './members/attempts.ts';

export interface Core {
	settings: Settings;
	database: Database;
	wake: Wake;
	dispatch: Dispatch;
	log: Log;
	/** Absent without a mail server. */
	mail: Mail | undefined;
	attempts: Attempts;
	contacts: Contacts;
	lastUsed: LastUsed;
	/** Throws once the schema is no longer the one that the service has found or made at its start. */
	checkSchema(this: void): Promise<void>;
	/** Aborted once the service has begun to stop. */
	stopping: AbortSignal;
}

/** Wakes those who wait for what has changed, and grants the boards that others wait for. */
type Dispatch = (events: Events) => Promise<void>;

/** What a committed change means for others. A hint: what a crash loses, the scheduler finds within a second. */
export interface Events {
	/** The leases that have changed, each with every board that it had or has. */
	leases?: readonly { id: string; board_id: string | null }[];
	/** What else has changed, by the names in announcements.ts. */
	names?: readonly string[];
	/** The types of which a board became available, or which a request waits for no longer. */
	types?: Iterable<string> | 'all';
}

/** Who asks, by a key or in a session. */
export interface Caller {
	accountId: string;
	/** Whether with the rights of an administrator, which a key for boards and leases has not. */
	isAdmin?: boolean;
	/** Absent in a session. */
	keyId?: string;
	/** What the key is for, if not everything. */
	scope?: 'boards';
	/** Absent with a key. */
	sessionId?: string;
	/** Whether the person in the session has lately entered the password or a code; absent with a key. */
	confirmed?: boolean;
}

// The services that commands and queries use.
import type { EventEmitter } from 'node:events';
import type { Mail } from './accounts/mail/mail.ts';
import type { Contacts } from './agents/contacts.ts';
import type { Database } from './database/database.ts';
import type { Wake } from './database/wake.ts';
import type { Settings } from './env.ts';
import type { LastUsed } from './keys/last-used.ts';
import type { Log } from './log.ts';
import type { Attempts } from './members/attempts.ts';
import type { Happenings } from './operations/figures.ts';

export interface Core {
	settings: Settings;
	database: Database;
	wake: Wake;
	dispatch: Dispatch;
	/** Emits what metrics count. */
	happenings: EventEmitter<Happenings>;
	log: Log;
	/** Absent without a mail server. */
	mail: Mail | undefined;
	attempts: Attempts;
	contacts: Contacts;
	lastUsed: LastUsed;
	/** Throws once the schema differs from the one at the start. */
	checkSchema(this: void): Promise<void>;
	/** Aborted when the service stops. */
	stopping: AbortSignal;
}

/** Wakes those who wait for a change, and grants free boards. */
type Dispatch = (events: Events) => Promise<void>;

/** What a committed change means for others. If a crash loses it, the scheduler finds out within a second. */
export interface Events {
	/** The changed leases, each with every board that it had or has. */
	leases?: readonly { id: string; board_id: string | null }[];
	/** Other changes, by the names in announcements.ts. */
	names?: readonly string[];
	/** The board types whose queue has to be planned. */
	types?: Iterable<string> | 'all';
	change?: Happenings['change'][0];
}

/** Who sends a request, with a key or in a session. */
export interface Caller {
	accountId: string;
	/** Whether the caller has the rights of an administrator. A key for boards and leases does not. */
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

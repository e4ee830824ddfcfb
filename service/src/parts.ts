// The parts of the service; routes use those that they need.
import type { Accounts } from './accounts/accounts.ts';
import type { Mail } from './accounts/mail/mail.ts';
import type { AuthenticateAgent } from './agents/authenticate.ts';
import type { Contacts } from './agents/contacts.ts';
import type { PaymentProvider } from './credits/top-up.ts';
import type { Database } from './database/database.ts';
import type { Wake } from './database/wake.ts';
import type { Settings } from './env.ts';
import type { Authenticate } from './http/authenticate.ts';
import type { Limits } from './http/limits/rate-limits.ts';
import type { Metrics } from './http/metrics.ts';
import type { LastUsed } from './keys/last-used.ts';
import type { Dispatch } from './leases/events.ts';
import type { Log } from './log.ts';

export interface Parts {
	settings: Settings;
	database: Database;
	/** Throws once the schema is no longer the one that the service has found or made at its start. */
	checkSchema(this: void): Promise<void>;
	accounts: Accounts;
	authenticate: Authenticate;
	authenticateAgent: AuthenticateAgent;
	contacts: Contacts;
	limits: Limits;
	lastUsed: LastUsed;
	metrics: Metrics;
	wake: Wake;
	dispatch: Dispatch;
	/** Absent without a mail server. */
	mail: Mail | undefined;
	log: Log;
	/** Absent where credits are granted by the operator only. */
	payments: PaymentProvider | undefined;
	/** Aborted once the service has begun to stop. */
	stopping: AbortSignal;
}

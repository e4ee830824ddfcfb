// The parts of the service; routes use those that they need.

import type { Contacts, Core, Dispatch, LastUsed, Mail, PaymentProvider } from 'board-access-core';
import type { Authenticate } from './http/authenticate.ts';
import type { Limits } from './http/limits/rate-limits.ts';
import type { Metrics } from './http/metrics.ts';
import type { Accounts } from './members/accounts.ts';
import type { AuthenticateAgent } from './routes/authenticate-agent.ts';

export interface Parts extends Core {
	/** Throws once the schema is no longer the one that the service has found or made at its start. */
	checkSchema(this: void): Promise<void>;
	accounts: Accounts;
	authenticate: Authenticate;
	authenticateAgent: AuthenticateAgent;
	contacts: Contacts;
	limits: Limits;
	lastUsed: LastUsed;
	metrics: Metrics;
	dispatch: Dispatch;
	/** Absent without a mail server. */
	mail: Mail | undefined;
	/** Absent where credits are granted by the operator only. */
	payments: PaymentProvider | undefined;
}

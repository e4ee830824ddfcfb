// The parts of the service; routes use those that they need.

import type { Core, PaymentProvider } from 'board-access-core';
import type { Authenticate } from './http/authenticate.ts';
import type { Cookies } from './http/cookies.ts';
import type { Limits } from './http/limits/rate-limits.ts';
import type { Metrics } from './http/metrics.ts';
import type { AuthenticateAgent } from './routes/authenticate-agent.ts';

export interface Parts extends Core {
	authenticate: Authenticate;
	authenticateAgent: AuthenticateAgent;
	cookies: Cookies;
	limits: Limits;
	metrics: Metrics;
	/** Absent where credits are granted by the operator only. */
	payments: PaymentProvider | undefined;
}

// What routes and pages use of the running service.

import type { Core, PaymentProvider } from 'board-access-core';
import type { Cookies } from 'board-access-http/cookies';
import type { Limits } from 'board-access-http/limits/rate-limits';
import type { Channels } from './channels/channels.ts';
import type { Metrics } from './server/metrics.ts';

export interface Services extends Core {
	channels: Channels;
	cookies: Cookies;
	limits: Limits;
	metrics: Metrics;
	/** Absent where credits are granted by the operator only. */
	payments: PaymentProvider | undefined;
}

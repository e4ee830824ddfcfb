// Finds the address of the service.

import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';

/** The option wins over the environment. */
export function findBaseUrl({ baseUrl }: ServiceOptions, { env }: Io) {
	return baseUrl === undefined
		? { text: env.SERVICE_BASE_URL ?? '', source: 'SERVICE_BASE_URL' }
		: { text: baseUrl, source: '--base-url' };
}

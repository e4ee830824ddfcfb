// Finds the address of the service.
import type { Io } from '../terminal/io.ts';
import type { ServiceOptions } from '../options.ts';

/** The option wins over the environment. */
export const findBaseUrl = ({ baseUrl }: ServiceOptions, { env }: Io) =>
	baseUrl === undefined
		? { text: env.SERVICE_BASE_URL ?? '', source: 'SERVICE_BASE_URL' }
		: { text: baseUrl, source: '--base-url' };

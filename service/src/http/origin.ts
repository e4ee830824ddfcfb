// A cookie is sent by the browser unasked, so what changes something must come from our own pages.
import type { Settings } from '../env.ts';
import type { ServiceContext } from './environment.ts';
import { ApiFault } from './fault.ts';

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses a changing request that another site may have made the browser send. */
export const requireOwnOrigin = (c: ServiceContext, { baseUrl, webUrl }: Settings) => {
	if (harmless.has(c.req.method)) return;
	if (c.req.header('sec-fetch-site') === 'same-origin') return;
	const own = [c.req.url, baseUrl, webUrl].map((url) => new URL(url).origin);
	if (own.includes(c.req.header('origin') ?? '')) return;
	throw new ApiFault(
		'origin_refused',
		'A request with a session cookie must come from this site.',
		{
			hint: 'Programs use an API key instead of the cookie.',
		},
	);
};

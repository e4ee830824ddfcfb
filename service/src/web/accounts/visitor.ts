// What a visit to a page is to the accounts.
import type { Entry } from '../../accounts/accounts.ts';
import { callerAddress } from '../../http/address.ts';
import type { ServiceContext } from '../../http/environment.ts';
import type { Visit } from '../pages.tsx';

export function visitorOf({ c, parts }: Pick<Visit, 'c' | 'parts'>) {
	return { headers: c.req.raw.headers, address: callerAddress(c, parts.settings) };
}

/** Passes the cookies of a log-in on to the browser. */
export function sendCookies(c: ServiceContext, { cookies }: Entry) {
	for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
}

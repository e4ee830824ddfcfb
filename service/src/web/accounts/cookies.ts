import type { ServiceContext } from '../../http/environment.ts';
import type { Entry } from '../../members/accounts.ts';

/** Passes the cookies of a log-in on to the browser. */
export function sendCookies(c: ServiceContext, { cookies }: Entry) {
	for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
}

// The cookies of a log-in: the session, as far as it has to be known before any library is loaded
// to read it, the device, and the step between password and code.
import { isIP } from 'node:net';
import { parse, serialize } from 'hono/utils/cookie';
import type { Settings } from '../../env.ts';

const name = 'board_access';

/** Whether a Cookie header may contain a session of this service. */
export function mayHoldSession(cookie: string | null | undefined) {
	return cookie?.includes(`${name}.session_token=`) ?? false;
}

/** The cookies other than the session, which only the web pages see. */
export function ownCookie(
	{ webUrl }: Pick<Settings, 'webUrl'>,
	kind: 'device' | 'log-in',
	maxAge: number,
) {
	const secure = webUrl.startsWith('https:');
	const full = `${secure ? '__Host-' : ''}${name}.${kind}`;
	return {
		read: (headers: Headers) => parse(headers.get('cookie') ?? '', full)[full],
		write: (value: string) =>
			serialize(full, value, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge }),
		clear: () =>
			serialize(full, '', { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: 0 }),
	};
}

export type OwnCookie = ReturnType<typeof ownCookie>;

/** The name and the domain of the session cookie: as few hosts as the addresses allow. */
export function sessionCookie({ baseUrl, webUrl }: Pick<Settings, 'baseUrl' | 'webUrl'>) {
	const domain = sharedDomain(baseUrl, webUrl);
	const secure = webUrl.startsWith('https:');
	// Browsers let only the host itself set a cookie whose name begins with `__Host-`.
	const guard = secure ? (domain ? '__Secure-' : '__Host-') : '';
	return { prefix: guard + name, secure, domain };
}

/** The domain that two hosts share, for a cookie that both receive; none for one host. */
export function sharedDomain(baseUrl: string, webUrl: string) {
	const [base, web] = [baseUrl, webUrl].map((url) => new URL(url).hostname);
	if (!base || !web || base === web || isIP(base) || isIP(web)) return undefined;
	const labels = base.split('.').reverse();
	const others = web.split('.').reverse();
	const different = labels.findIndex((label, index) => label !== others[index]);
	const shared = labels.slice(0, different < 0 ? labels.length : different);
	return shared.length >= 2 ? shared.reverse().join('.') : undefined;
}

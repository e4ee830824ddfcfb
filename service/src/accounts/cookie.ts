// The session cookie: what is needed before a library is loaded to read it.
import { isIP } from 'node:net';
import type { Settings } from '../env.ts';

const name = 'board_access';

/** Whether a Cookie header may contain a session of this service. */
export function mayHoldSession(cookie: string | null | undefined) {
	return cookie?.includes(`${name}.session_token=`) ?? false;
}

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

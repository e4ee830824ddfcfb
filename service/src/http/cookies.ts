// The cookies: the session, the device, the step between password and code, and the notice of a page.
import { isIP } from 'node:net';
import { type Settings, tokenSeconds, type Visitor } from 'board-access-core';
import { parse, serialize } from 'hono/utils/cookie';
import type { ServiceContext } from './environment.ts';

export type Cookies = ReturnType<typeof createCookies>;

/** Carries the tokens of visitors, each in a cookie of its own. */
export function createCookies(settings: Settings) {
	const cookies = {
		session: serviceCookie(settings, 'session_token'),
		device: serviceCookie(settings, 'device'),
		logIn: serviceCookie(settings, 'log-in'),
	};
	const seconds = tokenSeconds(settings);
	const kinds = ['session', 'device', 'logIn'] as const;
	return {
		read: (headers: Headers): Visitor['tokens'] => ({
			session: cookies.session.read(headers),
			device: cookies.device.read(headers),
			logIn: cookies.logIn.read(headers),
		}),
		send(c: ServiceContext, tokens: Visitor['tokens']) {
			for (const kind of kinds) {
				const token = tokens[kind];
				if (token === undefined) continue;
				const { write, clear } = cookies[kind];
				c.header('set-cookie', token ? write(token, seconds[kind]) : clear(), { append: true });
			}
		},
	};
}

/** A cookie for as few hosts as possible: the API needs the session, only the web pages need the others. */
export function serviceCookie(
	{ baseUrl, webUrl }: Pick<Settings, 'baseUrl' | 'webUrl'>,
	kind: 'session_token' | 'device' | 'log-in' | 'notice',
) {
	const domain = kind === 'session_token' ? sharedDomain(baseUrl, webUrl) : undefined;
	const secure = webUrl.startsWith('https:');
	// Browsers let only the host itself set a cookie whose name begins with `__Host-`.
	const prefix = secure ? (domain ? '__Secure-' : '__Host-') : '';
	const name = `${prefix}board_access.${kind}`;
	const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
	const options = domain ? { ...attributes, domain } : attributes;
	return {
		name,
		read: (headers: Headers) => parse(headers.get('cookie') ?? '', name)[name],
		write: (value: string, maxAge: number) => serialize(name, value, { ...options, maxAge }),
		clear: () => serialize(name, '', { ...options, maxAge: 0 }),
	};
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

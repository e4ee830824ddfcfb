// src/accounts/cookie.ts
import { isIP } from 'node:net';

var name = 'board_access';
function mayHoldSession(cookie) {
	return cookie?.includes(`${name}.session_token=`) ?? false;
}
function sessionCookie({ baseUrl, webUrl }) {
	const domain = sharedDomain(baseUrl, webUrl);
	const secure = webUrl.startsWith('https:');
	const guard = secure ? (domain ? '__Secure-' : '__Host-') : '';
	return { prefix: guard + name, secure, domain };
}
function sharedDomain(baseUrl, webUrl) {
	const [base, web] = [baseUrl, webUrl].map((url) => new URL(url).hostname);
	if (!base || !web || base === web || isIP(base) || isIP(web)) return void 0;
	const labels = base.split('.').reverse();
	const others = web.split('.').reverse();
	const different = labels.findIndex((label, index) => label !== others[index]);
	const shared = labels.slice(0, different < 0 ? labels.length : different);
	return shared.length >= 2 ? shared.reverse().join('.') : void 0;
}

// src/database/identifier.ts
import { randomBytes } from 'node:crypto';

function newId(prefix) {
	return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export { mayHoldSession, newId, sessionCookie };

// A page: who may open it, and how it is sent.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import type { Child } from 'hono/jsx';
import type { Member } from '../accounts/sessions/sessions.ts';
import { ApiError } from '../errors.ts';
import { lacksTwoFactor, requireAdmin } from '../http/authenticate.ts';
import { trustConnection } from '../http/connections.ts';
import { requireOwnOrigin } from '../http/csrf.ts';
import type { ServiceApp, ServiceContext } from '../http/environment.ts';
import type { Parts } from '../parts.ts';
import { ConfirmForm } from './accounts/confirm-form.tsx';
import { Document } from './elements/document.tsx';
import { inPlainWords, refusal, type Sentences, sentFields } from './form.ts';
import { pageHeaders } from './headers.ts';
import { leaveNotice, type NoticeName, takeNotice } from './notices.ts';
import { withQuery } from './paths.ts';

export interface Page {
	title: string;
	main: Child;
	status?: (typeof errorStatuses)[ErrorCode];
	headers?: Record<string, string>;
	scripts?: readonly string[];
	styles?: readonly string[];
	reloadSeconds?: number | undefined;
}

/** A request for a page, by anyone, with what a page needs to respond. */
export interface Visit {
	c: ServiceContext;
	app: ServiceApp;
	parts: Parts;
	account: Member | undefined;
}

/** A request for a page by a logged-in account. */
export interface MemberVisit extends Visit {
	account: Member;
}

const unlimited = new Set(['/', '/logout']);
// What an administrator needs to set up two-factor authentication.
const withoutTwoFactor = /^\/(account|confirm)(\/|$)/;

type Handle<Who extends Visit> = (visit: Who) => Page | Response | Promise<Page | Response>;
type Handler = (c: ServiceContext) => Promise<Response>;

/** Makes page handlers: for anyone, for members, for administrators. */
export interface Pages {
	forAnyone(handle: Handle<Visit>): Handler;
	forMembers(handle: Handle<MemberVisit>): Handler;
	forAdmins(handle: Handle<MemberVisit>): Handler;
}

export function createPages(app: ServiceApp, parts: Parts): Pages {
	const { accounts, limits, settings } = parts;
	const apiOrigin = new URL(settings.baseUrl).origin;
	const webOrigin = new URL(settings.webUrl).origin;

	const render = (c: ServiceContext, account: Member | undefined, page: Page) => {
		const document = (
			<Document
				title={page.title}
				path={c.req.path}
				account={account}
				notice={takeNotice(c)}
				canSignUp={settings.signup === 'open'}
				scripts={page.scripts}
				styles={page.styles}
				reloadSeconds={page.reloadSeconds}
			>
				{page.main}
			</Document>
		);
		return c.html(document, page.status ?? 200, {
			...pageHeaders(apiOrigin),
			...page.headers,
		});
	};

	const forAnyone = (handle: Handle<Visit>): Handler => {
		return async (c) => {
			const { host, pathname, search } = new URL(c.req.url);
			if (webOrigin !== apiOrigin && host === new URL(apiOrigin).host) {
				return c.redirect(webOrigin + pathname + search, 308);
			}
			requireOwnOrigin(c, settings);
			const account = await accounts.current(c.req.raw.headers);
			if (account) {
				trustConnection(c);
				c.set('confirmCaller', () => confirmMember(c, account));
			}
			// The start page and the way out stay open to those who sent too many requests.
			if (account && !unlimited.has(pathname)) await limits.request({ accountId: account.id });
			const page = await handle({ c, app, parts, account });
			return page instanceof Response ? page : render(c, account, page);
		};
	};

	const confirmMember = async (c: ServiceContext, { id, role }: Member) => {
		const account = await accounts.current(c.req.raw.headers);
		if (account?.id === id && account.role === role) return;
		throw new ApiError('credentials_missing', 'You are no longer logged in.');
	};

	const forMembers = (handle: Handle<MemberVisit>): Handler =>
		forAnyone(async (visit) => {
			const { c, account } = visit;
			if (!account) return toLogIn(c);
			if (lacksTwoFactor(account, settings) && !withoutTwoFactor.test(c.req.path)) {
				return goTo(c, '/account/two-factor', 'two-factor-required');
			}
			try {
				return await handle({ ...visit, account });
			} catch (error) {
				if (!(error instanceof ApiError)) throw error;
				if (error.code === 'password_required') return askForPassword(c, account);
				// The session ended while the form arrived.
				if (error.code === 'credentials_missing') return toLogIn(c);
				throw error;
			}
		});

	const forAdmins = (handle: Handle<MemberVisit>): Handler =>
		forMembers((visit) => {
			requireAdmin(visit.account);
			return handle(visit);
		});

	return { forAnyone, forMembers, forAdmins };
}

interface Form {
	/** Does what the form asks for. */
	change: () => Promise<Page | Response>;
	/** The page of the form, with an error and what was sent. */
	again: (error: ApiError) => Page | Promise<Page>;
	/** The errors of fields in whole sentences; without them the messages stay as they are. */
	sentences?: Sentences;
	/** What the form has done if it was sent before with other values. */
	done?: string;
}

/** Does what a form asks for, or shows the form again with the reason why that is not possible. */
export async function submitForm({ change, again, sentences, done }: Form) {
	try {
		return await change();
	} catch (thrown) {
		const refused = refusal(thrown);
		const error = sentences ? inPlainWords(refused, sentences, done) : refused;
		const { code, details } = error;
		return {
			...(await again(error)),
			status: errorStatuses[code],
			headers: details.headers ?? {},
		};
	}
}

/** Redirects to a page that can be reloaded, after a form has done its work. */
export function goTo(c: ServiceContext, path: string, notice?: NoticeName) {
	if (notice) leaveNotice(c, notice);
	return c.redirect(path, 303);
}

/** Asks for the password; the form that was sent is sent again afterwards. */
async function askForPassword(c: ServiceContext, { email }: Member): Promise<Page> {
	const { pathname, search } = new URL(c.req.url);
	const method = c.req.method === 'GET' ? 'get' : 'post';
	const fields = method === 'get' ? [] : [...(await sentFields(c))];
	const form = { email, to: pathname + search, method, fields } as const;
	return {
		title: 'Confirm that it is you',
		main: <ConfirmForm {...form} />,
		status: errorStatuses.password_required,
	};
}

function toLogIn(c: ServiceContext) {
	// A form that is sent after the session has ended leads back to its page.
	const wanted = c.req.method === 'GET' ? c.req.url : (c.req.header('referer') ?? c.req.url);
	const { pathname, search } = URL.parse(wanted) ?? new URL(c.req.url);
	return goTo(c, withQuery('/login', { next: pathname + search }));
}

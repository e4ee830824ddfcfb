// Pages: who may open them, how they are sent, and what their forms do.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import {
	ApiError,
	type Caller,
	type Core,
	currentMember,
	type Member,
	type PaymentProvider,
	requireAdmin,
	type Settings,
	type Visitor,
} from 'board-access-core';
import { callerAddress } from 'board-access-http/address';
import { lacksTwoFactor } from 'board-access-http/authenticate';
import type { Cookies } from 'board-access-http/cookies';
import { requireOwnOrigin } from 'board-access-http/csrf';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import type { Limits } from 'board-access-http/limits/rate-limits';
import type { Described, Schema } from 'board-access-http/operation';
import { trustConnection } from 'board-access-http/server/connections';
import type { Child } from 'hono/jsx';
import { askToConfirm, confirm } from './accounts/confirm.tsx';
import { compressPage } from './compress.ts';
import { Document, type PageFrame, pageHeaders } from './elements/document.tsx';
import { Filled, formKey } from './elements/form.tsx';
import { formError, readForm, type Sentences } from './form.ts';
import { type NoticeName, sendNotice, takeNotice } from './notices.ts';
import { withQuery } from './paths.ts';

export interface Page extends PageFrame {
	main: Child;
	status?: (typeof errorStatuses)[ErrorCode];
	headers?: Record<string, string>;
}

/** What pages use of the running service. */
export interface Services extends Core {
	cookies: Cookies;
	limits: Limits;
	/** Absent if only the operator grants credits. */
	payments: PaymentProvider | undefined;
	/** The operations of the API, for its reference. */
	operations: readonly Described[];
	openapiDocument(settings: Settings): { components: { schemas: Record<string, Schema> } };
}

/** A request for a page, by anyone. */
export interface Visit {
	c: ServiceContext;
	services: Services;
	visitor: Visitor;
	account: Member | undefined;
}

/** A request for a page by a logged-in account. */
export interface MemberVisit extends Visit {
	account: Member;
	/** The member, for the commands of the core. */
	caller: Required<Omit<Caller, 'keyId' | 'scope'>>;
}

export type Handle<Who extends Visit> = (visit: Who) => Page | Response | Promise<Page | Response>;

interface Router<Who extends Visit> {
	get(path: string, handle: Handle<Who>): void;
	post(path: string, handle: Handle<Who>): void;
}

/** Adds pages to the service: for anyone, for members, for administrators. */
export interface Pages {
	anyone: Router<Visit>;
	members: Router<MemberVisit>;
	admins: Router<MemberVisit>;
}

export function createPages(app: ServiceApp, services: Services): Pages {
	const routerFor = <Who extends Visit>(guard: (handle: Handle<Who>) => Handle<Visit>) => {
		const adding = (method: 'get' | 'post') => (path: string, handle: Handle<Who>) => {
			app[method](path, compressPage, (c) => respond(c, services, guard(handle)));
		};
		return { get: adding('get'), post: adding('post') };
	};
	return {
		anyone: routerFor((handle) => handle),
		members: routerFor(forMembers),
		admins: routerFor(forAdmins),
	};
}

async function respond(c: ServiceContext, services: Services, handle: Handle<Visit>) {
	const { cookies, limits, settings } = services;
	const { headers } = c.req.raw;
	const { host, pathname, search } = new URL(c.req.url);
	const [web, api] = [new URL(settings.webUrl), new URL(settings.baseUrl)] as const;
	if (web.origin !== api.origin && host === api.host) {
		return c.redirect(web.origin + pathname + search, 308);
	}
	const tokens = cookies.read(headers);
	const account = await currentMember(services, tokens);
	requireOwnOrigin(c, settings);
	if (account) {
		trustConnection(c.env?.incoming?.socket);
		c.set('confirmCaller', () => requireSame(c, services, account));
	}
	// The log-out stays open to an account that sent too many requests.
	if (account && pathname !== '/logout') await limits.request({ accountId: account.id });
	const userAgent = headers.get('user-agent') ?? '';
	const visitor = { address: callerAddress(c, settings), userAgent, tokens };
	const page = await handle({ c, services, visitor, account });
	if (page instanceof Response) {
		sendNotice(c, page, settings);
		return page;
	}
	const { main, status = 200, headers: own, ...shown } = page;
	const bar = { path: c.req.path, account, canSignUp: settings.signup === 'open' };
	const document = (
		<Filled.Provider value={c.get('filled') ?? { values: {} }}>
			<Document {...bar} {...shown} notice={takeNotice(c, settings)}>
				{main}
			</Document>
		</Filled.Provider>
	);
	return c.html(document, status, { ...pageHeaders(api.origin, shown.framed), ...own });
}

async function requireSame(c: ServiceContext, services: Services, { id, role }: Member) {
	const account = await currentMember(services, services.cookies.read(c.req.raw.headers));
	if (account?.id === id && account.role === role) return;
	throw new ApiError('credentials_missing', 'You are no longer logged in.');
}

// An administrator sets up two-factor authentication on these pages.
const withoutTwoFactor = /^\/account(\/|$)/;

function forMembers(handle: Handle<MemberVisit>): Handle<Visit> {
	return async (visit) => {
		const { c, account, services } = visit;
		if (!account) return toLogIn(c);
		if (lacksTwoFactor(account, services.settings) && !withoutTwoFactor.test(c.req.path)) {
			return goTo(c, '/account/two-factor', 'two-factor-required');
		}
		try {
			const { id: accountId, role, sessionId, confirmed } = account;
			const caller = { accountId, isAdmin: role === 'admin', sessionId, confirmed };
			return await handle({ ...visit, account, caller });
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			if (error.code === 'confirmation_required') return askToConfirm(c, account, error);
			// The session ended while the form arrived.
			if (error.code === 'credentials_missing') return toLogIn(c);
			throw error;
		}
	};
}

function forAdmins(handle: Handle<MemberVisit>): Handle<Visit> {
	return forMembers(async (visit) => {
		requireAdmin(visit.caller);
		if (visit.c.req.method !== 'POST') return handle(visit);
		await confirm(visit);
		return handle({ ...visit, caller: { ...visit.caller, confirmed: true } });
	});
}

interface Form<Who extends Visit, Name extends string> {
	fields?: readonly Name[];
	change: (visit: Who, sent: Record<Name, string>) => Promise<Page | Response>;
	/** Shows the form again, with the error and the values that were sent. */
	again: (visit: Who) => Page | Promise<Page>;
	/** The errors of fields in whole sentences; a field without one keeps the message of the API. */
	sentences?: Sentences;
	/** What the form has done if it was sent before with other values. */
	done?: string;
}

/** Handles a form: makes the change, or shows the form again with the error. */
export function onSubmit<Who extends Visit, Name extends string>(
	form: Form<Who, Name>,
): Handle<Who> {
	return async (visit) => {
		const sent = await readForm(visit.c, form.fields);
		try {
			return await form.change(visit, sent);
		} catch (thrown) {
			const error = formError(thrown, form);
			const { code, details } = error;
			visit.c.set('filled', { values: sent, error });
			const page = await form.again(visit);
			return { ...page, status: errorStatuses[code], headers: details.headers ?? {} };
		}
	};
}

/** The claim of a form, so that sending it twice makes one change. */
export function claimFor({ c, caller }: MemberVisit, input: unknown, token: string) {
	return claimOf(c, { accountId: caller.accountId, input, formKey: formKey(token) });
}

/** Redirects to a page that can be reloaded, after a form has done its work. */
export function goTo(c: ServiceContext, path: string, notice?: NoticeName) {
	if (notice) c.set('notice', notice);
	return c.redirect(path, 303);
}

function toLogIn(c: ServiceContext) {
	// Scripts get an error, browsers are redirected.
	const isScript = c.req.method === 'POST' && c.req.header('accept') === 'application/json';
	if (isScript) {
		throw new ApiError('credentials_missing', 'You are no longer logged in.');
	}
	// After a form that was sent when the session had ended, the log-in leads back to its page.
	const wanted = c.req.method === 'GET' ? c.req.url : (c.req.header('referer') ?? c.req.url);
	const { pathname, search } = URL.parse(wanted) ?? new URL(c.req.url);
	return goTo(c, withQuery('/login', { next: pathname + search }));
}

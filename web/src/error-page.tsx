// An error as a page: what happened, and what to do.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import type { ApiError } from 'board-access-core';
import type { Child } from 'hono/jsx';
import type { BarProps } from './elements/bar.tsx';
import { Document, pageHeaders } from './elements/document.tsx';
import { ButtonLink } from './elements/form.tsx';
import { withLink } from './elements/text.tsx';
import { localPath } from './paths.ts';

/** Whether a request comes from a browser that opens a page. */
export function wantsPage(request: Request) {
	return (
		(request.headers.get('accept') ?? '').includes('text/html') &&
		!new URL(request.url).pathname.startsWith('/v1/')
	);
}

interface ErrorPageOptions extends Omit<BarProps, 'path'> {
	request: Request;
	requestId: string;
}

export function errorPage(error: ApiError, { request, requestId, ...who }: ErrorPageOptions) {
	const { code, message, details } = error;
	const status = errorStatuses[code];
	const title = titles[code] ?? 'This is not possible now';
	const page = (
		<Document title={title} path={new URL(request.url).pathname} {...who}>
			<section class="error-page">
				<p class="error-status">{status}</p>
				<h1>{title}</h1>
				<p class="lead">
					{code === 'internal' ? unexpected : [message, ' ', withLink(details.hint ?? hints[code])]}
				</p>
				<p class="actions">
					<FirstStep error={error} request={request} />
				</p>
				<p class="muted small">
					Request <code>{requestId}</code>
				</p>
			</section>
		</Document>
	);
	const type = { 'content-type': 'text/html; charset=utf-8' };
	return new Response(`${page}`, {
		status,
		headers: { ...pageHeaders(), ...type, ...details.headers },
	});
}

const temporary: ErrorCode[] = ['rate_limited', 'internal', 'unavailable'];

/** "Retry" where that can help, otherwise a link back. */
function FirstStep({ error, request }: { error: ApiError; request: Request }): Child {
	const { pathname, search } = new URL(request.url);
	const referer = URL.parse(request.headers.get('referer') ?? '');
	const back = localPath(referer ? referer.pathname + referer.search : undefined, '/boards');
	const sameSite = referer?.host === new URL(request.url).host;
	if (request.method === 'GET' && temporary.includes(error.code)) {
		return <ButtonLink href={pathname + search} text="Retry" look="primary" />;
	}
	// An error of the page itself must not lead back to it.
	const target = sameSite && (request.method !== 'GET' || back !== pathname + search);
	const [href, text] = target ? [back, 'Go back'] : ['/boards', 'Go to the boards'];
	return <ButtonLink href={href} text={text} look="primary" />;
}

const titles: Partial<Record<ErrorCode, string>> = {
	not_found: 'Page not found',
	key_not_found: 'API key not found',
	board_not_found: 'Board not found',
	lease_not_found: 'Lease not found',
	board_in_use: 'The board is in a lease',
	method_not_allowed: 'This address does not accept that request',
	admin_required: 'This page is for administrators',
	origin_refused: 'This request came from another site',
	rate_limited: 'Too many requests',
	body_too_large: 'The form is too large',
	unsupported_media_type: 'This address accepts form data only',
	invalid_request: 'This address is not valid',
	internal: 'Something went wrong on our side',
	unavailable: 'The service is unavailable',
};

const hints: Partial<Record<ErrorCode, string>> = {
	// The same for everyone, so that it does not reveal whether the lease exists.
	lease_not_found: 'If it was shared with you, its holder no longer shares it.',
	method_not_allowed: 'If you sent a form from here, open its page again.',
};

const unexpected =
	'Retry in a moment. If the error persists, send the operator the request identifier below.';

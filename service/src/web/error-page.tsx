// An error as a page: what happened, and what to do now.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import type { Child } from 'hono/jsx';
import type { Account } from '../accounts/store.ts';
import type { ApiError } from '../errors.ts';
import { Document, pageHeaders } from './elements/document.tsx';
import { ButtonLink } from './elements/form.tsx';
import { localPath } from './paths.ts';

/** Whether a browser asks for a page, outside the API. */
export function wantsPage(request: Request) {
	return (
		(request.headers.get('accept') ?? '').includes('text/html') &&
		!new URL(request.url).pathname.startsWith('/v1/')
	);
}

interface ErrorPageOptions {
	request: Request;
	requestId: string;
	account: Account | undefined;
	/** Whether it is unknown who is logged in, because the accounts cannot be read. */
	accountUnknown: boolean;
	/** Whether everyone can sign up. */
	canSignUp: boolean;
}

export function errorPage(error: ApiError, options: ErrorPageOptions) {
	const { request, requestId, ...who } = options;
	const status = errorStatuses[error.code];
	const { title, advice } = words[error.code] ?? (status < 500 ? notPossible(error) : unexpected);
	const page = (
		<Document title={title} path={new URL(request.url).pathname} {...who}>
			<section class="error-page">
				<p class="error-status">{status}</p>
				<h1>{title}</h1>
				<p class="lead">{waitAdvice(error) ?? advice}</p>
				<p class="actions">
					<FirstStep error={error} request={request} />
					<ButtonLink href="/" text="Start page" />
				</p>
				<p class="muted small">
					Request <code>{requestId}</code>
				</p>
			</section>
		</Document>
	);
	return new Response(`${page}`, {
		status,
		headers: {
			...pageHeaders(),
			'content-type': 'text/html; charset=utf-8',
			...error.details.headers,
		},
	});
}

const temporary: ErrorCode[] = ['rate_limited', 'internal', 'unavailable'];

/** Retry where that can help, otherwise the way back. */
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

function waitAdvice({ code, details }: ApiError) {
	const seconds = Number(details.headers?.['retry-after']);
	if (code !== 'rate_limited' || !(seconds > 0)) return undefined;
	return `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then retry.`;
}

const unexpected = {
	title: 'Something went wrong on our side',
	advice:
		'Retry in a moment. If the error persists, send the operator the request identifier below.',
};

/** The message of the API is a sentence for people too. */
function notPossible({ message }: ApiError) {
	return { title: 'This is not possible now', advice: message };
}

const gone = 'It may have been removed, or the address is mistyped.';
const useForm = 'Go back to the previous page and use its form.';

const words: Partial<Record<ErrorCode, { title: string; advice: string }>> = {
	not_found: { title: 'Page not found', advice: gone },
	key_not_found: {
		title: 'API key not found',
		advice: 'It is not one of yours, or the address is mistyped. Your keys are under API keys.',
	},
	board_not_found: { title: 'Board not found', advice: gone },
	lease_not_found: {
		title: 'Lease not found',
		advice: 'It is not one of yours, or the address is mistyped. Your leases are under Leases.',
	},
	board_in_use: {
		title: 'The board is in a lease',
		advice: 'Retire it after the lease has ended, or end the lease on the page All leases.',
	},
	method_not_allowed: { title: 'This address does not accept that request', advice: useForm },
	admin_required: {
		title: 'This page is for administrators',
		advice: 'Your account does not have the administrator role. Ask your operator for it.',
	},
	origin_refused: {
		title: 'This request came from another site',
		advice: 'Nothing was changed. Open the page on this site and submit the form there.',
	},
	rate_limited: { title: 'Too many requests', advice: 'Wait a minute, then retry.' },
	body_too_large: {
		title: 'The form is too large',
		advice: 'A form can hold 64 KiB. Go back and send less at a time.',
	},
	unsupported_media_type: { title: 'This address accepts form data only', advice: useForm },
	invalid_request: {
		title: 'This address is not valid',
		advice: 'Part of it is mistyped or out of date. Start again from the list.',
	},
	unavailable: {
		title: 'The service is unavailable',
		advice:
			'The database cannot be reached or the service is restarting. Nothing is lost. Retry in a moment.',
	},
};

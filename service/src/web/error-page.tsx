// A fault as a browser should see it: what happened, and what to do now.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import type { ApiError } from '../errors.ts';
import { Document } from './elements/document.tsx';
import { pageHeaders } from './headers.ts';

/** Whether the answer is for somebody's eyes: a browser asks for a page, outside the API. */
export function wantsPage(request: Request) {
	return (
		(request.headers.get('accept') ?? '').includes('text/html') &&
		!new URL(request.url).pathname.startsWith('/v1/')
	);
}

export function errorPage(fault: ApiError, request: Request, requestId: string) {
	const status = errorStatuses[fault.code];
	const { title, advice } = words[fault.code] ?? unexpected;
	const page = (
		<Document title={title} path={new URL(request.url).pathname} quiet>
			<section class="fault">
				<p class="fault-status">{status}</p>
				<h1>{title}</h1>
				<p class="lead">{advice}</p>
				<p class="actions">
					<a class="button primary" href="/">
						Go to the start page
					</a>
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
			...fault.details.headers,
		},
	});
}

const unexpected = {
	title: 'Something went wrong on our side',
	advice: 'Try again in a moment. If it stays, tell the operator the request identifier below.',
};

const words: Partial<Record<ErrorCode, { title: string; advice: string }>> = {
	not_found: {
		title: 'There is no such page',
		advice: 'The address may be mistyped, or what it named is gone.',
	},
	key_not_found: {
		title: 'There is no such key',
		advice:
			'It is not one of yours, or the address is mistyped. Your keys are on the API keys page.',
	},
	method_not_allowed: {
		title: 'This address takes no such request',
		advice: 'Go back to the page you came from and use the form on it.',
	},
	admin_required: {
		title: 'This page is for administrators',
		advice: 'Your account works, but this part needs the administrator role. Ask your operator.',
	},
	origin_refused: {
		title: 'This request came from another site',
		advice: 'Nothing was changed. Open the page here and send the form from it.',
	},
	rate_limited: {
		title: 'Too many requests',
		advice: 'Wait a minute, then load the page again.',
	},
	body_too_large: {
		title: 'That is too much at once',
		advice: 'A form may hold 64 KiB. Go back and send less at a time.',
	},
	unsupported_media_type: {
		title: 'This address takes a form',
		advice: 'Go back to the page you came from and use the form on it.',
	},
	invalid_request: {
		title: 'This address asks for something we do not know',
		advice: 'Part of it is mistyped or out of date. Start again from the list.',
	},
	unavailable: {
		title: 'We cannot answer just now',
		advice: 'The database is away or the service restarts. Nothing is lost; try again in a moment.',
	},
};

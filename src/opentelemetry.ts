/**
 * Traces of a client with OpenTelemetry: {@link traceRequests}.
 *
 * @module board-access/opentelemetry
 */
import {
	type Attributes,
	context,
	propagation,
	SpanKind,
	SpanStatusCode,
	type TracerProvider,
	trace,
} from '@opentelemetry/api';
import type { Attempt, OutgoingRequest, RequestHook } from 'board-access';
import { version } from '../package.json';

/** Which traces to write. */
export interface TraceOptions {
	/** Makes the tracer. Default: the global one of `@opentelemetry/api`. */
	tracerProvider?: TracerProvider | undefined;
}

/**
 * A hook that writes one span for each request, with an event for each attempt, and sends the context of
 * the trace to the service. Names and attributes are those of the semantic conventions for HTTP clients.
 *
 * @example
 * ```ts
 * const client = new BoardAccess({ onRequest: traceRequests() });
 * ```
 */
export function traceRequests({ tracerProvider = trace }: TraceOptions = {}): RequestHook {
	const tracer = tracerProvider.getTracer('board-access', version);
	return async (request, send) => {
		const { method, route, headers } = request;
		const name = route === undefined ? method : `${method} ${route}`;
		const span = tracer.startSpan(name, {
			kind: SpanKind.CLIENT,
			attributes: requestAttributes(request),
		});
		const active = trace.setSpan(context.active(), span);
		propagation.inject(active, headers);
		let last: Attempt | undefined;
		const onAttempt = (attempt: Attempt) => {
			last = attempt;
			span.addEvent('attempt', attemptAttributes(attempt));
		};
		const { error } = await context.with(active, () => send(onAttempt));
		// Not the error of the last attempt: the wait for the next one can be aborted.
		span.setAttributes({ ...(last && attemptAttributes(last)), 'error.type': errorType(error) });
		if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
		span.end();
	};
}

function requestAttributes({ method, route, url }: OutgoingRequest): Attributes {
	const { hostname, port, protocol } = new URL(url);
	return {
		'http.request.method': method,
		'url.template': route,
		'url.full': url,
		'server.address': hostname,
		'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
	};
}

function attemptAttributes({ attempt, status, requestId, error }: Attempt): Attributes {
	return {
		'http.request.resend_count': attempt === 1 ? undefined : attempt - 1,
		'http.response.status_code': status,
		'http.response.header.x-request-id': requestId && [requestId],
		'error.type': error,
	};
}

function errorType(error: unknown) {
	const { code } = Object(error);
	return error === undefined ? undefined : typeof code === 'string' ? code : 'aborted';
}

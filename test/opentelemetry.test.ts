// Traces of a client, as the SDK of OpenTelemetry records them.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
	type Context,
	type ContextManager,
	context,
	propagation,
	ROOT_CONTEXT,
	SpanKind,
	SpanStatusCode,
	trace,
} from '@opentelemetry/api';
import {
	BasicTracerProvider,
	InMemorySpanExporter,
	SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { FetchInit } from 'board-access';
import { traceRequests } from 'board-access/opentelemetry';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createClient, errorOf, skipWaits } from './support/client.ts';

const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({
	spanProcessors: [new SimpleSpanProcessor(exporter)],
});

/** That of OpenTelemetry for Node is a package of its own. */
const storage = new AsyncLocalStorage<Context>();
const manager: ContextManager = {
	active: () => storage.getStore() ?? ROOT_CONTEXT,
	with: (active, work, self, ...args) => storage.run(active, () => work.apply(self, args)),
	bind: (_context, target) => target,
	enable: () => manager,
	disable: () => manager,
};

beforeAll(() => {
	context.setGlobalContextManager(manager);
	propagation.setGlobalPropagator({
		inject(active, carrier, setter) {
			const span = trace.getSpanContext(active);
			if (span) setter.set(carrier, 'traceparent', `00-${span.traceId}-${span.spanId}-01`);
		},
		extract: (active) => active,
		fields: () => ['traceparent'],
	});
});
afterAll(() => {
	context.disable();
	propagation.disable();
});
beforeEach(() => {
	exporter.reset();
	vi.restoreAllMocks();
});

const respond = (status: number, body: unknown = {}) =>
	Response.json(body, { status, headers: { 'x-request-id': `req_${status}` } });

function traced(...responses: Response[]) {
	const sent: FetchInit[] = [];
	const active: (string | undefined)[] = [];
	const fetch = async (_url: string, init: FetchInit) => {
		sent.push(init);
		active.push(trace.getActiveSpan()?.spanContext().spanId);
		return responses.shift() ?? respond(200, { id: 'brd_1' });
	};
	const onRequest = traceRequests({ tracerProvider });
	return { client: createClient({ fetch, onRequest }), sent, active };
}

it('a request is one span, named after its route, with an event for each attempt', async () => {
	skipWaits();
	const { client } = traced(respond(503));
	await client.boards.get('brd_1');
	const [span, ...others] = exporter.getFinishedSpans();
	expect(others).toEqual([]);
	expect(span).toMatchObject({
		name: 'GET /v1/boards/{id}',
		kind: SpanKind.CLIENT,
		status: { code: SpanStatusCode.UNSET },
		instrumentationScope: { name: 'board-access', version: expect.stringMatching(/^\d/) },
	});
	const attributes = {
		'http.request.method': 'GET',
		'url.template': '/v1/boards/{id}',
		'url.full': 'https://boards.example.com/v1/boards/brd_1',
		'server.address': 'boards.example.com',
		'server.port': 443,
		'http.request.resend_count': 1,
		'http.response.status_code': 200,
		'http.response.header.x-request-id': ['req_200'],
	};
	expect(span?.attributes).toEqual(attributes);
	expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
		[
			'attempt',
			{
				'http.response.status_code': 503,
				'http.response.header.x-request-id': ['req_503'],
				'error.type': 'http_503',
			},
		],
		[
			'attempt',
			{
				'http.request.resend_count': 1,
				'http.response.status_code': 200,
				'http.response.header.x-request-id': ['req_200'],
			},
		],
	]);
});

it('a request belongs to the active span, and the service and fetch continue its trace', async () => {
	const { client, sent, active } = traced();
	const parent = tracerProvider.getTracer('test').startSpan('parent');
	await context.with(trace.setSpan(context.active(), parent), () => client.boards.get('brd_1'));
	const [span] = exporter.getFinishedSpans();
	const { traceId, spanId } = parent.spanContext();
	expect(span?.parentSpanContext).toMatchObject({ traceId, spanId });
	const own = span?.spanContext().spanId;
	expect(sent[0]?.headers.traceparent).toBe(`00-${traceId}-${own}-01`);
	expect(active).toEqual([own]);
});

it('a request that fails has the code of its error', async () => {
	const { client } = traced(respond(404, { error: { code: 'board_not_found', message: 'No.' } }));
	await errorOf(client.boards.get('brd_1'));
	const [span] = exporter.getFinishedSpans();
	expect(span).toMatchObject({
		status: { code: SpanStatusCode.ERROR },
		attributes: { 'http.response.status_code': 404, 'error.type': 'board_not_found' },
	});
	expect(span?.attributes).not.toHaveProperty('http.request.resend_count');
});

it('a request that is aborted while it waits for its next attempt ends its span', async () => {
	const { client } = traced(new Response('', { status: 503, headers: { 'retry-after': '5' } }));
	const abort = new AbortController();
	const impatient = client.withOptions({ onAttempt: () => setImmediate(() => abort.abort()) });
	await errorOf(impatient.boards.get('brd_1', { signal: abort.signal }));
	const [span] = exporter.getFinishedSpans();
	expect(span).toMatchObject({
		status: { code: SpanStatusCode.ERROR },
		attributes: { 'error.type': 'aborted', 'http.response.status_code': 503 },
	});
});

it('a path of your own is no part of the name', async () => {
	const { client } = traced();
	await client.request({ method: 'GET', path: '/v1/things/42' });
	expect(exporter.getFinishedSpans()[0]).toMatchObject({ name: 'GET' });
});

it('without a tracer provider, requests are sent as always', async () => {
	const fetch = async () => respond(200, { id: 'brd_1' });
	const client = createClient({ fetch, onRequest: traceRequests() });
	expect(await client.boards.get('brd_1')).toEqual({ id: 'brd_1' });
	expect(exporter.getFinishedSpans()).toEqual([]);
});

// The network between the processes: slow, lossy, and interrupted at the worst moment.
import type { FaultSource, RequestFault } from './faults.ts';
import type { Process, Simulation } from './simulation.ts';

/** A service that requests can reach. */
export interface Server {
	readonly process: Process;
	handle(request: Request): Promise<Response>;
}

/** How a machine is cut off: its connections break, or its packets arrive when the cut is over. */
export type CutMode = 'broken' | 'silent';

export interface Exchange {
	readonly id: string;
	readonly client: Process;
	readonly method: string;
	readonly path: string;
	readonly fault: RequestFault | undefined;
	/** The client has given up, or has the whole response. */
	over: boolean;
	server: Process | undefined;
	readonly serverGone: AbortController;
	/** Breaks the connection, as the client sees it. */
	fail(error: Error): void;
	/** When the last part was delivered: parts do not overtake each other. */
	last: number;
}

export interface NetworkOptions {
	faults: FaultSource;
	/** The service that gets the request; undefined when none listens. */
	serverFor(id: string): Server | undefined;
	onFault(fault: RequestFault): void;
	/** Called before a service handles a request. */
	onRequest(exchange: Exchange, sent: { url: URL; body: unknown }): void;
	/** Called when a stream begins. */
	onStream(exchange: Exchange): void;
	/** Called with each response that a client receives as a whole. */
	onReceived(exchange: Exchange, status: number, text: string): void;
}

type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const unknownStatus = 'calibrating';

export class Network {
	readonly #simulation: Simulation;
	readonly #options: NetworkOptions;
	readonly #counts = new Map<string, number>();
	readonly #open = new Set<Exchange>();
	readonly #cuts = new Map<string, { mode: CutMode; until: number }>();
	calm = false;

	constructor(simulation: Simulation, options: NetworkOptions) {
		this.#simulation = simulation;
		this.#options = options;
	}

	/** The `fetch` of a process. */
	fetchOf(client: Process): Send {
		return async (input, init = {}) => {
			const url = new URL(String(input));
			return await this.#send(client, url, init);
		};
	}

	/** Cuts a machine off for some time. */
	cut(name: string, mode: CutMode, milliseconds: number) {
		this.#cuts.set(name, { mode, until: this.#simulation.now + milliseconds });
		if (mode === 'silent') return;
		for (const exchange of [...this.#open]) {
			if (exchange.client.name !== name && exchange.server?.name !== name) continue;
			exchange.fail(reset());
			this.#abandon(exchange, 0);
		}
	}

	endCuts() {
		this.#cuts.clear();
	}

	/** A client that does not exist any more. */
	forget(name: string) {
		this.#counts.delete(name);
	}

	/** Requests and streams that go on. */
	get openCount() {
		return this.#open.size;
	}

	/** The connections of a process that was killed break. */
	killed(process: Process) {
		for (const exchange of [...this.#open]) {
			if (exchange.server === process) exchange.fail(reset());
			if (exchange.client === process) this.#leave(exchange, this.#latency(exchange));
		}
	}

	async #send(client: Process, url: URL, init: RequestInit): Promise<Response> {
		const simulation = this.#simulation;
		init.signal?.throwIfAborted();
		const number = this.#counts.get(client.name) ?? 0;
		this.#counts.set(client.name, number + 1);
		const method = init.method ?? 'GET';
		const path = url.pathname.replace('/v1', '');
		const stream = isStream(method, path);
		const description = { isStream: stream, changes: method !== 'GET' && !stream };
		const fault = this.calm ? undefined : this.#options.faults.of(client.name, number, description);
		const id = `${client.name}#${number}`;
		simulation.note(
			`${id} ${method} ${path}${url.search.slice(0, 40)}${fault ? ` [${fault.kind} ${fault.milliseconds}]` : ''}`,
		);
		if (fault) this.#options.onFault(fault);
		const { promise, resolve, reject } = Promise.withResolvers<Response>();
		const exchange: Exchange = {
			id,
			client,
			method,
			path,
			fault,
			over: false,
			server: undefined,
			serverGone: new AbortController(),
			last: simulation.now,
			fail: (error) => this.#deliver(exchange, () => this.#finish(exchange, () => reject(error))),
		};
		this.#open.add(exchange);
		const abort = () => {
			this.#finish(exchange, () => reject(init.signal?.reason));
			this.#leave(exchange, this.#latency(exchange));
		};
		init.signal?.addEventListener('abort', abort, { once: true });
		this.#depart(exchange, { url, init, resolve });
		return await promise;
	}

	/** The way to the service. */
	#depart(exchange: Exchange, request: Outgoing) {
		const { fault, client } = exchange;
		const cut = this.#cutOf(client.name);
		if (cut?.mode === 'broken' || fault?.kind === 'refused') return exchange.fail(refused());
		const wait = this.#latency(exchange) + (cut ? cut.until - this.#simulation.now : 0);
		const arrive = () => this.#arrive(exchange, request, false);
		switch (fault?.kind) {
			case 'lost-request':
				this.#simulation.after(fault.milliseconds, () => exchange.fail(reset()));
				return;
			case 'stalled-request':
				return;
			case 'bad-gateway':
				return this.#respondAsProxy(exchange, request, 502);
			case 'late-request':
				this.#simulation.after(wait + fault.milliseconds, arrive);
				return;
		}
		this.#simulation.after(wait, arrive);
	}

	#arrive(exchange: Exchange, request: Outgoing, isCopy: boolean) {
		const server = this.#options.serverFor(isCopy ? `${exchange.id} again` : exchange.id);
		if (!server) {
			if (!isCopy) exchange.fail(refused());
			return;
		}
		const cut = this.#cutOf(server.process.name);
		if (cut?.mode === 'broken') {
			if (!isCopy) exchange.fail(reset());
			return;
		}
		const wait = cut ? cut.until - this.#simulation.now : 0;
		const { fault } = exchange;
		if (fault?.kind === 'doubled' && !isCopy) {
			this.#simulation.after(fault.milliseconds, () => this.#arrive(exchange, request, true));
		}
		// A service that was killed on the way does not accept the connection.
		if (!isCopy) exchange.server = server.process;
		this.#simulation.after(
			wait,
			() => void this.#handle(exchange, { ...request, server, isCopy }),
			server.process,
		);
	}

	async #handle(exchange: Exchange, { url, init, resolve, server, isCopy }: Incoming) {
		const { signal: _signal, redirect: _redirect, ...rest } = init;
		const request = new Request(url, rest);
		this.#options.onRequest(exchange, { url, body: init.body });
		const gone = isCopy ? new AbortController() : exchange.serverGone;
		Object.defineProperty(request, 'signal', { value: gone.signal });
		const response = await server.handle(request);
		if (isCopy) return;
		this.#simulation.note(`${exchange.id} -> ${server.process.name} ${response.status}`);
		if (exchange.fault?.kind === 'gateway-timeout') {
			return this.#respondAsProxy(exchange, { url, init, resolve }, 504);
		}
		await this.#return(exchange, response, resolve);
	}

	/** The way back: the whole response, or its parts as they come. */
	async #return(exchange: Exchange, response: Response, resolve: (response: Response) => void) {
		const { fault } = exchange;
		if (fault?.kind === 'stalled-response') return;
		if (fault?.kind === 'lost-response') return exchange.fail(reset());
		if (fault?.kind === 'late-response') exchange.last = this.#simulation.now + fault.milliseconds;
		if (isStream(exchange.method, exchange.path) && response.ok) {
			this.#options.onStream(exchange);
			return await this.#returnStream(exchange, response, resolve);
		}
		const bytes = Buffer.from(await response.arrayBuffer());
		if (fault?.kind === 'cut') return this.#returnPart(exchange, response, { bytes, resolve });
		const text = fault?.kind === 'unknown-status' ? withUnknownStatus(bytes) : bytes;
		this.#deliver(exchange, () => {
			this.#options.onReceived(exchange, response.status, text.toString());
			this.#finish(exchange, () => resolve(copyOf(response, text)));
		});
	}

	/** The headers and the first half of the body, and then a broken connection. */
	#returnPart(
		exchange: Exchange,
		response: Response,
		{ bytes, resolve }: { bytes: Buffer; resolve: (response: Response) => void },
	) {
		const half = bytes.subarray(0, bytes.length >> 1);
		const body = new ReadableStream<Uint8Array>({
			start: (controller) => {
				if (half.length > 0) controller.enqueue(new Uint8Array(half));
				controller.error(reset());
			},
		});
		this.#deliver(exchange, () => this.#finish(exchange, () => resolve(copyOf(response, body))));
	}

	async #returnStream(
		exchange: Exchange,
		response: Response,
		resolve: (response: Response) => void,
	) {
		let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
		const body = new ReadableStream<Uint8Array>({
			start: (own) => {
				controller = own;
			},
			cancel: () => {
				this.#finish(exchange, () => {});
				this.#leave(exchange, this.#latency(exchange));
			},
		});
		// From now on a broken connection breaks the body.
		exchange.fail = (error) =>
			this.#deliver(exchange, () => this.#finish(exchange, () => controller?.error(error)));
		this.#deliver(exchange, () => resolve(copyOf(response, body)));
		const { fault } = exchange;
		if (fault?.kind === 'cut') {
			this.#simulation.after(fault.milliseconds, () => {
				exchange.fail(reset());
				this.#abandon(exchange, 0);
			});
		}
		const reader = response.body?.getReader();
		for (;;) {
			const piece = await reader?.read().catch(() => undefined);
			if (exchange.over) return;
			if (!piece) return exchange.fail(reset());
			const { done, value } = piece;
			this.#deliver(exchange, () => {
				if (done) this.#finish(exchange, () => controller?.close());
				else controller?.enqueue(value);
			});
			if (done) return;
		}
	}

	/** Runs at the client, after all that was delivered before. */
	#deliver(exchange: Exchange, run: () => void) {
		const simulation = this.#simulation;
		const { client, server } = exchange;
		// Where connections break, the machine notices it at once.
		const cuts = [client, server].map((process) => process && this.#cutOf(process.name));
		const held = Math.max(...cuts.map((cut) => (cut?.mode === 'silent' ? cut.until : 0)));
		exchange.last = Math.max(exchange.last, held, simulation.now + this.#latency(exchange));
		simulation.at(
			exchange.last,
			() => {
				if (!exchange.over) run();
			},
			client,
		);
	}

	#respondAsProxy(exchange: Exchange, { resolve }: Outgoing, status: number) {
		const page = new Response('<html><body>Bad gateway</body></html>', {
			status,
			headers: { 'content-type': 'text/html' },
		});
		this.#deliver(exchange, () => this.#finish(exchange, () => resolve(page)));
	}

	#finish(exchange: Exchange, settle: () => void) {
		if (exchange.over) return;
		exchange.over = true;
		this.#open.delete(exchange);
		settle();
	}

	/** The client has gone. */
	#leave(exchange: Exchange, milliseconds: number) {
		exchange.over = true;
		this.#open.delete(exchange);
		this.#abandon(exchange, milliseconds);
	}

	/** The service notices that the connection is broken. */
	#abandon(exchange: Exchange, milliseconds: number) {
		const cut = this.#cutOf(exchange.client.name);
		const wait = Math.max(milliseconds, cut ? cut.until - this.#simulation.now : 0);
		this.#simulation.after(wait, () => exchange.serverGone.abort(reset()), exchange.server);
	}

	#cutOf(name: string) {
		const cut = this.#cuts.get(name);
		return cut && cut.until > this.#simulation.now ? cut : undefined;
	}

	#latency(exchange: Exchange) {
		return 2 + Math.floor(this.#simulation.random('latency', exchange.id)() * 30);
	}
}

interface Outgoing {
	url: URL;
	init: RequestInit;
	resolve(response: Response): void;
}

interface Incoming extends Outgoing {
	server: Server;
	/** Sent twice by the network: its response goes nowhere. */
	isCopy: boolean;
}

function isStream(method: string, path: string) {
	return path === '/agent/work' || (method === 'GET' && path.endsWith('/console'));
}

function copyOf({ status, headers }: Response, body: Buffer | ReadableStream<Uint8Array>) {
	const isEmpty = status === 204 || status === 304;
	return new Response(isEmpty ? null : (body as BodyInit), { status, headers }); // bytes or a stream
}

/** What a service of the future might say of a lease. */
function withUnknownStatus(bytes: Buffer) {
	return Buffer.from(
		bytes.toString().replace(/"status":"(queued|preparing)"/, `"status":"${unknownStatus}"`),
	);
}

/** What `fetch` throws when a connection breaks. */
function reset() {
	return failure('read ECONNRESET', 'ECONNRESET');
}

function refused() {
	return failure('connect ECONNREFUSED', 'ECONNREFUSED');
}

function failure(message: string, code: string) {
	return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

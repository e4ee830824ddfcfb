// Reports when the service can no longer be reached, or the agent of a board is disconnected, and when it is back.
import type { ConsoleOptions } from 'board-access';

type Fetch = typeof globalThis.fetch;

/** What a proxy responds with while the service behind it is away. */
const unreachableStatuses: readonly number[] = [502, 503, 504];

/** In milliseconds, in addition to the time for which the service waits. */
const maxResponseTime = 2_500;

/** How long the service waits for the agent, in seconds. */
const maxSync = 5;

/** Time for a retry to begin, in milliseconds. Without one, the error itself is reported. */
const beforeRetry = 250;

const messages = {
	unreachable: 'The service cannot be reached; retrying',
	reachable: 'The service is back',
	agent_disconnected: 'The agent of the board is not connected; waiting for it',
	agent_connected: 'The agent of the board is connected again',
	console_waiting: 'Waiting until the service lets this account read another console',
	console_open: 'The console is open',
} as const;

const silent = 'The service does not respond; waiting for it';

export interface ReachabilityEvent {
	event: keyof typeof messages;
	message: string;
}

export class Reachability {
	readonly #onChange: (event: ReachabilityEvent) => unknown;
	#last: 'reachable' | 'unreachable' = 'reachable';
	#hasAgent = 'true';
	#isWaiting = false;
	#failed: NodeJS.Timeout | undefined;

	constructor(onChange: (event: ReachabilityEvent) => unknown) {
		this.#onChange = onChange;
	}

	/** A `fetch` whose requests are watched. */
	watching(fetch: Fetch = globalThis.fetch): Fetch {
		return async (input, init) => {
			const timer = setTimeout(() => this.#say('unreachable', silent), maxWait(input, init));
			try {
				const response = await fetch(input, init);
				const isLost = unreachableStatuses.includes(response.status);
				if (isLost) this.#sayOnRetry();
				else this.#say('reachable');
				this.#sayOfAgent(response.headers.get('x-agent-connected'));
				return response;
			} catch (error) {
				if (!init?.signal?.aborted) this.#sayOnRetry();
				throw error;
			} finally {
				clearTimeout(timer);
			}
		};
	}

	/** For readers of a console, which is silent when its connection is lost. */
	readonly onConnection: ConsoleOptions['onConnection'] = ({ connected, reason }) => {
		const isWaiting = reason === 'rate_limited';
		if (isWaiting !== this.#isWaiting && (isWaiting || connected)) {
			this.#isWaiting = isWaiting;
			this.#sayEvent(isWaiting ? 'console_waiting' : 'console_open');
		}
		if (!isWaiting) this.#say(connected ? 'reachable' : 'unreachable');
	};

	#sayOfAgent(hasAgent: string | null) {
		if (hasAgent === null || hasAgent === this.#hasAgent) return;
		this.#hasAgent = hasAgent;
		this.#sayEvent(hasAgent === 'true' ? 'agent_connected' : 'agent_disconnected');
	}

	#sayOnRetry() {
		this.#failed ??= setTimeout(() => this.#say('unreachable'), beforeRetry).unref();
	}

	#say(event: 'reachable' | 'unreachable', message?: string) {
		clearTimeout(this.#failed);
		this.#failed = undefined;
		if (event === this.#last) return;
		this.#last = event;
		this.#sayEvent(event, message);
	}

	#sayEvent(event: ReachabilityEvent['event'], message: string = messages[event]) {
		this.#onChange({ event, message });
	}
}

/** Uploads are not limited. */
function maxWait(input: Parameters<Fetch>[0], init: RequestInit | undefined) {
	if (init?.body && typeof init.body !== 'string') return 2 ** 31 - 1;
	const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
	const waiting = pathname.endsWith('/console/sync') ? maxSync : searchParams.get('wait');
	return Number(waiting ?? 0) * 1000 + maxResponseTime;
}

// Shows requests to a hook of the caller, which may add headers and learns how each request ends.
import type { Attempt } from '../errors/details.ts';
import { notify, type Observer } from './attempts.ts';

/** A request that is about to be sent for the first time. */
export interface OutgoingRequest extends Pick<Attempt, 'method' | 'path' | 'route'> {
	/** Where it is sent, without the query. */
	readonly url: string;
	/**
	 * The headers of all its attempts, without the API key, which is added later. What you add is sent, except
	 * headers of the connection, such as `content-length`; what is set already stays. If something you add is
	 * not valid in HTTP, none of it is sent.
	 */
	readonly headers: Record<string, string>;
}

/** How a request ended. */
export interface RequestEnd {
	/** What the method rejects with; missing if it succeeded. */
	readonly error?: unknown;
}

/**
 * Called once for each request, however many attempts it takes. `send` sends the request and resolves when
 * it has ended; the function that it is given is called after each attempt. Without `send`, the request is
 * sent as soon as the hook returns, also if that is a promise. What the hook throws is ignored.
 */
export type RequestHook = (
	request: OutgoingRequest,
	send: (onAttempt?: (attempt: Attempt) => unknown) => Promise<RequestEnd>,
) => unknown;

/** Sends the request once, for one more observer, whatever the hook does. */
export async function withHook<Result>(
	hook: RequestHook,
	request: OutgoingRequest,
	send: (onAttempt: Observer | undefined) => Promise<Result>,
): Promise<Result> {
	let sent: Promise<Result> | undefined;
	const sendOnce = (onAttempt?: Observer) => {
		sent ??= send(onAttempt);
		return sent;
	};
	const sendForHook = async (onAttempt?: Observer): Promise<RequestEnd> => {
		try {
			await sendOnce(onAttempt);
			return {}; // without the result, which may contain a new key
		} catch (error) {
			return { error };
		}
	};
	notify((request: OutgoingRequest) => hook(request, sendForHook), request);
	return await sendOnce();
}

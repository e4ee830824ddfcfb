// Repeats a request until the service has responded.
import { backoff, wait } from '../time.ts';
import { ServiceError } from './service.ts';

/** Repeats with backoff while the service cannot be reached or fails. Rejects if the service rejects the request. */
export async function repeat<Result>(
	request: () => Promise<Result>,
	signal: AbortSignal,
): Promise<Result> {
	for (let attempt = 0; ; attempt++) {
		try {
			return await request();
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof ServiceError && !error.temporary) throw error;
		}
		await wait(backoff(attempt), signal);
	}
}

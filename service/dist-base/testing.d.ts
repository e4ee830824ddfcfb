import { Service, ServiceOptions } from './index.js';
import 'pino';

/** A fault that a request meets. */
type Fault =
	/** 429 with `Retry-After` in seconds, 1 by default. */
	| {
			kind: 'rate-limited';
			retryAfter?: number;
	  }
	/** 502 with a page of HTML, as a proxy answers. */
	| {
			kind: 'bad-gateway';
	  }
	/** The headers and the first bytes of the answer, and then nothing more. */
	| {
			kind: 'stalled-body';
	  }
	/** The connection breaks before an answer. */
	| {
			kind: 'reset';
	  }
	/** The right answer, but late: after a second by default. */
	| {
			kind: 'slow-headers';
			milliseconds?: number;
	  };

/** A service in memory that fails when it is told to. */
interface TestService extends Service {
	readonly demo: NonNullable<Service['demo']>;
	/** The next requests meet these faults, one each, in this order. */
	failNext(...faults: Fault[]): void;
	/** Serves on a free port of this machine as well, and answers the address. */
	listen(): Promise<string>;
}
/**
 * Starts the service in memory, filled with samples.
 *
 * @example
 * ```ts
 * const service = await createTestService();
 * service.failNext({ kind: 'rate-limited', retryAfter: 1 });
 * await service.fetch('http://localhost/v1/boards'); // 429
 * await service.close();
 * ```
 */
declare function createTestService(options?: ServiceOptions): Promise<TestService>;

export type { Fault, TestService };
export { createTestService };

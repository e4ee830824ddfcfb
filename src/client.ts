// The whole API on one screen.
import { Admin } from './admin.ts';
import { Boards } from './boards.ts';
import { Keys } from './keys.ts';
import { Leases } from './leases.ts';
import { checkedPath, type QueryValue } from './lib/path.ts';
import {
	createRequestFunction,
	createStreamFunction,
	type Method,
	type RequestFunction,
} from './lib/request.ts';
import { type BoardAccessOptions, type CreateOptions, readSettings } from './lib/settings.ts';

/** A call of an endpoint that has no method of its own. */
export interface RawRequest extends CreateOptions {
	/** The HTTP method. */
	method: Method;
	/** The path below the address of the service, for example `/v1/boards`. */
	path: string;
	/** The query parameters. */
	query?: Readonly<Record<string, QueryValue>> | undefined;
	/** What is sent as the JSON body. */
	json?: unknown;
}

/**
 * The client of a Board Access Service.
 *
 * @example
 * ```ts
 * const client = new BoardAccess(); // reads SERVICE_API_KEY and SERVICE_BASE_URL
 * const boards = await client.boards.list();
 * ```
 */
export class BoardAccess {
	/** The API keys of the account. */
	readonly keys: Keys;
	/** The boards of the service. */
	readonly boards: Boards;
	/** The boards that the account holds. */
	readonly leases: Leases;
	/** The calls for admins. */
	readonly admin: Admin;

	readonly #options: BoardAccessOptions;
	readonly #request: RequestFunction;

	/** Sends nothing yet; throws a {@link ConfigurationError} if an option cannot be right. */
	constructor(options: BoardAccessOptions = {}) {
		const settings = readSettings(options);
		this.#options = { ...options, ...settings };
		this.#request = createRequestFunction(settings);
		this.keys = new Keys(this.#request);
		this.boards = new Boards(this.#request);
		this.leases = new Leases({
			request: this.#request,
			stream: createStreamFunction(settings),
		});
		this.admin = new Admin(this.#request);
	}

	/**
	 * Calls any endpoint with the same credentials, retries and errors, and gives the JSON of the
	 * answer as it came; `undefined` if there is none.
	 */
	async request({ method, path, query = {}, json, ...options }: RawRequest): Promise<unknown> {
		return await this.#request({
			method,
			path: checkedPath(path),
			query,
			json,
			options,
			read: (body) => body,
		});
	}

	/** A copy of this client with some options changed; headers are added to those it has. */
	withOptions(options: BoardAccessOptions): BoardAccess {
		const headers = { ...this.#options.headers, ...options.headers };
		return createClient({ ...this.#options, ...options, headers });
	}
}

// Outside, because a class that names itself is printed as _BoardAccess once it is built.
function createClient(options: BoardAccessOptions) {
	return new BoardAccess(options);
}

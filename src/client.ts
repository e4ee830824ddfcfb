// The whole API on one screen.

import { createAccount } from './account/account.ts';
import type { Account } from './account/types.ts';
import { createActivity, createAdminActivity } from './activity/activity.ts';
import type { Activity, AdminActivity } from './activity/types.ts';
import { createAgents } from './agents/agents.ts';
import type { Agents } from './agents/types.ts';
import { createBaseImages } from './base-images/base-images.ts';
import type { BaseImages } from './base-images/types.ts';
import { createAdminBoards } from './boards/admin.ts';
import { createBoards } from './boards/boards.ts';
import type { AdminBoards, Boards } from './boards/types.ts';
import { keepCallers } from './errors/caller.ts';
import { InputError } from './errors/errors.ts';
import { checkedPath, type QueryValue } from './http/path.ts';
import {
	createTransport,
	type Method,
	type RequestFunction,
	type Transport,
} from './http/request.ts';
import { type ResponseInfo, responseInfo } from './http/response.ts';
import { createKeys } from './keys/keys.ts';
import type { Keys } from './keys/types.ts';
import { createAdminLeases, createLeases } from './leases/leases.ts';
import type { AdminLeases, Leases } from './leases/types.ts';
import { checkDepth, fieldsOf, jsonBody } from './records/json.ts';
import {
	type BoardAccessOptions,
	type CreateOptions,
	checkedOptions,
	mergeOptions,
	readSettings,
} from './settings/settings.ts';

/** A request of an endpoint that has no method of its own. */
export interface RawRequest extends CreateOptions {
	/** The HTTP method. */
	method: Method;
	/** The path below the base URL, for example `/v1/boards`. */
	path: string;
	/** The query parameters, in the names of the API. */
	query?: Readonly<Record<string, QueryValue>> | undefined;
	/** What is sent as the JSON body. */
	json?: unknown;
	/**
	 * What to return: the parsed `json` (the default), the body as `text`, or the whole `response` with
	 * its status.
	 */
	as?: 'json' | 'text' | 'response' | undefined;
}

/** A response with its parsed body. */
export interface RawResponse<Body = unknown> extends ResponseInfo {
	/** The JSON of the response, `undefined` if it has no body. */
	readonly body: Body;
}

/** The operations that only admins can use. */
export interface Admin {
	/** What is flashed onto a board type, and in which order. */
	readonly baseImages: BaseImages;
	/** The programs that drive boards. */
	readonly agents: Agents;
	/** Creates, changes and deletes boards; `client.boards` lists them. */
	readonly boards: AdminBoards;
	/** The leases of all accounts. */
	readonly leases: AdminLeases;
	/** The activity log of all accounts. */
	readonly activity: AdminActivity;
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
	/** Who the client acts for. */
	declare readonly account: Account;
	/** The API keys of the account. */
	declare readonly keys: Keys;
	/** The boards of the service. */
	declare readonly boards: Boards;
	/** The leases of the account. */
	declare readonly leases: Leases;
	/** The activity log of the account. */
	declare readonly activity: Activity;
	/** What only admins may do. */
	declare readonly admin: Admin;

	readonly #options: BoardAccessOptions;
	readonly #request: RequestFunction;

	/**
	 * Sends nothing yet; throws a {@link ConfigurationError} if an option is invalid.
	 */
	constructor(options: BoardAccessOptions = {}) {
		const settings = readSettings(options);
		const transport = createTransport(settings);
		const { apiKey, baseUrl, headers } = settings;
		this.#options = { ...options, apiKey, baseUrl, headers };
		this.#request = transport.request;
		Object.assign(this, namespacesOf(transport));
	}

	/**
	 * Sends a request to any endpoint with the same credentials, retries and errors, and returns its
	 * body as text.
	 */
	request(request: RawRequest & { as: 'text' }): Promise<string>;
	/**
	 * Sends a request to any endpoint and returns its status, headers and JSON.
	 *
	 * @typeParam Body - What you expect the JSON to be; it is not checked.
	 */
	request<Body = unknown>(request: RawRequest & { as: 'response' }): Promise<RawResponse<Body>>;
	/**
	 * Sends a request to any endpoint and returns its JSON, `undefined` if there is no body.
	 *
	 * @typeParam Body - What you expect the JSON to be; it is not checked.
	 *
	 * @throws {@link InputError} if the path leaves the base URL or contains a full key.
	 *
	 * @example
	 * ```ts
	 * const { data } = await client.request<{ data: Board[] }>({ method: 'GET', path: '/v1/boards' });
	 * ```
	 */
	request<Body = unknown>(request: RawRequest & { as?: 'json' | undefined }): Promise<Body>;
	async request(request: RawRequest): Promise<unknown> {
		const { method, path, query, json, as, ...options } = checkedRequest(request);
		if (method === 'GET' && json !== undefined) {
			throw new InputError([
				{ path: 'json', message: 'must be omitted: a GET request has no body' },
			]);
		}
		return await this.#request({
			method,
			path: checkedPath(path),
			query,
			body: jsonBody(json),
			options,
			asText: as === 'text',
			read: (body: unknown, _, response) => {
				checkDepth(body);
				return as === 'response' ? { ...responseInfo(response), body } : body;
			},
		});
	}

	/**
	 * A copy of this client with some options changed. An option that is `undefined` keeps its value;
	 * headers are added to those of this client, and `null` removes one.
	 *
	 * @example
	 * ```ts
	 * const patient = client.withOptions({ timeout: 120_000, maxRetries: 5 });
	 * ```
	 */
	withOptions(options: BoardAccessOptions): this {
		// Preserves a subclass whose constructor takes the same options.
		const Client = this.constructor as new (options: BoardAccessOptions) => this;
		return new Client(mergeOptions(this.#options, checkedOptions(options)));
	}
}

const methods: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[];

function checkedRequest(request: RawRequest) {
	const { method, query = {} } = fieldsOf(request);
	if (!methods.includes(method)) {
		throw new InputError([{ path: 'method', message: `must be one of ${methods.join(', ')}` }]);
	}
	if (typeof query !== 'object' || query === null) {
		throw new InputError([{ path: 'query', message: 'must be of type object' }]);
	}
	return request;
}

function namespacesOf(transport: Transport) {
	const { request } = transport;
	return {
		account: keepCallers(createAccount(request)),
		keys: keepCallers({ ...createKeys(transport) }), // a copy, because its methods use each other
		boards: keepCallers(createBoards(request)),
		leases: keepCallers(createLeases(transport)),
		activity: keepCallers(createActivity(request)),
		admin: {
			agents: keepCallers(createAgents(request)),
			baseImages: keepCallers(createBaseImages(request)),
			boards: keepCallers(createAdminBoards(request)),
			leases: keepCallers(createAdminLeases(request)),
			activity: keepCallers(createAdminActivity(request)),
		},
	} satisfies Partial<BoardAccess>;
}

keepCallers(BoardAccess.prototype);

// Test runners that mock the class look at its prototype to learn what a client has.
const reject = () => Promise.reject(new TypeError('Create a client first: new BoardAccess()'));
const settings = {} as Transport['settings']; // never read: every request is rejected before that
Object.assign(BoardAccess.prototype, namespacesOf({ request: reject, settings }));

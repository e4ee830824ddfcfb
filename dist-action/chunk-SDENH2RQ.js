import {
  ApiError,
  BoardAccessError,
  ConfigurationError,
  ConnectionError,
  InputError,
  ResponseError,
  TimeoutError,
  _enum,
  apiKey,
  apiKeyPattern,
  baseImage,
  baseImageActions,
  board,
  boolean,
  createListing,
  createdApiKey,
  fieldsOf,
  invalidResponse,
  isBoardAccessError,
  isBrowser,
  isWorthRetrying,
  looseObject,
  number,
  optional,
  readApiKey,
  readBaseUrl,
  readHeaders,
  readInput,
  readMaxRetries,
  readSettings,
  readTimeout,
  recordReader,
  redact,
  redactedCause,
  rememberResponse,
  retryMoment,
  snakeCased,
  string,
  waitAfter
} from "./chunk-OM7PF73O.js";

// src/base-images.ts
var readBaseImage = recordReader({ ...baseImage.shape, action: string() });
var input = looseObject({
  action: _enum(baseImageActions, "must be 'flash' or 'erase'"),
  boardType: optional(string()),
  name: optional(string()),
  description: optional(string()),
  url: optional(string()),
  flashOffset: optional(string()),
  position: optional(number()),
  enabled: optional(boolean())
});
var BaseImages = class {
  #request;
  /** @internal */
  constructor(request) {
    this.#request = request;
  }
  /**
   * Creates an entry.
   *
   * @example
   * ```ts
   * await client.admin.baseImages.create({
   *   action: 'flash',
   *   boardType: 'esp32-s3',
   *   name: 'Bootloader',
   *   url: 'https://images.example.com/boot.bin',
   * });
   * ```
   */
  async create(image, options) {
    const json = snakeCased(readInput(input, image));
    return await this.#request({
      method: "POST",
      path: "/v1/admin/base-images",
      json,
      options,
      read: readBaseImage
    });
  }
};

// src/admin.ts
var Admin = class {
  /** Which images are flashed onto a board type, and in what order. */
  baseImages;
  /** @internal */
  constructor(request) {
    this.baseImages = new BaseImages(request);
  }
};

// src/boards.ts
var readBoard = recordReader({ ...board.shape, status: string() });
var input2 = looseObject({
  boardType: optional(string()),
  status: optional(string()),
  pageSize: optional(number())
});
var Boards = class {
  #request;
  /** @internal */
  constructor(request) {
    this.#request = request;
  }
  /**
   * Lists boards.
   *
   * @example
   * ```ts
   * const free = await client.boards.list({ boardType: 'esp32-s3', status: 'available' });
   * ```
   */
  list(query2 = {}, options) {
    const { pageSize, ...filters } = readInput(input2, query2);
    return createListing(this.#request, {
      path: "/v1/boards",
      query: { ...snakeCased(filters), limit: pageSize },
      read: readBoard,
      options
    });
  }
};

// src/lib/path.ts
function keyPath(id) {
  const refuse = (message, hint) => new InputError([{ path: "id", message }], hint);
  if (typeof id !== "string" || id === "") throw refuse("must be the id of an API key");
  if (apiKeyPattern.test(id.trim())) {
    throw refuse(
      "is a whole API key, not the id of one; it was not sent",
      'The id stands in the list of keys; "board-access keys id" computes it from a key.'
    );
  }
  if (!id.startsWith("key_") || id === "key_") throw refuse('must be "key_" and what follows it');
  if (/[/\\\p{Cc}\s]/u.test(id) || /^key_\.+$/.test(id)) {
    throw refuse("must not contain slashes, dots alone or white space");
  }
  return `/v1/auth/keys/${encodeURIComponent(id)}`;
}
function checkedPath(path2) {
  const refuse = (message) => new InputError([{ path: "path", message }]);
  if (typeof path2 !== "string" || !path2.startsWith("/")) throw refuse('must begin with "/"');
  if (/^\/[/\\]|[\\?#\p{Cc}]/u.test(path2)) {
    throw refuse("must be a path only, without host, query and fragment");
  }
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(path2)) throw refuse('must not contain "." or ".." segments');
  if (redact(path2) !== path2) throw refuse("must not contain a whole API key");
  return path2;
}
function queryString(query2) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query2)) {
    if (value !== void 0) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}

// src/keys.ts
var input3 = looseObject({ label: optional(string()) });
var query = looseObject({
  includeRevoked: optional(boolean()),
  pageSize: optional(number())
});
var readKey = recordReader(apiKey.shape);
var readCreatedKey = recordReader(createdApiKey.shape);
var path = "/v1/auth/keys";
var Keys = class {
  #request;
  /** @internal */
  constructor(request) {
    this.#request = request;
  }
  /**
   * Creates a key. Needs an account on the paid tier.
   *
   * @example
   * ```ts
   * const created = await client.keys.create({ label: 'ci' });
   * store(created.key); // shown this once
   * ```
   */
  async create(key = {}, options) {
    return await this.#request({
      method: "POST",
      path,
      json: snakeCased(readInput(input3, key)),
      options,
      read: (body) => this.#created(wellFormed(readCreatedKey(body)))
    });
  }
  /**
   * Lists the keys of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const key of client.keys.list()) console.log(key.hint, key.label);
   * ```
   */
  list(which = {}, options) {
    const { pageSize, ...filters } = readInput(query, which);
    return createListing(this.#request, {
      path,
      query: { ...snakeCased(filters), limit: pageSize },
      read: readKey,
      options
    });
  }
  /** Revokes a key. It stops working at once; revoking it again does no harm. */
  async revoke(id, options) {
    return await this.#revoke(id, options);
  }
  /**
   * Replaces a key: creates one, proves that it works, then revokes the old one. If the new key
   * does not work, or the service refuses to revoke the old one, the new one is revoked and the old
   * one stays. Without a `label`, the new key takes that of the old one.
   */
  async rotate(id, key = {}, options) {
    keyPath(id);
    const { idempotencyKey: _, ...later } = options ?? {};
    const label = key.label ?? await this.#labelOf(id, later);
    const created = await this.create({ ...key, label }, options);
    try {
      await this.#prove(created.key, later);
      const replaced = await this.#replace(id, later, created.key);
      return Object.assign(created, replaced && { replaced });
    } catch (error) {
      await this.#takeBack(created, error);
      throw error;
    }
  }
  /** From here on the old key may be gone: no abort and no lost answer may cost the new one too. */
  async #replace(id, { signal: _, ...options }, apiKey2) {
    try {
      return await this.#revoke(id, options, apiKey2);
    } catch (error) {
      if (isBoardAccessError(error) && error.outcome === "unknown") return void 0;
      throw error;
    }
  }
  async #revoke(id, options, apiKey2) {
    return await this.#request({
      method: "DELETE",
      path: keyPath(id),
      apiKey: apiKey2,
      options,
      read: (body) => {
        const { revoked_at: revokedAt } = fieldsOf(body);
        return { id, ...typeof revokedAt === "string" && { revokedAt } };
      }
    });
  }
  async #labelOf(id, options) {
    for await (const key of this.list({ includeRevoked: true }, options)) {
      if (key.id !== id) continue;
      if (key.revokedAt) throw new InputError([{ path: "id", message: "is revoked already" }]);
      return key.label ?? void 0;
    }
    return void 0;
  }
  async #prove(apiKey2, options) {
    await this.#request({ method: "GET", path, apiKey: apiKey2, options, read: () => void 0 });
  }
  async #takeBack({ id, key }, error) {
    try {
      await this.revoke(id).catch(() => this.#revoke(id, void 0, key));
    } catch {
      if (error instanceof BoardAccessError) {
        error.hint = `The new key ${id} could not be revoked again: revoke it by hand.`;
      }
    }
  }
  /** Adds what a record cannot say itself: how it is shown, and how it is disposed of. */
  #created(created) {
    const revoke2 = async () => void await this.revoke(created.id);
    return Object.defineProperties(created, {
      [Symbol.asyncDispose ?? /* @__PURE__ */ Symbol.for("Symbol.asyncDispose")]: { value: revoke2 },
      [/* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom")]: {
        value: () => ({ ...created, key: "[shown once]" })
      }
    });
  }
};
function wellFormed(created) {
  if (apiKeyPattern.test(created.key)) return created;
  throw invalidResponse('The answer holds a key that is not "key_" and 48 hexadecimal characters');
}

// src/leases.ts
var Leases = class {
  #connection;
  /** @internal */
  constructor(connection) {
    this.#connection = connection;
  }
  /**
   * Takes a board; resolves when it is prepared and can be used. If that fails or is aborted, the
   * lease is released first.
   *
   * @example
   * ```ts
   * await using lease = await client.leases.create({ boardType: 'arduino-uno', waitSeconds: 600 });
   * ```
   */
  async create(lease, options = {}) {
    const { createLease } = await loadLeases();
    return await createLease(this.#connection, lease, options);
  }
  /** Returns a lease by its id. It does not renew itself. */
  async get(id, options) {
    const { getLease } = await loadLeases();
    return await getLease(this.#connection, id, options);
  }
  /** Lists the leases of the account, newest first. */
  list({ status, pageSize } = {}, options) {
    const { request } = this.#connection;
    let read = () => ({ id: "" });
    return createListing(
      async (call) => {
        ({ readLease: read } = await loadLeases());
        return await request(call);
      },
      {
        path: "/v1/leases",
        query: { status, limit: pageSize },
        read: (body, where) => read(body, where),
        options
      }
    );
  }
};
function loadLeases() {
  return import("./entry-4ATVVCXC.js");
}

// package.json
var version = "0.1.0";

// src/lib/response.ts
var longestBody = 4096;
var longestMessage = 300;
function requestIdOf(headers) {
  const id = textOf(headers.get("x-request-id"));
  return id && redact(id);
}
function redactedHeaders(headers) {
  const copy = new Headers();
  for (const [name, value] of headers) copy.append(name, redact(value));
  return copy;
}
function apiError({ status, headers, text }) {
  const visible = redact(text);
  const body = parsed(text, withoutKeys);
  const outer = fieldsOf(body);
  const fields = typeof outer.error === "object" && outer.error ? fieldsOf(outer.error) : outer;
  const message = textOf(fields.message) ?? textOf(fields.detail) ?? textOf(fields.title) ?? textOf(outer.error);
  return new ApiError(sentence(message ?? `The service answered with status ${status}`), {
    status,
    code: textOf(fields.code) ?? `http_${status}`,
    hint: textOf(fields.hint),
    param: textOf(fields.param),
    issues: issuesOf(fields.errors),
    headers: redactedHeaders(headers),
    body: visible.length > longestBody ? visible.slice(0, longestBody) : body ?? visible,
    requestId: requestIdOf(headers) ?? textOf(fields.request_id),
    retryAt: retryMoment(headers.get("retry-after"))
  });
}
function redirectRefused({ headers }) {
  const target = textOf(headers.get("location"));
  return new ResponseError(
    `The service redirects${target ? ` to ${sentence(redact(target))}` : ""}; the API key does not follow`,
    { code: "redirect_refused", hint: "Set the base URL to the address that answers itself." }
  );
}
function notJson(text) {
  return invalidResponse(
    text.trimStart().startsWith("<") ? "The answer is a web page, not JSON" : "The answer is not valid JSON"
  );
}
function readResponse(answer) {
  const { status, redirected, text } = answer;
  if (redirected || status >= 300 && status < 400) throw redirectRefused(answer);
  if (status < 200 || status >= 400) throw apiError(answer);
  if (text.trim() === "") return void 0;
  const body = parsed(text);
  if (body === void 0) throw notJson(text);
  return body;
}
function textOf(value) {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : void 0;
}
function parsed(text, revise = (json) => json) {
  try {
    return revise(JSON.parse(text));
  } catch {
    return void 0;
  }
}
function withoutKeys(json) {
  return JSON.parse(redact(JSON.stringify(json)));
}
function sentence(text) {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ");
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}\u2026` : line;
}
function issuesOf(value) {
  return (Array.isArray(value) ? value : []).flatMap((item) => {
    const { path: path2, message } = fieldsOf(item);
    return typeof path2 === "string" && typeof message === "string" ? [{ path: path2, message }] : [];
  });
}

// src/lib/attempts.ts
var Attempts = class {
  #method;
  #path;
  #onAttempt;
  #attempts = [];
  #outcome = "not-sent";
  constructor(method, path2, onAttempt) {
    this.#method = method;
    this.#path = path2;
    this.#onAttempt = onAttempt;
  }
  get length() {
    return this.#attempts.length;
  }
  add({ startedAt, answer, error, retryInMs }) {
    const known = error instanceof BoardAccessError;
    const requestId = answer && requestIdOf(answer.headers);
    const attempt2 = {
      method: this.#method,
      path: this.#path,
      attempt: this.length + 1,
      durationMs: performance.now() - startedAt,
      ...answer && { status: answer.status },
      ...requestId !== void 0 && { requestId },
      ...error !== void 0 && { error: known ? error.code : "aborted" },
      ...retryInMs !== void 0 && { retryInMs }
    };
    this.#attempts.push(attempt2);
    if (known) this.#outcome = worse(this.#outcome, error.outcome);
    try {
      this.#onAttempt?.(attempt2);
    } catch {
    }
  }
  attachTo(error) {
    if (!(error instanceof BoardAccessError)) return;
    error.attempts = this.#attempts;
    error.outcome = worse(this.#outcome, error.outcome);
  }
};
function worse(one, other) {
  if (one === "unknown" || other === "unknown") return "unknown";
  return one === "rejected" ? one : other;
}

// src/lib/deadline.ts
var Deadline = class {
  #controller = new AbortController();
  #expiresAt;
  #timer;
  #caller;
  #over;
  #reject = () => {
  };
  constructor(milliseconds, caller) {
    caller?.throwIfAborted();
    this.#expiresAt = performance.now() + milliseconds;
    this.#caller = caller;
    this.#over = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.#over.catch(() => {
    });
    this.#timer = setTimeout(() => this.#stop(new TimeoutError(milliseconds)), milliseconds);
    caller?.addEventListener("abort", this.#follow, { once: true });
  }
  #follow = () => this.#stop(this.#caller?.reason);
  #stop(reason) {
    this.#controller.abort(reason);
    this.#reject(reason);
  }
  /** Aborted when the time is up or the caller aborts. */
  get signal() {
    return this.#controller.signal;
  }
  /** Milliseconds left. */
  get remaining() {
    return this.#expiresAt - performance.now();
  }
  /** The work's result, or the reason why it is over, even when the work ignores the signal. */
  race(work) {
    return Promise.race([work, this.#over]);
  }
  async wait(milliseconds) {
    let timer;
    try {
      await this.race(new Promise((resolve) => timer = setTimeout(resolve, milliseconds)));
    } finally {
      clearTimeout(timer);
    }
  }
  /** Leaves nothing behind: no timer, no listener on the caller's signal. */
  end() {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#follow);
  }
};

// src/lib/send.ts
var notSentErrors = {
  ECONNREFUSED: { code: "connection_refused", message: "Nothing answers at this address" },
  ConnectionRefused: { code: "connection_refused", message: "Nothing answers at this address" },
  ENOTFOUND: { code: "name_not_found", message: "The name of the host is not known" },
  EAI_AGAIN: { code: "name_not_found", message: "The name of the host could not be looked up" },
  EHOSTUNREACH: { code: "unreachable", message: "The host cannot be reached" },
  ENETUNREACH: { code: "unreachable", message: "The network cannot be reached" },
  "bad port": { code: "port_blocked", message: "fetch refuses to connect to this port" },
  UND_ERR_CONNECT_TIMEOUT: { code: "connect_timeout", message: "The host does not answer" }
};
var tlsCode = /^(EPROTO|ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;
async function send(outgoing, signal) {
  return await translated(outgoing, signal, async (response) => {
    return { ...response, text: await response.text() };
  });
}
async function openStream(outgoing, signal) {
  return await translated(outgoing, signal, async (response) => response);
}
async function translated({ method, url, headers, body, credentials, fetch }, signal, receive) {
  const complete = (request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return (fetch ?? globalThis.fetch)(request, { signal });
  };
  try {
    const { default: ky } = await import("./distribution-YM2RBSIN.js");
    signal.throwIfAborted();
    const response = await ky(url, {
      method,
      redirect: "manual",
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      ...body !== void 0 && { body },
      ...credentials && { credentials },
      fetch: (request) => complete(request)
      // the one that ky made
    });
    return await receive({
      status: response.status,
      redirected: response.redirected || response.type === "opaqueredirect",
      headers: response.headers,
      body: response.body,
      text: () => response.text()
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw connectionError(withoutRequest(error), new URL(url).host);
  }
}
function codeOf(error) {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (/client error \(Connect\).*dns/.test(error.message)) return "ENOTFOUND";
  if (/client error \(Connect\).*refused/.test(error.message)) return "ECONNREFUSED";
  if (error.message === "bad port") return error.message;
  return codeOf(error.cause);
}
function connectionError(error, host) {
  const cause = redactedCause(error);
  const code = codeOf(error);
  const known = notSentErrors[code];
  if (known) {
    return new ConnectionError(`${known.message}: ${host}`, { code: known.code, cause });
  }
  if (tlsCode.test(code)) {
    return new ConnectionError(`No secure connection to ${host}: ${code}`, {
      code: "tls_failed",
      cause
    });
  }
  const text = cause?.cause instanceof Error ? cause.cause.message : cause?.message;
  return new ConnectionError(
    `The connection to ${host} was lost${text ? `: ${redact(text)}` : ""}`,
    {
      code: "connection_lost",
      cause,
      outcome: "unknown"
    }
  );
}
function withoutRequest(error) {
  return error instanceof Error && "request" in error ? error.cause : error;
}

// src/lib/request.ts
function createRequestFunction(settings) {
  const build = createBuild(settings);
  return async (call) => {
    const outgoing = build(call);
    const apiKey2 = call.apiKey ?? settings.apiKey;
    const maxRetries = readMaxRetries(call.options?.maxRetries ?? settings.maxRetries);
    const timeout = readTimeout(call.options?.timeout ?? settings.timeout);
    const deadline = new Deadline(timeout, call.options?.signal);
    const history = new Attempts(call.method, call.path, settings.onAttempt);
    const waitBeforeNext = (error) => {
      if (!(error instanceof BoardAccessError) || history.length >= maxRetries) return void 0;
      if (!isWorthRetrying(error, isRepeatable(call))) return void 0;
      const wait = waitAfter(error, history.length + 1);
      return wait < deadline.remaining ? wait : void 0;
    };
    try {
      for (; ; ) {
        const startedAt = performance.now();
        let answer;
        let retryInMs;
        try {
          answer = await deadline.race(sendWithKey(outgoing, apiKey2, deadline.signal, send));
          const result = call.read(readResponse(answer));
          history.add({ startedAt, answer });
          rememberResponse(result, responseInfo(answer));
          return result;
        } catch (error) {
          retryInMs = waitBeforeNext(error);
          history.add({ startedAt, answer, error, retryInMs });
          if (retryInMs === void 0) throw error;
        }
        await deadline.wait(retryInMs);
      }
    } catch (error) {
      history.attachTo(error);
      throw error;
    } finally {
      deadline.end();
    }
  };
}
function createStreamFunction(settings) {
  const build = createBuild(settings);
  return async ({ path: path2, query: query2, headers, signal }) => {
    const outgoing = build({
      method: "GET",
      path: path2,
      ...query2 && { query: query2 },
      options: { headers },
      read: () => void 0
    });
    const response = await sendWithKey(outgoing, settings.apiKey, signal, openStream);
    const { status, body } = response;
    if (status === 200 && body) return { headers: response.headers, body };
    readResponse({ ...response, text: await response.text() });
    throw invalidResponse("The response is not a stream");
  };
}
function bodyOf(json) {
  try {
    return json === void 0 ? void 0 : JSON.stringify(json);
  } catch {
    throw new InputError([{ path: "json", message: "cannot be written as JSON" }]);
  }
}
function idempotencyHeader(key) {
  if (typeof key === "string" && /^[\x20-\x7e]{1,255}$/.test(key))
    return { "idempotency-key": key };
  throw new InputError([
    { path: "idempotencyKey", message: "must be 1 to 255 printable ASCII characters" }
  ]);
}
function credentialsFor(apiKey2) {
  if (apiKey2 === null) return "include";
  return isBrowser() ? "omit" : void 0;
}
function createBuild({ baseUrl, headers, apiKey: apiKey2, fetch }) {
  const base = baseUrl.href.replace(/\/$/, "");
  const userAgent = isBrowser() ? {} : { "user-agent": `board-access/${version}` };
  const common = { accept: "application/json", ...userAgent, ...headers };
  const credentials = credentialsFor(apiKey2);
  return ({ method, path: path2, query: query2, json, bytes, options }) => {
    const body = bytes ?? bodyOf(json);
    return {
      method,
      url: base + path2 + (query2 ? queryString(query2) : ""),
      headers: {
        ...common,
        ...options?.headers && readHeaders(options.headers),
        ...body !== void 0 && {
          "content-type": bytes ? "application/octet-stream" : "application/json"
        },
        ...options?.idempotencyKey !== void 0 && idempotencyHeader(options.idempotencyKey)
      },
      body,
      credentials,
      fetch
    };
  };
}
async function resolveApiKey(apiKey2) {
  if (typeof apiKey2 !== "function") return apiKey2;
  try {
    return readApiKey(await apiKey2(), "the function apiKey");
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError("The function apiKey failed", {
      code: "api_key_missing",
      cause: redactedCause(error)
    });
  }
}
async function sendWithKey(outgoing, apiKey2, signal, send2) {
  const key = await resolveApiKey(apiKey2);
  if (key === null) return await send2(outgoing, signal);
  const headers = { ...outgoing.headers, authorization: `Bearer ${key}` };
  return await send2({ ...outgoing, headers }, signal);
}
function isRepeatable({ method, options }) {
  return /^(GET|PUT|DELETE)$/.test(method) || options?.idempotencyKey !== void 0;
}
function responseInfo({ status, headers }) {
  return {
    status,
    headers,
    requestId: requestIdOf(headers)
  };
}

// src/client.ts
var BoardAccess = class {
  /** The API keys of the account. */
  keys;
  /** The boards of the service. */
  boards;
  /** The boards that the account holds. */
  leases;
  /** The calls for admins. */
  admin;
  #options;
  #request;
  /** Sends nothing yet; throws a {@link ConfigurationError} if an option cannot be right. */
  constructor(options = {}) {
    const settings = readSettings(options);
    this.#options = { ...options, ...settings };
    this.#request = createRequestFunction(settings);
    this.keys = new Keys(this.#request);
    this.boards = new Boards(this.#request);
    this.leases = new Leases({
      request: this.#request,
      stream: createStreamFunction(settings)
    });
    this.admin = new Admin(this.#request);
  }
  /**
   * Calls any endpoint with the same credentials, retries and errors, and gives the JSON of the
   * answer as it came; `undefined` if there is none.
   */
  async request({ method, path: path2, query: query2 = {}, json, ...options }) {
    return await this.#request({
      method,
      path: checkedPath(path2),
      query: query2,
      json,
      options,
      read: (body) => body
    });
  }
  /** A copy of this client with some options changed; headers are added to those it has. */
  withOptions(options) {
    const headers = { ...this.#options.headers, ...options.headers };
    return createClient({ ...this.#options, ...options, headers });
  }
};
function createClient(options) {
  return new BoardAccess(options);
}

// src/action/missing-key.ts
import { readFileSync } from "fs";
function whyNoKey(runner) {
  if (isFromFork(runner)) {
    return "There is no API key: this run is for a pull request from a fork, and GitHub gives such runs no secrets. Skip the job for forks: if: github.event.pull_request.head.repo.full_name == github.repository";
  }
  if (runner.variable("GITHUB_ACTOR") === "dependabot[bot]") {
    return "There is no API key: runs of Dependabot see only the secrets that are set for Dependabot.";
  }
  return "There is no API key: pass the input api-key from a secret, and check that the secret exists.";
}
function readEvent(path2) {
  try {
    return JSON.parse(readFileSync(path2, "utf8"));
  } catch {
    return {};
  }
}
function isFromFork(runner) {
  if (runner.variable("GITHUB_EVENT_NAME") !== "pull_request") return false;
  const { pull_request: pull } = readEvent(runner.variable("GITHUB_EVENT_PATH"));
  return pull !== void 0 && pull.head?.repo?.full_name !== pull.base?.repo?.full_name;
}

// src/action/connect.ts
function connect(runner, fetch) {
  const key = find(runner, "api-key", "SERVICE_API_KEY");
  runner.mask(key.text);
  if (key.text.trim() === "") throw new Error(whyNoKey(runner));
  const apiKey2 = readApiKey(key.text, key.source);
  runner.mask(apiKey2);
  const address = find(runner, "base-url", "SERVICE_BASE_URL");
  return new BoardAccess({ apiKey: apiKey2, baseUrl: readBaseUrl(address.text, address.source), fetch });
}
function find(runner, name, variable) {
  const text = runner.input(name);
  return text ? { text, source: `the input ${name}` } : { text: runner.variable(variable), source: variable };
}

// src/action/summary.ts
var special = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;"
};
function summaryTable(titles, rows) {
  const lines = [titles.map(cell("th")), ...rows.map((row2) => row2.map(cell("td")))];
  return `<table>
${lines.map((cells) => `<tr>${cells.join("")}</tr>`).join("\n")}
</table>`;
}
function cell(tag) {
  return (text) => {
    const line = text.replace(/[\s\p{Cc}]+/gu, " ");
    return `<${tag}>${line.replace(/[&<>"]/g, (character) => special[character] ?? "")}</${tag}>`;
  };
}

// src/action/create-base-image.ts
async function createBaseImage(client, runner) {
  const image = await client.admin.baseImages.create(imageOf(runner));
  runner.output("base-image-id", image.id);
  const row2 = [image.id, image.boardType, image.action, image.flashOffset, image.name];
  runner.summary(
    summaryTable(
      ["Base image", "Board type", "Action", "Offset", "Name"],
      [row2.map((value) => value ?? "")]
    )
  );
}
function given(runner, name) {
  return runner.input(name) || void 0;
}
function position(runner) {
  const text = runner.input("position");
  if (text === "") return void 0;
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error("The input position must be a whole number");
}
function imageOf(runner) {
  return {
    action: runner.input("image-action"),
    // the client checks it
    boardType: given(runner, "board-type"),
    name: given(runner, "name"),
    description: given(runner, "description"),
    url: given(runner, "url"),
    flashOffset: given(runner, "flash-offset"),
    position: position(runner),
    enabled: runner.flag("enabled")
  };
}

// src/action/keys.ts
async function createKey(client, runner) {
  const keep = runner.flag("keep-key");
  const label = runner.input("label") || void 0;
  const { id, key } = await client.keys.create({ label });
  runner.mask(key);
  if (!keep) runner.saveState("keyId", id);
  runner.output("key", key);
  runner.output("key-id", id);
  const end = keep ? "stays until it is revoked" : "is revoked when the job ends";
  runner.summary(summaryTable(["Key", "Label", ""], [[id, label ?? "", end]]));
}
async function revoke(id, client, runner) {
  await client.keys.revoke(id);
  runner.info(`The key ${id} no longer works.`);
}
async function revokeKey(client, runner) {
  const id = runner.input("key-id");
  await revoke(id, client, runner);
  runner.output("key-id", id);
}
async function revokeCreatedKey(client, runner) {
  return revoke(runner.state("keyId"), client, runner);
}

// src/ci/matrix.ts
function matrixOf(boards) {
  return {
    include: boards.map(({ id, name, boardType }) => ({ id, name, boardType }))
  };
}
var largestMatrix = 256;
function matrixWarning(boards) {
  return boards.length > largestMatrix ? `GitHub runs at most ${largestMatrix} jobs of one matrix.` : void 0;
}

// src/action/list-boards.ts
async function listBoards(client, runner) {
  const allowEmpty = runner.flag("allow-empty");
  const boards = await client.boards.list({
    boardType: runner.input("board-type") || void 0,
    status: runner.input("status") || void 0
  });
  runner.output("boards", JSON.stringify(boards));
  runner.output("board-count", String(boards.length));
  runner.output("matrix", JSON.stringify(matrixOf(boards)));
  runner.summary(summaryTable(["Board", "Name", "Type", "Status"], boards.map(row)));
  const warning = matrixWarning(boards);
  if (warning) runner.warning(warning);
  if (boards.length > 0 || allowEmpty) return;
  throw new Error(
    "No board matches. A job without boards would pass without a test; allow-empty: true allows it."
  );
}
function row({ id, name, boardType, status }) {
  return [id, name ?? "", boardType ?? "", status ?? ""];
}

// src/action/run.ts
var commands = {
  "list-boards": listBoards,
  "create-key": createKey,
  "revoke-key": revokeKey,
  "create-base-image": createBaseImage
};
function runStep(runner, fetch) {
  return attempt(runner, async () => {
    const client = connect(runner, fetch);
    await commandOf(runner)(client, runner);
  });
}
function endJob(runner, fetch) {
  return attempt(runner, async () => {
    if (runner.state("keyId") !== "") await revokeCreatedKey(connect(runner, fetch), runner);
  });
}
function commandOf(runner) {
  const name = runner.input("command");
  const command = Object.hasOwn(commands, name) ? commands[name] : void 0;
  if (command) return command;
  throw new Error(`The input command must be one of ${Object.keys(commands).join(", ")}`);
}
function words(error) {
  if (!isBoardAccessError(error)) return error instanceof Error ? error.message : String(error);
  const requestId = error.name === "ApiError" ? error.requestId : void 0;
  return [error.message, error.hint, requestId && `(request id: ${requestId})`].filter(Boolean).join("\n");
}
async function attempt(runner, work) {
  try {
    await work();
    return 0;
  } catch (error) {
    runner.error(words(error));
    return 1;
  }
}

// src/action/runner.ts
import { randomUUID } from "crypto";
import { appendFileSync } from "fs";
var Runner = class {
  #env;
  #print;
  constructor(env, print) {
    this.#env = env;
    this.#print = print;
  }
  /** A variable of the runner, such as `GITHUB_EVENT_NAME`. */
  variable(name) {
    return this.#env[name] ?? "";
  }
  /** An input of the step without the white space around it; empty if it was not given. */
  input(name) {
    return this.variable(`INPUT_${name.toUpperCase()}`).trim();
  }
  /** An input that is `true` or `false`. */
  flag(name) {
    const text = this.input(name);
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
    throw new Error(`The input ${name} must be true or false`);
  }
  /** Keeps a secret out of the log, from here on. */
  mask(secret) {
    for (const line of secret.split(/\r?\n/)) if (line !== "") this.#command("add-mask", line);
  }
  output(name, value) {
    this.#append("GITHUB_OUTPUT", assignment(name, value));
  }
  /** Keeps a value for the end of the job. */
  saveState(name, value) {
    this.#append("GITHUB_STATE", assignment(name, value));
  }
  state(name) {
    return this.variable(`STATE_${name}`);
  }
  summary(html) {
    this.#append("GITHUB_STEP_SUMMARY", `${html}
`);
  }
  info(text) {
    this.#print(`${text.replace(/^(\s*)::/gm, "$1: :")}
`);
  }
  warning(text) {
    this.#command("warning", text);
  }
  error(text) {
    this.#command("error", text);
  }
  #command(name, text) {
    this.#print(`::${name}::${escaped(text)}
`);
  }
  #append(variable, text) {
    const file = this.variable(variable);
    if (file !== "") appendFileSync(file, text);
  }
};
function escaped(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
function assignment(name, value) {
  const end = randomUUID();
  return `${name}<<${end}
${value}
${end}
`;
}

export {
  runStep,
  endJob,
  Runner
};

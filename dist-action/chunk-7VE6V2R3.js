import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import {
  FirmwareError,
  checkFormat,
  detectFormat,
  fileOf,
  requireOffset
} from "./chunk-H35Q6MNZ.js";
import {
  Listing,
  _gte,
  abortable,
  boolean,
  callback,
  checkedPath,
  clientRules,
  createAttempts,
  createListing,
  createLog,
  fieldRule,
  filledText,
  flag,
  followSignals,
  inRange,
  isBoardAccessError,
  isObject,
  isTemporary,
  keepCallers,
  leaseFields,
  listQuery,
  logLevels,
  masked,
  notify,
  nullable,
  number,
  optional,
  pathAndRoute,
  pause,
  persistently,
  problemOf,
  queryString,
  readCallOptions,
  readInput,
  readLease,
  readOptions,
  readPage,
  recordPath,
  recordReader,
  snakeCased,
  startWait,
  string,
  textOrList,
  unknown,
  unknownField
} from "./chunk-R475Q44S.js";
import {
  ApiError,
  BoardAccessError,
  ConfigurationError,
  InputError,
  RequestTimeoutError,
  ResponseError,
  attachResponse,
  checkDepth,
  defined,
  fieldsOf,
  invalidResponse,
  isLoopback,
  isWorthRetrying,
  jsonBody,
  printable,
  printableJson,
  printableText,
  readResponse,
  redact,
  redactedCause,
  redactorFor,
  rememberResponse,
  responseInfo,
  visible,
  waitAfter
} from "./chunk-JWYXB3XR.js";

// src/contract/account.ts
var accountFields = {
  id: string(),
  role: string(),
  tier: string(),
  /** The credits of the account, and how many of them its live leases hold. */
  balance: number(),
  held_credits: number(),
  /** The API key of the request; null with a session. */
  key: unknown()
};

// src/contract/api-key.ts
var apiKeyPattern = /^key_[0-9a-f]{48}$/i;
var apiKeyFields = {
  id: string(),
  label: nullable(string()),
  hint: string(),
  scope: string(),
  created_at: string(),
  created_by: nullable(string()),
  expires_at: nullable(string()),
  last_used_at: nullable(string()),
  revoked_at: nullable(string())
};
var createdApiKeyFields = { ...apiKeyFields, key: string() };

// package.json
var version = "0.1.0";

// src/settings/api-key.ts
var beginning = /^(?:key_[\da-f]{0,48}|key|ke|k)?/i;
function readApiKey(text4, source) {
  if (typeof text4 !== "string") throw malformed(`The API key from ${source} is not a string`);
  const key = text4.trim();
  if (apiKeyPattern.test(key)) return key;
  if (key === "") {
    throw new ConfigurationError(`The API key from ${source} is empty`, {
      code: "api_key_missing",
      hint: "In CI, check that the secret exists and that this job may read it."
    });
  }
  if (/^key_[0-9a-f]{24}$/i.test(key)) {
    throw malformed(
      `The API key from ${source} is the id of a key, not the key itself`,
      "The full key is shown only when it is created. If it is lost, create a new one."
    );
  }
  throw malformed(
    `The API key from ${source} is not "key_" and 48 hexadecimal digits: it has ${key.length} characters, ${problemOf2(key)}`,
    adviceFor(key)
  );
}
function malformed(message, hint) {
  return new ConfigurationError(message, { code: "api_key_malformed", hint });
}
function adviceFor(key) {
  if (/^["'`]/.test(key)) return "Remove the quotes around it.";
  return /^bearer\b/i.test(key) ? "Remove Bearer." : void 0;
}
function problemOf2(key) {
  const { length } = beginning.exec(key)?.[0] ?? "";
  return length === key.length ? "too few" : `and character ${length + 1} is not allowed there`;
}

// src/contract/activity.ts
var activityFields = {
  id: string(),
  kind: string(),
  created_at: string(),
  account_id: nullable(string()),
  account_email: nullable(string()),
  /** The account that made the change; null for the operator, for visitors and for the service. */
  actor_id: nullable(string()),
  actor_email: nullable(string()),
  via: string(),
  api_key_id: nullable(string()),
  session_id: nullable(string()),
  address: nullable(string()),
  subject_id: nullable(string()),
  /** An object; client and service check it themselves, like the tags of a board. */
  details: unknown(),
  count: number(),
  last_at: string()
};

// src/contract/agent-record.ts
var agentTokenPattern = /^agt_[0-9a-f]{48}$/i;
var agentFields = {
  id: string(),
  name: string(),
  /** Enough of the token to tell it from others. */
  hint: string(),
  online: boolean(),
  board_ids: unknown(),
  created_at: string(),
  last_seen_at: nullable(string()),
  revoked_at: nullable(string())
};

// src/contract/base-image.ts
var baseImageActions = ["flash", "erase"];
var baseImageFields = {
  id: string(),
  action: string(),
  board_type: string(),
  name: string(),
  description: string(),
  url: string(),
  flash_offset: string(),
  position: number(),
  enabled: boolean(),
  created_at: string(),
  sha256: optional(string())
};

// src/contract/board.ts
var boardFields = {
  id: string(),
  name: string(),
  board_type: string(),
  status: string(),
  description: string(),
  tags: unknown(),
  status_reason: string(),
  credits_per_minute: number(),
  /** The lease that holds the board, for the account that has it; null for everyone else. */
  lease_id: nullable(string()),
  has_agent: boolean(),
  memory: unknown(),
  /** Whether a lease may begin with the firmware of an earlier one; null while no agent drives the board. */
  keeps_firmware: nullable(boolean()),
  created_at: string(),
  updated_at: string()
};

// src/settings/base-url.ts
function readBaseUrl(given, source, { allowInsecureHttp } = {}) {
  const invalid2 = (code, what, hint) => new ConfigurationError(`The base URL from ${source} ${what}`, { code, hint });
  const text4 = (typeof given === "string" ? given : String(fieldsOf(given).href)).trim();
  if (text4 === "") {
    throw invalid2(
      "base_url_missing",
      "is missing",
      "Set SERVICE_BASE_URL or pass baseUrl. To try a local service: npx --no-install board-access-service start --demo"
    );
  }
  const url = URL.canParse(text4) ? new URL(text4) : void 0;
  if (url === void 0 || !/^https?:$/.test(url.protocol)) {
    throw invalid2("base_url_invalid", "is not an address such as https://boards.example.com");
  }
  if (url.username || url.password || /[?#]/.test(url.href)) {
    throw invalid2("base_url_invalid", 'must not contain a user name, a password, "?" or "#"');
  }
  if (url.protocol === "http:" && !isOnThisMachine(url.hostname) && !allowInsecureHttp) {
    throw invalid2(
      "insecure_http",
      "is plain http to another machine, so the API key could be read in transit",
      "Use https. In code, allowInsecureHttp permits plain http on your own network."
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  if (url.pathname.endsWith("/v1")) {
    throw invalid2("base_url_invalid", "ends in /v1, which every request adds", "Remove /v1.");
  }
  return url;
}
function isOnThisMachine(hostname) {
  return isLoopback(hostname) || isBrowser() && hostname.endsWith(".localhost");
}
function isBrowser() {
  return "window" in globalThis && "document" in globalThis || "importScripts" in globalThis;
}

// src/settings/settings.ts
function readSettings(given) {
  if (!Promise.withResolvers) throw runtimeTooOld();
  const options = checkedOptions(given);
  const { timeout = 3e4, maxResponseSize = 2 ** 25, headers = {}, onAttempt } = options;
  return {
    ...options,
    apiKey: readKeyOption(options),
    baseUrl: readAddressOption(options),
    timeout,
    headers: readHeaders(headers),
    maxResponseSize,
    observers: [onAttempt, readLog(options)].filter((each) => each !== void 0)
  };
}
function mergeOptions(options, changes) {
  const headers = { ...readHeaders(options.headers ?? {}), ...readHeaders(changes.headers ?? {}) };
  return { ...options, ...defined(changes), headers };
}
function checkedOptions(options) {
  try {
    readOptions(options, clientRules);
    readHeaders(options.headers ?? {});
    requireDispatcher(options);
    return options;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new ConfigurationError(error.message, { code: "option_invalid" });
  }
}
function readHeaders(headers) {
  const read5 = {};
  for (const header of isIterable(headers) ? headers : Object.entries(headers)) {
    const [name, value] = Array.isArray(header) ? header : [];
    if (typeof name !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw invalid("headers", "has a name that is not valid in HTTP");
    }
    if (value === void 0) continue;
    if (value !== null && (typeof value !== "string" || /[^\t\x20-\x7e\x80-\xff]/.test(value))) {
      throw invalid("headers", `has a value for ${name} that is not valid in HTTP`);
    }
    read5[name.toLowerCase()] = value;
  }
  return read5;
}
function isIterable(headers) {
  return Symbol.iterator in headers;
}
function invalid(path4, message) {
  return new InputError([{ path: path4, message }]);
}
function runtimeTooOld() {
  return new ConfigurationError("This runtime is too old for board-access", {
    code: "runtime_unsupported",
    hint: "Use Node.js 22 or later, or a browser of 2024 or later."
  });
}
function readAddressOption(options) {
  const source = options.baseUrl === void 0 ? "SERVICE_BASE_URL" : "the option baseUrl";
  const given = options.baseUrl ?? fromEnvironment("SERVICE_BASE_URL") ?? "";
  return readBaseUrl(given, source, options);
}
function readKeyOption({ apiKey, dangerouslyAllowBrowser }) {
  if (apiKey === null) return null;
  if (isBrowser() && !dangerouslyAllowBrowser) {
    throw new ConfigurationError(
      "An API key in a browser can be read by every visitor of the page",
      {
        code: "browser_refused",
        hint: "Pass apiKey: null to use the session cookie, or set dangerouslyAllowBrowser."
      }
    );
  }
  if (typeof apiKey === "function") return apiKey;
  if (apiKey !== void 0) return readApiKey(apiKey, "the option apiKey");
  const found = fromEnvironment("SERVICE_API_KEY");
  if (found !== void 0) return readApiKey(found, "SERVICE_API_KEY");
  throw new ConfigurationError("There is no API key: set SERVICE_API_KEY or pass apiKey", {
    code: "api_key_missing",
    hint: "Create one on the page API keys of the web UI. The full key is shown only once."
  });
}
function readLog({ logger, logLevel }) {
  const level = logLevel ?? fromEnvironment("BOARD_ACCESS_LOG") ?? (logger ? "warn" : "off");
  const known = logLevels.find((each) => each === level.trim().toLowerCase());
  return createLog(logger ?? console, known ?? "warn");
}
function requireDispatcher({ fetchOptions: { dispatcher } = {} }) {
  if (dispatcher === void 0 || typeof fieldsOf(dispatcher).dispatch === "function") return;
  throw invalid("fetchOptions.dispatcher", "must have a method dispatch");
}
function fromEnvironment(name) {
  try {
    return globalThis.process?.env?.[name];
  } catch {
    return void 0;
  }
}

// src/http/hooks.ts
async function withHook(hook, request, send2) {
  let sent;
  const sendOnce = (onAttempt) => {
    sent ??= send2(onAttempt);
    return sent;
  };
  const sendForHook = async (onAttempt) => {
    try {
      await sendOnce(onAttempt);
      return {};
    } catch (error) {
      return { error };
    }
  };
  notify((request2) => hook(request2, sendForHook), request);
  return await sendOnce();
}

// src/http/known-pages.ts
var maxPages = 10;
var maxPage = 2 ** 16;
function withKnownPages(send2) {
  const pages = /* @__PURE__ */ new Map();
  return async (request, signal) => {
    const { url, headers, init } = request;
    if (init.method !== "GET" || headers["if-none-match"]) return await send2(request, signal);
    const name = `${headers.authorization} ${url}`;
    const page = pages.get(name);
    const conditional = page && { ...headers, "if-none-match": page.tag };
    const response = await send2({ ...request, headers: conditional ?? headers }, signal);
    pages.delete(name);
    if (page && response.status === 304) {
      pages.set(name, page);
      return { ...response, status: 200, text: page.text };
    }
    const tag = response.headers.get("etag");
    if (tag && response.status === 200 && response.text.length <= maxPage) {
      pages.set(name, { tag, text: response.text });
      for (const oldest of pages.keys()) if (pages.size > maxPages) pages.delete(oldest);
    }
    return response;
  };
}

// src/http/request.ts
var send = async (request, signal) => {
  const loaded = await import("./send-D5743MTA.js");
  signal.throwIfAborted();
  return await loaded.send(request, signal);
};
function createTransport(settings2) {
  const sendOnce = withKnownPages(send);
  return {
    request: async (request) => {
      const exchange = prepare(request, settings2, sendOnce);
      if (!settings2.onRequest) return await carryOut(request, exchange);
      const outgoing = exchange.outgoing();
      return await withHook(settings2.onRequest, outgoing, (onAttempt) => {
        exchange.addHeaders(outgoing);
        if (onAttempt) exchange.observers.push(onAttempt);
        return carryOut(request, exchange);
      });
    },
    settings: settings2
  };
}
async function carryOut(request, exchange) {
  try {
    for (; ; ) {
      const done = await attempt(request, exchange);
      if ("result" in done) return done.result;
      await pause(done.retryInMs, request.options?.signal);
    }
  } catch (error) {
    exchange.attempts.attachAttempts(error);
    throw error;
  }
}
function prepare(request, settings2, sendOnce) {
  const { method, wireNames, isPatient } = request;
  const options = readCallOptions(request.options);
  const { path: path4, route } = pathAndRoute(request.path);
  const call = { method, path: path4, ...!wireNames && { route } };
  const keyless = buildRequest({ ...request, path: path4 }, settings2);
  const limits = timeoutsOf(request, settings2);
  const observers = [...settings2.observers];
  return {
    request,
    /** What a hook sees of the request. */
    outgoing: () => ({
      ...call,
      url: keyless.url.replace(/\?.*/, ""),
      headers: Object.fromEntries(
        Object.entries(keyless.headers).map(([name, value]) => [name, redact(value)])
      )
    }),
    /** Those that are set stay. */
    addHeaders(outgoing) {
      keyless.headers = { ...addedHeaders(outgoing), ...keyless.headers };
    },
    observers,
    maxRetries: options.maxRetries ?? settings2.maxRetries ?? (isPatient ? 5 : 2),
    attempts: createAttempts(call, observers),
    limits,
    /** When the time of all attempts together is over, on the clock of `performance`. */
    endsAt: performance.now() + limits.timeout,
    send: async (signal) => await sendOnce(await withKey(keyless, settings2.apiKey), signal)
  };
}
async function attempt(request, exchange) {
  const { attempts, send: send2 } = exchange;
  const startedAt = performance.now();
  const { signal, end, isLast } = startAttempt(exchange);
  let response;
  try {
    response = await abortable(send2(signal), signal);
    const result = request.read(readResponse(response, request), response, startedAt);
    attempts.addAttempt({ startedAt, response });
    rememberResponse(result, responseInfo(response));
    return { result };
  } catch (error) {
    if (response) attachResponse(error, response);
    const isOver = isLast && error instanceof RequestTimeoutError;
    const retryInMs = isOver ? void 0 : waitBeforeNext(error, exchange);
    attempts.addAttempt({ startedAt, response, error, retryInMs });
    if (retryInMs === void 0) throw error;
    return { retryInMs };
  } finally {
    end();
  }
}
function startAttempt({ request, limits, endsAt }) {
  const { timeout, attemptTimeout } = limits;
  const caller = request.options?.signal;
  caller?.throwIfAborted();
  const left = Math.max(1, endsAt - performance.now());
  const isLast = left <= attemptTimeout;
  const late = () => new RequestTimeoutError(isLast ? timeout : attemptTimeout);
  const limit = { milliseconds: isLast ? left : attemptTimeout, late };
  return { ...followSignals([caller], limit), isLast };
}
function waitBeforeNext(error, exchange) {
  const { request, maxRetries, endsAt } = exchange;
  const { length } = exchange.attempts.attempts;
  if (!(error instanceof BoardAccessError) || length >= maxRetries) return void 0;
  if (!isWorthRetrying(error, canRepeat(request))) return void 0;
  const wait2 = waitAfter(error, length + 1);
  return wait2 < endsAt - performance.now() ? wait2 : void 0;
}
function timeoutsOf(request, settings2) {
  const { options = {}, query } = request;
  const timeout = options.timeout ?? settings2.timeout;
  const given = options.attemptTimeout ?? settings2.attemptTimeout;
  const usual = canRepeat(request) ? Math.max(1e4, timeout / 3) : timeout;
  const waiting = Number(query?.wait ?? 0) * 1e3 || 0;
  return { timeout, attemptTimeout: (given ?? usual) + waiting };
}
function contentTypeOf(body) {
  return typeof body === "string" ? "application/json" : "application/octet-stream";
}
function credentialsFor(apiKey) {
  if (apiKey === null) return "include";
  return isBrowser() ? "omit" : void 0;
}
function buildRequest({ method, path: path4, query = {}, body, asStream, options = {} }, settings2) {
  const { headers: own = {}, idempotencyKey } = options;
  const { baseUrl, apiKey, fetch, fetchOptions, maxResponseSize } = settings2;
  const credentials = credentialsFor(apiKey);
  return {
    url: baseUrl.href.replace(/\/$/, "") + path4 + queryString(query),
    headers: {
      ...withoutNulls({
        accept: asStream ? "application/octet-stream" : "application/json",
        ...!isBrowser() && { "user-agent": `board-access/${version}` },
        ...settings2.headers,
        ...readHeaders(own)
      }),
      ...body !== void 0 && { "content-type": contentTypeOf(body) },
      ...idempotencyKey !== void 0 && { "idempotency-key": idempotencyKey }
    },
    init: {
      ...fetchOptions,
      method,
      ...body !== void 0 && { body },
      ...credentials && { credentials },
      redirect: "manual"
    },
    fetch,
    maxResponseSize,
    asStream
  };
}
var ofConnection = /^(connection|content-length|expect|host|keep-alive|proxy-.+|te|trailer|transfer-encoding|upgrade)$/;
function addedHeaders(outgoing) {
  try {
    const added = Object.entries(withoutNulls(readHeaders(outgoing.headers)));
    return Object.fromEntries(added.filter(([name]) => !ofConnection.test(name)));
  } catch {
    return {};
  }
}
function withoutNulls(headers) {
  const kept = Object.entries(headers).filter(
    (header) => header[1] !== null
  );
  return Object.fromEntries(kept);
}
async function withKey(request, given) {
  const key = typeof given === "function" ? await providedBy(given) : given;
  const authorization = key !== null && { authorization: `Bearer ${key}` };
  const headers = { ...request.headers, ...authorization };
  return { ...request, headers, redact: redactorFor(key) };
}
async function providedBy(apiKey) {
  try {
    return readApiKey(await apiKey(), "the function apiKey");
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError("The function apiKey failed", {
      code: "api_key_missing",
      cause: redactedCause(error)
    });
  }
}
function canRepeat({ method, options }) {
  return /^(GET|PUT|DELETE)$/.test(method) || options?.idempotencyKey !== void 0;
}

// src/keys/rotate.ts
async function rotateKey(keys, { id, key, options, using }) {
  const { idempotencyKey: _key, ...later } = options ?? {};
  const wanted = await inheriting(key, id, keys.list({}, later));
  const created = await keys.create(wanted, options).catch(adviseToLook);
  const withNewKey = using(created.key);
  const { signal: _signal, ...rest } = later;
  try {
    const replaced = await withNewKey.revoke(id, rest).catch((error) => {
      if (error instanceof ApiError && error.status === 403) return keys.revoke(id, rest);
      throw error;
    });
    return Object.assign(created, { replaced });
  } catch (error) {
    if (isOurs(error) && error.outcome === "unknown") return created;
    await keys.revoke(created.id).catch(() => withNewKey.revoke(created.id)).catch((failure) => adviseToRevoke(created.id, isOurs(error) ? error : failure));
    throw error;
  }
}
async function inheriting(key, id, keys) {
  const { label, scope, expiresAt: expiresAt2 } = key ?? {};
  for await (const old of keys) {
    if (old.id !== id) continue;
    return {
      ...key,
      label: label ?? old.label,
      scope: scope ?? old.scope,
      // the service has sent it
      expiresAt: expiresAt2 ?? old.expiresAt
    };
  }
  throw new InputError([{ path: "id", message: "is revoked, or not a key of this account" }]);
}
function isOurs(error) {
  return error instanceof BoardAccessError;
}
function adviseToLook(error) {
  if (isOurs(error) && error.outcome === "unknown") {
    error.hint = "A new key may exist: list the keys, and revoke the one that you do not know.";
  }
  throw error;
}
function adviseToRevoke(id, error) {
  error.hint = `The new key ${id} may still be valid: revoke it yourself.`;
  throw error;
}

// src/keys/keys.ts
var text = nullable(string());
var expiresAt = fieldRule(isTime, "must be text or a valid date");
var fields = { label: text, expiresAt, scope: text };
var readKey = recordReader(apiKeyFields);
var readCreatedKey = recordReader(createdApiKeyFields);
var keysPath = "/v1/auth/keys";
function createKeys({ request, settings: settings2 }) {
  const keys = {
    create: async (key = {}, options) => await request({
      method: "POST",
      path: keysPath,
      body: jsonBody(snakeCased(readInput(fields, key))),
      options,
      read: (body) => withDisposal(wellFormed(readCreatedKey(body)), keys.revoke)
    }),
    list: (query, options) => createListing(request, () => ({
      path: keysPath,
      query: listQuery({ includeRevoked: boolean() }, query),
      read: readKey,
      options
    })),
    expiring: async (within, options) => {
      const days = number().check(_gte(0, "must be 0 or more"));
      readInput({ withinDays: days }, within, { withinDays: days });
      const { withinDays } = within;
      const until = Date.now() + withinDays * 24 * 60 * 60 * 1e3;
      const endOf = ({ expiresAt: expiresAt2 }) => Date.parse(expiresAt2 ?? "");
      const all = await keys.list({}, options);
      return all.filter((key) => endOf(key) <= until).sort((a, b) => endOf(a) - endOf(b));
    },
    revoke: async (id, given) => {
      const { created, ...options } = readCallOptions(given, { created: flag });
      return await request({
        method: "DELETE",
        path: keyPath(id),
        query: { created },
        options,
        read: (body) => {
          const { revoked_at: revokedAt } = fieldsOf(body);
          return { id, ...typeof revokedAt === "string" && { revokedAt } };
        }
      });
    },
    rotate: async (id, key = {}, options) => {
      keyPath(id);
      readCallOptions(options);
      jsonBody(readInput(fields, key));
      const using = (apiKey) => createKeys(createTransport({ ...settings2, apiKey }));
      return await rotateKey(keys, { id, key, options, using });
    }
  };
  return keys;
}
function keyPath(id) {
  const path4 = recordPath(keysPath, id, "API key");
  if (id.startsWith("key_") && id !== "key_") return path4;
  throw new InputError([{ path: "id", message: 'must start with "key_"' }]);
}
function isTime(value) {
  const isDate = value instanceof Date && !Number.isNaN(value.getTime());
  return isDate || typeof value === "string" || value === null;
}
function withDisposal(created, revoke) {
  const dispose = Symbol.asyncDispose ?? /* @__PURE__ */ Symbol.for("Symbol.asyncDispose");
  const value = async () => void await revoke(created.id);
  const disposable = Object.defineProperty(masked(created, "key"), dispose, {
    value,
    configurable: true
  });
  return keepCallers(disposable, [dispose]);
}
function wellFormed(created) {
  if (apiKeyPattern.test(created.key)) return created;
  throw invalidResponse('The response contains a key that is not "key_" and 48 hexadecimal digits');
}

// src/account/account.ts
var readAccount = recordReader(accountFields);
function createAccount(request) {
  return {
    get: async (options) => await request({
      method: "GET",
      path: "/v1/account",
      options,
      read: (body) => {
        const { key, ...account } = readAccount(body);
        return { ...account, key: key ? readKey(key, ["key"]) : null };
      }
    })
  };
}

// src/activity/activity.ts
var details = fieldRule(isObject, "must be of type object");
var read = recordReader({ ...activityFields, details });
var filters = { kind: filledText, accountId: filledText };
function createActivity(request, path4) {
  return {
    list: (query, options) => createListing(request, () => ({ path: path4, query: listQuery(filters, query), read, options }))
  };
}

// src/http/collection.ts
function collectionRequests(request, { path: path4, noun, fields: fields5, needed, read: readRecord2 }) {
  const read5 = (body) => readRecord2(body);
  const pathOf = (id) => recordPath(path4, id, noun);
  return {
    create: async (record, options) => await request({
      method: "POST",
      path: path4,
      body: jsonBody(snakeCased(readInput(fields5, record, needed))),
      options,
      read: read5
    }),
    get: async (id, options) => await request({ method: "GET", path: pathOf(id), options, read: read5 }),
    update: async (id, changes, options) => await request({
      method: "PATCH",
      path: pathOf(id),
      body: jsonBody(snakeCased(readInput(fields5, changes))),
      options,
      read: read5
    }),
    delete: async (id, options) => await request({ method: "DELETE", path: pathOf(id), options, read: () => void 0 })
  };
}

// src/agents/agents.ts
var path = "/v1/admin/agents";
var boardIds = fieldRule(
  (value) => Array.isArray(value) && value.every((id) => typeof id === "string"),
  "must be an array of IDs"
);
var read2 = recordReader({ ...agentFields, board_ids: boardIds });
var fields2 = { name: string(), boardIds };
function createAgents(request) {
  const needed = { name: string() };
  const { create, get, update } = collectionRequests(request, {
    path,
    noun: "agent",
    fields: fields2,
    needed,
    read: read2
  });
  return {
    list: (options) => createListing(request, () => ({ path, read: read2, options })),
    get,
    create: async (agent, options) => masked(withToken(await create(agent, options)), "token"),
    update,
    revoke: async (id, options) => await request({
      method: "DELETE",
      path: recordPath(path, id, "agent"),
      options,
      read: (body) => read2(body)
    })
  };
}
function withToken(agent) {
  const { token } = agent;
  if (typeof token === "string" && agentTokenPattern.test(token)) return agent;
  throw invalidResponse(
    'The response contains no token of the form "agt_" and 48 hexadecimal digits'
  );
}

// src/base-images/base-images.ts
var read3 = recordReader(baseImageFields);
var text2 = nullable(string());
var action = fieldRule(
  (value) => baseImageActions.some((action2) => action2 === value),
  "must be 'flash' or 'erase'"
);
var fields3 = {
  action,
  boardType: text2,
  name: text2,
  description: text2,
  url: text2,
  flashOffset: text2,
  position: nullable(number()),
  enabled: nullable(boolean()),
  sha256: text2
};
var path2 = "/v1/admin/base-images";
function createBaseImages(request) {
  return {
    ...collectionRequests(request, { path: path2, noun: "base image", fields: fields3, needed: { action }, read: read3 }),
    list: (query, options) => createListing(request, () => ({
      path: path2,
      query: listQuery({ boardType: filledText }, query),
      read: read3,
      options
    })),
    replace: async (wanted, options) => await request({
      method: "PUT",
      path: path2,
      body: jsonBody(wireSet(wanted)),
      options,
      read: readPlan
    })
  };
}
var isArray = (value) => Array.isArray(value);
var neededInSet = { boardType: string(), images: fieldRule(isArray, "must be an array") };
function wireSet(wanted) {
  const set = readInput({ dryRun: boolean() }, wanted, neededInSet);
  const images = wanted.images.map((image) => snakeCased(readInput(fields3, image, { action })));
  return snakeCased({ ...set, images });
}
var { id: _, ...newFields } = baseImageFields;
var readNew = recordReader(newFields);
function readPlan(body) {
  const { added, changed, removed, unchanged } = fieldsOf(body);
  const readChange = (change) => {
    const { before, after } = fieldsOf(change);
    return { before: read3(before), after: read3(after) };
  };
  return {
    added: readPage(readNew, added).items,
    changed: readPage(readChange, changed).items,
    removed: readPage(read3, removed).items,
    unchanged: Number(unchanged)
  };
}

// src/boards/records.ts
var boardsPath = "/v1/boards";
var tags = unknown().check(({ value, issues }) => {
  if (!isObject(value) || !isPlain(value)) {
    issues.push({ code: "invalid_type", expected: "object", input: value });
    return;
  }
  for (const [name, text4] of Object.entries(value)) {
    if (typeof text4 === "string" || name === "__proto__") continue;
    issues.push({ code: "invalid_type", expected: "string", input: text4, path: [name] });
  }
});
var memory = fieldRule(
  (value) => isObject(value) && typeof value.start === "number" && typeof value.size === "number",
  "must have start and size"
);
var readBoard = recordReader({ ...boardFields, tags, memory: nullable(memory) });
var filters2 = {
  boardType: textOrList,
  status: filledText,
  hasAgent: boolean(),
  tags
};
function wireQuery(query) {
  const wire = listQuery(filters2, query);
  return {
    ...wire,
    tags: void 0,
    tag: Object.entries(query?.tags ?? {}).map(([name, value]) => `${name}:${value}`)
  };
}
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

// src/boards/admin.ts
var text3 = nullable(string());
var fields4 = {
  name: text3,
  boardType: text3,
  status: text3,
  description: text3,
  tags: nullable(tags),
  creditsPerMinute: nullable(number())
};
var readCounts = recordReader({ added: number(), changed: number(), unchanged: number() });
var maintenance = { on: boolean(), reason: string() };
function createAdminBoards(request) {
  const path4 = "/v1/admin/boards";
  return {
    ...collectionRequests(request, {
      path: path4,
      noun: "board",
      fields: fields4,
      needed: { name: string(), boardType: string() },
      read: readBoard
    }),
    setMaintenance: async (id, change, options) => await request({
      method: "POST",
      path: `${recordPath(path4, id, "board")}/maintenance`,
      body: jsonBody(readInput(maintenance, change, { on: boolean() })),
      options,
      read: (body) => readBoard(body)
    }),
    import: async (given, options) => {
      if (typeof given !== "string" && !Array.isArray(given)) {
        throw new InputError([{ path: "boards", message: "must be an array, or CSV as text" }]);
      }
      const boards = typeof given === "string" ? given : given.map(importedBoard);
      return await request({
        method: "PUT",
        path: path4,
        body: jsonBody({ boards }),
        options,
        read: (body) => readCounts(body)
      });
    }
  };
}
function importedBoard(board) {
  return snakeCased(readInput({}, board));
}

// src/http/watch.ts
var waitSeconds = 20;
var pageMs = 250;
var maxTags = 10;
var ownRules = {
  maxOutageMs: inRange(0, Number.POSITIVE_INFINITY),
  onConnection: callback
};
async function* watchList(request, {
  path: path4,
  query,
  read: read5,
  missing = "end of the watch",
  options: given,
  isShort = false
}) {
  const wanted = readCallOptions(given, ownRules);
  const { timeout, signal: caller, maxOutageMs, onConnection, ...options } = wanted;
  const late = () => new RequestTimeoutError(timeout ?? 0, missing);
  const { signal, end } = followSignals([caller], { milliseconds: timeout, late });
  let isLost = false;
  const report = (connection) => {
    if (isLost !== connection.connected) return;
    isLost = !isLost;
    notify(onConnection, connection);
  };
  const onFailure = (error) => report({ connected: false, error });
  const readOne = async (more, known = [], during = signal) => {
    const tags2 = known.map(({ tag }) => tag).join(", ");
    const headers = { ...readHeaders(options.headers ?? {}), "if-none-match": tags2 || null };
    const ask = async () => await request({
      method: "GET",
      path: path4,
      query: { ...query, ...more },
      options: { ...options, signal: during, timeout: 2 * waitSeconds * 1e3, headers },
      read: (body, { status, headers: headers2 }) => status === 304 && known[0] ? known[0] : { ...readPage(read5, body), tag: headers2.get("etag") ?? "" }
    });
    const repeats = (error) => isTemporary(error) && !(error instanceof ResponseError);
    const page = await persistently(ask, {
      signal: during,
      repeats,
      patienceMs: maxOutageMs,
      onFailure
    });
    report({ connected: true });
    return page;
  };
  const readChanged = async (pages) => {
    const [first] = pages;
    if (!first || pages.length <= maxTags) return await readOne({ wait: waitSeconds }, pages);
    const waits = followSignals([signal]);
    let changed = false;
    const readPart = async (start) => {
      const part = pages.slice(start, start + maxTags);
      const more = { cursor: pages[start - 1]?.nextCursor, wait: waitSeconds };
      if (await readOne(more, part, waits.signal) === part[0]) return;
      changed = true;
      waits.abort(void 0);
    };
    const starts = [...pages.keys()].filter((index) => index % maxTags === 0);
    await Promise.all(starts.map(readPart)).catch((error) => changed || Promise.reject(error)).finally(() => waits.abort(void 0));
    return changed ? await readOne({}) : first;
  };
  try {
    let first = await readOne({});
    const fetchPage = async (cursor) => cursor === void 0 ? first : await readOne({ cursor });
    for (; ; ) {
      const pages = [];
      for await (const page of new Listing(fetchPage).pages()) {
        pages.push(page);
        if (isShort) break;
      }
      const pauseIfLong = startWait(signal, (pages.length - 1) * pageMs);
      yield pages.flatMap(({ items }) => items);
      await pauseIfLong();
      do {
        const pauseIfEarly = startWait(signal);
        first = await readChanged(pages);
        await pauseIfEarly();
      } while (first === pages[0]);
    }
  } finally {
    end();
  }
}
async function* watchChanges(request, list3, name) {
  const { signal } = readCallOptions(list3.options, ownRules);
  let known = /* @__PURE__ */ new Map();
  for await (const items of watchList(request, list3)) {
    const now = new Map(items.map((item) => [item.id, item]));
    for (const { item, ...change } of differences(known, now)) {
      yield { ...change, [name]: item };
      signal?.throwIfAborted();
    }
    known = now;
  }
}
function* differences(known, now) {
  for (const [id, item] of known) if (!now.has(id)) yield { type: "removed", item };
  for (const [id, item] of now) {
    const before = known.get(id);
    if (before === void 0) yield { type: "added", item };
    else if (before !== item && lasting(before) !== lasting(item)) {
      yield { type: "changed", item, before };
    }
  }
}
function lasting(item) {
  return JSON.stringify(item, (name, value) => name === "expiresInMs" ? null : value);
}

// src/boards/watch.ts
var list = { path: boardsPath, read: readBoard };
async function waitForBoards(request, query, options) {
  const first = { query: wireQuery(query), missing: "matching board", options, isShort: true };
  for await (const boards of watchList(request, { ...list, ...first })) {
    if (boards.length > 0) return boards;
  }
  throw new Error("a watch has no end");
}
async function* watchBoards(request, query, options) {
  const watched = { ...list, query: wireQuery({ ...query, pageSize: 200 }), options };
  yield* watchChanges(request, watched, "board");
}

// src/boards/boards.ts
function createBoards(request) {
  return {
    list: (query, options) => createListing(request, () => ({
      path: boardsPath,
      query: wireQuery(query),
      read: readBoard,
      options
    })),
    get: async (id, options) => await request({
      method: "GET",
      path: recordPath(boardsPath, id, "board"),
      options,
      read: (body) => readBoard(body)
    }),
    watch: (query, options) => watchBoards(request, query, options),
    waitFor: async (query, options) => await waitForBoards(request, query, options)
  };
}

// src/leases/admin.ts
var path3 = "/v1/admin/leases";
var read4 = recordReader({ ...leaseFields, account_id: string() });
function createAdminLeases(request) {
  return {
    list: (query, options) => createListing(request, () => ({
      path: path3,
      query: listQuery({ status: textOrList }, query),
      read: read4,
      options
    })),
    end: async (id, options) => await request({
      method: "DELETE",
      path: recordPath(path3, id, "lease"),
      options,
      read: (body) => read4(body)
    })
  };
}

// src/leases/leases.ts
var list2 = { path: "/v1/leases", read: readLease, isPatient: true };
var load = async () => await import("./lease-HSTMAQ4D.js");
function createLeases(transport) {
  return {
    create: async (lease, options) => await (await load()).createLease(transport, lease, options),
    get: async (id, options) => await (await load()).getLease(transport, id, options),
    attach: async (id, options) => await (await load()).getLease(transport, id, options, { renew: true }),
    list: (query, options) => createListing(transport.request, () => ({ ...list2, query: wireQuery2(query), options })),
    watch: (query, options) => watchLeases(transport.request, query, options)
  };
}
async function* watchLeases(request, query, options) {
  const newest = { ...list2, query: wireQuery2({ ...query, pageSize: 200 }), isShort: true, options };
  yield* watchChanges(request, newest, "lease");
}
function wireQuery2(query) {
  return listQuery({ status: textOrList, shared: boolean() }, query);
}

// src/client.ts
var BoardAccess = class {
  #options;
  #request;
  /**
   * Sends nothing yet; throws a {@link ConfigurationError} if an option is invalid.
   */
  constructor(options = {}) {
    const settings2 = readSettings(options);
    const transport = createTransport(settings2);
    const { apiKey, baseUrl, headers } = settings2;
    this.#options = { ...options, apiKey, baseUrl, headers };
    this.#request = transport.request;
    Object.assign(this, namespacesOf(transport));
  }
  async request(request) {
    const { method, path: path4, query, json, as, ...options } = checkedRequest(request);
    if (method === "GET" && json !== void 0) {
      throw new InputError([
        { path: "json", message: "must be omitted: a GET request has no body" }
      ]);
    }
    return await this.#request({
      method,
      path: checkedPath(path4),
      query,
      body: jsonBody(json),
      options,
      wireNames: true,
      asText: as === "text",
      read: (body, response) => {
        checkDepth(body);
        return as === "response" ? { ...responseInfo(response), body } : body;
      }
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
  withOptions(options) {
    const Client = this.constructor;
    return new Client(mergeOptions(this.#options, checkedOptions(options)));
  }
};
var methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
function checkedRequest(request) {
  const { method, query = {} } = fieldsOf(request);
  if (!methods.includes(method)) {
    throw new InputError([{ path: "method", message: `must be one of ${methods.join(", ")}` }]);
  }
  if (typeof query !== "object" || query === null) {
    throw new InputError([{ path: "query", message: "must be of type object" }]);
  }
  return request;
}
function namespacesOf(transport) {
  const { request } = transport;
  return {
    account: keepCallers(createAccount(request)),
    keys: keepCallers({ ...createKeys(transport) }),
    // a copy, because its methods use each other
    boards: keepCallers(createBoards(request)),
    leases: keepCallers(createLeases(transport)),
    activity: keepCallers(createActivity(request, "/v1/activity")),
    admin: {
      agents: keepCallers(createAgents(request)),
      baseImages: keepCallers(createBaseImages(request)),
      boards: keepCallers(createAdminBoards(request)),
      leases: keepCallers(createAdminLeases(request)),
      activity: keepCallers(createActivity(request, "/v1/admin/activity"))
    }
  };
}
keepCallers(BoardAccess.prototype);
var reject = () => Promise.reject(new TypeError("Create a client first: new BoardAccess()"));
var settings = {};
Object.assign(BoardAccess.prototype, namespacesOf({ request: reject, settings }));

// src/ci/reachability.ts
var unreachableStatuses = [502, 503, 504];
var slowestResponse = 2500;
var maxSync = 5;
var beforeRetry = 250;
var messages = {
  unreachable: "The service cannot be reached; retrying",
  reachable: "The service is back",
  agent_disconnected: "The agent of the board is not connected; waiting for it",
  agent_connected: "The agent of the board is connected again",
  console_waiting: "Waiting until the service lets this account read another console",
  console_open: "The console is open"
};
var silent = "The service does not respond; waiting for it";
var Reachability = class {
  #onChange;
  #last = "reachable";
  #hasAgent = "true";
  #isWaiting = false;
  #failed;
  constructor(onChange) {
    this.#onChange = onChange;
  }
  /** Sends like this `fetch`, and notices what becomes of each request. */
  watching(fetch = globalThis.fetch) {
    return async (input, init) => {
      const timer = setTimeout(() => this.#say("unreachable", silent), maxWait(input, init));
      try {
        const response = await fetch(input, init);
        const isLost = unreachableStatuses.includes(response.status);
        if (isLost) this.#sayOnRetry();
        else this.#say("reachable");
        this.#sayOfAgent(response.headers.get("x-agent-connected"));
        return response;
      } catch (error) {
        if (!init?.signal?.aborted) this.#sayOnRetry();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    };
  }
  /** For those who read a console, which is silent when its connection is lost. */
  onConnection = ({ connected, reason }) => {
    const isWaiting = reason === "rate_limited";
    if (isWaiting !== this.#isWaiting && (isWaiting || connected)) {
      this.#isWaiting = isWaiting;
      this.#sayEvent(isWaiting ? "console_waiting" : "console_open");
    }
    if (!isWaiting) this.#say(connected ? "reachable" : "unreachable");
  };
  /** Requests that wait for a board say whether its agent is connected. */
  #sayOfAgent(hasAgent) {
    if (hasAgent === null || hasAgent === this.#hasAgent) return;
    this.#hasAgent = hasAgent;
    this.#sayEvent(hasAgent === "true" ? "agent_connected" : "agent_disconnected");
  }
  #sayOnRetry() {
    this.#failed ??= setTimeout(() => this.#say("unreachable"), beforeRetry).unref();
  }
  #say(event, message) {
    clearTimeout(this.#failed);
    this.#failed = void 0;
    if (event === this.#last) return;
    this.#last = event;
    this.#sayEvent(event, message);
  }
  #sayEvent(event, message = messages[event]) {
    this.#onChange({ event, message });
  }
};
function maxWait(input, init) {
  if (init?.body && typeof init.body !== "string") return 2 ** 31 - 1;
  const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
  const waiting = pathname.endsWith("/console/sync") ? maxSync : searchParams.get("wait");
  return Number(waiting ?? 0) * 1e3 + slowestResponse;
}

// src/ci/duration.ts
var units = {
  ms: 1,
  s: 1e3,
  m: 6e4,
  h: 36e5,
  d: 864e5
};
function readDuration(text4, longest = "24h") {
  const milliseconds = millisecondsOf(text4);
  if (milliseconds <= millisecondsOf(longest)) return milliseconds;
  throw new Error(
    `${JSON.stringify(text4)} is not a duration. Use a number and a unit, such as 90s or 10m; the longest is ${longest}.`
  );
}
function expiryAfter(lifetime) {
  return new Date(Date.now() + readDuration(lifetime, "3650d"));
}
function millisecondsOf(text4) {
  const [, count, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text4.trim()) ?? [];
  return Math.round(Number(count) * (units[unit] ?? Number.NaN));
}

// src/ci/safe-id.ts
function safeId(id) {
  if (/^[A-Za-z0-9][\w.-]*$/.test(id)) return id;
  throw new Error("The service sent an ID with characters that are not allowed in a shell");
}

// src/ci/matrix.ts
var maxMatrix = 256;
function matrixOf(boards, { includeUndriven, option }) {
  const usable = boards.filter(({ hasAgent }) => includeUndriven || hasAgent !== false);
  const include = usable.map(({ id, name, boardType }) => ({ id: safeId(id), name, boardType }));
  const leftOut = boards.length - usable.length;
  const notes = [
    ...leftOut > 0 ? [`Left out, because no agent drives them: ${leftOut} of ${boards.length} boards. ${option}`] : [],
    ...include.length > maxMatrix ? [`GitHub runs at most ${maxMatrix} jobs of one matrix.`] : []
  ];
  return { matrix: { include }, notes };
}

// src/ci/escape-markup.ts
var special = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;"
};
function escapeMarkup(text4) {
  return text4.replace(/[&<>"]/g, (character) => special[character] ?? "");
}

// src/action/summary.ts
function summaryTable(titles, rows) {
  const lines = [titles.map(cell("th")), ...rows.map((row) => row.map(cell("td")))];
  return `<table>
${lines.map((cells) => `<tr>${cells.join("")}</tr>`).join("\n")}
</table>`;
}
function summaryCode(title, text4) {
  const lines = printableText(text4).split(/\r?\n/).map((line) => line.trim() === "" ? "&nbsp;" : escapeMarkup(line));
  return `<details open><summary>${escapeMarkup(title)}</summary><pre>${lines.join("\n")}</pre></details>`;
}
function cell(tag) {
  return (text4) => {
    const line = printable(text4 ?? "").replace(/\s+/g, " ");
    return `<${tag}>${escapeMarkup(line)}</${tag}>`;
  };
}

// src/action/commands.ts
async function listBoards(client, runner) {
  const allowEmpty = runner.flag("allow-empty");
  const boards = await client.boards.list({
    boardType: runner.given("board-type"),
    status: runner.given("status")
    // the service rejects others
  });
  const { matrix, notes } = matrixOf(boards, {
    includeUndriven: runner.flag("include-undriven"),
    option: "include-undriven: true includes them."
  });
  runner.output("boards", JSON.stringify(boards));
  runner.output("board-count", String(boards.length));
  runner.output("matrix", JSON.stringify(matrix));
  const rows = boards.map(({ id, name, boardType, status }) => [id, name, boardType, status]);
  runner.summary(summaryTable(["Board", "Name", "Type", "Status"], rows));
  for (const note of notes) runner.warning(note);
  if (matrix.include.length > 0 || allowEmpty) return;
  const reason = boards.length > 0 ? "No agent drives a board that matches." : "No board matches.";
  throw new Error(
    `${reason} An empty matrix would let the workflow pass without a test; allow-empty: true accepts it.`
  );
}
async function createKey(client, runner) {
  const keep = runner.flag("keep-key");
  const label = runner.given("label");
  const scope = runner.given("scope") ?? "boards";
  const lifetime = runner.given("expires-in") ?? (keep ? void 0 : "24h");
  const expiresAt2 = lifetime === void 0 ? void 0 : expiryAfter(lifetime);
  const { id, key } = await client.keys.create({ label, scope, expiresAt: expiresAt2 });
  runner.mask(key);
  if (!keep) runner.saveState("keyId", id);
  runner.output("key", key);
  runner.output("key-id", safeId(id));
  const expiry = expiresAt2 ? `, expires at ${expiresAt2.toISOString()}` : "";
  const end = (keep ? "valid until it is revoked" : "revoked when the job ends") + expiry;
  runner.summary(summaryTable(["Key", "Label", ""], [[id, label, end]]));
}
async function revokeKey(client, runner, id = runner.input("key-id")) {
  await client.keys.revoke(id);
  runner.info(`The key ${id} is revoked.`);
  runner.output("key-id", id);
}
async function createBaseImage(client, runner) {
  const position = runner.given("position");
  if (position && !/^\d+$/.test(position)) {
    throw new Error("The input position must be a whole number");
  }
  const image = await client.admin.baseImages.create({
    action: runner.input("image-action"),
    // the service checks it
    boardType: runner.given("board-type"),
    name: runner.given("name"),
    description: runner.given("description"),
    url: runner.given("url"),
    sha256: runner.given("sha256"),
    flashOffset: runner.given("flash-offset"),
    position: position === void 0 ? void 0 : Number(position),
    enabled: runner.flag("enabled")
  });
  const { id, boardType, action: action2, flashOffset, name } = image;
  runner.output("base-image-id", safeId(id));
  const titles = ["Base image", "Board type", "Action", "Offset", "Name"];
  runner.summary(summaryTable(titles, [[id, boardType, action2, flashOffset, name]]));
}

// src/action/connect.ts
import { readFileSync } from "fs";
function connect(runner, fetch) {
  const key = find(runner, "api-key", "SERVICE_API_KEY");
  runner.mask(key.text);
  if (key.text.trim() === "") throw new Error(`No API key: ${whyNoKey(runner)}`);
  const apiKey = readApiKey(key.text, key.source);
  runner.mask(apiKey);
  const address = find(runner, "base-url", "SERVICE_BASE_URL");
  if (address.text.trim() === "") throw new Error(noAddress);
  return new BoardAccess({ apiKey, baseUrl: readBaseUrl(address.text, address.source), fetch });
}
var noAddress = "The address from SERVICE_BASE_URL is missing\nSet the input base-url or the variable SERVICE_BASE_URL.";
function find(runner, name, variable) {
  const text4 = runner.given(name);
  return text4 ? { text: text4, source: `the input ${name}` } : { text: runner.variable(variable), source: variable };
}
function whyNoKey(runner) {
  if (isFromFork(runner)) {
    return "this run is for a pull request from a fork, and GitHub passes no secrets to such runs. Skip the job for forks: if: github.event.pull_request.head.repo.full_name == github.repository";
  }
  if (runner.variable("GITHUB_ACTOR") === "dependabot[bot]") {
    return "Dependabot runs only get the Dependabot secrets.";
  }
  return "pass the input api-key from a secret, and check that the secret exists.";
}
function isFromFork(runner) {
  if (runner.variable("GITHUB_EVENT_NAME") !== "pull_request") return false;
  try {
    const event = JSON.parse(
      readFileSync(runner.variable("GITHUB_EVENT_PATH"), "utf8")
    );
    const { head, base } = event.pull_request;
    return head.repo?.full_name !== base.repo?.full_name;
  } catch {
    return false;
  }
}

// src/action/run-firmware.ts
import { readFile, writeFile } from "fs/promises";
import { join } from "path";

// src/contract/firmware/segments.ts
function joinSegments(chunks) {
  const sorted = [...chunks].sort((one, other) => one.address - other.address);
  const runs = [];
  let end = -1;
  for (const chunk of sorted) {
    if (chunk.address < end) {
      throw new FirmwareError(`The file has two values for address ${hexadecimal(chunk.address)}`);
    }
    const run = chunk.address === end ? runs.at(-1) : void 0;
    if (run) run.push(chunk);
    else runs.push([chunk]);
    end = chunk.address + chunk.data.length;
  }
  return runs.map(joinRun);
}
function hexadecimal(value) {
  return `0x${value.toString(16)}`;
}
function joinRun(run) {
  const [first] = run;
  if (first === void 0 || run.length === 1)
    return first ?? { address: 0, data: new Uint8Array() };
  const data = new Uint8Array(run.reduce((total, chunk) => total + chunk.data.length, 0));
  for (const chunk of run) data.set(chunk.data, chunk.address - first.address);
  return { address: first.address, data };
}

// src/contract/firmware/elf.ts
var noBits = 8;
var allocated = 2;
var loadable = 1;
var maxSegments = 100;
var avrEeprom = 8454144;
var elfMachines = { arm: 40, avr: 83, xtensa: 94, riscv: 243 };
var tables = {
  program: {
    start: 28,
    counts: 42,
    least: 32,
    fields: { type: 0, offset: 4, address: 12, size: 16, flags: 24 }
  },
  section: {
    start: 32,
    counts: 46,
    least: 40,
    fields: { type: 4, flags: 8, address: 12, offset: 16, size: 20 }
  }
};
function readElf(bytes) {
  if (bytes.length < 52) throw new FirmwareError("The file is cut off within the ELF header");
  if (bytes[4] !== 1) throw new FirmwareError("The ELF file is not for a 32-bit processor");
  if (bytes[5] !== 1) throw new FirmwareError("The ELF file is not little-endian");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const machine = view.getUint16(18, true);
  const segments = headersOf(view, "program").filter(({ type }) => type === loadable);
  if (segments.length > maxSegments) {
    throw new FirmwareError(
      `The ELF file has ${segments.length} segments; at most ${maxSegments} are read`
    );
  }
  const sections = headersOf(view, "section").filter(({ type, flags }) => flags & allocated && type !== noBits).map((section) => ({ ...section, address: loadAddress(section, segments) }));
  const chunks = (sections.length > 0 ? sections : segments).filter(
    ({ size, address }) => size > 0 && !(machine === elfMachines.avr && address >= avrEeprom)
  ).map(({ offset, size, address }) => ({ address, data: slice(bytes, offset, size) }));
  if (chunks.reduce((sum, { data }) => sum + data.length, 0) > bytes.length) {
    throw new FirmwareError("The parts of the ELF file overlap");
  }
  if (chunks.length === 0) throw new FirmwareError("The ELF file has no data to load");
  return { segments: joinSegments(chunks), machine };
}
function loadAddress({ offset, size, address }, segments) {
  const around = segments.find(
    (segment) => offset >= segment.offset && offset + size <= segment.offset + segment.size
  );
  return around ? around.address + offset - around.offset : address;
}
function headersOf(view, name) {
  const { start, counts, least, fields: fields5 } = tables[name];
  const offset = view.getUint32(start, true);
  const size = view.getUint16(counts, true);
  const length = view.getUint16(counts + 2, true);
  if (length > 0 && (size < least || offset + size * length > view.byteLength)) {
    throw new FirmwareError(
      `The ${name} headers at byte ${offset} are cut off or invalid (${length} of ${size} bytes)`
    );
  }
  return Array.from({ length }, (_2, index) => {
    const values = Object.entries(fields5).map(([name2, start2]) => [
      name2,
      view.getUint32(offset + index * size + start2, true)
    ]);
    return Object.fromEntries(values);
  });
}
function slice(bytes, offset, size) {
  if (offset + size > bytes.length) {
    throw new FirmwareError(
      `The file is cut off: ${size} bytes at ${hexadecimal(offset)} announced, ${bytes.length} in all`
    );
  }
  return bytes.subarray(offset, offset + size);
}

// src/contract/firmware/intel-hex.ts
var maxChunks = 1e4;
var maxWithoutData = 100;
var maxRecord = 255 + 5;
var recordTypes = { data: 0, endOfFile: 1, linearAddress: 4 };
var addressTypes = {
  2: { length: 2, unit: 16 },
  3: { length: 4 },
  [recordTypes.linearAddress]: { length: 2, unit: 65536 },
  5: { length: 4 }
};
function readIntelHex(bytes) {
  const text4 = new TextDecoder("latin1").decode(bytes);
  const chunks = createChunks(bytes.length);
  const record = new Uint8Array(maxRecord);
  let base = 0;
  let ended = false;
  let lastWithData = 0;
  for (let number2 = 1, start = 0; start < text4.length; number2++) {
    const found = text4.indexOf("\n", start);
    const end = found < 0 ? text4.length : found;
    const line = text4.slice(start, end).trim();
    start = end + 1;
    if (number2 - lastWithData > maxWithoutData) {
      throw new FirmwareError(
        `Line ${number2}: more than ${maxWithoutData} lines in a row have no data`
      );
    }
    if (line === "") continue;
    if (ended)
      throw new FirmwareError(`Line ${number2}: there is data after the end-of-file record`);
    const size = readRecord(line, number2, record);
    const [, high = 0, low = 0, type] = record;
    const data = record.subarray(4, size - 1);
    if (type === recordTypes.data) {
      if (data.length > 0) lastWithData = number2;
      chunks.add(base + high * 256 + low, data);
    } else if (type === recordTypes.endOfFile) ended = true;
    else base = baseAfter({ type, data, base }, number2);
  }
  if (!ended) throw new FirmwareError("The end-of-file record is missing: the file is cut off");
  return { segments: joinSegments(chunks.segments()) };
}
function createChunks(fileSize) {
  const memory2 = new Uint8Array(fileSize >> 1);
  const chunks = [];
  let used = 0;
  return {
    add(address, data) {
      if (data.length === 0) return;
      memory2.set(data, used);
      const last = chunks.at(-1);
      const start = used;
      used += data.length;
      if (last && last.address + start - last.start === address) last.end = used;
      else chunks.push({ address, start, end: used });
      if (chunks.length > maxChunks) {
        throw new FirmwareError(`The file has more than ${maxChunks} separate sections`);
      }
    },
    segments: () => chunks.map(({ address, start, end }) => ({ address, data: memory2.subarray(start, end) }))
  };
}
function sumOf(bytes, size = bytes.length) {
  let sum = 0;
  for (let position = 0; position < size; position++) sum += bytes[position] ?? 0;
  return sum;
}
function readRecord(line, number2, record) {
  if (!line.startsWith(":")) {
    throw new FirmwareError(`Line ${number2}: a record must begin with a colon`);
  }
  const digits = line.length - 1;
  for (let position = 0; position < digits; position++) {
    const value = digit(line.charCodeAt(position + 1));
    if (value < 0) {
      throw new FirmwareError(`Line ${number2}, column ${position + 2}: not a hexadecimal digit`);
    }
    record[position >> 1] = (record[position >> 1] ?? 0) << 4 | value;
  }
  if (digits % 2 !== 0) throw new FirmwareError(`Line ${number2}: half of a byte is missing`);
  const size = digits / 2;
  const length = size === 0 ? 0 : record[0] ?? 0;
  if (size !== length + 5) {
    const found = Math.max(0, size - 5);
    throw new FirmwareError(`Line ${number2}: ${length} bytes of data expected, ${found} found`);
  }
  if (sumOf(record, size) % 256 !== 0) {
    throw new FirmwareError(`Line ${number2}: the checksum does not match`);
  }
  return size;
}
function digit(byte) {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = (byte | 32) - 97;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}
function baseAfter({ type = 0, data, base }, number2) {
  const wanted = addressTypes[type];
  if (wanted === void 0) {
    throw new FirmwareError(`Line ${number2}: record type ${hexadecimal(type)} does not exist`);
  }
  if (data.length !== wanted.length) {
    throw new FirmwareError(`Line ${number2}: a record of this type has ${wanted.length} bytes`);
  }
  return wanted.unit ? ((data[0] ?? 0) * 256 + (data[1] ?? 0)) * wanted.unit : base;
}

// src/contract/firmware/uf2.ts
var blockSize = 512;
var firstMagic = 171066965;
var secondMagic = 2656915799;
var lastMagic = 179400496;
var maxPayload = 476;
var otherPlaces = 1 | 4096;
var hasFamily = 8192;
function readUf2(bytes) {
  if (bytes.length % blockSize !== 0) {
    throw new FirmwareError(
      `The file is cut off: ${bytes.length} bytes are not a multiple of ${blockSize}`
    );
  }
  const blocks = [];
  for (let start = 0; start < bytes.length; start += blockSize) {
    const block = readBlock(bytes, start);
    if (block) blocks.push(block);
  }
  const [first] = blocks;
  if (first === void 0) throw new FirmwareError("No block of the file is for the main flash");
  if (blocks.some(({ family }) => family !== first.family)) {
    throw new FirmwareError("The blocks are for different chip families");
  }
  requireAll(blocks);
  return { segments: joinSegments(blocks.map(({ segment }) => segment)), family: first.family };
}
function readBlock(bytes, start) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (position) => view.getUint32(start + position, true);
  const where = `Block ${start / blockSize} (at byte ${start})`;
  if (word(0) !== firstMagic || word(4) !== secondMagic || word(508) !== lastMagic) {
    throw new FirmwareError(`${where}: the marks of a UF2 block are missing`);
  }
  const [flags, address, size] = [word(8), word(12), word(16)];
  if (size === 0 || size > maxPayload) {
    throw new FirmwareError(`${where}: ${size} bytes of data; a block has 1 to ${maxPayload}`);
  }
  if (word(20) >= word(24)) {
    throw new FirmwareError(`${where}: number ${word(20)} of ${word(24)} does not exist`);
  }
  if (flags & otherPlaces) return void 0;
  const data = bytes.subarray(start + 32, start + 32 + size);
  const family = flags & hasFamily ? word(28) : null;
  return { number: word(20), count: word(24), family, segment: { address, data } };
}
function requireAll(blocks) {
  const numbers = new Set(blocks.map(({ number: number2 }) => number2));
  const count = blocks.reduce((most, block) => Math.max(most, block.count), 0);
  if (count > numbers.size) {
    throw new FirmwareError(`The file has ${numbers.size} of ${count} blocks`);
  }
}

// src/contract/firmware/firmware.ts
var readers = { hex: readIntelHex, uf2: readUf2, elf: readElf };
function readFirmware(bytes) {
  if (bytes.length === 0) throw new FirmwareError("The file is empty");
  const format = detectFormat(bytes);
  if (format === "raw") return { format, segments: [{ address: 0, data: bytes }] };
  const content = readers[format](bytes);
  if (content.segments.length === 0) throw new FirmwareError("The file has no data");
  return { format, ...content };
}
function placeFirmware(firmware, flash2, offset) {
  requireSameChip(firmware, flash2);
  requireOffset(firmware.format, offset);
  return firmware.segments.map(({ address, data }) => {
    const part = { address: firmware.format === "raw" ? offset : address - flash2.start, data };
    if (part.address < 0 || part.address + data.length > flash2.size) {
      throw outside({ ...part, size: data.length }, firmware.format, flash2);
    }
    return part;
  });
}
function requireSameChip({ machine, family }, flash2) {
  if (machine !== void 0 && flash2.machine !== void 0 && machine !== flash2.machine) {
    throw new FirmwareError(
      `The ELF file is for ${machineName(machine)}, not ${machineName(flash2.machine)}`
    );
  }
  if (typeof family === "number" && flash2.family !== void 0 && family !== flash2.family) {
    throw new FirmwareError(
      `The UF2 file is for chip family ${hexadecimal(family)}, not ${hexadecimal(flash2.family)}`
    );
  }
}
function machineName(machine) {
  const found = Object.entries(elfMachines).find(([, number2]) => number2 === machine);
  return found ? found[0].toUpperCase() : `processor ${machine}`;
}
function outside(part, format, { start, size }) {
  const from = start + part.address;
  const shown = from < 0 ? String(from) : hexadecimal(from);
  const problem = `${fileOf(format)} has ${part.size} bytes at ${shown}, outside the flash (${hexadecimal(start)} to ${hexadecimal(start + size - 1)})`;
  const cause = format === "raw" ? "" : ": it may be for another type of board";
  return new FirmwareError(problem + cause);
}

// src/ci/firmware-file.ts
function namingFile(error, file) {
  const isAboutFile = error instanceof Error && "code" in error && error.code === "invalid_firmware";
  if (isAboutFile) error.message = `${file}: ${error.message}`;
  return error;
}
function checkFirmwareFile(file, bytes, options) {
  try {
    checkFormat(bytes, options);
    readFirmware(bytes);
  } catch (error) {
    throw namingFile(error, file);
  }
}
async function checkFit(client, { file, firmware, flashOffset = "0", board }, signal) {
  const problems = [];
  for (const memory2 of await memoriesOf(client, board, signal)) {
    try {
      placeFirmware(readFirmware(firmware), memory2, Number(flashOffset));
      return;
    } catch (error) {
      if (!(error instanceof FirmwareError)) throw error;
      problems.push(error);
    }
  }
  if (problems.length > 0) throw namingFile(problems[0], file);
}
async function memoriesOf(client, { boardId, boardType }, signal) {
  try {
    if (boardId) return [(await client.boards.get(boardId, { signal })).memory ?? []].flat();
    const list3 = client.boards.list({ boardType: boardType ?? void 0 }, { signal });
    const page = (await list3.pages().next()).value;
    return page?.items.flatMap(({ memory: memory2 }) => memory2 ?? []) ?? [];
  } catch (error) {
    if (error instanceof Error && error.name === "ApiError") return [];
    throw error;
  }
}

// src/ci/firmware-report.ts
function titleOf(firmware, scenario) {
  return scenario ? `${firmware}: ${scenario}` : firmware;
}
function reportFailure(report, error, signal) {
  const { code = "", reason = code, hint, from, to } = fieldsOf2(error);
  const found = resultOf(error) ?? "error";
  const isSilent = found === "not_seen" && from === to && report.output.length === 0;
  const result = isSilent ? "silent" : found;
  const message = withOutput(messageOf(error, signal), error, report.console);
  const advice = isFailure(found) ? hint : void 0;
  Object.assign(report, { result, message, cause: String(reason), hint: advice });
  const failed = report.steps.find(({ status }) => status === "error");
  if (failed) Object.assign(failed, { message, status: isFailure(result) ? "failed" : "error" });
}
var maxLines = 10;
var maxLine = 200;
function withOutput(message, error, console2) {
  const [sentence = "", shown] = message.split(". Its last lines:\n");
  const { matched = "", output = "" } = fieldsOf2(error);
  const at = console2.lastIndexOf(output);
  if (shown === void 0 || at < 0) return message;
  const found = at + output.length - matched.length;
  const start = matched ? console2.lastIndexOf("\n", found) + 1 : 0;
  const lines = console2.slice(start).split(/[\r\n]+/).filter((line) => line !== "");
  const relevant = matched ? lines.slice(0, maxLines) : lines.slice(-maxLines);
  const printed = relevant.map((line) => `
  ${visible(line.slice(-maxLine))}`).join("");
  return `${sentence}${matched ? ":" : ". Its last lines:"}${printed}`;
}
function emptyReport({ steps = [] }) {
  return {
    result: "passed",
    message: "",
    cause: "",
    leaseId: null,
    boardId: null,
    steps: steps.map((step) => ({
      ...nameOf(step),
      status: "skipped",
      milliseconds: 0,
      message: ""
    })),
    console: "",
    output: [],
    milliseconds: 0,
    credits: null
  };
}
function nameOf(step) {
  const { expect, fail: fail2, send: send2, waitMs } = step;
  if (expect !== void 0) return { kind: "expect", name: String(expect) };
  if (fail2 !== void 0) return { kind: "fail", name: `fail ${[fail2].flat().join(", ")}` };
  if (waitMs !== void 0) return { kind: "wait", name: `wait ${waitMs / 1e3} s` };
  if (send2 === void 0) return { kind: "reset", name: "reset" };
  const { length } = typeof send2 === "string" ? Buffer.from(send2) : send2;
  return { kind: "send", name: `send ${length} bytes` };
}
function isFailure(result) {
  return result === "fail_seen" || result === "not_seen";
}
function resultOf(error) {
  const { code, name, attempts = [] } = fieldsOf2(error);
  if (code === "fail_seen" || code === "not_seen") return code;
  if (code === "no_board_available") return "no_board";
  if (code === "lease_limit" && attempts.at(-1)?.path === "/v1/leases") return code;
  const isOfBoard = name === "ActionFailedError" || name === "ConsoleUnavailableError";
  return isOfBoard || code === "lease_ended" ? "board_failed" : void 0;
}
function fieldsOf2(error) {
  return typeof error === "object" && error !== null ? error : {};
}
function messageOf(error, signal) {
  if (signal?.aborted && fieldsOf2(error).name === "AbortError") return "Interrupted";
  return error instanceof Error ? error.message : String(error);
}

// src/ci/firmware-test.ts
import { setTimeout as wait } from "timers/promises";
async function runFirmwareTest(client, test, watching) {
  const startedAt = performance.now();
  const report = emptyReport(test);
  try {
    await leaseAndTest(client, test, { ...watching, report });
    return { report };
  } catch (error) {
    reportFailure(report, error, watching.signal);
    return { report, error: report.result === "error" ? error : void 0 };
  } finally {
    report.milliseconds = Math.round(performance.now() - startedAt);
  }
}
async function leaseAndTest(client, test, run) {
  const { report, onEvent, signal } = run;
  const lease = await leaseFor(client, test, run);
  report.leaseId = lease.id;
  report.boardId = lease.boardId ?? null;
  try {
    const creditsPerMinute = await priceOf(client, report.boardId, signal);
    onEvent({ event: "leased", leaseId: lease.id, boardId: report.boardId, creditsPerMinute });
    await flashAndWatch(lease, test, run);
  } catch (error) {
    throw fieldsOf2(error).reason === "expired" && run.renewError || error;
  } finally {
    if (!("leaseId" in test.board)) report.credits = await release(lease, onEvent);
  }
}
async function leaseFor(client, { board, ...test }, run) {
  const { report, onEvent, signal } = run;
  const onRenewFailed = (error) => {
    run.renewError = error;
  };
  if ("leaseId" in board) {
    const lease = await client.leases.get(board.leaseId, { signal });
    if (lease.status === "ended") lease.signal.throwIfAborted();
    const { boardId } = lease;
    if (boardId) await checkFit(client, { ...test, board: { boardId } }, signal);
    const lastsLongEnough = (lease.expiresInMs ?? 0) > maxFlash + longestRun(test);
    if (lastsLongEnough || lease.status !== "active") return lease;
    return await client.leases.attach(lease.id, { onRenewFailed, signal });
  }
  await checkFit(client, { ...test, board }, signal);
  const announce = announcer(onEvent);
  const onProgress = (progress) => {
    report.leaseId = progress.lease.id;
    announce(progress);
  };
  const onLeaseLimit = ({ message }) => onEvent({ event: "lease_limit", message });
  const options = { onProgress, onRenewFailed, onLeaseLimit, signal };
  return await client.leases.create({ ...board, requiresAgent: true }, options);
}
var maxFlash = 12e4;
function longestRun({ steps, timeout, afterFail = 0 }) {
  return steps.reduce((sum, step) => sum + (step.waitMs ?? 0), timeout + afterFail);
}
async function priceOf(client, boardId, signal) {
  const options = { signal, timeout: 2e3, maxRetries: 0 };
  const board = await client.boards.get(boardId ?? "", options).catch(() => void 0);
  return board?.creditsPerMinute ?? null;
}
async function release(lease, onEvent) {
  if (lease.status === "ended") return lease.credits ?? null;
  try {
    const { credits = null } = await lease.release();
    onEvent({ event: "released", credits });
    return credits;
  } catch (error) {
    onEvent({ event: "not_released", leaseId: lease.id, message: messageOf(error) });
    return null;
  }
}
var endOfLine = 200;
async function flashAndWatch(lease, test, run) {
  await flash(lease, test, run);
  const copy = startCopying(lease, run);
  try {
    await carryOut2(lease, test, run);
  } catch (error) {
    if (isFailure(resultOf(error))) await copy.goOn(test.afterFail ?? 1e3);
    throw error;
  } finally {
    await copy.endLine();
  }
}
function startCopying(lease, { report, onEvent, signal }) {
  const reading = new AbortController();
  const decoder = new TextDecoder();
  let isLastLine = false;
  const write = (received) => {
    if (reading.signal.aborted) return;
    const end = isLastLine ? received.indexOf(newline) + 1 : 0;
    const bytes = end > 0 ? received.subarray(0, end) : received;
    const text4 = decoder.decode(bytes, { stream: true });
    report.output.push(bytes);
    report.console += text4;
    onEvent({ event: "console", text: text4, bytes });
    if (end > 0) reading.abort();
  };
  const copied = copyConsole(lease, reading.signal, write);
  const goOn = async (milliseconds) => {
    const over = wait(milliseconds, void 0, { signal }).catch(() => {
    });
    await Promise.race([copied, over]);
  };
  const endLine = async () => {
    isLastLine = true;
    if (report.output.at(-1)?.at(-1) !== newline) await goOn(endOfLine);
    reading.abort();
    await copied;
  };
  return { goOn, endLine };
}
var newline = 10;
async function flash(lease, test, { onEvent, signal }) {
  const { raw, flashOffset } = test;
  const startedAt = performance.now();
  const onProgress = (progress) => onEvent({ event: "flashing", ...progress });
  const flashing = lease.flash(test.firmware, { raw, flashOffset, signal, onProgress });
  const { message } = await flashing.catch((error) => {
    throw namingFile(error, test.file);
  });
  const milliseconds = Math.round(performance.now() - startedAt);
  onEvent({ event: "flashed", milliseconds, message: message ?? "" });
}
async function carryOut2(lease, test, run) {
  const { report, onEvent, signal, onConnection } = run;
  const { steps, timeout } = test;
  const fails = [test.fail ?? []].flat();
  const first = fails.length > 0 ? [{ fail: fails }] : [];
  const isOpen = !test.isComplete && steps.at(-1)?.expect === void 0;
  const isWatched = fails.length > 0 && isOpen;
  const last = isWatched ? [{ waitMs: timeout }] : [];
  const onStep = ({ index, durationMs, match, error, step }) => {
    const place = test.places?.[index - first.length];
    if (place && error instanceof Error && !signal?.aborted)
      error.message = `${place}: ${error.message}`;
    const outcome = report.steps[index - first.length];
    if (!outcome) return;
    outcome.milliseconds = durationMs;
    outcome.status = error ? "error" : "passed";
    if (error) return;
    if (match) onEvent({ event: "expected", pattern: outcome.name, matched: match.matched });
    else if (step.fail === void 0) onEvent({ event: "step", step: outcome.name });
  };
  const options = { timeout, signal, onConnection, onStep };
  const all = [...first, ...steps, ...last];
  if (all.length > 0) await lease.run(all, options);
}
async function copyConsole(lease, signal, write) {
  try {
    const from = lease.console.actionOffset;
    for await (const bytes of lease.console.read({ from, signal })) write(bytes);
  } catch {
  }
}
function announcer(onEvent) {
  const reported = /* @__PURE__ */ new Map();
  return ({ lease, steps }) => {
    const { id: leaseId, boardId = null, queuePosition: position = null } = lease;
    if (lease.status === "queued") return onEvent({ event: "queued", leaseId, position });
    for (const { id, action: action2, name, status = "" } of steps) {
      if (!status || status === "queued" || reported.get(id) === status) continue;
      reported.set(id, status);
      const step = [action2, name].filter(Boolean).join(" ");
      onEvent({ event: "preparing", leaseId, boardId, step, status });
    }
  };
}

// src/ci/run-options.ts
function readPattern(text4) {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/is.exec(text4) ?? [];
  if (source === void 0) return text4;
  try {
    return new RegExp(source, flags?.replace(/[gy]/g, ""));
  } catch (error) {
    throw new Error(`${text4} is not a valid regular expression: ${error.message}`);
  }
}
var escapes = { "\\r": 13, "\\n": 10, "\\t": 9, "\\\\": 92 };
function readSent(text4) {
  const parts = text4.match(/\\x[\da-f]{2}|\\.?|[^\\]+/gis) ?? [];
  return new Uint8Array(Buffer.concat(parts.map(bytesOf)));
}
function bytesOf(part) {
  if (!part.startsWith("\\")) return Buffer.from(part);
  const byte = part.length === 4 ? Number.parseInt(part.slice(2), 16) : escapes[part];
  if (byte !== void 0) return Uint8Array.of(byte);
  throw new Error(`${part} is not an escape. Use \\r, \\n, \\t, \\xNN, or \\\\ for a backslash.`);
}

// src/ci/scenario-file.ts
import { createReadStream } from "fs";
import { basename } from "path";
import { buffer } from "stream/consumers";

// src/ci/file-reason.ts
var reasons = {
  ENOENT: "it does not exist",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
  ENOSPC: "no space left on the device",
  EPIPE: "the reader closed the pipe"
};
var reasonsNotWritten = { ...reasons, ENOENT: "its directory does not exist" };
function reasonOf(error, words = reasons) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return words[code] ?? (code || "unknown reason");
}

// src/ci/scenario-file.ts
var maxScenarioSize = 256 * 1024;
var readers2 = {
  expect: patternOf,
  fail: (value) => Array.isArray(value) ? value.map(patternOf) : patternOf(value),
  send: (value) => typeof value === "string" && value !== "" ? readSent(value) : value,
  wait: (value) => readDuration(String(value)),
  timeout: (value) => readDuration(String(value))
};
var kinds = ["expect", "fail", "send", "wait", "reset"];
async function readScenario(file) {
  const { LineCounter, parseDocument, visit } = await import("./yaml-SJBUGPLK.js");
  const lines = new LineCounter();
  const content = await textOf(file);
  const options = { lineCounter: lines, prettyErrors: false, stringKeys: true };
  const document = parseDocument(content, options);
  const reading = { file, lines, document };
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new Error(`${placeOf(problem.pos[0], reading)}: ${problem.message}`);
  const anchors = /* @__PURE__ */ new Set();
  visit(document, {
    Alias: (_2, { source, range }) => {
      if (anchors.has(source)) return;
      const message = `there is no anchor &${source} before the alias *${source}`;
      throw new Error(`${placeOf(range?.[0], reading)}: ${message}`);
    },
    Node: (_2, { anchor }) => void anchors.add(anchor)
  });
  const { name, given } = contentOf(reading);
  const paths = given.map((_2, index) => ["steps", index]);
  return {
    name: name || basename(file),
    steps: paths.map((path4, index) => readStep(given[index], path4, reading)),
    places: paths.map((path4) => placeOf(startOf(path4, reading), reading))
  };
}
async function textOf(file) {
  const reading = buffer(createReadStream(file, { end: maxScenarioSize }));
  const content = await reading.catch((error) => {
    throw new Error(`The scenario ${file} cannot be read: ${reasonOf(error)}`, { cause: error });
  });
  if (content.length <= maxScenarioSize) return content.toString();
  throw new Error(`The scenario ${file} is larger than ${maxScenarioSize / 1024} KiB`);
}
function contentOf(reading) {
  const content = parsed(reading);
  const problem = unknownField(content, ["name", "version", "steps"]);
  if (problem) return fail([problem.field ?? []].flat(), problem.message, reading);
  const { name = "", version: version2 = 1, steps } = Object(content);
  if (version2 !== 1) fail(["version"], "version must be 1", reading);
  if (typeof name !== "string") fail(["name"], "name must be text", reading);
  if (Array.isArray(steps) && steps.length > 0) return { name, given: steps };
  return fail(["steps"], "steps must be a list of steps", reading);
}
function parsed(reading) {
  try {
    return reading.document.toJS();
  } catch (error) {
    return fail([], error.message, reading);
  }
}
function readStep(given, path4, reading) {
  const copy = structuredClone(given);
  const step = Object(copy);
  for (const [name, read5] of Object.entries(readers2)) {
    if (!Object.hasOwn(step, name)) continue;
    try {
      step[name] = read5(step[name]);
    } catch (error) {
      fail([...path4, name], `${name}: ${error.message}`, reading);
    }
  }
  const problem = problemOf(copy, kinds);
  if (problem) fail([...path4, ...[problem.field ?? []].flat()], problem.message, reading);
  const { wait: waitMs, ...others } = step;
  return waitMs === void 0 ? others : { waitMs };
}
function fail(path4, message, reading) {
  throw new Error(`${placeOf(startOf(path4, reading), reading)}: ${message}`);
}
function startOf(path4, { document }) {
  let node;
  for (let length = path4.length; !node && length >= 0; length--) {
    const found = length === 0 ? document.contents : document.getIn(path4.slice(0, length), true);
    node = found;
  }
  return node?.range?.[0];
}
function placeOf(start, { file, lines }) {
  return `${file}:${Math.max(lines.linePos(start ?? 0).line, 1)}`;
}
function patternOf(value) {
  return typeof value === "string" ? readPattern(value) : value;
}

// src/action/run-firmware.ts
async function runFirmware(client, runner, { onConnection }) {
  const file = required(runner, "firmware");
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error("The job was cancelled"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const log = createLog2(runner);
  try {
    const test = await testFrom(runner, file);
    const { signal } = interruption;
    const watching = { onEvent: log.show, signal, onConnection };
    const { report, error } = await runFirmwareTest(client, test, watching);
    await publish(report, runner, titleOf(file, test.name));
    const { result, message, hint } = report;
    if (result !== "passed") throw error ?? new Error([message, hint].filter(Boolean).join("\n"));
  } finally {
    log.end();
    process.removeListener("SIGINT", interrupt).removeListener("SIGTERM", interrupt);
  }
}
async function testFrom(runner, file) {
  const scenario = runner.given("scenario");
  const { name, steps = [], places } = scenario ? await readScenario(scenario) : {};
  const expected = patternsOf(runner.input("expect")).map((expect) => ({ expect }));
  if (scenario && expected.length > 0) {
    throw new Error("Set either the input expect or the input scenario, which has its own expect");
  }
  const firmware = new Uint8Array(await readFile(file));
  const raw = runner.flag("raw");
  const flashOffset = runner.given("flash-offset");
  checkFirmwareFile(file, firmware, { raw, flashOffset, rawOption: "the input raw: true" });
  return {
    file,
    name,
    firmware,
    raw,
    flashOffset,
    board: boardOf(runner),
    steps: [...steps, ...expected],
    places,
    isComplete: scenario !== void 0,
    fail: patternsOf(runner.input("fail")),
    timeout: readDuration(runner.input("timeout")),
    afterFail: readDuration(runner.input("after-fail"))
  };
}
function boardOf(runner) {
  const leaseId = runner.given("lease-id");
  const boardId = runner.given("board-id");
  if (leaseId && (boardId || runner.given("board-type"))) {
    throw new Error("Set either the input lease-id, or board-id or board-type");
  }
  if (leaseId) return { leaseId };
  const waitMs = readDuration(runner.input("wait"));
  const wanted = boardId ? { boardId } : { boardType: required(runner, "board-type") };
  return { ...wanted, waitMs, label: runner.given("label") };
}
function patternsOf(text4) {
  const lines = text4.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map(readPattern);
}
function required(runner, name) {
  const text4 = runner.given(name);
  if (text4 === void 0) throw new Error(`The input ${name} is required for the command run`);
  return text4;
}
function createLog2(runner) {
  let savedLease = "";
  let openLine = "";
  const end = () => {
    if (openLine !== "") runner.info(openLine);
    openLine = "";
  };
  const show = (event) => {
    if (event.event === "console") {
      const [first = "", ...others] = event.text.split("\n");
      openLine += first;
      for (const start of others) {
        runner.info(openLine.replace(/\r$/, ""));
        openLine = start;
      }
      return;
    }
    if (!runner.given("lease-id") && "leaseId" in event && event.leaseId !== savedLease) {
      savedLease = event.leaseId;
      runner.saveState("leaseId", savedLease);
    }
    const { event: name, ...details2 } = event;
    runner.info(`[${name}] ${printableJson(details2, 0)}`);
  };
  return { show, end };
}
async function publish(report, runner, title) {
  const { leaseId, boardId, result } = report;
  const file = `console-${leaseId ? safeId(leaseId) : "none"}.log`;
  const consoleFile = join(runner.variable("RUNNER_TEMP") || ".", file);
  if (boardId) runner.output("board-id", safeId(boardId));
  await writeFile(consoleFile, report.output);
  runner.output("result", result);
  runner.output("console-file", consoleFile);
  runner.summary(summaryOf(report, title));
}
function summaryOf(report, title) {
  const { result, boardId, milliseconds, credits, steps, message } = report;
  const time = `${(milliseconds / 1e3).toFixed(1)} s`;
  const rows = steps.map(({ name, status, message: message2 }) => [name, status, message2]);
  return [
    summaryTable(
      ["Firmware", "Result", "Board", "Time", "Credits", "Message"],
      [[title, result, boardId, time, `${credits ?? 0}`, message]]
    ),
    ...rows.length > 0 ? [summaryTable(["Step", "Result", "Message"], rows)] : [],
    summaryCode("The end of the console", report.console.slice(-4e3))
  ].join("\n");
}

// src/action/run.ts
var commands = {
  "list-boards": listBoards,
  "create-key": createKey,
  "revoke-key": (client, runner) => revokeKey(client, runner),
  "create-base-image": createBaseImage,
  run: runFirmware
};
function runStep(runner, fetch) {
  return attempt2(runner, async () => {
    if (runner.input("command") === "run") runner.output("result", "error");
    const reachability = new Reachability(({ message }) => runner.warning(message));
    const client = connect(runner, reachability.watching(fetch));
    await commandOf(runner)(client, runner, reachability);
  });
}
function endJob(runner, fetch) {
  return attempt2(runner, async () => {
    const keyId = runner.state("keyId");
    if (keyId !== "") await revokeKey(connect(runner, fetch), runner, keyId);
    const leaseId = runner.state("leaseId");
    if (leaseId === "") return;
    const lease = await connect(runner, fetch).leases.get(leaseId);
    await lease.release();
  });
}
function commandOf(runner) {
  const name = runner.input("command");
  const command = Object.hasOwn(commands, name) ? commands[name] : void 0;
  if (command) return command;
  throw new Error(`The input command must be one of ${Object.keys(commands).join(", ")}`);
}
function messageOf2(error) {
  if (!isBoardAccessError(error)) return error instanceof Error ? error.message : String(error);
  const { message, hint, code } = error;
  const origin = error.name === "ApiError" && `(${code}, request ID: ${error.requestId ?? "none"})`;
  return [message, hint, origin].filter(Boolean).join("\n");
}
async function attempt2(runner, work) {
  try {
    await work();
    return 0;
  } catch (error) {
    runner.error(messageOf2(error));
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
  /** An input of the step without surrounding white space; empty if it was not given. */
  input(name) {
    return this.variable(`INPUT_${name.toUpperCase()}`).trim();
  }
  /** An input of the step, if it was given. */
  given(name) {
    return this.input(name) || void 0;
  }
  /** An input that is `true` or `false`. */
  flag(name) {
    const text4 = this.input(name);
    if (/^(true|false)$/i.test(text4)) return text4.toLowerCase() === "true";
    throw new Error(`The input ${name} must be true or false`);
  }
  /** Keeps a secret out of the log from now on. */
  mask(secret) {
    for (const line of secret.split(/\r?\n/)) if (line !== "") this.#command("add-mask", line);
  }
  output(name, value) {
    this.#append("GITHUB_OUTPUT", assignment(name, value));
  }
  /** Saves a value for the end of the job. */
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
  info(text4) {
    this.#print(`${printableText(text4)}
`);
  }
  warning(text4) {
    this.#command("warning", printableText(text4));
  }
  error(text4) {
    this.#command("error", printableText(text4));
  }
  #command(name, text4) {
    this.#print(`::${name}::${escaped(text4)}
`);
  }
  #append(variable, text4) {
    const file = this.variable(variable);
    if (file !== "") appendFileSync(file, text4);
  }
};
function escaped(text4) {
  return text4.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
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

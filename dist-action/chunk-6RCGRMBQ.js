import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import {
  ApiError,
  BoardAccessError,
  ConnectionError,
  InputError,
  RequestTimeoutError,
  ResponseError,
  brand,
  camelCase,
  checkDepth,
  defined,
  fieldsOf,
  invalidResponse,
  lastingFailures,
  nameErrors,
  nearest,
  nullable,
  number,
  redact,
  rememberResponse,
  requestIdOf,
  responseOf,
  safeParse,
  snakeCase,
  string,
  unknown,
  unknownOption,
  waitAfter
} from "./chunk-ZL4HKBB5.js";

// src/http/signals.ts
var longestTimeout = 2 ** 31 - 1;
function abortable(work, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    work.finally(() => signal?.removeEventListener("abort", onAbort)).then(resolve, reject);
  });
}
function followSignals(signals, { milliseconds, late = () => new RequestTimeoutError(milliseconds ?? 0) } = {}) {
  const controller = new AbortController();
  let timer;
  const end = () => {
    clearTimeout(timer);
    for (const signal of signals) signal?.removeEventListener("abort", follow);
  };
  const abort = (reason) => {
    end();
    controller.abort(reason);
  };
  const follow = () => abort(signals.find((signal) => signal?.aborted)?.reason);
  for (const signal of signals) signal?.addEventListener("abort", follow);
  if (milliseconds !== void 0) timer = setTimeout(() => abort(late()), milliseconds);
  if (signals.some((signal) => signal?.aborted)) follow();
  return { signal: controller.signal, abort, end };
}
function followLater(signal, milliseconds, unless) {
  const late = new AbortController();
  let timer;
  const onAbort = () => {
    timer = setTimeout(() => late.abort(signal.reason), milliseconds);
  };
  signal.addEventListener("abort", onAbort, { once: true, ...unless && { signal: unless } });
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  };
  return { signal: late.signal, end };
}
async function pause(milliseconds, signal, startTimer = setTimeout) {
  signal?.throwIfAborted();
  let timer;
  const elapsed = new Promise((resolve) => {
    timer = startTimer(resolve, Math.min(milliseconds, longestTimeout));
  });
  await abortable(elapsed, signal).finally(() => clearTimeout(timer));
}
function quietTimer(callback2, milliseconds) {
  const timer = setTimeout(callback2, Math.min(milliseconds, longestTimeout));
  if (typeof timer === "object") timer.unref();
  return timer;
}

// src/records/records.ts
var neededFields = ["id", "key"];
var expectation = (issue) => issue.code === "invalid_type" ? `must be of type ${issue.expected}` : void 0;
function recordReader(shape, { complete: complete2 = false } = {}) {
  return (body, where = []) => {
    if (!isObject(body)) throw invalidRecord(where, "must be of type object");
    for (const [name, schema] of Object.entries(shape)) {
      const value = body[name] ?? null;
      if (value === null && !complete2 && !neededFields.includes(name)) continue;
      const [issue] = issuesOf(schema, value);
      if (issue) throw invalidRecord([...where, name, ...issue.path], issue.message);
    }
    for (const name in body) if (!Object.hasOwn(shape, name)) checkDepth(body[name]);
    const fields = Object.entries(body).filter(([name]) => name !== "__proto__");
    const record = Object.fromEntries(fields.map(([name, value]) => [camelCase(name), value]));
    return record;
  };
}
function snakeCased(record) {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null).map(([name, value]) => [snakeCase(name), value])
  );
}
function readInput(fields, input, needed = {}) {
  if (!isObject(input)) throw new InputError([{ path: "", message: "must be of type object" }]);
  const issues = Object.entries({ ...fields, ...needed }).flatMap(
    ([name, schema]) => input[name] === void 0 && !(name in needed) ? [] : issuesOf(schema, input[name]).map(({ path, message }) => ({
      path: pathText([name, ...path]),
      message
    }))
  );
  issues.push(...misspelled(input, Object.keys(fields)));
  if (issues.length > 0) throw new InputError(issues);
  return input;
}
function masked(record, secret) {
  const value = () => ({ ...record, [secret]: "[shown once]" });
  return Object.defineProperty(record, /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom"), { value });
}
function misspelled(input, known) {
  const others = Object.keys(input).filter((name) => !known.includes(name));
  return others.flatMap((path) => {
    const meant = nearest(path, known);
    return meant ? [{ path, message: `is not a field (did you mean ${meant}?)` }] : [];
  });
}
function listQuery(filters, query = {}) {
  const fields = { ...filters, pageSize: number(), cursor: string() };
  const { pageSize: limit, ...rest } = readInput(fields, query);
  const wire = { ...snakeCased(rest), limit };
  return wire;
}
function fieldRule(fits, message) {
  const schema = unknown().check(({ value, issues }) => {
    if (!fits(value)) issues.push({ code: "custom", input: value, message });
  });
  return schema;
}
var textOrList = fieldRule((value) => {
  const all = [value].flat();
  return all.length > 0 && all.every((each) => typeof each === "string");
}, "must be text or a list of text that is not empty");
function issuesOf(schema, value) {
  return safeParse(schema, value, { error: expectation }).error?.issues ?? [];
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function pathText(path) {
  return path.reduce((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}
function invalidRecord(path, message) {
  const where = path.length > 0 ? ` at ${redact(pathText(path.map(shortened)))}` : "";
  return invalidResponse(`The response does not have the expected form${where}: ${message}`);
}
function shortened(name) {
  return typeof name === "string" && !/^[\w-]{1,40}$/.test(name) ? "\u2026" : name;
}

// src/settings/log.ts
var logLevels = ["debug", "info", "warn", "error", "off"];
function createLog(logger, least) {
  if (least === "off") return void 0;
  return (attempt) => {
    const level = levelOf(attempt);
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return void 0;
    const message = lineOf(attempt);
    return isMessageFirst(logger) ? logger[level](message, attempt) : logger[level](attempt, message);
  };
}
function isMessageFirst(logger) {
  return "log" in logger;
}
function levelOf({ error, retryInMs }) {
  if (error === void 0) return "debug";
  return retryInMs === void 0 ? "error" : "warn";
}
function lineOf({ method, path, attempt, status, requestId, ...rest }) {
  const { durationMs, error, retryInMs } = rest;
  const parts = [
    `${method} ${path} attempt ${attempt}:`,
    status || "no response",
    error,
    `after ${Math.round(durationMs)} ms`,
    requestId && `(request ${requestId})`,
    retryInMs !== void 0 && `retry in ${Math.round(retryInMs)} ms`
  ];
  return parts.filter(Boolean).join(" ");
}

// src/settings/option-rules.ts
var anything = [() => true, ""];
var flag = ofType("boolean");
var callback = ofType("function");
var object = ofType("object");
var time = inRange(1, longestTimeout);
var shared = {
  timeout: time,
  attemptTimeout: time,
  maxRetries: [
    (value) => Number.isInteger(value) && inRange(0, 100)[0](value),
    "must be a whole number from 0 to 100"
  ],
  headers: object
  // its names and values are checked where they are read
};
var clientRules = {
  ...shared,
  apiKey: anything,
  baseUrl: anything,
  fetch: callback,
  fetchOptions: object,
  maxResponseSize: inRange(1, Number.MAX_SAFE_INTEGER),
  onAttempt: callback,
  onRequest: callback,
  logger: [
    (value) => logLevels.every((level) => level === "off" || typeof fieldsOf(value)[level] === "function"),
    "must have the methods debug, info, warn and error"
  ],
  logLevel: [
    (value) => typeof value === "string" && logLevels.some((level) => level === value.trim().toLowerCase()),
    `must be one of ${logLevels.join(", ")}`
  ],
  allowInsecureHttp: flag,
  dangerouslyAllowBrowser: flag
};
var callRules = {
  ...shared,
  signal: [
    (value) => "aborted" in fieldsOf(value) && typeof fieldsOf(value).addEventListener === "function",
    "must be an AbortSignal"
  ],
  idempotencyKey: [
    (value) => typeof value === "string" && /^[\x20-\x7e]{1,255}$/.test(value),
    "must be 1 to 255 printable ASCII characters"
  ]
};
function readCallOptions(options, own) {
  if (options === void 0) return {};
  return readOptions(options, { ...callRules, ...own });
}
function readOptions(options, rules2) {
  if (!isObject(options)) throw new InputError([{ path: "options", message: object[1] }]);
  const issues = Object.entries(options).flatMap(([path, value]) => {
    const rule = Object.hasOwn(rules2, path) ? rules2[path] : void 0;
    if (!rule) return [{ path, message: unknownOption(path, Object.keys(rules2)) }];
    const [fits, message] = rule;
    return value === void 0 || fits(value) ? [] : [{ path, message }];
  });
  if (issues.length > 0) throw new InputError(issues);
  return options;
}
function ofType(type) {
  return [(value) => value !== null && typeof value === type, `must be of type ${type}`];
}
function inRange(least, most) {
  return [
    (value) => typeof value === "number" && value >= least && value <= most,
    `must be a number from ${least} to ${most}`
  ];
}

// src/contract/lease.ts
var leaseStatuses = ["queued", "preparing", "active", "ended"];
var leaseFields = {
  id: string(),
  status: string(),
  access: string(),
  holder_email: nullable(string()),
  board_id: nullable(string()),
  board_type: string(),
  label: nullable(string()),
  queue_position: nullable(number()),
  minutes: number(),
  created_at: string(),
  started_at: nullable(string()),
  expires_at: nullable(string()),
  expires_in_ms: nullable(number()),
  preparation_expires_at: nullable(string()),
  ended_at: nullable(string()),
  end_reason: nullable(string()),
  end_message: nullable(string()),
  credits: nullable(number()),
  console_status: nullable(string()),
  console_message: nullable(string()),
  console_lost_at: nullable(string()),
  console_gap_offset: nullable(number()),
  console_gap_ms: nullable(number())
};
var leaseShareFields = { email: string(), access: string(), created_at: string() };
var leaseActionFields = {
  id: string(),
  action: string(),
  phase: string(),
  name: nullable(string()),
  status: string(),
  message: string(),
  progress: nullable(number()),
  console_offset: nullable(number()),
  created_at: string(),
  ended_at: nullable(string()),
  requested_by: nullable(string())
};
var firmwareFileFields = {
  id: string(),
  size: number(),
  sha256: string(),
  format: string()
};
function gapOffset({ code, param = "" }) {
  return code === "console_gap" && /^\d{1,15}$/.test(param) ? Number(param) : void 0;
}

// src/http/list.ts
var mostPages = 1e3;
var Listing = class _Listing {
  /** Names the class where it is printed. */
  [Symbol.toStringTag] = "Listing";
  #fetchPage;
  #firstPage;
  #all;
  /**
   * A list of these records, for tests of code that reads one.
   *
   * @param items - The records, or a promise of them; one that rejects is a list that fails.
   *
   * @example
   * ```ts
   * const boards = { list: () => Listing.of<Board>([board]) };
   * ```
   */
  static of(items) {
    return new _Listing(async () => ({ items: [...await items], nextCursor: void 0 }));
  }
  /** @internal */
  constructor(fetchPage) {
    this.#fetchPage = fetchPage;
    this.#firstPage = fetchPage(void 0);
    this.#firstPage.catch(() => {
    });
  }
  /** Says how to read the list, also where it is printed. */
  toString() {
    return "Listing { await it for an array, or loop over it with for await }";
  }
  /** The pages one after the other, each with its `items` and the cursor of the `nextCursor` page. */
  async *pages() {
    const seen = /* @__PURE__ */ new Set();
    for (let page = await this.#firstPage; ; page = await this.#fetchPage(page.nextCursor)) {
      yield page;
      if (page.nextCursor === void 0) return;
      if (seen.has(page.nextCursor)) throw pageRepeated();
      seen.add(page.nextCursor);
    }
  }
  /** The records one after the other. */
  async *[Symbol.asyncIterator]() {
    for await (const { items } of this.pages()) yield* items;
  }
  /**
   * The first records, without requesting more pages than they need.
   *
   * @param count - How many records; a whole number.
   */
  async first(count) {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new InputError([{ path: "count", message: "must be a whole number, 0 or more" }]);
    }
    return await this.#collect(count);
  }
  async #collect(count) {
    const items = [];
    let pages = 0;
    for await (const page of this.pages()) {
      for (const item of page.items.slice(0, count - items.length)) items.push(item);
      const response = responseOf(page);
      if (response) rememberResponse(items, response);
      if (items.length >= count) break;
      if (++pages === mostPages && page.nextCursor !== void 0) throw tooManyPages();
    }
    return items;
  }
  /** Makes `await` return an array of all records. */
  // biome-ignore lint/suspicious/noThenProperty: a listing is made to be awaited
  then(onFulfilled, onRejected) {
    this.#all ??= this.#collect(Number.POSITIVE_INFINITY);
    return this.#all.then(onFulfilled, onRejected);
  }
  /** As with any promise. */
  catch(onRejected) {
    return this.then(null, onRejected);
  }
  /** As with any promise. */
  finally(onFinally) {
    return this.then().finally(onFinally);
  }
};
Object.defineProperty(Listing.prototype, /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom"), {
  value: Listing.prototype.toString
});
function pageRepeated() {
  return new ResponseError("The service sent the same page twice", {
    code: "cursor_repeated",
    hint: "This is a bug in the service: its list does not end."
  });
}
function tooManyPages() {
  return new ResponseError(`The list has more than ${mostPages} pages`, {
    code: "too_many_pages",
    hint: "Read it with for await, ask for larger pages with pageSize, or take the first(n)."
  });
}
var envelopes = ["data", "boards", "keys", "items", "results"];
function readPage(read, body) {
  const envelope = fieldsOf(body);
  const name = envelopes.find((key) => Array.isArray(envelope[key]));
  const items = Array.isArray(body) ? body : name && envelope[name];
  if (!Array.isArray(items)) throw invalidResponse("The response is not a list");
  const where = name === void 0 ? [] : [name];
  const cursor = envelope.next_cursor;
  return {
    items: items.map((item, index) => read(item, [...where, index])),
    nextCursor: typeof cursor === "string" && cursor !== "" ? cursor : void 0
  };
}
function createListing(request, list) {
  let requested;
  return new Listing(async (cursor) => {
    requested ??= list();
    const { path, query, read, options } = requested;
    return await request({
      method: "GET",
      path,
      query: cursor === void 0 ? query : { ...query, cursor },
      options,
      read: (body) => readPage(read, body)
    });
  });
}

// src/http/path.ts
function recordPath(parent, id, what) {
  if (typeof id !== "string" || id === "") {
    throw invalidId(`must be the id of ${/^[aeiou]/i.test(what) ? "an" : "a"} ${what}`);
  }
  if (redact(id) !== id) {
    throw invalidId(
      "contains a full API key or token, not only an id; it was not sent",
      'The list of keys has the id of each key; "board-access keys id" computes it from a key.'
    );
  }
  if (/[/\\\p{Cc}\s]/u.test(id) || /^(key_)?\.+$/.test(id)) {
    throw invalidId("must not contain slashes or white space, or consist of dots");
  }
  return `${parent}/{${encodeURIComponent(id)}}`;
}
function pathAndRoute(path) {
  return { path: path.replace(/[{}]/g, ""), route: path.replace(/\{[^}]*\}/g, "{id}") };
}
function invalidId(message, hint) {
  return new InputError([{ path: "id", message }], hint);
}
function checkedPath(path) {
  const invalid = (message) => new InputError([{ path: "path", message }]);
  if (typeof path !== "string" || !path.startsWith("/")) throw invalid('must start with "/"');
  if (/^\/[/\\]|[\\?#\p{Cc}]/u.test(path)) {
    throw invalid("must be a path only, without host, query and fragment");
  }
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(path)) throw invalid('must not contain "." or ".." segments');
  if (redact(path) !== path) throw invalid("must not contain a full API key");
  return path.replace(/[{}]/g, (brace) => encodeURIComponent(brace));
}
function queryString(query) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each === void 0) continue;
      if (!/^(string|number|boolean)$/.test(typeof each)) {
        throw new InputError([{ path: name, message: "must be text, a number or a boolean" }]);
      }
      parameters.append(name, String(each));
    }
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}

// src/leases/records.ts
var complete = { complete: true };
var readLease = recordReader(leaseFields, complete);
var readAction = recordReader(leaseActionFields, complete);
var readFile = recordReader(firmwareFileFields, complete);
function leasePath(id) {
  return recordPath("/v1/leases", id, "lease");
}
async function listActions(lease, options) {
  return await createListing(lease.transport.request, () => ({
    path: `${lease.path}/actions`,
    read: (body) => readAction(body),
    options
  }));
}
async function requestLease(transport, call) {
  const times = { sentAt: 0, endsAt: 0 };
  const record = await transport.request({
    ...call,
    isPatient: true,
    read(body, _, sentAt) {
      const lease = readLease(body);
      times.sentAt = sentAt;
      times.endsAt = sentAt + (lease.expiresInMs ?? Number.POSITIVE_INFINITY);
      return lease;
    }
  });
  return { record, ...times };
}

// src/http/attempts.ts
function createAttempts(request, observers) {
  const attempts = [];
  let outcome = "not-sent";
  return {
    attempts,
    addAttempt({ startedAt, response, error, retryInMs }) {
      const known = error instanceof BoardAccessError;
      const attempt = {
        ...request,
        attempt: attempts.length + 1,
        durationMs: performance.now() - startedAt,
        ...defined({
          status: response?.status,
          requestId: response && requestIdOf(response),
          retryInMs
        }),
        ...error !== void 0 && { error: known ? error.code : "aborted" }
      };
      attempts.push(attempt);
      if (known) outcome = worse(outcome, error.outcome);
      for (const observer of observers) notify(observer, attempt);
    },
    attachAttempts(error) {
      if (!(error instanceof BoardAccessError)) return;
      error.attempts = attempts;
      const known = worse(outcome, error.outcome);
      error.outcome = request.method === "GET" && known === "unknown" ? "rejected" : known;
    }
  };
}
async function notify(observer, value) {
  try {
    await observer?.(value);
  } catch {
  }
}
function worse(one, other) {
  if (one === "unknown" || other === "unknown") return "unknown";
  return one === "rejected" ? one : other;
}

// src/http/outages.ts
var shortPauseMs = 250;
var patienceMs = 6e4;
var shortestWaitMs = 1e3;
function startWait(signal, shortestMs = shortestWaitMs) {
  const end = performance.now() + shortestMs;
  return async () => {
    const early = end - performance.now();
    if (early > 0) await pause(early, signal);
  };
}
function waitFor(error, failures) {
  return error instanceof BoardAccessError ? waitAfter(error, failures) : shortPauseMs;
}
async function pauseAfter(error, failures, signal) {
  await pause(waitFor(error, failures), signal);
}
function isTemporary(error) {
  if (error instanceof ApiError) return error.status >= 500 || [408, 429].includes(error.status);
  return error instanceof RequestTimeoutError || error instanceof ResponseError || // a page of a proxy
  error instanceof ConnectionError && !lastingFailures.includes(error.code);
}
async function persistently(work, { until = () => 0, signal, repeats = isTemporary }) {
  let giveUpAt = 0;
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const now = performance.now();
      if (failures === 1) giveUpAt = now + patienceMs;
      if (signal.aborted || !repeats(error) || now >= Math.max(giveUpAt, until())) throw error;
      await pauseAfter(error, failures, signal);
    }
  }
}

// src/leases/errors.ts
var LeaseEndedError = class extends BoardAccessError {
  /** @internal */
  constructor(message, lease) {
    super(message, { code: "lease_ended", outcome: "unknown", ...lease });
  }
};
var NoBoardError = class extends BoardAccessError {
  /** @internal */
  constructor(known) {
    const { message, leaseId, hint, requestId, attempts = [] } = known;
    const cause = known instanceof Error ? known : void 0;
    const details = { leaseId, hint, requestId, attempts, cause };
    super(message, { code: "no_board_available", outcome: "rejected", ...details });
  }
};
var ActionFailedError = class extends BoardAccessError {
  /** @internal */
  constructor(action) {
    super(action.message || `The board could not carry out ${action.action}`, {
      code: "action_failed",
      outcome: "unknown",
      action
    });
  }
};
var ExpectationError = class extends BoardAccessError {
  /** @internal */
  constructor(message, seen) {
    super(message, {
      code: seen.matched === void 0 ? "not_seen" : "fail_seen",
      outcome: "rejected",
      ...seen
    });
  }
};
var ConsoleUnavailableError = class extends BoardAccessError {
  /** @internal */
  constructor({ consoleStatus, consoleLostAt, consoleMessage, consoleGapMs } = {}) {
    const isBack = (consoleStatus ?? "connected") === "connected";
    const since = consoleLostAt ? ` (since ${consoleLostAt})` : "";
    const reason = consoleMessage ? `: ${consoleMessage}` : "";
    const message = isBack ? `Part of the console output of the board is missing${consoleGapMs ? ` (${consoleGapMs / 1e3} s)` : ""}` : `The console of the board is ${consoleStatus}${since}${reason}`;
    super(message, {
      code: isBack ? "console_interrupted" : "console_disconnected",
      hint: "Some output is not known, so this does not mean that the firmware failed.",
      outcome: "rejected",
      gapMs: isBack ? consoleGapMs ?? void 0 : void 0
    });
  }
};
var WriteError = class extends BoardAccessError {
  /** @internal */
  constructor({ sent, total, cause }) {
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    super(`Only ${sent} of ${total} bytes are confirmed as sent${reason}`, {
      code: "write_incomplete",
      outcome: "unknown",
      sent,
      total,
      cause
    });
  }
};
var ScenarioError = class extends BoardAccessError {
  /** @internal */
  constructor(action, cause) {
    super(`The scenario was disturbed: its board had another action, ${actionText(action)}`, {
      code: "scenario_disturbed",
      hint: "Reset or flash the board, and run it again while nobody else uses the lease.",
      outcome: "unknown",
      action,
      cause
    });
  }
};
function actionText({ action, id, status, createdAt }) {
  return `${action} (${id}, requested at ${createdAt}, ${status})`;
}
nameErrors({
  LeaseEndedError,
  NoBoardError,
  ActionFailedError,
  ExpectationError,
  ConsoleUnavailableError,
  WriteError,
  ScenarioError
});

// src/errors/guards.ts
function isBoardAccessError(error) {
  return typeof error === "object" && error !== null && brand in error;
}
function isApiError(error, codeOrStatus) {
  return isBoardAccessError(error) && error.name === "ApiError" && (codeOrStatus === void 0 || error.code === codeOrStatus || error.status === codeOrStatus);
}

// src/contract/steps.ts
var longestTime = 2 ** 31 - 1;
var pattern = "must be text that is not empty, or a regular expression";
var time2 = [
  (value) => typeof value === "number" && value >= 1 && value <= longestTime,
  "must be a number of milliseconds, at least 1"
];
var rules = {
  expect: [isPattern, pattern],
  fail: [(value) => [value].flat().length > 0 && [value].flat().every(isPattern), pattern],
  send: [
    (value) => value instanceof Uint8Array || isText(value),
    "must be text that is not empty, or a Uint8Array"
  ],
  wait: time2,
  waitMs: time2,
  reset: [(value) => value === true, "must be true"],
  timeout: time2
};
function problemOf(step, kinds) {
  const problem = unknownField(step, [...kinds, "timeout"]);
  if (problem) return problem;
  const given = Object.entries(Object(step)).filter(([, value]) => value !== void 0);
  const [kind, ...others] = given.map(([name]) => name).filter((name) => name !== "timeout");
  if (!kind || others.length > 0) return { message: `a step has one of ${kinds.join(", ")}` };
  if (given.length > 1 && kind !== "expect") {
    return { message: "only expect can have a timeout", field: "timeout" };
  }
  const wrong = given.find(([name, value]) => !rules[name]?.[0](value));
  return wrong && { message: `${wrong[0]}: ${rules[wrong[0]]?.[1]}`, field: wrong[0] };
}
function unknownField(value, known) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { message: `must be a map of ${known.join(", ")}` };
  }
  const field = Object.keys(value).find((name) => !known.includes(name));
  if (field === void 0) return void 0;
  const meant = nearest(field, known);
  const advice = `${meant ? `Did you mean ${meant}? ` : ""}Allowed: ${known.join(", ")}.`;
  return { message: `there is no "${field}". ${advice}`, field };
}
function isPattern(value) {
  return value instanceof RegExp || isText(value);
}
function isText(value) {
  return typeof value === "string" && value !== "";
}

export {
  Listing,
  readPage,
  createListing,
  recordPath,
  pathAndRoute,
  checkedPath,
  queryString,
  leaseStatuses,
  leaseFields,
  leaseShareFields,
  gapOffset,
  abortable,
  followSignals,
  followLater,
  pause,
  quietTimer,
  recordReader,
  snakeCased,
  readInput,
  masked,
  listQuery,
  fieldRule,
  textOrList,
  isObject,
  logLevels,
  createLog,
  anything,
  flag,
  callback,
  clientRules,
  readCallOptions,
  readOptions,
  ofType,
  inRange,
  createAttempts,
  notify,
  startWait,
  waitFor,
  pauseAfter,
  isTemporary,
  persistently,
  readLease,
  readAction,
  readFile,
  leasePath,
  listActions,
  requestLease,
  LeaseEndedError,
  NoBoardError,
  ActionFailedError,
  ExpectationError,
  ConsoleUnavailableError,
  WriteError,
  ScenarioError,
  isBoardAccessError,
  isApiError,
  problemOf,
  unknownField
};

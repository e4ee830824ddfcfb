import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import {
  ActionFailedError,
  ConsoleUnavailableError,
  ExpectationError,
  LeaseEndedError,
  LeaseNotSharedError,
  NoBoardError,
  ScenarioError,
  WriteError,
  abortable,
  anything,
  boolean,
  callback,
  createListing,
  fieldRule,
  filledText,
  flag,
  followLater,
  followSignals,
  gapOffset,
  isApiError,
  isObject,
  isTemporary,
  keepCallers,
  leasePath,
  leaseShareFields,
  leaseStatuses,
  listActions,
  notify,
  nullable,
  number,
  ofType,
  pause,
  pauseAfter,
  persistently,
  problemOf,
  quietTimer,
  readAction,
  readCallOptions,
  readFile,
  readInput,
  readWorkOptions,
  recordPath,
  recordReader,
  requestLease,
  snakeCased,
  startWait,
  string,
  waitFor,
  wholeNumber
} from "./chunk-R475Q44S.js";
import {
  joinBytes
} from "./chunk-YRELY25F.js";
import {
  ApiError,
  BoardAccessError,
  ConnectionError,
  InputError,
  RequestTimeoutError,
  fieldsOf,
  invalidResponse,
  jsonBody,
  redactedCause,
  rememberResponse,
  responseOf,
  unknownOption,
  visible
} from "./chunk-JWYXB3XR.js";
import "./chunk-ZNZW5SZL.js";

// src/leases/helpers.ts
function joinLimits(options, own, other) {
  const { signal, timeout } = readWorkOptions(options, own);
  signal?.throwIfAborted();
  return followSignals([signal, other], { milliseconds: timeout });
}
function mayBeDone(error) {
  return !(error instanceof BoardAccessError) || error.outcome === "unknown";
}
function offsetIn(headers) {
  const offset = headers.get("x-console-offset") ?? "";
  if (/^\d{1,15}$/.test(offset)) return Number(offset);
  throw invalidResponse("The response is not of the console");
}
function uniqueKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// src/leases/input.ts
var text = nullable(string());
function milliseconds(least, message) {
  const fits = (value) => value === null || typeof value === "number" && value >= least && value < Number.POSITIVE_INFINITY;
  return fieldRule(fits, message);
}
var durationFields = {
  durationMs: milliseconds(1, "must be a number of milliseconds, 1 or more")
};
var board = nullable(filledText);
var leaseFields = {
  boardType: board,
  boardId: board,
  ...durationFields,
  waitMs: milliseconds(0, "must be a number of milliseconds, 0 or more"),
  label: text,
  requiresAgent: nullable(boolean())
};
function readLeaseInput(input) {
  const { durationMs, waitMs, ...wanted } = readInput(leaseFields, input);
  if (isGiven(wanted.boardType) === isGiven(wanted.boardId)) {
    const message = "is required unless boardId is given; pass only one of them";
    throw new InputError([{ path: "boardType", message }]);
  }
  const waitSeconds2 = isGiven(waitMs) ? Math.ceil(waitMs / 1e3) : void 0;
  return { ...wanted, minutes: minutesOf(durationMs), waitSeconds: waitSeconds2 };
}
function readPinInput(input) {
  const fields = { pin: string(), volts: nullable(number()) };
  return readInput(fields, input, fields);
}
function readRenewal(input) {
  const { durationMs, ...others } = readInput(durationFields, input);
  const issues = Object.keys(others).map((path) => ({
    path,
    message: unknownOption(path, Object.keys(durationFields))
  }));
  if (issues.length > 0) throw new InputError(issues);
  return minutesOf(durationMs);
}
function minutesOf(durationMs) {
  return isGiven(durationMs) ? Math.ceil(durationMs / 6e4) : void 0;
}
function isGiven(value) {
  return value !== void 0 && value !== null;
}

// src/leases/actions.ts
var waitSeconds = 2;
var waitTimeout = 15e3;
var uploadTimeout = 4e4;
var slowestUpload = 16 * 1024;
async function carryOut(lease, wanted, { signal, headers }, onChange = () => {
}) {
  const shared = { signal, headers };
  let action = await requestAction(lease, wanted, shared);
  lease.ownActions.add(action.id);
  onChange(action);
  while (!hasEnded(action)) {
    const { id } = action;
    const pauseIfEarly = startWait(signal);
    action = await lease.insist(() => readChanged(lease, id, shared), signal);
    onChange(action);
    if (!hasEnded(action)) await pauseIfEarly();
  }
  if (action.status === "done") return action;
  await lease.refresh(shared).catch(() => {
  });
  throw new ActionFailedError(action);
}
async function flash(lease, firmware, { raw, flashOffset, onProgress, signal, headers }) {
  const shared = { signal, headers };
  const bytes = await bytesOf(firmware);
  await requireFormat(bytes, { raw, flashOffset });
  const total = bytes.byteLength;
  let reported = { step: "uploading", bytes: 0, total, percent: null };
  notify(onProgress, reported);
  const { id } = await upload(lease, bytes, { raw, ...shared });
  const wanted = { action: "flash", file_id: id, flash_offset: flashOffset };
  return await carryOut(lease, wanted, shared, ({ status, progress }) => {
    const step = status === "queued" ? "queued" : "flashing";
    const percent = progress ?? null;
    if (reported.step === step && reported.percent === percent) return;
    reported = { step, bytes: total, total, percent };
    notify(onProgress, reported);
  });
}
var voltages = fieldRule(
  (value) => isObject(value) && Object.values(value).every((volts) => typeof volts === "number"),
  "must have a number for each pin"
);
var readPins = recordReader({ driven: voltages }, { complete: true });
async function drivePin({ transport, path }, input, options) {
  const { driven } = await transport.request({
    method: "POST",
    path: `${path}/pins`,
    body: jsonBody(readPinInput(input)),
    isPatient: true,
    options: { idempotencyKey: uniqueKey(), ...options },
    read: (body) => readPins(body)
  });
  return driven;
}
async function requestAction({ transport, path }, wanted, shared) {
  return await transport.request({
    method: "POST",
    path: `${path}/actions`,
    body: jsonBody(wanted),
    isPatient: true,
    options: { ...shared, idempotencyKey: uniqueKey() },
    read: (body) => readAction(body)
  });
}
async function readChanged({ transport, path }, id, shared) {
  return await transport.request({
    method: "GET",
    path: recordPath(`${path}/actions`, id, "action"),
    query: { wait: waitSeconds },
    options: { ...shared, timeout: waitTimeout },
    read: (body) => readAction(body)
  });
}
async function upload({ transport, path }, body, { raw, signal, headers }) {
  const attemptTimeout2 = uploadTimeout + Math.ceil(body.length / slowestUpload * 1e3);
  return await transport.request({
    method: "POST",
    path: `${path}/files`,
    query: { raw: raw || void 0 },
    body,
    isPatient: true,
    options: {
      signal,
      headers,
      attemptTimeout: attemptTimeout2,
      timeout: 3 * attemptTimeout2,
      idempotencyKey: uniqueKey()
    },
    read: (body2) => readFile(body2)
  });
}
function hasEnded({ status }) {
  return status === "done" || status === "failed";
}
async function requireFormat(bytes, options) {
  const { checkFormat } = await import("./format-QJWO7TR7.js");
  try {
    checkFormat(bytes, options);
  } catch (error) {
    throw new InputError([{ path: "firmware", message: error.message }]);
  }
}
async function bytesOf(firmware) {
  if (firmware instanceof Blob) return new Uint8Array(await firmware.arrayBuffer());
  if (firmware instanceof ArrayBuffer) return new Uint8Array(firmware);
  if (firmware instanceof Uint8Array) return new Uint8Array(firmware);
  throw new InputError(
    [{ path: "firmware", message: "must be a Uint8Array, an ArrayBuffer or a Blob" }],
    "Read the file first: await readFile(path)."
  );
}

// src/leases/console/health.ts
var maxSilenceMs = { watched: 3e3, unwatched: 3e4 };
var slowOpeningMs = 1500;
var graceMs = 2e3;
var ConsoleHealth = class {
  #watchers = /* @__PURE__ */ new Set();
  /** Called when the console can be read again, and when it no longer can. */
  #onChange;
  #lost;
  /** Closes the connection, so that another one is opened; undefined while none is open. */
  #replace;
  /** How many bytes the console had when the connection was opened, and are still on their way. */
  #missing = 0;
  #heardAt = 0;
  #slow;
  constructor(onChange) {
    this.#onChange = onChange;
  }
  /** Returns a function that ends the watching. */
  watch(watcher2) {
    if (!watcher2) return () => {
    };
    const own = (connection) => watcher2(connection);
    this.#watchers.add(own);
    if (this.#lost) notify(own, lostConnection(this.#lost.error));
    return () => this.#watchers.delete(own);
  }
  /** How long the console has not been readable, in milliseconds. */
  get lostForMs() {
    return this.#lost ? performance.now() - this.#lost.since : 0;
  }
  /** Why the console cannot be read, as far as it is known. */
  get error() {
    return this.#lost?.error ?? new RequestTimeoutError(graceMs, "output or response of the console");
  }
  /** Whether all was received that the console had shown at that time. */
  isCurrentAt(time) {
    return this.#replace !== void 0 && this.#missing <= 0 && this.#heardAt >= time;
  }
  /** Whether the connection should be replaced. */
  get isTooSilent() {
    const { watched, unwatched } = maxSilenceMs;
    return performance.now() - this.#heardAt > (this.#watchers.size > 0 ? watched : unwatched);
  }
  /** Replaces a connection, which may be broken without a sign of it. */
  confirm() {
    this.#replace?.();
  }
  opening() {
    const slow = new RequestTimeoutError(slowOpeningMs, "response of the console");
    this.#slow = quietTimer(() => this.failed(slow), slowOpeningMs);
  }
  opened(missing2, replace) {
    clearTimeout(this.#slow);
    this.#replace = replace;
    this.#missing = missing2;
    this.received(0);
    const wasLost = this.#lost !== void 0;
    this.#lost = void 0;
    if (wasLost) this.#report({ connected: true });
    this.#onChange();
  }
  received(bytes) {
    this.#missing -= bytes;
    this.#heardAt = performance.now();
  }
  closed() {
    clearTimeout(this.#slow);
    this.#replace = void 0;
  }
  failed(error) {
    const before = this.#lost && lostConnection(this.#lost.error);
    const connection = lostConnection(error);
    this.#lost = { error, since: this.#lost?.since ?? performance.now() };
    if (connection.reason !== before?.reason) this.#report(connection);
    this.#onChange();
  }
  #report(connection) {
    for (const watcher2 of this.#watchers) notify(watcher2, connection);
  }
};
function lostConnection(error) {
  const reason = isApiError(error, "rate_limited") ? "rate_limited" : "unreachable";
  return { connected: false, reason, error };
}

// src/leases/console/stream.ts
var drainMs = 2e3;
var maxFailures = 3;
var maxRefreshMs = 4e3;
var minPatienceMs = 6e4;
var openingMs = 1e4;
var silenceCheckMs = 500;
async function* consoleChunks(lease, { signal: caller, ...reading }) {
  const drained = followLater(lease.over, drainMs, caller);
  const { signal, end } = followSignals([caller, drained.signal]);
  try {
    yield* chunksUntilEnd(lease, { ...reading, signal });
  } catch (error) {
    caller.throwIfAborted();
    if (!lease.over.aborted) throw error;
  } finally {
    drained.end();
    end();
  }
  if (lease.record.endReason !== "released") throw lease.endedError();
}
async function* chunksUntilEnd(lease, reading) {
  const { position, signal, headers, health } = reading;
  const patience = Math.max(minPatienceMs, (lease.record.minutes ?? 0) * 6e4);
  for (let failures = 0; ; ) {
    const { next } = position;
    const isLast = lease.over.aborted;
    let failure;
    try {
      const wasSilent = yield* connectionChunks(lease, reading);
      if (isLast) return;
      if (wasSilent) {
        failures = 0;
        continue;
      }
      await lease.refresh({ signal, headers, maxRetries: 0, timeout: maxRefreshMs });
      if (lease.over.aborted) return;
    } catch (error) {
      signal.throwIfAborted();
      const isHopeless = isLast || !isTemporary(error) || health.lostForMs > patience;
      if (isHopeless) throw await lease.explain(error);
      failure = error;
      health.failed(error);
    }
    if (position.next !== next) failures = 0;
    failures = Math.min(failures + 1, maxFailures);
    await pauseAfter(failure, failures, signal);
  }
}
async function* connectionChunks(lease, { position, signal: caller, headers, health }) {
  const { signal, abort } = followSignals([caller]);
  const silent = new RequestTimeoutError(silenceCheckMs, "output of the console");
  let timer;
  let reader;
  const check = () => {
    if (health.isTooSilent) abort(silent);
    else timer = quietTimer(check, silenceCheckMs);
  };
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  try {
    health.opening();
    const from = position.next;
    const opened = await openConsole(lease, from, { signal, headers });
    const { start, shown } = opened;
    reader = opened.reader;
    position.next = start;
    if (start !== from) yield { bytes: new Uint8Array(), next: start };
    health.opened(shown - start, () => abort(silent));
    check();
    for await (const bytes of chunksOf(reader, signal)) {
      position.next += bytes.length;
      health.received(bytes.length);
      yield { bytes, next: position.next };
    }
    return false;
  } catch (error) {
    if (error === silent) return true;
    throw error;
  } finally {
    health.closed();
    abort(new Error("The console is no longer read"));
    reader?.cancel().catch(() => {
    });
  }
}
async function openConsole({ transport, path }, from, shared) {
  return await transport.request({
    method: "GET",
    path: `${path}/console`,
    query: { from },
    asStream: true,
    options: { ...shared, timeout: openingMs, maxRetries: 0 },
    read: (_, { headers, body }) => {
      if (!body) throw invalidResponse("The response is not of the console");
      const start = offsetIn(headers);
      return {
        reader: body.getReader(),
        start,
        shown: Number(headers.get("x-console-end") ?? start)
      };
    }
  });
}
async function* chunksOf(reader, signal) {
  try {
    for (; ; ) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new ConnectionError("The connection to the console was lost", {
      code: "connection_lost",
      cause: redactedCause(error),
      outcome: "rejected"
      // reading changes nothing
    });
  }
}

// src/leases/console/feed.ts
var lingerMs = 500;
var maxBytes = 1024 * 1024 + 256 * 1024;
var chunkSize = 16 * 1024;
function receivedAt({ arrivals }, offset) {
  return new Date(arrivals.findLast((each) => each.offset <= offset)?.time ?? Date.now());
}
var ConsoleFeed = class _ConsoleFeed {
  #lease;
  #headers;
  /** Resolved and replaced whenever readers have to look again. */
  #changed = Promise.withResolvers();
  #chunks = [];
  /** The offsets of the first byte that is kept, and of the one that comes next. */
  #start = 0;
  #next = 0;
  #readers = 0;
  #run;
  #linger;
  constructor(lease, headers) {
    this.#lease = lease;
    this.#headers = headers;
  }
  /** Ends with the console, or at the deadline; throws if the console could not be read until then. */
  async *read(options) {
    const { headers } = options;
    if (headers !== this.#headers)
      return yield* new _ConsoleFeed(this.#lease, headers).read(options);
    for (let from = options.from ?? 0; from !== void 0; ) {
      const feed = this.#canRead(from) ? this : new _ConsoleFeed(this.#lease, headers);
      from = yield* feed.#readAs(this, { ...options, from });
    }
  }
  /** Returns where to go on if it was too slow for what is kept, or the shared feed has what follows. */
  async *#readAs(shared, { from, signal, deadline, onConnection }) {
    signal?.throwIfAborted();
    const run2 = this.#join(from);
    const unwatch = run2.health.watch(onConnection);
    const grace = this.#graceAfter(deadline, run2.health);
    let next = from;
    try {
      while (next >= this.#start) {
        const position = this.#positionOf(next);
        const isOwn = shared !== this && run2.health.lostForMs === 0;
        if (isOwn && shared.#canRead(position)) return position;
        const chunk = this.#chunkAt(position);
        if (chunk) {
          next = chunk.next;
          yield chunk;
        } else if (run2.end) {
          if (!("error" in run2.end)) return void 0;
          throw this.#lease.over.aborted ? this.#lease.endedError() : run2.end.error;
        } else if (run2.health.isCurrentAt(grace.since)) return void 0;
        else if (grace.isOver) throw run2.health.error;
        else await abortable(this.#changed.promise, signal);
      }
      return next;
    } finally {
      grace.end();
      unwatch();
      this.#leave();
      if (shared !== this) this.#stopUnread();
    }
  }
  #keeps(offset) {
    return offset >= this.#start && offset <= this.#next;
  }
  /** Whether a reader can begin there: others need the connection where it is. */
  #canRead(from) {
    return this.#readers === 0 || this.#keeps(from);
  }
  #join(from) {
    clearTimeout(this.#linger);
    if (!this.#keeps(from)) {
      this.#stopUnread();
      [this.#chunks, this.#start, this.#next] = [[], from, from];
    }
    if (!this.#run || this.#run.end) this.#run = this.#begin();
    this.#readers++;
    return this.#run;
  }
  #begin() {
    const stop = new AbortController();
    const run2 = { stop, health: new ConsoleHealth(() => this.#announce()) };
    const onEnd = () => this.#stopUnread();
    this.#lease.over.addEventListener("abort", onEnd, { once: true, signal: stop.signal });
    void this.#follow(run2);
    return run2;
  }
  #leave() {
    this.#readers--;
    if (this.#lease.over.aborted) this.#stopUnread();
    else if (this.#readers === 0) {
      this.#linger = quietTimer(() => this.#stopUnread(), lingerMs);
    }
  }
  #stopUnread() {
    if (this.#readers > 0) return;
    clearTimeout(this.#linger);
    this.#run?.stop.abort(new Error("The console is no longer read"));
    this.#run = void 0;
  }
  async #follow(run2) {
    const { health, stop } = run2;
    const { signal } = stop;
    try {
      const position = { next: this.#next };
      const reading = { position, signal, headers: this.#headers, health };
      for await (const chunk of consoleChunks(this.#lease, reading)) {
        if (signal.aborted) break;
        this.#keep(chunk);
        this.#announce();
      }
      run2.end = {};
    } catch (error) {
      run2.end = { error };
    }
    stop.abort();
    this.#announce();
  }
  #keep({ bytes, next }) {
    const start = next - bytes.length;
    if (start < this.#next) [this.#chunks, this.#start] = [[], start];
    const arrival = { offset: start, time: Date.now() };
    const last = this.#chunks.at(-1);
    if (last?.next === start && last.bytes.length + bytes.length <= chunkSize) {
      const { arrivals } = last;
      if (arrivals.at(-1)?.time !== arrival.time) arrivals.push(arrival);
      this.#chunks.splice(-1, 1, { bytes: joinBytes([last.bytes, bytes]), next, arrivals });
    } else this.#chunks.push({ bytes, next, arrivals: [arrival] });
    this.#next = next;
    this.#forget();
  }
  #forget() {
    let size = this.#chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
    while (size > maxBytes && this.#chunks.length > 1) {
      const oldest = this.#chunks.shift();
      size -= oldest?.bytes.length ?? size;
      this.#start = oldest?.next ?? this.#next;
    }
  }
  /** Where a reader is that began after the end of the console. */
  #positionOf(offset) {
    return offset > this.#next ? this.#start : offset;
  }
  #chunkAt(from) {
    const chunk = this.#chunks.find(({ next: next2 }) => next2 > from);
    if (!chunk) return void 0;
    const { bytes, next } = chunk;
    return { ...chunk, bytes: bytes.slice(Math.max(0, from - next + bytes.length)) };
  }
  /** Begins at the deadline, when the connection is replaced by one that can be trusted. */
  #graceAfter(deadline, health) {
    let timer;
    const begin = () => {
      grace.since = performance.now();
      health.confirm();
      timer = quietTimer(() => {
        grace.isOver = true;
        this.#announce();
      }, graceMs);
      this.#announce();
    };
    const end = () => {
      clearTimeout(timer);
      deadline?.removeEventListener("abort", begin);
    };
    const grace = { since: Number.POSITIVE_INFINITY, isOver: false, end };
    if (deadline?.aborted) begin();
    deadline?.addEventListener("abort", begin, { once: true });
    return grace;
  }
  #announce() {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
};

// src/leases/console/text.ts
var maxLine = 64 * 1024;
var [newline, carriageReturn] = [10, 13];
var decoder = new TextDecoder("utf-8", { ignoreBOM: true });
async function* cutTexts(chunks, findCut) {
  const cutter = new Cutter(findCut);
  try {
    for await (const chunk of chunks) yield* cutter.add(chunk);
  } catch (error) {
    if (error instanceof LeaseEndedError) yield* cutter.cut();
    throw error;
  }
  yield* cutter.cut();
}
var Cutter = class {
  #findCut;
  /** What was received of the next text, the offset of its first byte, and when that was received. */
  #rest = new Uint8Array();
  #start = 0;
  #receivedAt = /* @__PURE__ */ new Date();
  constructor(findCut) {
    this.#findCut = findCut;
  }
  *add(chunk) {
    const start = chunk.next - chunk.bytes.length;
    if (start !== this.#start + this.#rest.length) yield* this.cut();
    if (this.#rest.length === 0) {
      [this.#start, this.#receivedAt] = [start, receivedAt(chunk, start)];
    }
    this.#rest = joinBytes([this.#rest, chunk.bytes]);
    yield* this.cut(chunk);
  }
  /** The texts up to the end of a chunk. Without one, no more bytes come. */
  *cut(chunk) {
    while (this.#rest.length > 0) {
      const cut = this.#findCut(this.#rest, !chunk);
      if (!cut) return;
      const [length, next] = cut;
      const text2 = decoder.decode(this.#rest.subarray(0, length));
      const first = { text: text2, offset: this.#start, receivedAt: this.#receivedAt };
      this.#start += next;
      this.#rest = this.#rest.subarray(next);
      if (chunk) this.#receivedAt = receivedAt(chunk, this.#start);
      yield { ...first, nextOffset: this.#start };
    }
  }
};
function findText(bytes, isLast) {
  const length = isLast ? bytes.length : completeLength(bytes);
  return length > 0 ? [length, length] : void 0;
}
function findLine(bytes, isLast) {
  const end = bytes.findIndex((byte) => byte === newline || byte === carriageReturn);
  const length = end < 0 ? bytes.length : end;
  if (length > maxLine) return findText(bytes.subarray(0, maxLine), false);
  if (end < 0) return isLast ? [length, length] : void 0;
  if (bytes[end] === newline) return [length, end + 1];
  if (end + 1 === bytes.length && !isLast) return void 0;
  return [length, bytes[end + 1] === newline ? end + 2 : end + 1];
}
function completeLength(bytes) {
  const start = bytes.findLastIndex((byte) => byte < 128 || byte >= 192);
  const lead = bytes[start] ?? 0;
  const needed = lead >= 240 ? 4 : lead >= 224 ? 3 : 2;
  const isSplit = lead >= 194 && lead <= 244 && bytes.length - start < needed;
  return isSplit ? start : bytes.length;
}

// src/leases/console/writer.ts
var burst = 100;
var paceMs = 25;
var maxConsoleInput = 4 * 1024;
var patienceMs = 15e3;
var attemptTimeout = 5e3;
var abortMs = 1e3;
var PendingWrite = class {
  bytes;
  signal;
  headers;
  /** How many of its bytes the service has. */
  sent = 0;
  /** Whether some of them may have been sent that the service has not confirmed. */
  isUnderWay = false;
  #settled = Promise.withResolvers();
  constructor(data, { signal, headers }) {
    this.bytes = typeof data === "string" ? new TextEncoder().encode(data) : data.slice();
    this.signal = signal;
    this.headers = headers;
  }
  /** Resolves when all was sent. */
  get settled() {
    return this.#settled.promise;
  }
  get isOpen() {
    return this.sent < this.bytes.length && !this.signal.aborted;
  }
  confirm(bytes) {
    this.isUnderWay = false;
    this.sent += bytes;
    if (this.sent === this.bytes.length) this.#settled.resolve();
    else if (this.signal.aborted) this.fail(this.signal.reason);
  }
  /** Rejects, and says how much was sent. */
  fail(cause) {
    const { sent, bytes } = this;
    const isPartial = sent > 0 || this.isUnderWay;
    this.#settled.reject(isPartial ? new WriteError({ sent, total: bytes.length, cause }) : cause);
  }
};
var ConsoleWriter = class {
  #lease;
  #pending = [];
  #isSending = false;
  /** When the next request could be sent if none had been sent at once. */
  #due = 0;
  /** Where the input ends, unless others write, too; undefined if the service has to say it. */
  #offset = 0;
  /** Whether an attempt for the current chunk may have been carried out. */
  #mayBeSent = false;
  constructor(lease) {
    this.#lease = lease;
  }
  async write(data, shared) {
    if (typeof data !== "string" && Object.prototype.toString.call(data) !== "[object Uint8Array]") {
      throw new InputError([{ path: "data", message: "must be text or a Uint8Array" }]);
    }
    const { signal } = shared;
    signal.throwIfAborted();
    if (this.#lease.over.aborted) throw this.#endedBefore();
    const write = new PendingWrite(data, shared);
    let timer;
    const stop = () => {
      const fail = () => write.fail(signal.reason);
      if (write.isUnderWay) timer = setTimeout(fail, abortMs);
      else fail();
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#pending.push(write);
    void this.#send();
    try {
      await write.settled;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }
  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const time = performance.now();
      this.#due = Math.max(this.#due, time - burst * paceMs) + paceMs;
      const pause2 = this.#pending[0]?.sent ? 0 : this.#due - time;
      if (pause2 > 0) await new Promise((resolve) => setTimeout(resolve, pause2));
      await this.#sendChunk();
    }
    this.#isSending = false;
  }
  async #sendChunk() {
    const parts = partsOf(this.#pending);
    for (const { write } of parts) write.isUnderWay = true;
    const isWanted = () => parts.some(({ write }) => !write.signal.aborted);
    try {
      const bytes = joinBytes(parts.map(({ bytes: bytes2 }) => bytes2));
      await this.#post({ bytes, headers: parts[0]?.write.headers }, isWanted);
      for (const { write, bytes: bytes2 } of parts) write.confirm(bytes2.length);
    } catch (error) {
      for (const { write } of parts) write.isUnderWay = this.#mayBeSent;
      const reason = await this.#lease.explain(error);
      for (const write of isWanted() ? this.#pending : parts.map((part) => part.write)) {
        const isLate = this.#lease.over.aborted && !write.isUnderWay;
        const why = isLate ? this.#endedBefore() : reason;
        write.fail(write.signal.aborted ? write.signal.reason : why);
      }
      if (isWanted()) this.#pending = [];
    }
    this.#pending = this.#pending.filter(({ isOpen }) => isOpen);
  }
  /** The error of a write that had not begun when the lease ended. */
  #endedBefore() {
    return Object.assign(this.#lease.endedError(), { outcome: "not-sent" });
  }
  /** Repeats until the service has the bytes: under one name, they cannot be written twice. */
  async #post(chunk, isWanted) {
    this.#mayBeSent = false;
    if (chunk.bytes.length === 0) return;
    const until = performance.now() + patienceMs;
    const piece = uniqueKey();
    for (let failures = 0; ; failures++) {
      try {
        this.#offset ??= await this.#attempt({ ...chunk, bytes: new Uint8Array() });
        this.#offset = await this.#attempt(chunk, piece);
        return;
      } catch (error) {
        const isGap = error instanceof ApiError && error.code === "console_gap";
        const end = isGap ? gapOffset(error) : void 0;
        this.#mayBeSent = end === void 0 && (this.#mayBeSent || mayBeDone(error));
        const isUnknown = isGap && this.#mayBeSent;
        if (isUnknown || !canRepeat(error) || performance.now() >= until) throw error;
        if (isGap) this.#offset = end;
        if (isWanted()) await pauseAfter(error, failures, this.#lease.over);
        if (!isWanted()) throw error;
      }
    }
  }
  async #attempt({ bytes: body, headers }, piece) {
    return await this.#lease.transport.request({
      method: "POST",
      path: `${this.#lease.path}/console`,
      query: { offset: this.#offset, piece },
      body,
      options: { signal: this.#lease.over, headers, timeout: attemptTimeout, maxRetries: 0 },
      read: (_, { headers: headers2 }) => offsetIn(headers2)
    });
  }
};
function partsOf(pending) {
  let room = maxConsoleInput;
  const parts = [];
  const open = pending.filter(({ signal }) => !signal.aborted);
  for (const write of open) {
    if (room === 0 || write.headers !== open[0]?.headers) break;
    const bytes = write.bytes.subarray(write.sent, write.sent + room);
    room -= bytes.length;
    parts.push({ write, bytes });
  }
  return parts;
}
function canRepeat(error) {
  return isTemporary(error) || error instanceof ApiError && /^console_(gap|input_full)$/.test(error.code);
}

// src/leases/console/console.ts
var maxOffset = 999999999999;
var BoardConsole = class {
  #feed;
  #writer;
  #expectations;
  constructor(lease, feed, expectations) {
    this.#feed = feed;
    this.#writer = new ConsoleWriter(lease);
    this.#expectations = expectations;
  }
  get actionOffset() {
    return this.#expectations.earliest;
  }
  [Symbol.asyncIterator]() {
    return onlyText(this.#texts({}));
  }
  text(options = {}) {
    const texts = this.#texts(options);
    return options?.withOffsets ? texts : onlyText(texts);
  }
  #texts(options) {
    return cutTexts(this.#chunks(options, { withOffsets: flag }), findText);
  }
  lines(options = {}) {
    return cutTexts(this.#chunks(options), findLine);
  }
  async *read(options = {}) {
    for await (const { bytes } of this.#chunks(options)) yield bytes;
  }
  async *#chunks(options, own = {}) {
    const { signal, end } = joinLimits(options, {
      from: wholeNumber(0, maxOffset),
      onConnection: callback,
      ...own
    });
    try {
      yield* this.#feed.read({ ...options, signal });
    } finally {
      end();
    }
  }
  async write(data, options = {}) {
    const { signal, end } = joinLimits(options);
    await this.#writer.write(data, { ...options, signal }).finally(end);
  }
  async expect(pattern, options) {
    return await this.#expectations.expect(pattern, options);
  }
  async expectLine(pattern, options) {
    return await this.#expectations.expect(pattern, options, { lines: true });
  }
};
keepCallers(BoardConsole.prototype);
async function* onlyText(texts) {
  for await (const { text: text2 } of texts) yield text2;
}

// src/leases/console/decoded-console.ts
var maxBytes2 = 1024 * 1024;
var tolerance = 256 * 1024;
var lineBreak = Uint8Array.of(13, 10);
var DecodedConsole = class {
  /** What was read and not consumed, as text. A character that is not complete is left out. */
  text = "";
  /** Where in the text bytes are missing: a line that begins or ends there is not whole. */
  gaps = [];
  /** The offset before which bytes were missing; negative if none were. */
  missingUntil = -1;
  /** The offset of the byte that is read next. */
  next = 0;
  #chunks = [];
  #decoder = streamDecoder();
  /** The offset of the first byte that was not consumed. */
  get start() {
    const [first] = this.#chunks;
    return first ? first.next - first.bytes.length : this.next;
  }
  /** When that byte was received; now if it was not. */
  get receivedAt() {
    const [first] = this.#chunks;
    return first ? receivedAt(first, this.start) : /* @__PURE__ */ new Date();
  }
  append(chunk) {
    const { bytes, next } = chunk;
    const start = next - bytes.length;
    if (start !== this.next) {
      this.missingUntil = start;
      if (this.#chunks.length > 0) this.#push({ ...chunk, bytes: lineBreak, next: start });
      this.gaps.push(Math.max(0, this.text.length - lineBreak.length), this.text.length);
    }
    this.#push(chunk);
    if (next - this.start <= maxBytes2 + tolerance) return;
    this.dropBefore(next - maxBytes2);
    this.gaps.push(0);
  }
  /** Removes characters from the beginning, and their bytes. */
  consume(characters) {
    const isWithin = /^[\ud800-\udbff][\udc00-\udfff]/.test(this.text.slice(characters - 1));
    const end = characters > 0 && isWithin ? characters + 1 : characters;
    const all = joinBytes(this.#chunks.map(({ bytes }) => bytes));
    this.#drop(byteLength(all, end));
    this.text = this.text.slice(end);
    this.gaps = this.gaps.map((gap) => gap - end).filter((gap) => gap >= 0);
  }
  /** Removes everything before the offset, which was read or not. */
  dropBefore(offset) {
    if (this.start >= offset) return;
    this.next = Math.max(this.next, offset);
    this.#chunks = this.#chunks.filter(({ next }) => next > offset);
    this.#drop(Math.max(0, offset - this.start));
    this.#decoder = streamDecoder();
    const all = joinBytes(this.#chunks.map(({ bytes }) => bytes));
    const { length } = this.text;
    this.text = this.#decoder.decode(all, { stream: true });
    const removed = length - this.text.length;
    this.gaps = this.gaps.map((gap) => gap - removed).filter((gap) => gap > 0);
  }
  #push(chunk) {
    this.#chunks.push(chunk);
    this.next = chunk.next;
    this.text += this.#decoder.decode(chunk.bytes, { stream: true });
  }
  #drop(count) {
    let left = count;
    for (let [first] = this.#chunks; first && left > 0; [first] = this.#chunks) {
      this.#chunks.shift();
      const rest = first.bytes.subarray(left);
      left -= first.bytes.length - rest.length;
      if (rest.length > 0) this.#chunks.unshift({ ...first, bytes: rest });
    }
  }
};
function streamDecoder() {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
function byteLength(bytes, characters) {
  const decoder2 = streamDecoder();
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (decoder2.decode(bytes.subarray(0, middle)).length <= characters) low = middle;
    else high = middle - 1;
  }
  return low;
}

// src/leases/console/search.ts
var maxSearch = 1e3;
function searchInTime(search2) {
  run ??= createRunner();
  try {
    return { found: run(search2) };
  } catch (error) {
    if (fieldsOf(error).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return { searchStopped: true };
  }
}
var run;
function createRunner() {
  try {
    const { createContext, Script } = globalThis.process.getBuiltinModule("node:vm");
    const context = createContext({ search: void 0 });
    const script = new Script("search()");
    return (search2) => script.runInContext(Object.assign(context, { search: search2 }), { timeout: maxSearch });
  } catch {
    return (search2) => search2();
  }
}

// src/leases/console/expectations.ts
var maxOutput = 4e3;
var maxLines = 5;
var maxLine2 = 200;
var maxRestart = 5e3;
var silentHint = "The board has printed nothing since its last flash or reset. If other firmware prints nothing either, its console may not be wired, or have another baud rate: tell the operator of the service.";
var anchorHint = "^ and $ are not the ends of a line: use the flag m, or expectLine.";
var Expectations = class {
  #lease;
  #feed;
  #unmatched = new DecodedConsole();
  /** Where the output of the last action begins: nothing before it counts. */
  earliest = 0;
  #isStartKnown = false;
  #last = Promise.resolve();
  constructor(lease, feed) {
    this.#lease = lease;
    this.#feed = feed;
  }
  /** Expectations that are called during an action begin when it has ended, whether or not it succeeds. */
  async pausedDuring(action) {
    this.#last = Promise.allSettled([this.#last, action]);
    return await action;
  }
  /** Nothing before the offset counts for expectations whose turn comes later. */
  startAt(offset) {
    this.earliest = Math.max(this.earliest, offset ?? 0);
  }
  /** For work that has its turn: nothing that was shown before the last of these actions counts. */
  startAfter(actions) {
    const done = actions.filter(({ status }) => status === "done");
    for (const { consoleOffset } of done) this.startAt(consoleOffset);
    this.#unmatched.dropBefore(this.earliest);
    this.#isStartKnown = true;
  }
  async expect(pattern, options, manner = {}) {
    const own = { fail: anything, onConnection: callback };
    const given = readWorkOptions(options, own);
    const { fail, timeout = 6e4, signal, headers, onConnection } = given;
    const wanted = {
      ...manner,
      given: pattern,
      pattern: expressionOf(pattern, "pattern"),
      fails: [fail ?? []].flat().map((each) => expressionOf(each, "fail"))
    };
    signal?.throwIfAborted();
    const endsAt = performance.now() + timeout;
    const { signal: deadline, end } = followSignals([], { milliseconds: timeout });
    const waiting = followSignals([signal, deadline]);
    try {
      const limits = { signal, headers, deadline, onConnection, endsAt };
      const work = () => this.#untilMatch(wanted, limits);
      const late = () => this.#confirm(limits);
      const match = await (wanted.hasTurn ? work() : this.inTurn(work, waiting.signal, late));
      if (match) return match;
      const error = this.#notSeen(wanted, timeout, limits);
      this.#requireConsole(error.from, wanted, limits);
      throw error;
    } finally {
      waiting.end();
      end();
    }
  }
  /** Once: what was shown before the last action of another process does not count. */
  async #findStart(options) {
    if (this.#isStartKnown) return;
    this.startAfter(await this.#lease.earlierActions(options));
  }
  /** Throws if the lease has ended, or if output is missing: then what the board showed is not known. */
  #requireConsole(from, { watches }, { synced }) {
    if (this.#lease.over.aborted) throw this.#lease.endedError();
    for (const record of [synced, this.#lease.record]) {
      const isAway = (record?.consoleStatus ?? "connected") !== "connected";
      const isRestart = watches && (record?.consoleGapMs ?? maxRestart + 1) <= maxRestart;
      const isGap = (record?.consoleGapOffset ?? -1) >= from && !isRestart;
      if (record && (isAway || isGap)) throw new ConsoleUnavailableError(record);
    }
    this.#requireOutput({ from, to: Number.POSITIVE_INFINITY, text: this.#unmatched.text });
  }
  /** Throws if output is missing there. */
  #requireOutput({ from, to, text: text2 }) {
    const { missingUntil } = this.#unmatched;
    if (!missing.test(text2) && (missingUntil < from || missingUntil >= to)) return;
    throw new ConsoleUnavailableError();
  }
  /** Runs one at a time: two that wait at the same time would consume each other's text. */
  async inTurn(work, signal, late) {
    const before = this.#last;
    const turn = abortable(before, signal).then(work, late);
    this.#last = Promise.allSettled([before, turn]);
    return await turn;
  }
  /** Throws if the console could not be read until the deadline. What was read is for those before. */
  async #confirm(limits) {
    limits.hadNoTurn = true;
    for await (const _ of this.#feed.read({ from: this.#unmatched.next, ...limits })) ;
    limits.synced = await this.#lease.syncConsole(limits);
    return void 0;
  }
  /** Resolves without a match when the deadline has passed. */
  async #untilMatch(wanted, limits) {
    const timeout = Math.max(1, Math.ceil(limits.endsAt - performance.now()));
    const { signal, headers } = limits;
    await this.#findStart({ signal, headers, timeout });
    if (wanted.watches) await this.#searchSkipped(wanted, limits);
    this.#unmatched.dropBefore(this.earliest);
    const inTime = this.#match(wanted, limits) ?? await this.#search(wanted, limits);
    if (inTime) return inTime;
    limits.synced = await this.#lease.syncConsole(limits);
    return await this.#search(wanted, limits);
  }
  /** Throws if what was shown until the last action contains a failure, or if part of it is missing. */
  async #searchSkipped(wanted, limits) {
    const { start: from, next } = this.#unmatched;
    if (from >= this.earliest) return;
    this.#match(wanted, limits);
    for await (const chunk of this.#feed.read({ from: next, ...limits })) {
      this.#unmatched.append(chunk);
      this.#match(wanted, limits);
      if (chunk.next >= this.earliest) break;
    }
    if (limits.searchStopped) throw this.#notSeen(wanted, 1, limits);
    this.#requireOutput({ from, to: this.earliest, text: this.#unmatched.text });
  }
  /** Resolves without a match when all was read that was shown until the deadline. */
  async #search(wanted, limits) {
    try {
      for await (const chunk of this.#feed.read({ from: this.#unmatched.next, ...limits })) {
        this.#unmatched.append(chunk);
        const match = this.#match(wanted, limits);
        if (match) return match;
        if (limits.searchStopped) await pause(0, limits.signal);
      }
      if (!this.#lease.over.aborted) return void 0;
    } catch (error) {
      limits.signal?.throwIfAborted();
      if (!this.#lease.over.aborted) throw error;
    }
    const last = this.#match(wanted, limits, true);
    if (last) return last;
    throw this.#lease.endedError();
  }
  /** The first match wins; the text up to its end is consumed. */
  #match(wanted, limits, isOver = false) {
    const { text: text2, start: from } = this.#unmatched;
    const found = this.#find(wanted, limits, isOver);
    if (!found) return void 0;
    const { match, isFailure, index, end } = found;
    const [matched] = match;
    this.#unmatched.consume(index);
    const { start: offset, receivedAt: receivedAt2 } = this.#unmatched;
    this.#unmatched.consume(end - (text2.length - this.#unmatched.text.length));
    const { start: nextOffset } = this.#unmatched;
    const seen = { text: text2.slice(0, end), from, to: nextOffset };
    if (isFailure) {
      throw unexpected(`The console showed ${quoted(matched)}`, { ...seen, matched });
    }
    if (wanted.fails.length > 0) this.#requireOutput(seen);
    return {
      matched,
      line: found.line,
      before: text2.slice(0, index),
      groups: { ...Object.fromEntries([...match.entries()].slice(1)), ...match.groups },
      offset,
      nextOffset,
      receivedAt: receivedAt2
    };
  }
  /** A search that was stopped is repeated with more text, until the deadline. */
  #find(wanted, limits, isOver) {
    if (limits.searchStopped && performance.now() >= limits.endsAt) return void 0;
    const { text: text2, gaps } = this.#unmatched;
    const { found, searchStopped } = searchInTime(() => {
      const sections = sectionsOf(text2, gaps);
      return search(wanted.lines ? linesOf(sections, isOver) : sections, wanted);
    });
    limits.searchStopped = searchStopped;
    return found;
  }
  #notSeen({ given, pattern, lines, hint }, timeout, limits) {
    const { searchStopped, hadNoTurn } = limits;
    const wanted = typeof given === "string" ? quoted(given) : String(given);
    const { text: text2, start: from, next: to } = this.#unmatched;
    if (hadNoTurn) {
      const message2 = `The console was not searched for ${wanted} within ${timeout / 1e3} s: another expectation or scenario of this lease had its turn`;
      return new ExpectationError(message2, { from: to, to, output: "" });
    }
    const message = searchStopped ? `The console could not be searched within ${timeout / 1e3} s: a regular expression takes too long, so simplify it` : `The console did not show ${wanted} within ${timeout / 1e3} s`;
    const isAnchored = /(?<![\\[])[$^]/.test(pattern.source) && !pattern.multiline;
    const reason = isAnchored && !lines ? anchorHint : hint;
    const advice = to === this.earliest ? silentHint : reason;
    return unexpected(message, { text: text2, from, to, searchStopped, hint: advice });
  }
};
function unexpected(message, { text: text2, ...seen }) {
  const lines = text2.split(/[\r\n]+/).filter((line) => line !== "");
  const shown = lines.slice(-maxLines).map((line) => `
  ${visible(line.slice(-maxLine2))}`);
  const printed = shown.length > 0 ? `Its last lines:${shown.join("")}` : "It printed only line ends.";
  const what = seen.from === seen.to ? "Nothing was printed." : printed;
  return new ExpectationError(`${message}. ${what}`, {
    ...seen,
    output: text2.slice(-maxOutput)
  });
}
function search(sections, wanted) {
  for (const [text2, index] of sections) {
    const found = earliest(text2, wanted);
    const end = index + (wanted.lines ? text2.length : found?.end ?? 0);
    const line = wanted.lines ? text2 : void 0;
    if (found) return { ...found, index: index + found.index, end, line };
  }
  return void 0;
}
var notices = /(?:^|\r\n)\[(?:… [^\r\n]* …\]\r\n|(?:…[^\r\n]*)?\r?$)/g;
var missing = /\[… [^[\r\n]*(?:bytes dropped|are missing) …\]\r\n/;
function sectionsOf(text2, gaps) {
  const cuts = [...gaps, text2.length].map((cut) => [cut, cut]);
  for (const { 0: notice, index } of text2.matchAll(notices)) {
    cuts.push([index, index + notice.length]);
  }
  let [start, next] = [0, 0];
  return cuts.sort(([one], [other]) => one - other).map(([end, after]) => {
    [start, next] = [next, Math.max(next, after)];
    return [text2.slice(start, end), start];
  });
}
function linesOf(sections, isOver) {
  return sections.flatMap(([text2, start], number2) => {
    const isLast = isOver && number2 === sections.length - 1;
    return [...text2.matchAll(number2 === 0 ? /[^\r\n]+/g : /(?<=[\r\n])[^\r\n]+/g)].filter(({ 0: line, index }) => isLast || index + line.length < text2.length).map(({ 0: line, index }) => [line, start + index]);
  });
}
function earliest(text2, { pattern, fails }) {
  const found = [...fails, pattern].flatMap((each) => {
    const match = each.exec(text2);
    if (!match) return [];
    const { index } = match;
    return [{ match, isFailure: each !== pattern, index, end: index + match[0].length }];
  });
  return found.sort((one, other) => one.index - other.index)[0];
}
function expressionOf(pattern, path) {
  if (pattern instanceof RegExp) {
    return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  }
  if (typeof pattern === "string" && pattern !== "") {
    return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  }
  throw new InputError([{ path, message: "must be a text that is not empty, or a RegExp" }]);
}
function quoted(text2) {
  return JSON.stringify(text2.length > 100 ? `${text2.slice(0, 100)}\u2026` : text2);
}

// src/leases/renewal.ts
var requestTimeout = 1e4;
var minDelay = 1e3;
var Renewal = class {
  #lease;
  #onFailed;
  #minutes;
  #timer;
  #failures = 0;
  /** The code of the failure that was reported last, until a renewal succeeds. */
  #reported = "";
  #repeats = false;
  constructor(lease, onFailed) {
    this.#lease = lease;
    this.#onFailed = onFailed;
    this.#minutes = lease.record.minutes ?? 2;
    lease.over.addEventListener("abort", () => this.stop(), { once: true });
  }
  /** Renews the lease every third of its time. */
  start() {
    this.#repeats = !this.#lease.over.aborted;
    this.#schedule(this.#delay);
  }
  stop() {
    this.#repeats = false;
    clearTimeout(this.#timer);
  }
  /** With minutes, later renewals take them, too. */
  async renew(minutes, options) {
    const body = jsonBody({ minutes: minutes ?? this.#minutes });
    const renewed = await this.#lease.request({ method: "POST", path: "/renew", body, options });
    this.#minutes = minutes ?? this.#minutes;
    this.#failures = 0;
    this.#reported = "";
    this.#schedule(this.#delay);
    return renewed;
  }
  /** A third of the time that is left, so that several attempts fit into it. */
  get #delay() {
    const left = this.#lease.endsAt - performance.now();
    const whole = this.#minutes * 6e4;
    return Math.max(left > 0 ? Math.min(left, whole) / 3 : whole / 3, minDelay);
  }
  #schedule(milliseconds2) {
    clearTimeout(this.#timer);
    if (this.#repeats) this.#timer = quietTimer(() => void this.#beat(), milliseconds2);
  }
  async #beat() {
    try {
      await this.renew(void 0, { timeout: requestTimeout, maxRetries: 0 });
    } catch (error) {
      await this.#recover(error);
    }
  }
  /** Only the service says that a lease is lost: until then, renewals go on. */
  async #recover(error) {
    await this.#lease.explain(error);
    if (!this.#repeats) return;
    if (error instanceof BoardAccessError && error.code !== this.#reported) {
      this.#reported = error.code;
      notify(this.#onFailed, error);
    }
    const delay = this.#delay;
    this.#schedule(isTemporary(error) ? Math.min(delay, waitFor(error, ++this.#failures)) : delay);
  }
};

// src/leases/tracked-lease.ts
var maxWait = 20;
var requestTimeout2 = 15e3;
var minWait = 1e3;
var endCodes = /* @__PURE__ */ new Set(["lease_ended", "lease_not_active", "lease_not_found"]);
var statusOrder = leaseStatuses;
var TrackedLease = class {
  transport;
  path;
  /** The lease as it was last seen. */
  record;
  /** The identifiers of the actions that were requested by this object. */
  ownActions = /* @__PURE__ */ new Set();
  /** Called with each new record. */
  onRecord = () => {
  };
  /** When the service ends the lease unless it is renewed, by this machine's own clock. */
  endsAt = Number.POSITIVE_INFINITY;
  #receivedAt = Number.NEGATIVE_INFINITY;
  #over = new AbortController();
  #isAttached;
  #endTimer;
  #ended;
  constructor(transport, seen, { isAttached = false } = {}) {
    this.#isAttached = isAttached;
    this.transport = { ...transport, request: (call) => this.#send(transport, call) };
    this.path = leasePath(seen.record.id);
    this.record = seen.record;
    this.update(seen);
  }
  /** Aborted when the service has said that the lease has ended. */
  get over() {
    return this.#over.signal;
  }
  /** What every request about the lease goes through. Of one that is not shared, the service says that it does not exist. */
  async #send({ request }, call) {
    try {
      return await request(call);
    } catch (error) {
      if (this.record.access === "hold" || !isApiError(error, "lease_not_found")) throw error;
      throw new LeaseNotSharedError(this.record.id, error);
    }
  }
  /** What every response about the lease goes through. */
  update({ record, sentAt, endsAt }) {
    const isOlder = isFurther(this.record, record.status);
    if (this.over.aborted || isOlder && sentAt < this.#receivedAt) return;
    this.#receivedAt = performance.now();
    if (isAnotherStart(this.record, record)) record = this.#startedOver(record);
    this.record = record;
    this.endsAt = Number.isFinite(this.endsAt) ? Math.max(this.endsAt, endsAt) : endsAt;
    this.onRecord(record);
    clearTimeout(this.#endTimer);
    if (record.status === "ended") this.#over.abort(this.endedError());
    else this.#expectEnd();
  }
  /** A new error for each caller, so that each has its own stack. */
  endedError() {
    const { id, endReason, endMessage } = this.record;
    const reason = endReason ?? "expired";
    const why = endMessage || reason;
    if (reason === "no_board") return new NoBoardError({ message: why, leaseId: id });
    return new LeaseEndedError(`The lease ${id} has ended: ${why}`, { leaseId: id, reason });
  }
  /** The actions that may have been requested before this process knew the lease. */
  async earlierActions(options) {
    return this.#isAttached ? await listActions(this, { maxRetries: 5, ...options }) : [];
  }
  /** A request below the path of the lease whose response is the lease. */
  async request({ path, ...call }) {
    try {
      const seen = await requestLease(this.transport, { ...call, path: this.path + path });
      this.update(seen);
      return seen.record;
    } catch (error) {
      if (!isApiError(error, "lease_not_found")) throw error;
      const message = "The service no longer knows this lease.";
      const record = endedBy("lease_not_found", this.record, message);
      this.update({ record, sentAt: 0, endsAt: 0 });
      return this.record;
    }
  }
  /** Reads the lease; with a status, as soon as it has another one. */
  async refresh(options, unless) {
    const timeout = unless && { timeout: requestTimeout2 + unless.wait * 1e3 };
    return await this.request({
      method: "GET",
      path: "",
      query: { ...unless },
      options: { ...timeout, ...options }
    });
  }
  /** Reads the lease once the service has all console output until now, or knows that it has not. */
  async syncConsole({ signal, headers }) {
    const options = { signal, headers, timeout: 8e3, idempotencyKey: uniqueKey() };
    return await this.request({ method: "POST", path: "/console/sync", options });
  }
  /** Resolves when the lease has another status, or after a while. */
  async nextStatus({ signal, headers }, wait2 = maxWait) {
    const { status } = this.record;
    const pauseIfEarly = startWait(signal);
    await this.refresh({ signal, headers }, { status: status ?? void 0, wait: wait2 });
    if (!isFurther(this.record, status)) await pauseIfEarly();
  }
  /** The record of the end; a connection waits for it from the first use on. */
  get ended() {
    this.#ended ??= this.#untilEnd();
    return this.#ended;
  }
  async release(options) {
    await this.request({ method: "DELETE", path: "", options });
  }
  /** Work on the active lease: ends with the lease, with the caller's signal, or by itself. */
  async during(work, limits, own) {
    const { signal, end } = joinLimits(limits, own, this.over);
    try {
      return await abortable(work(signal), signal);
    } catch (error) {
      limits.signal?.throwIfAborted();
      throw await this.explain(error, limits.signal);
    } finally {
      end();
    }
  }
  /** Work that is repeated through an outage: for a minute, and as long as the lease may live. */
  async insist(work, signal) {
    const until = () => Number.isFinite(this.endsAt) ? this.endsAt : 0;
    return await persistently(work, { until, signal });
  }
  /** The error to throw: that of the end of the lease, if the lease has ended. */
  async explain(error, signal) {
    if (error instanceof ApiError && endCodes.has(error.code)) {
      await this.refresh({ signal }).catch(() => {
      });
    }
    return this.over.aborted ? this.endedError() : error;
  }
  /** After a backup was restored, a lease gets a board again, without what was done: it is of no use. */
  #startedOver(record) {
    void this.insist(() => this.release(), new AbortController().signal).catch(() => {
    });
    const message = "The service was restored from a backup, and has begun the lease again.";
    return endedBy("agent_lost", record, message);
  }
  async #untilEnd() {
    for (let failures = 0; !this.over.aborted; ) {
      try {
        await this.nextStatus({ signal: this.over });
        failures = 0;
      } catch (error) {
        const timer = isTemporary(error) ? setTimeout : quietTimer;
        await pause(waitFor(error, ++failures), this.over, timer).catch(() => {
        });
      }
    }
    return this.record;
  }
  /** Only the service knows whether the lease was renewed elsewhere: it is asked at the known end. */
  #expectEnd() {
    this.#askIn(Math.max(this.endsAt - performance.now(), minWait));
  }
  #askIn(milliseconds2, failures = 0) {
    this.#endTimer = quietTimer(() => void this.#ask(failures), milliseconds2);
  }
  async #ask(failures) {
    this.onRecord({ ...this.record, status: "unknown" });
    try {
      await this.refresh({ maxRetries: 0 });
    } catch (error) {
      if (this.over.aborted) return;
      clearTimeout(this.#endTimer);
      if (this.endsAt > performance.now()) this.#expectEnd();
      else this.#askIn(waitFor(error, failures + 1), failures + 1);
    }
  }
};
function isFurther({ status }, than) {
  return statusOrder.indexOf(status) > statusOrder.indexOf(than);
}
function endedBy(endReason, record, endMessage) {
  return { ...record, status: "ended", endReason, endMessage };
}
function isAnotherStart({ startedAt: known }, { startedAt, status }) {
  return known && startedAt !== void 0 && startedAt !== known && status !== "ended";
}

// src/leases/create.ts
var selfRenewedMinutes = 2;
var graceMs2 = 1e3;
var afterAbort = { timeout: 4e3, attemptTimeout: graceMs2 };
async function takeBoard(transport, input, given) {
  const callbacks = { onProgress: callback, onRenewFailed: callback, onLeaseLimit: callback };
  const {
    renew = true,
    onProgress,
    onRenewFailed,
    onLeaseLimit,
    timeout,
    ...rest
  } = readCallOptions(given, { renew: flag, ...callbacks });
  const { signal: caller, ...options } = rest;
  const { headers } = options;
  const wanted = readLeaseInput(input);
  const minutes = wanted.minutes ?? (renew ? selfRenewedMinutes : void 0);
  const { signal, end } = joinLimits({ signal: caller, timeout });
  try {
    const request = (waitSeconds2) => {
      const rest2 = options.idempotencyKey === void 0 ? { waitSeconds: waitSeconds2 } : {};
      const json = snakeCased({ ...wanted, minutes, heartbeat: true, ...rest2 });
      return requestTracked(transport, json, { ...options, signal });
    };
    const place = { waitSeconds: wanted.waitSeconds, signal, onLeaseLimit };
    const lease = await untilPlace(request, place);
    const renewal = new Renewal(lease, onRenewFailed);
    renewal.start();
    await untilActive(lease, { signal, headers }, onProgress).catch(async (error) => {
      renewal.stop();
      await giveBack(lease, { signal, headers });
      throw error;
    });
    if (!renew) renewal.stop();
    return { tracked: lease, renewal };
  } finally {
    end();
  }
}
var placePauseMs = 2e3;
async function untilPlace(request, { waitSeconds: waitSeconds2, signal, onLeaseLimit }) {
  const endsAt = performance.now() + (waitSeconds2 ?? 0) * 1e3;
  for (let isFirst = true; ; isFirst = false) {
    const leftMs = Math.max(0, endsAt - performance.now());
    try {
      return await request(waitSeconds2 && Math.ceil(leftMs / 1e3));
    } catch (error) {
      if (!isApiError(error, "lease_limit") || leftMs === 0) throw error;
      if (isFirst) notify(onLeaseLimit, error);
      await pause(Math.min(leftMs, placePauseMs * (1 + Math.random() / 2)), signal);
    }
  }
}
async function requestTracked(transport, json, { signal, idempotencyKey = uniqueKey(), ...options }) {
  const post = async (limits) => await requestLease(transport, {
    method: "POST",
    path: "/v1/leases",
    body: jsonBody(json),
    options: { ...options, ...limits, idempotencyKey }
  });
  const late = followLater(signal, graceMs2);
  try {
    return new TrackedLease(transport, await post({ signal: late.signal }));
  } catch (error) {
    if (mayBeDone(error)) {
      const isWithdrawn = await withdraw(transport, post, { signal, headers: options.headers });
      if (error instanceof BoardAccessError) error.outcome = isWithdrawn ? "rejected" : "unknown";
    }
    throw isApiError(error, "no_board_available") ? new NoBoardError(error) : error;
  } finally {
    late.end();
  }
}
async function withdraw(transport, post, shared) {
  const limits = { maxRetries: 5, ...shared.signal.aborted && afterAbort };
  try {
    const lease = new TrackedLease(transport, await post(limits));
    await giveBack(lease, shared);
    return lease.over.aborted;
  } catch {
    return false;
  }
}
async function untilActive(lease, shared, onProgress) {
  const { signal } = shared;
  const watch2 = onProgress && watcher(lease, onProgress);
  for (; ; ) {
    signal.throwIfAborted();
    const { status } = lease.record;
    const step = async () => {
      await watch2?.(shared);
      if (status !== "active") await lease.nextStatus(shared, watch2 ? 2 : void 0);
    };
    await persistently(step, { signal });
    if (lease.over.aborted) throw lease.endedError();
    if (status === "active" && lease.record.status === status) return checkBoard(lease.record);
  }
}
function checkBoard({ boardId, startedAt, expiresAt }) {
  if (boardId === null || startedAt === null || expiresAt === null) {
    throw invalidResponse("The response has an active lease without a board or its times");
  }
}
function watcher(tracked, onProgress) {
  let reported = "";
  return async (shared) => {
    const { record: lease } = tracked;
    const actions = lease.status === "queued" ? [] : await listActions(tracked, shared);
    const steps = actions.filter(({ phase }) => phase === "prepare");
    const progress = { lease, steps };
    const text2 = JSON.stringify(progress);
    if (text2 !== reported) notify(onProgress, progress);
    reported = text2;
  };
}
async function giveBack(lease, { signal, headers }) {
  if (lease.over.aborted) return;
  await lease.release({ headers, ...signal.aborted && afterAbort }).catch(() => {
  });
}

// src/leases/scenario.ts
var never = /(?!)/;
async function runScenario(parts, steps, { timeout = 6e4, ...options } = {}) {
  checkSteps(steps);
  const endsAt = performance.now() + timeout;
  const listing = { ...requestOptions(options), timeout, maxRetries: 5 };
  const earlier = await listActions(parts.tracked, listing);
  const other = unknownAmong(earlier, parts.tracked.ownActions);
  if (other) throw new ScenarioError(other);
  parts.expectations.startAfter(earlier);
  const actions = new Set(earlier.map(({ id }) => id));
  const run2 = { ...options, ...parts, endsAt, fails: [], actions };
  const outcomes = [];
  for (const [index, step] of steps.entries()) {
    outcomes.push(await outcomeOf(step, run2, { index, isLast: index === steps.length - 1 }));
  }
  return outcomes;
}
function unknownAmong(actions, own) {
  const used = actions.filter(({ phase }) => phase !== "prepare");
  const newest = used.findLastIndex(({ id }) => own.has(id));
  return used.find(({ status }, index) => {
    if (index > newest) return newest >= 0 || status !== "done";
    return status !== "done" && status !== "failed";
  });
}
async function outcomeOf(step, run2, { index, isLast }) {
  const startedAt = performance.now();
  const ended = (result) => {
    const durationMs = Math.round(performance.now() - startedAt);
    const outcome = { index, step, durationMs, ...result };
    notify(run2.onStep, outcome);
    return outcome;
  };
  try {
    const match = await carryOut2(step, run2);
    if (isLast) await finish(step, run2);
    return ended({ match });
  } catch (thrown) {
    const error = await reasonFor(thrown, run2);
    if (error instanceof BoardAccessError) error.stepIndex = index;
    ended({ error });
    throw error;
  }
}
async function reasonFor(error, run2) {
  if (run2.signal?.aborted || run2.tracked.over.aborted) return error;
  const other = await otherAction(run2, { timeout: 5e3, maxRetries: 0 }).catch(() => void 0);
  return other ? new ScenarioError(other, error) : error;
}
async function carryOut2(step, run2) {
  const { console, expectations, signal, headers, onConnection, fails } = run2;
  const timeout = timeLeft(run2);
  if (step.expect !== void 0) {
    const shorter = Math.min(step.timeout ?? timeout, timeout);
    const options = { fail: fails, timeout: shorter, signal, headers, onConnection };
    const manner = { hasTurn: true, hint: run2.hint };
    const match = await expectations.expect(step.expect, options, manner);
    run2.hint = void 0;
    return match;
  }
  if (step.fail !== void 0) fails.push(...[step.fail].flat());
  else if (step.waitMs !== void 0) await wait(step.waitMs, run2);
  else if (step.reset) await reset(run2);
  else {
    await console.write(step.send, { timeout, signal, headers });
    run2.hint = endsLine(step.send) ? void 0 : noEnter;
  }
  return void 0;
}
var noEnter = "The last input does not end with \\r: does the board wait for the Enter key?";
function endsLine(sent) {
  const last = typeof sent === "string" ? sent.charCodeAt(sent.length - 1) : sent.at(-1);
  return last !== void 0 && last < 32;
}
function timeLeft({ endsAt }) {
  return Math.max(1, Math.ceil((endsAt - performance.now()) / 100) * 100);
}
async function wait(milliseconds2, run2) {
  const { tracked, signal, headers, fails } = run2;
  run2.endsAt += milliseconds2;
  if (fails.length > 0) return await watch(milliseconds2, run2);
  const work = async (signal2) => {
    await pause(milliseconds2, signal2);
    await tracked.refresh({ signal: signal2, headers });
  };
  await tracked.during(work, { signal });
}
async function reset(run2) {
  const { expectations, actions, fails } = run2;
  const options = { ...requestOptions(run2), timeout: timeLeft(run2) };
  const action = await run2.reset(options, ({ id }) => actions.add(id));
  if (fails.length > 0) await watch(1, run2);
  expectations.startAfter([action]);
}
async function watch(timeout, { expectations, fails, signal, headers, onConnection }) {
  const options = { fail: fails, timeout, signal, headers, onConnection };
  try {
    await expectations.expect(never, options, { hasTurn: true, watches: true });
  } catch (error) {
    const isNotSeen = error instanceof ExpectationError && error.code === "not_seen";
    if (!isNotSeen || error.searchStopped) throw error;
  }
}
async function finish(step, run2) {
  if (run2.fails.length > 0 && step.expect === void 0) await watch(1, run2);
  const other = await otherAction(run2, { maxRetries: 5 });
  if (other) throw new ScenarioError(other);
}
async function otherAction(run2, options) {
  const actions = await listActions(run2.tracked, { ...requestOptions(run2), ...options });
  return actions.find(({ id }) => !run2.actions.has(id));
}
function requestOptions({ signal, headers }) {
  return { signal, headers };
}
var kinds = ["expect", "fail", "send", "waitMs", "reset"];
function checkSteps(steps) {
  if (!Array.isArray(steps) || steps.length === 0) {
    throw new InputError([{ path: "steps", message: "must be a list of steps" }]);
  }
  const issues = Array.from(steps).flatMap((step, index) => {
    const problem = problemOf(step, kinds);
    return problem ? [{ path: `steps[${index}]`, message: problem.message }] : [];
  });
  if (issues.length > 0) throw new InputError(issues);
}

// src/leases/shares.ts
var readShare = recordReader(leaseShareFields, { complete: true });
var access = { access: string() };
async function listShares({ transport, path }, options) {
  return await createListing(transport.request, () => ({
    path: `${path}/shares`,
    read: (body) => readShare(body),
    isPatient: true,
    options
  }));
}
async function share({ transport, path }, email, given, options) {
  return await transport.request({
    method: "PUT",
    path: `${path}/shares`,
    body: jsonBody({ email: addressOf(email), ...readInput(access, given, access) }),
    isPatient: true,
    options: { idempotencyKey: uniqueKey(), ...options },
    read: (body) => readShare(body)
  });
}
async function unshare({ transport, path }, email, options) {
  await transport.request({
    method: "POST",
    path: `${path}/shares/remove`,
    body: jsonBody({ email: addressOf(email) }),
    isPatient: true,
    options: { idempotencyKey: uniqueKey(), ...options },
    read: () => void 0
  });
}
async function leave({ transport, path }, options) {
  const [own, read] = [`${path}/shares/own`, () => void 0];
  try {
    await transport.request({ method: "DELETE", path: own, isPatient: true, options, read });
  } catch (error) {
    if (!(error instanceof LeaseNotSharedError)) throw error;
  }
}
function addressOf(email) {
  if (typeof email === "string" && email.includes("@")) return email;
  throw new InputError([{ path: "email", message: "must be an email address" }]);
}

// src/leases/lease.ts
async function createLease(transport, input, options) {
  const { tracked, renewal } = await takeBoard(transport, input, options);
  return leaseOf(tracked, renewal);
}
async function getLease(transport, id, given, usual = { renew: false }) {
  const read = readCallOptions(given, { renew: flag, onRenewFailed: callback });
  const { renew = usual.renew, onRenewFailed, ...options } = read;
  const seen = await requestLease(transport, { method: "GET", path: leasePath(id), options });
  const tracked = new TrackedLease(transport, seen, { isAttached: true });
  const renewal = new Renewal(tracked, onRenewFailed);
  if (renew) renewal.start();
  return leaseOf(tracked, renewal);
}
function leaseOf(tracked, renewal) {
  const lease = Object.assign(new HeldLease(tracked, renewal), tracked.record);
  tracked.onRecord = (record) => {
    Object.assign(lease, record);
    const response = responseOf(record);
    if (response) rememberResponse(lease, response);
  };
  tracked.onRecord(tracked.record);
  return lease;
}
var HeldLease = class {
  #lease;
  #renewal;
  #expectations;
  #console;
  constructor(lease, renewal) {
    this.#lease = lease;
    this.#renewal = renewal;
    const feed = new ConsoleFeed(lease);
    this.#expectations = new Expectations(lease, feed);
    this.#console = new BoardConsole(lease, feed, this.#expectations);
  }
  get console() {
    return this.#console;
  }
  get signal() {
    void this.#lease.ended;
    return this.#lease.over;
  }
  get ended() {
    return this.#lease.ended;
  }
  async flash(firmware, options = {}) {
    return await this.#act(
      async (signal) => await flash(this.#lease, firmware, { ...options, signal }),
      options,
      { raw: flag, flashOffset: ofType("string"), onProgress: callback }
    );
  }
  async erase(options) {
    return await this.#carryOut({ action: "erase" }, options);
  }
  async reset(options) {
    return await this.#carryOut({ action: "reset" }, options);
  }
  async power(state, options) {
    if (!["on", "off", "cycle"].includes(state)) {
      throw new InputError([{ path: "state", message: "must be on, off or cycle" }]);
    }
    return await this.#carryOut({ action: `power_${state}` }, options);
  }
  async #carryOut(wanted, options = {}, onChange) {
    return await this.#act(
      async (signal) => await carryOut(this.#lease, wanted, { ...options, signal }, onChange),
      options
    );
  }
  /** An expectation after an action must not match what was shown before its output. */
  async #act(work, options, own) {
    const action = this.#lease.during(
      async (signal) => {
        const done = await work(signal);
        this.#expectations.startAt(done.consoleOffset);
        return done;
      },
      options,
      own
    );
    return await this.#expectations.pausedDuring(action);
  }
  async run(steps, given) {
    const options = readWorkOptions(given, { onStep: callback, onConnection: callback });
    const parts = {
      tracked: this.#lease,
      console: this.#console,
      expectations: this.#expectations,
      reset: (...how) => this.#carryOut({ action: "reset" }, ...how)
    };
    const work = async () => await runScenario(parts, steps, options);
    return await this.#expectations.inTurn(work, options.signal);
  }
  async drivePin(pin, volts, options) {
    return await drivePin(this.#lease, { pin, volts }, options);
  }
  async share(email, given, options) {
    return await share(this.#lease, email, given, options);
  }
  async unshare(email, options) {
    await unshare(this.#lease, email, options);
  }
  async leave(options) {
    await leave(this.#lease, options);
  }
  async shares(options) {
    return await listShares(this.#lease, options);
  }
  async actions(options) {
    return await listActions(this.#lease, options);
  }
  async refresh(options) {
    await this.#lease.refresh(options);
    return this.#lease.record;
  }
  async renew(renewal = {}, options) {
    const minutes = readRenewal(renewal);
    const renew = (signal) => this.#renewal.renew(minutes, { ...options, signal, idempotencyKey: uniqueKey() });
    return await this.#lease.during(renew, { signal: options?.signal });
  }
  async release(options) {
    this.#renewal.stop();
    if (!this.#lease.over.aborted) await this.#lease.release(options);
    return this.#lease.record;
  }
  async [Symbol.asyncDispose]() {
    await this.release().catch(() => {
    });
  }
};
keepCallers(HeldLease.prototype);
export {
  createLease,
  getLease
};

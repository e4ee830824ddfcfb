import {
  ActionFailedError,
  ConnectionError,
  ExpectationError,
  InputError,
  LeaseEndedError,
  TimeoutError,
  createListing,
  firmwareFile,
  isApiError,
  isBoardAccessError,
  isWorthRetrying,
  lease,
  leaseAction,
  looseObject,
  nullable,
  number,
  optional,
  readInput,
  readTimeout,
  recordReader,
  redactedCause,
  rememberResponse,
  responseOf,
  snakeCased,
  string,
  waitAfter
} from "./chunk-OM7PF73O.js";

// src/lib/leases/helpers.ts
function report(watch, progress) {
  try {
    watch?.(progress);
  } catch {
  }
}
function uniqueKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// src/lib/leases/records.ts
var readLease = recordReader({
  ...lease.shape,
  status: string(),
  end_reason: nullable(string())
});
var readAction = recordReader({
  ...leaseAction.shape,
  action: string(),
  phase: string(),
  status: string()
});
var readFile = recordReader({ ...firmwareFile.shape, format: string() });
var leaseInput = looseObject({
  boardType: optional(string()),
  boardId: optional(string()),
  minutes: optional(number()),
  waitSeconds: optional(number()),
  label: optional(string())
});
function leasePath(id) {
  if (typeof id === "string" && /^lse_[\w-]+$/.test(id)) return `/v1/leases/${id}`;
  throw new InputError([
    { path: "id", message: 'must be the id of a lease: "lse_" and what follows it' }
  ]);
}

// src/lib/leases/actions.ts
var waitSeconds = 20;
var waitTimeout = 35e3;
var uploadTimeout = 12e4;
var Actions = class {
  #session;
  #beforeEach;
  constructor(session, beforeEach) {
    this.#session = session;
    this.#beforeEach = beforeEach;
  }
  /** Carries out one action; resolves when the board has done it. */
  async carryOut(action, options = {}) {
    return await this.#session.during((signal) => this.#perform({ action }, signal), options);
  }
  /** Uploads the firmware, then carries out the flashing. */
  async flash(firmware, { flashOffset, onProgress, ...options } = {}) {
    const bytes = await bytesOf(firmware);
    const total = bytes.byteLength;
    const tell = (step, sent) => report(onProgress, { step, bytes: sent, total });
    return await this.#session.during(async (signal) => {
      tell("uploading", 0);
      const { id } = await this.#upload(bytes, signal);
      tell("waiting", total);
      const wanted = { action: "flash", file_id: id, flash_offset: flashOffset };
      return await this.#perform(wanted, signal);
    }, options);
  }
  async #perform(wanted, signal) {
    await this.#beforeEach(signal);
    let action = await this.#request(wanted, signal);
    while (action.status !== "done" && action.status !== "failed") {
      const { id } = action;
      action = await this.#session.insist(() => this.#changed(id, signal), signal);
    }
    if (action.status === "done") return action;
    await this.#session.refresh({ signal });
    throw new ActionFailedError(action);
  }
  async #request(wanted, signal) {
    return await this.#session.connection.request({
      method: "POST",
      path: `${this.#session.path}/actions`,
      json: wanted,
      options: { signal, idempotencyKey: uniqueKey() },
      read: readAction
    });
  }
  async #changed(id, signal) {
    return await this.#session.connection.request({
      method: "GET",
      path: `${this.#session.path}/actions/${encodeURIComponent(id)}`,
      query: { wait: waitSeconds },
      options: { signal, timeout: waitTimeout },
      read: readAction
    });
  }
  async #upload(bytes, signal) {
    return await this.#session.connection.request({
      method: "POST",
      path: `${this.#session.path}/files`,
      bytes,
      options: { signal, timeout: uploadTimeout, idempotencyKey: uniqueKey() },
      read: readFile
    });
  }
};
async function listActions(session, options) {
  const path = `${session.path}/actions`;
  const { request } = session.connection;
  return await createListing(request, { path, query: {}, read: readAction, options });
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

// src/lib/leases/time.ts
var shortPauseMs = 250;
function joinSignals(...signals) {
  const controller = new AbortController();
  const followed = signals.filter((signal) => signal !== void 0);
  const letGo = () => {
    for (const signal of followed) signal.removeEventListener("abort", follow);
  };
  const abort = (reason) => {
    letGo();
    controller.abort(reason);
  };
  const follow = () => abort(followed.find((signal) => signal.aborted)?.reason);
  for (const signal of followed) signal.addEventListener("abort", follow, { once: true });
  if (followed.some((signal) => signal.aborted)) follow();
  return { signal: controller.signal, abort, letGo };
}
async function abortable(work, signal) {
  let onAbort = () => {
  };
  const aborted = new Promise((_, reject) => {
    onAbort = () => reject(signal.reason);
  });
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
async function pause(milliseconds, signal) {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await abortable(over, signal);
  } finally {
    clearTimeout(timer);
  }
}
async function pauseAfter(error, failures, signal) {
  await pause(isBoardAccessError(error) ? waitAfter(error, failures) : shortPauseMs, signal);
}
function isPassing(error) {
  return isBoardAccessError(error) && (error instanceof TimeoutError || isWorthRetrying(error, true));
}
async function persistently(work, { until, signal }) {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isPassing(error) || performance.now() >= until()) throw error;
      await pauseAfter(error, failures, signal);
    }
  }
}
function quietTimer(callback, milliseconds) {
  const timer = setTimeout(callback, milliseconds);
  if (typeof timer === "object") timer.unref();
  return timer;
}

// src/lib/leases/console-connection.ts
var longestSilenceMs = 3e4;
var pastEnd = 999999999999;
async function* connectionPieces(session, from, caller) {
  const { signal, abort, letGo } = joinSignals(caller);
  let timer;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => abort(new TimeoutError(longestSilenceMs)), longestSilenceMs);
  };
  try {
    restartTimer();
    const { body, start } = await openConsole(session, from, signal);
    let next = start;
    for await (const bytes of chunksOf(body, signal)) {
      restartTimer();
      next += bytes.length;
      yield { bytes, next };
    }
  } finally {
    clearTimeout(timer);
    letGo();
    abort(new Error("The console is no longer read"));
  }
}
async function consoleEnd(session, caller) {
  const { signal, abort, letGo } = joinSignals(caller);
  try {
    const { body, start } = await openConsole(session, pastEnd, signal);
    body.cancel().catch(() => {
    });
    return start;
  } finally {
    letGo();
    abort(new Error("The console is not read"));
  }
}
async function openConsole(session, from, signal) {
  const opening = session.connection.stream({
    path: `${session.path}/console`,
    query: { from },
    headers: { accept: "application/octet-stream" },
    signal
  });
  const { headers, body } = await abortable(opening, signal);
  const start = Number(headers.get("x-console-offset") ?? from);
  return { body, start };
}
async function* chunksOf(body, signal) {
  const reader = body.getReader();
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
      outcome: "unknown"
    });
  } finally {
    reader.cancel().catch(() => {
    });
  }
}

// src/lib/leases/console-stream.ts
var drainMs = 2e3;
async function* consolePieces(session, { from = 0, signal: caller }) {
  caller?.throwIfAborted();
  const reading = joinSignals(caller);
  let drain;
  const onOver = () => {
    drain = setTimeout(() => reading.abort(session.endedError()), drainMs);
  };
  session.over.addEventListener("abort", onOver, { once: true });
  try {
    yield* piecesUntilEnd(session, from, reading.signal);
  } catch (error) {
    caller?.throwIfAborted();
    if (!session.over.aborted) throw error;
  } finally {
    clearTimeout(drain);
    session.over.removeEventListener("abort", onOver);
    reading.letGo();
  }
  if (session.record.endReason !== "released") throw session.endedError();
}
async function* piecesUntilEnd(session, from, signal) {
  let next = from;
  for (let failures = 0; ; failures++) {
    const isLast = session.over.aborted;
    const connection = connectionPieces(session, next, signal);
    let failure;
    try {
      for await (const piece of connection) {
        failures = 0;
        next = piece.next;
        yield piece;
      }
    } catch (error) {
      if (!isPassing(error) || performance.now() >= session.endsAt) {
        throw await session.explain(error);
      }
      failure = error;
    }
    if (isLast) return;
    if (failures > 0 || failure) await pauseAfter(failure, failures + 1, signal);
    await session.insist(() => session.refresh({ signal }), signal);
    if (session.over.aborted && !failure) return;
  }
}

// src/lib/leases/console-writer.ts
var gatherMs = 30;
var maxConsoleInput = 4 * 1024;
var ConsoleWriter = class {
  #session;
  #pending = [];
  #isSending = false;
  constructor(session) {
    this.#session = session;
  }
  async write(data, signal) {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data.slice();
    let write;
    const written = () => new Promise((resolve, reject) => {
      write = { bytes, resolve, reject };
      this.#pending.push(write);
      void this.#send();
    });
    try {
      await this.#session.during(written, { signal });
    } finally {
      this.#pending = this.#pending.filter((other) => other !== write);
    }
  }
  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    await Promise.resolve();
    while (this.#pending.length > 0) {
      await this.#sendPending();
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
    }
    this.#isSending = false;
  }
  async #sendPending() {
    const writes = this.#pending.splice(0);
    try {
      for (const bytes of pieces(writes)) await this.#post(bytes);
      for (const { resolve } of writes) resolve();
    } catch (error) {
      for (const { reject } of [...writes, ...this.#pending.splice(0)]) reject(error);
    }
  }
  async #post(bytes) {
    await this.#session.connection.request({
      method: "POST",
      path: `${this.#session.path}/console`,
      bytes,
      options: { signal: this.#session.over, maxRetries: 0 },
      read: () => void 0
    });
  }
};
function* pieces(writes) {
  const all = new Uint8Array(writes.reduce((size, { bytes }) => size + bytes.length, 0));
  let end = 0;
  for (const { bytes } of writes) {
    all.set(bytes, end);
    end += bytes.length;
  }
  for (let start = 0; start < all.length; start += maxConsoleInput) {
    yield all.slice(start, start + maxConsoleInput);
  }
}

// src/lib/leases/expectations.ts
var longestText = 1024 * 1024;
var longestOutput = 4e3;
var Expectations = class {
  #session;
  /** What was read and has not matched yet, and where the console goes on after it. */
  #text = "";
  #next = 0;
  #decoder = new TextDecoder();
  #waiting = 0;
  #last = Promise.resolve();
  constructor(session) {
    this.#session = session;
  }
  /** Forgets what the console showed until now; not while an expectation waits for it. */
  startAt(offset) {
    if (this.#waiting > 0) return;
    this.#text = "";
    this.#next = offset;
    this.#decoder = new TextDecoder();
  }
  async expect(pattern, { fail, timeout = 6e4, signal: caller } = {}) {
    const wanted = {
      pattern: expressionOf(pattern, "pattern"),
      fail: fail === void 0 ? void 0 : expressionOf(fail, "fail")
    };
    caller?.throwIfAborted();
    const { signal, abort, letGo } = joinSignals(caller);
    const late = new TimeoutError(readTimeout(timeout));
    const timer = setTimeout(() => abort(late), timeout);
    try {
      return await this.#inTurn(() => this.#meet(wanted, signal), signal);
    } catch (error) {
      throw error === late ? this.#notSeen(pattern, timeout) : error;
    } finally {
      clearTimeout(timer);
      letGo();
    }
  }
  /** One after the other: two that wait at the same time would take the text from each other. */
  async #inTurn(work, signal) {
    const before = this.#last;
    const turn = abortable(before, signal).then(work);
    this.#last = Promise.allSettled([before, turn]);
    this.#waiting++;
    try {
      return await turn;
    } finally {
      this.#waiting--;
    }
  }
  async #meet(wanted, signal) {
    const atOnce = this.#match(wanted);
    if (atOnce) return atOnce;
    const pieces2 = consolePieces(this.#session, { from: this.#next, signal });
    for await (const { bytes, next } of pieces2) {
      this.#text += this.#decoder.decode(bytes, { stream: true });
      this.#next = next;
      const match = this.#match(wanted);
      if (match) return match;
      this.#text = this.#text.slice(-longestText);
    }
    throw this.#session.endedError();
  }
  /** What comes first counts; the text up to its end is used up. */
  #match({ pattern, fail }) {
    const text = this.#text;
    const found = pattern.exec(text);
    const failure = fail?.exec(text);
    const first = failure && (!found || failure.index <= found.index) ? failure : found;
    if (!first) return void 0;
    const [matched] = first;
    const end = first.index + matched.length;
    this.#text = text.slice(end);
    if (first === failure) {
      const output = text.slice(0, end).slice(-longestOutput);
      throw new ExpectationError(`The console showed ${quoted(matched)}`, { output, matched });
    }
    return {
      matched,
      before: text.slice(0, first.index),
      groups: { ...Object.fromEntries([...first.entries()].slice(1)), ...first.groups }
    };
  }
  #notSeen(pattern, timeout) {
    const wanted = typeof pattern === "string" ? quoted(pattern) : String(pattern);
    const output = this.#text.slice(-longestOutput);
    return new ExpectationError(`The console did not show ${wanted} within ${timeout} ms`, {
      output
    });
  }
};
function expressionOf(pattern, path) {
  if (pattern instanceof RegExp) {
    return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  }
  if (typeof pattern === "string" && pattern !== "") {
    return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  }
  throw new InputError([{ path, message: "must be a text that is not empty, or a RegExp" }]);
}
function quoted(text) {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}\u2026` : text);
}

// src/lib/leases/console.ts
var BoardConsole = class {
  #session;
  #writer;
  #expectations;
  constructor(session) {
    this.#session = session;
    this.#writer = new ConsoleWriter(session);
    this.#expectations = new Expectations(session);
  }
  [Symbol.asyncIterator]() {
    return this.text();
  }
  async *text(options = {}) {
    const decoder = new TextDecoder();
    for await (const bytes of this.read(options)) {
      const text = decoder.decode(bytes, { stream: true });
      if (text !== "") yield text;
    }
  }
  async *read(options = {}) {
    for await (const { bytes } of consolePieces(this.#session, options)) yield bytes;
  }
  async write(data, options = {}) {
    await this.#writer.write(data, options.signal);
  }
  async expect(pattern, options) {
    return await this.#expectations.expect(pattern, options);
  }
  /** An expectation after an action must not match what was shown before it. */
  async skipToEnd(signal) {
    const end = await this.#session.insist(() => consoleEnd(this.#session, signal), signal);
    this.#expectations.startAt(end);
  }
};

// src/lib/leases/session.ts
var longestWait = 20;
var requestTimeout = 15e3;
var LeaseSession = class {
  connection;
  path;
  /** The lease as it was last seen. */
  record;
  /** Told of each record that replaces another. */
  onRecord = () => {
  };
  /** When the service ends the lease by itself at the latest, by this machine's own clock. */
  endsAt = 0;
  #over = new AbortController();
  constructor(connection, record) {
    this.connection = connection;
    this.path = leasePath(record.id);
    this.record = record;
    this.extend(record.minutes ?? 0);
    this.update(record);
  }
  /** Aborted when the lease has ended. */
  get over() {
    return this.#over.signal;
  }
  extend(minutes) {
    this.endsAt = performance.now() + minutes * 6e4;
  }
  update(record) {
    if (this.over.aborted) return;
    this.record = record;
    this.onRecord(record);
    if (record.status === "ended") this.#over.abort(this.endedError());
  }
  /** New for each that it is thrown to, so that each has a stack of its own. */
  endedError() {
    const { id, endReason, endMessage } = this.record;
    const reason = endReason ?? "expired";
    const message = `The lease ${id} has ended: ${endMessage || reason}`;
    return new LeaseEndedError(message, { leaseId: id, reason });
  }
  /** Declares the lease expired although the service could not be asked. */
  expire() {
    this.update({
      ...this.record,
      status: "ended",
      endReason: "expired",
      endMessage: "It could not be renewed in time."
    });
  }
  /** Reads the lease; with a status, as soon as it has another one. */
  async refresh(options, unless) {
    const wait = unless && (unless.wait ?? longestWait);
    const record = await this.connection.request({
      method: "GET",
      path: this.path,
      query: { wait, status: unless?.status },
      options: { timeout: requestTimeout + (wait ?? 0) * 1e3, ...options },
      read: readLease
    });
    this.update(record);
  }
  async release(options) {
    const record = await this.connection.request({
      method: "DELETE",
      path: this.path,
      options,
      read: (body) => body === void 0 ? released(this.record) : readLease(body)
    });
    this.update(record);
  }
  /** Work on the active lease: ends with the lease, with the caller's signal, or by itself. */
  async during(work, { signal: caller, timeout } = {}) {
    caller?.throwIfAborted();
    const joined = joinSignals(caller, this.over);
    const timer = timeout === void 0 ? void 0 : setTimeout(() => joined.abort(new TimeoutError(timeout)), readTimeout(timeout));
    try {
      return await abortable(work(joined.signal), joined.signal);
    } catch (error) {
      caller?.throwIfAborted();
      throw await this.explain(error);
    } finally {
      clearTimeout(timer);
      joined.letGo();
    }
  }
  /** Work that is repeated until it succeeds or the lease must have ended. */
  async insist(work, signal) {
    return await persistently(work, { until: () => this.endsAt, signal });
  }
  /** The error to throw: that of the end of the lease, if the lease has ended. */
  async explain(error) {
    if (isApiError(error, "lease_ended") || isApiError(error, "lease_not_active")) {
      await this.refresh().catch(() => {
      });
    }
    return this.over.aborted ? this.endedError() : error;
  }
};
function released(record) {
  return { ...record, status: "ended", endReason: "released" };
}

// src/lib/leases/create.ts
var selfRenewedMinutes = 2;
var releaseTimeout = 5e3;
var patience = 6e4;
async function takeBoard(connection, input, { renew = true, onProgress, timeout, signal: caller, ...options }) {
  const minutes = input.minutes ?? (renew ? selfRenewedMinutes : void 0);
  const json = snakeCased(readInput(leaseInput, { ...input, minutes }));
  caller?.throwIfAborted();
  const { signal, abort, letGo } = joinSignals(caller);
  const timer = timeout && setTimeout(() => abort(new TimeoutError(timeout)), readTimeout(timeout));
  try {
    const session = await requestLease(connection, json, { ...options, signal });
    await untilActive(session, signal, onProgress).catch(async (error) => {
      await giveBack(session);
      throw error;
    });
    return session;
  } finally {
    clearTimeout(timer);
    letGo();
  }
}
async function requestLease(connection, json, { signal, ...options }) {
  const late = new AbortController();
  let timer;
  const onAbort = () => {
    timer = setTimeout(() => late.abort(signal.reason), releaseTimeout);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const record = await connection.request({
      method: "POST",
      path: "/v1/leases",
      json,
      options: { idempotencyKey: uniqueKey(), ...options, signal: late.signal },
      read: readLease
    });
    return new LeaseSession(connection, record);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
async function untilActive(session, signal, onProgress) {
  const watch = onProgress && watcher(session, onProgress);
  for (; ; ) {
    signal.throwIfAborted();
    const giveUpAt = performance.now() + patience;
    const { status } = session.record;
    const step = async () => {
      await watch?.(signal);
      if (status !== "queued" && status !== "preparing") return;
      await session.refresh({ signal }, { status, wait: watch ? 2 : 20 });
    };
    await persistently(step, { until: () => giveUpAt, signal });
    if (session.over.aborted) throw session.endedError();
    if (status === session.record.status && status === "active") return;
  }
}
function watcher(session, onProgress) {
  let reported = "";
  return async (signal) => {
    const { record: lease2 } = session;
    const actions = lease2.status === "queued" ? [] : await listActions(session, { signal });
    const steps = actions.filter(({ phase }) => phase === "prepare");
    const progress = { lease: lease2, steps };
    const text = JSON.stringify(progress);
    if (text !== reported) report(onProgress, progress);
    reported = text;
  };
}
async function giveBack(session) {
  if (session.over.aborted) return;
  await session.release({ timeout: releaseTimeout }).catch(() => {
  });
}

// src/lib/leases/renewal.ts
var requestTimeout2 = 1e4;
var Renewal = class {
  #session;
  #minutes;
  #timer;
  #failures = 0;
  #repeats = false;
  constructor(session) {
    this.#session = session;
    this.#minutes = session.record.minutes ?? 2;
    session.over.addEventListener("abort", () => this.stop(), { once: true });
  }
  /** Renews the lease every third of its time. */
  start() {
    this.#repeats = !this.#session.over.aborted;
    this.#schedule(this.#interval);
  }
  stop() {
    this.#repeats = false;
    clearTimeout(this.#timer);
  }
  async renew(minutes = this.#minutes, options) {
    const { connection, path } = this.#session;
    const sentAt = performance.now();
    const record = await connection.request({
      method: "POST",
      path: `${path}/renew`,
      json: { minutes },
      options,
      read: readLease
    });
    this.#minutes = minutes;
    this.#failures = 0;
    this.#session.endsAt = sentAt + minutes * 6e4;
    this.#session.update(record);
    this.#schedule(this.#interval);
  }
  get #interval() {
    return this.#minutes * 6e4 / 3;
  }
  #schedule(milliseconds) {
    clearTimeout(this.#timer);
    if (this.#repeats) this.#timer = quietTimer(() => void this.#beat(), milliseconds);
  }
  async #beat() {
    try {
      await this.renew(this.#minutes, { timeout: requestTimeout2, maxRetries: 0 });
    } catch (error) {
      await this.#recover(error);
    }
  }
  /** The lease is lost when the service says so, or when its time is over without a response. */
  async #recover(error) {
    await this.#session.explain(error);
    if (this.#session.over.aborted) return;
    const left = this.#session.endsAt - performance.now();
    if (left <= 0) this.#session.expire();
    else if (isPassing(error)) this.#schedule(Math.min(left, waitAfter(error, ++this.#failures)));
    else this.#schedule(Math.min(left, this.#interval));
  }
};

// src/lib/leases/lease.ts
async function createLease(connection, input, options) {
  const session = await takeBoard(connection, input, options);
  const renewal = new Renewal(session);
  if (options.renew !== false) renewal.start();
  return leaseOf(session, renewal);
}
async function getLease(connection, id, options) {
  const record = await connection.request({
    method: "GET",
    path: leasePath(id),
    options,
    read: readLease
  });
  const session = new LeaseSession(connection, record);
  return leaseOf(session, new Renewal(session));
}
function leaseOf(session, renewal) {
  const lease2 = Object.assign(new HeldLease(session, renewal), session.record);
  session.onRecord = (record) => {
    Object.assign(lease2, record);
    const response = responseOf(record);
    if (response) rememberResponse(lease2, response);
  };
  session.onRecord(session.record);
  return lease2;
}
var HeldLease = class {
  #session;
  #renewal;
  #console;
  #actions;
  constructor(session, renewal) {
    this.#session = session;
    this.#renewal = renewal;
    this.#console = new BoardConsole(session);
    this.#actions = new Actions(session, (signal) => this.#console.skipToEnd(signal));
  }
  get console() {
    return this.#console;
  }
  async flash(firmware, options) {
    return await this.#actions.flash(firmware, options);
  }
  async erase(options) {
    return await this.#actions.carryOut("erase", options);
  }
  async reset(options) {
    return await this.#actions.carryOut("reset", options);
  }
  async power(state, options) {
    return await this.#actions.carryOut(`power_${state}`, options);
  }
  async actions(options) {
    return await listActions(this.#session, options);
  }
  async refresh(options) {
    await this.#session.refresh(options);
    return this.#session.record;
  }
  async renew({ minutes } = {}, options) {
    await this.#session.during((signal) => this.#renewal.renew(minutes, { ...options, signal }), {
      signal: options?.signal
    });
    return this.#session.record;
  }
  async release(options) {
    this.#renewal.stop();
    if (!this.#session.over.aborted) await this.#session.release(options);
    return this.#session.record;
  }
  async [Symbol.asyncDispose]() {
    await this.release().catch(() => {
    });
  }
};
export {
  createLease,
  getLease,
  readLease
};

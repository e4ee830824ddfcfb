import {
  ActionFailedError,
  ApiError,
  BoardAccessError,
  ConnectionError,
  ConsoleUnavailableError,
  ExpectationError,
  InputError,
  LeaseEndedError,
  TimeoutError,
  WriteError,
  abortable,
  checkFormat,
  fieldsOf,
  followLater,
  followSignals,
  gapOffset,
  invalidResponse,
  isApiError,
  isTemporary,
  joinBytes,
  jsonBody,
  leaseInputFields,
  leasePath,
  leaseStatuses,
  listActions,
  longestTimeout,
  notify,
  pause,
  pauseAfter,
  persistently,
  quietTimer,
  readAction,
  readFile,
  readInput,
  redactedCause,
  rememberResponse,
  requestLease,
  responseOf,
  snakeCased,
  startWait,
  visible,
  waitFor
} from "./chunk-UHYF37K3.js";

// src/leases/helpers.ts
function joinLimits({ signal, timeout }, ...others) {
  checkTimeout(timeout);
  signal?.throwIfAborted();
  return followSignals([signal, ...others], { milliseconds: timeout });
}
function checkTimeout(timeout) {
  if (timeout === void 0 || timeout >= 1 && timeout <= longestTimeout) return;
  throw new InputError([
    { path: "timeout", message: `must be a number from 1 to ${longestTimeout}` }
  ]);
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

// src/leases/actions.ts
var waitSeconds = 2;
var waitTimeout = 15e3;
var uploadTimeout = 4e4;
var slowestUpload = 16 * 1024;
async function carryOut(lease, wanted, signal) {
  let action = await requestAction(lease, wanted, signal);
  while (!hasEnded(action)) {
    const { id } = action;
    const pauseIfEarly = startWait(signal);
    action = await lease.insist(() => readChanged(lease, id, signal), signal);
    if (!hasEnded(action)) await pauseIfEarly();
  }
  if (action.status === "done") return action;
  await lease.refresh({ signal }).catch(() => {
  });
  throw new ActionFailedError(action);
}
async function flash(lease, firmware, { raw, flashOffset, onProgress, signal }) {
  const bytes = await bytesOf(firmware);
  requireFormat(bytes, { raw, flashOffset });
  const total = bytes.byteLength;
  const reportStep = (step, sent) => notify(onProgress, { step, bytes: sent, total });
  reportStep("uploading", 0);
  const { id } = await upload(lease, bytes, { raw, signal });
  reportStep("waiting", total);
  return await carryOut(lease, { action: "flash", file_id: id, flash_offset: flashOffset }, signal);
}
async function requestAction({ transport, path }, wanted, signal) {
  return await transport.request({
    method: "POST",
    path: `${path}/actions`,
    body: jsonBody(wanted),
    isPatient: true,
    options: { signal, idempotencyKey: uniqueKey() },
    read: (body) => readAction(body)
  });
}
async function readChanged({ transport, path }, id, signal) {
  return await transport.request({
    method: "GET",
    path: `${path}/actions/${encodeURIComponent(id)}`,
    query: { wait: waitSeconds },
    options: { signal, timeout: waitTimeout },
    read: (body) => readAction(body)
  });
}
async function upload({ transport, path }, body, { raw, signal }) {
  const attemptTimeout2 = uploadTimeout + Math.ceil(body.length / slowestUpload * 1e3);
  return await transport.request({
    method: "POST",
    path: `${path}/files`,
    query: { raw: raw || void 0 },
    body,
    isPatient: true,
    options: { signal, attemptTimeout: attemptTimeout2, timeout: 3 * attemptTimeout2, idempotencyKey: uniqueKey() },
    read: (body2) => readFile(body2)
  });
}
function hasEnded({ status }) {
  return status === "done" || status === "failed";
}
function requireFormat(bytes, options) {
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
  /** How many of its bytes the service has. */
  sent = 0;
  /** Whether some of them may have been sent that the service has not confirmed. */
  isUnderWay = false;
  #settled = Promise.withResolvers();
  constructor(data, signal) {
    this.bytes = typeof data === "string" ? new TextEncoder().encode(data) : data.slice();
    this.signal = signal;
  }
  /** Resolves when all was sent. */
  get settled() {
    return this.#settled.promise;
  }
  get isOpen() {
    return this.sent < this.bytes.length && !this.signal?.aborted;
  }
  confirm(bytes) {
    this.isUnderWay = false;
    this.sent += bytes;
    if (this.sent === this.bytes.length) this.#settled.resolve();
    else if (this.signal?.aborted) this.fail(this.signal.reason);
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
  async write(data, signal) {
    signal?.throwIfAborted();
    if (this.#lease.over.aborted) throw this.#endedBefore();
    const write = new PendingWrite(data, signal);
    let timer;
    const stop = () => {
      const fail = () => write.fail(signal?.reason);
      if (write.isUnderWay) timer = setTimeout(fail, abortMs);
      else fail();
    };
    signal?.addEventListener("abort", stop, { once: true });
    this.#pending.push(write);
    void this.#send();
    try {
      await write.settled;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
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
    const isWanted = () => parts.some(({ write }) => !write.signal?.aborted);
    try {
      await this.#post(joinBytes(parts.map(({ bytes }) => bytes)), isWanted);
      for (const { write, bytes } of parts) write.confirm(bytes.length);
    } catch (error) {
      for (const { write } of parts) write.isUnderWay = this.#mayBeSent;
      const reason = await this.#lease.explain(error);
      for (const write of isWanted() ? this.#pending : parts.map((part) => part.write)) {
        const isLate = this.#lease.over.aborted && !write.isUnderWay;
        const why = isLate ? this.#endedBefore() : reason;
        write.fail(write.signal?.aborted ? write.signal.reason : why);
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
  async #post(bytes, isWanted) {
    this.#mayBeSent = false;
    if (bytes.length === 0) return;
    const until = performance.now() + patienceMs;
    const piece = uniqueKey();
    for (let failures = 0; ; failures++) {
      try {
        this.#offset ??= await this.#attempt(new Uint8Array());
        this.#offset = await this.#attempt(bytes, piece);
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
  async #attempt(body, piece) {
    return await this.#lease.transport.request({
      method: "POST",
      path: `${this.#lease.path}/console`,
      query: { offset: this.#offset, piece },
      body,
      options: { signal: this.#lease.over, timeout: attemptTimeout, maxRetries: 0 },
      read: (_, { headers }) => offsetIn(headers)
    });
  }
};
function partsOf(pending) {
  let room = maxConsoleInput;
  const parts = [];
  for (const write of pending.filter(({ signal }) => !signal?.aborted)) {
    if (room === 0) break;
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
    for await (const { bytes } of this.#feed.read(options)) yield bytes;
  }
  async write(data, options = {}) {
    await this.#writer.write(data, options.signal);
  }
  async expect(pattern, options) {
    return await this.#expectations.expect(pattern, options);
  }
  async expectLine(pattern, options) {
    return await this.#expectations.expect(pattern, options, true);
  }
};

// src/leases/console/decoded-console.ts
var mostBytes = 1024 * 1024;
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
  append({ bytes, next }) {
    const start = next - bytes.length;
    if (start !== this.next) {
      this.missingUntil = start;
      if (this.#chunks.length > 0) this.#push(lineBreak, start);
      this.gaps.push(Math.max(0, this.text.length - lineBreak.length), this.text.length);
    }
    this.#push(bytes, next);
    if (next - this.start <= mostBytes + tolerance) return;
    this.dropBefore(next - mostBytes);
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
  #push(bytes, next) {
    this.#chunks.push({ bytes, next });
    this.next = next;
    this.text += this.#decoder.decode(bytes, { stream: true });
  }
  #drop(count) {
    let left = count;
    for (let [first] = this.#chunks; first && left > 0; [first] = this.#chunks) {
      this.#chunks.shift();
      const rest = first.bytes.subarray(left);
      left -= first.bytes.length - rest.length;
      if (rest.length > 0) this.#chunks.unshift({ bytes: rest, next: first.next });
    }
  }
};
function streamDecoder() {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
function byteLength(bytes, characters) {
  const decoder = streamDecoder();
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (decoder.decode(bytes.subarray(0, middle)).length <= characters) low = middle;
    else high = middle - 1;
  }
  return low;
}

// src/leases/console/search.ts
var longestSearch = 1e3;
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
    return (search2) => script.runInContext(Object.assign(context, { search: search2 }), { timeout: longestSearch });
  } catch {
    return (search2) => search2();
  }
}

// src/leases/console/expectations.ts
var longestOutput = 4e3;
var mostLines = 5;
var longestLine = 200;
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
  async expect(pattern, { fail, timeout = 6e4, signal, onConnection } = {}, lines = false) {
    const wanted = {
      lines,
      pattern: expressionOf(pattern, "pattern"),
      fails: [fail ?? []].flat().map((each) => expressionOf(each, "fail"))
    };
    checkTimeout(timeout);
    signal?.throwIfAborted();
    const endsAt = performance.now() + timeout;
    const { signal: deadline, end } = followSignals([], { milliseconds: timeout });
    try {
      const limits = { signal, deadline, onConnection, endsAt };
      const match = await this.#inTurn(() => this.#untilMatch(wanted, limits), limits);
      if (match) return match;
      const error = this.#notSeen(pattern, timeout, limits);
      this.#requireConsole(error.from, limits);
      throw error;
    } finally {
      end();
    }
  }
  /** Once: what was shown before the last action of another process does not count. */
  async #findStart(options) {
    if (this.#isStartKnown) return;
    this.startAt(await this.#lease.lastActionOffset(options));
    this.#isStartKnown = true;
  }
  /** Throws if the lease has ended, or if output is missing: then what the board showed is not known. */
  #requireConsole(from, { synced }) {
    if (this.#lease.over.aborted) throw this.#lease.endedError();
    for (const record of [synced, this.#lease.record]) {
      const isAway = (record?.consoleStatus ?? "connected") !== "connected";
      if (record && (isAway || (record.consoleGapOffset ?? -1) >= from))
        throw new ConsoleUnavailableError(record);
    }
    this.#requireOutput({ from, to: Number.POSITIVE_INFINITY, text: this.#unmatched.text });
  }
  /** Throws if output is missing there. */
  #requireOutput({ from, to, text }) {
    const { missingUntil } = this.#unmatched;
    if (!missing.test(text) && (missingUntil < from || missingUntil >= to)) return;
    throw new ConsoleUnavailableError();
  }
  /** Runs one at a time: two that wait at the same time would consume each other's text. */
  async #inTurn(work, limits) {
    const before = this.#last;
    const { signal: either, end } = followSignals([limits.signal, limits.deadline]);
    const waiting = abortable(before, either).finally(end);
    const turn = waiting.then(work, () => this.#confirm(limits));
    this.#last = Promise.allSettled([before, turn]);
    return await turn;
  }
  /** Throws if the console could not be read until the deadline. What was read is for those before. */
  async #confirm(limits) {
    for await (const _ of this.#feed.read({ from: this.#unmatched.next, ...limits })) ;
    limits.synced = await this.#lease.syncConsole(limits);
    return void 0;
  }
  /** Resolves without a match when the deadline has passed. */
  async #untilMatch(wanted, limits) {
    const timeout = Math.max(1, Math.ceil(limits.endsAt - performance.now()));
    await this.#findStart({ signal: limits.signal, timeout });
    this.#unmatched.dropBefore(this.earliest);
    const inTime = this.#match(wanted, limits) ?? await this.#search(wanted, limits);
    if (inTime) return inTime;
    limits.synced = await this.#lease.syncConsole(limits);
    return await this.#search(wanted, limits);
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
    const { text, start: from } = this.#unmatched;
    const found = this.#find(wanted, limits, isOver);
    if (!found) return void 0;
    const { match, isFailure, index, end } = found;
    const [matched] = match;
    this.#unmatched.consume(end);
    const seen = { text: text.slice(0, end), from, to: this.#unmatched.start };
    if (isFailure) {
      throw unexpected(`The console showed ${quoted(matched)}`, { ...seen, matched });
    }
    if (wanted.fails.length > 0) this.#requireOutput(seen);
    return {
      matched,
      before: text.slice(0, index),
      groups: { ...Object.fromEntries([...match.entries()].slice(1)), ...match.groups }
    };
  }
  /** A search that was stopped is repeated with more text, until the deadline. */
  #find(wanted, limits, isOver) {
    if (limits.searchStopped && performance.now() >= limits.endsAt) return void 0;
    const { text, gaps } = this.#unmatched;
    const { found, searchStopped } = searchInTime(() => {
      const sections = sectionsOf(text, gaps);
      return search(wanted.lines ? linesOf(sections, isOver) : sections, wanted);
    });
    limits.searchStopped = searchStopped;
    return found;
  }
  #notSeen(pattern, timeout, { searchStopped }) {
    const wanted = typeof pattern === "string" ? quoted(pattern) : String(pattern);
    const { text, start: from, next: to } = this.#unmatched;
    const message = searchStopped ? `The console could not be searched within ${timeout / 1e3} s: a regular expression takes too long, so simplify it` : `The console did not show ${wanted} within ${timeout / 1e3} s`;
    return unexpected(message, { text, from, to, searchStopped });
  }
};
function unexpected(message, { text, ...seen }) {
  const lines = text.split(/[\r\n]+/).filter((line) => line !== "");
  const shown = lines.slice(-mostLines).map((line) => `
  ${visible(line.slice(-longestLine))}`);
  const ending = shown.length > 0 ? `end with:${shown.join("")}` : "are nothing but line ends.";
  const { from, to } = seen;
  const what = from === to ? "Nothing was printed." : `Bytes ${from} to ${to} ${ending}`;
  return new ExpectationError(`${message}. ${what}`, {
    ...seen,
    output: text.slice(-longestOutput)
  });
}
function search(sections, wanted) {
  for (const [text, index] of sections) {
    const found = earliest(text, wanted);
    const end = index + (wanted.lines ? text.length : found?.end ?? 0);
    if (found) return { ...found, index: index + found.index, end };
  }
  return void 0;
}
var notices = /(?:^|\r\n)\[(?:… [^\r\n]* …\]\r\n|(?:…[^\r\n]*)?\r?$)/g;
var missing = /\[… [^[\r\n]*(?:bytes dropped|are missing) …\]\r\n/;
function sectionsOf(text, gaps) {
  const cuts = [...gaps, text.length].map((cut) => [cut, cut]);
  for (const { 0: notice, index } of text.matchAll(notices)) {
    cuts.push([index, index + notice.length]);
  }
  let [start, next] = [0, 0];
  return cuts.sort(([one], [other]) => one - other).map(([end, after]) => {
    [start, next] = [next, Math.max(next, after)];
    return [text.slice(start, end), start];
  });
}
function linesOf(sections, isOver) {
  return sections.flatMap(([text, start], number) => {
    const isLast = isOver && number === sections.length - 1;
    return [...text.matchAll(number === 0 ? /[^\r\n]+/g : /(?<=[\r\n])[^\r\n]+/g)].filter(({ 0: line, index }) => isLast || index + line.length < text.length).map(({ 0: line, index }) => [line, start + index]);
  });
}
function earliest(text, { pattern, fails }) {
  const found = [...fails, pattern].flatMap((each) => {
    const match = each.exec(text);
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
function quoted(text) {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}\u2026` : text);
}

// src/leases/console/health.ts
var longestSilenceMs = { watched: 3e3, unwatched: 3e4 };
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
    if (this.#lost) notify(own, { connected: false, error: this.#lost.error });
    return () => this.#watchers.delete(own);
  }
  /** How long the console has not been readable, in milliseconds. */
  get lostForMs() {
    return this.#lost ? performance.now() - this.#lost.since : 0;
  }
  /** Why the console cannot be read, as far as it is known. */
  get error() {
    return this.#lost?.error ?? new TimeoutError(graceMs, "output or response of the console");
  }
  /** Whether all was received that the console had shown at that time. */
  isCurrentAt(time) {
    return this.#replace !== void 0 && this.#missing <= 0 && this.#heardAt >= time;
  }
  /** Whether the connection should be replaced. */
  get isTooSilent() {
    const { watched, unwatched } = longestSilenceMs;
    return performance.now() - this.#heardAt > (this.#watchers.size > 0 ? watched : unwatched);
  }
  /** Replaces a connection, which may be broken without a sign of it. */
  confirm() {
    this.#replace?.();
  }
  opening() {
    const slow = new TimeoutError(slowOpeningMs, "response of the console");
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
    const wasLost = this.#lost !== void 0;
    this.#lost = { error, since: this.#lost?.since ?? performance.now() };
    if (!wasLost) this.#report({ connected: false, error });
    this.#onChange();
  }
  #report(connection) {
    for (const watcher2 of this.#watchers) notify(watcher2, connection);
  }
};

// src/leases/console/stream.ts
var drainMs = 2e3;
var mostFailures = 3;
var longestRefreshMs = 4e3;
var leastPatienceMs = 6e4;
var openingMs = 1e4;
var silenceCheckMs = 500;
async function* consoleChunks(lease, { position, signal: caller, health }) {
  const drained = followLater(lease.over, drainMs, caller);
  const { signal, end } = followSignals([caller, drained.signal]);
  try {
    yield* chunksUntilEnd(lease, { position, signal, health });
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
  const { position, signal, health } = reading;
  const patience = Math.max(leastPatienceMs, (lease.record.minutes ?? 0) * 6e4);
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
      await lease.refresh({ signal, maxRetries: 0, timeout: longestRefreshMs });
      if (lease.over.aborted) return;
    } catch (error) {
      signal.throwIfAborted();
      const isHopeless = isLast || !isTemporary(error) || health.lostForMs > patience;
      if (isHopeless) throw await lease.explain(error);
      failure = error;
      health.failed(error);
    }
    if (position.next !== next) failures = 0;
    failures = Math.min(failures + 1, mostFailures);
    await pauseAfter(failure, failures, signal);
  }
}
async function* connectionChunks(lease, { position, signal: caller, health }) {
  const { signal, abort } = followSignals([caller]);
  const silent = new TimeoutError(silenceCheckMs, "output of the console");
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
    const opened = await openConsole(lease, from, signal);
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
async function openConsole({ transport, path }, from, signal) {
  return await transport.request({
    method: "GET",
    path: `${path}/console`,
    query: { from },
    asStream: true,
    options: { signal, timeout: openingMs, maxRetries: 0 },
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
var mostBytes2 = 1024 * 1024 + 256 * 1024;
var chunkSize = 16 * 1024;
var ConsoleFeed = class _ConsoleFeed {
  #lease;
  /** Resolved and replaced whenever readers have to look again. */
  #changed = Promise.withResolvers();
  #chunks = [];
  /** The offsets of the first byte that is kept, and of the one that comes next. */
  #start = 0;
  #next = 0;
  #readers = 0;
  #run;
  #linger;
  constructor(lease) {
    this.#lease = lease;
  }
  /** Ends with the console, or at the deadline; throws if the console could not be read until then. */
  async *read(options) {
    const { from = 0, signal, deadline, onConnection } = options;
    signal?.throwIfAborted();
    const run2 = this.#join(from);
    if (!run2) return yield* new _ConsoleFeed(this.#lease).read(options);
    const unwatch = run2.health.watch(onConnection);
    const grace = this.#graceAfter(deadline, run2.health);
    let next = from;
    try {
      while (next >= this.#start) {
        const chunk = this.#chunkAt(next);
        if (chunk) {
          next = chunk.next;
          yield chunk;
        } else if (run2.end) {
          if (!("error" in run2.end)) return;
          throw this.#lease.over.aborted ? this.#lease.endedError() : run2.end.error;
        } else if (run2.health.isCurrentAt(grace.since)) return;
        else if (grace.isOver) throw run2.health.error;
        else await abortable(this.#changed.promise, signal);
      }
    } finally {
      grace.end();
      unwatch();
      this.#leave();
    }
    yield* this.read({ ...options, from: next });
  }
  /** Shares the connection; undefined if it reads far from the offset. */
  #join(from) {
    const isKept = from >= this.#start && from <= this.#next;
    if (!this.#run || this.#run.end) {
      if (!isKept) [this.#chunks, this.#start, this.#next] = [[], from, from];
      const health = new ConsoleHealth(() => this.#announce());
      this.#run = { stop: new AbortController(), health };
      const { signal } = this.#run.stop;
      const onEnd = () => this.#stopUnread();
      this.#lease.over.addEventListener("abort", onEnd, { once: true, signal });
      void this.#follow(this.#run);
    } else if (!isKept) return void 0;
    clearTimeout(this.#linger);
    this.#readers++;
    return this.#run;
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
      const reading = { position: { next: this.#next }, signal, health };
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
    const last = this.#chunks.at(-1);
    if (last?.next === start && last.bytes.length + bytes.length <= chunkSize) {
      this.#chunks.splice(-1, 1, { bytes: joinBytes([last.bytes, bytes]), next });
    } else this.#chunks.push({ bytes, next });
    this.#next = next;
    this.#forget();
  }
  #forget() {
    let size = this.#chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
    while (size > mostBytes2) {
      const oldest = this.#chunks.shift();
      size -= oldest?.bytes.length ?? size;
      this.#start = oldest?.next ?? this.#next;
    }
  }
  #chunkAt(position) {
    const from = position > this.#next ? this.#start : position;
    const chunk = this.#chunks.find(({ next: next2 }) => next2 > from);
    if (!chunk) return void 0;
    const { bytes, next } = chunk;
    return { bytes: bytes.slice(Math.max(0, from - next + bytes.length)), next };
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

// src/leases/renewal.ts
var requestTimeout = 1e4;
var shortestDelay = 1e3;
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
    await this.#lease.request({ method: "POST", path: "/renew", body, options });
    this.#minutes = minutes ?? this.#minutes;
    this.#failures = 0;
    this.#reported = "";
    this.#schedule(this.#delay);
  }
  /** A third of the time that is left, so that several attempts fit into it. */
  get #delay() {
    const left = this.#lease.endsAt - performance.now();
    const whole = this.#minutes * 6e4;
    return Math.max(left > 0 ? Math.min(left, whole) / 3 : whole / 3, shortestDelay);
  }
  #schedule(milliseconds) {
    clearTimeout(this.#timer);
    if (this.#repeats) this.#timer = quietTimer(() => void this.#beat(), milliseconds);
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
var longestWait = 20;
var requestTimeout2 = 15e3;
var shortestWait = 1e3;
var endCodes = /* @__PURE__ */ new Set(["lease_ended", "lease_not_active", "lease_not_found"]);
var statusOrder = leaseStatuses;
var TrackedLease = class {
  transport;
  path;
  /** The lease as it was last seen. */
  record;
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
    this.transport = transport;
    this.path = leasePath(seen.record.id);
    this.record = seen.record;
    this.update(seen);
  }
  /** Aborted when the service has said that the lease has ended. */
  get over() {
    return this.#over.signal;
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
    const message = `The lease ${id} has ended: ${endMessage || reason}`;
    return new LeaseEndedError(message, { leaseId: id, reason });
  }
  /** Where the output of the last action begins that was done before this process knew the lease. */
  async lastActionOffset(options) {
    if (!this.#isAttached) return 0;
    const actions = await listActions(this, { maxRetries: 5, ...options });
    const done = actions.filter(({ status }) => status === "done");
    return Math.max(0, ...done.map(({ consoleOffset }) => consoleOffset ?? 0));
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
  async syncConsole({ signal }) {
    const options = { signal, timeout: 8e3, idempotencyKey: uniqueKey() };
    return await this.request({ method: "POST", path: "/console/sync", options });
  }
  /** Resolves when the lease has another status, or after a while. */
  async nextStatus(signal, wait = longestWait) {
    const { status } = this.record;
    const pauseIfEarly = startWait(signal);
    await this.refresh({ signal }, { status: status ?? void 0, wait });
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
  async during(work, limits = {}) {
    const { signal, end } = joinLimits(limits, this.over);
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
        await this.nextStatus(this.over);
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
    this.#askIn(Math.max(this.endsAt - performance.now(), shortestWait));
  }
  #askIn(milliseconds, failures = 0) {
    this.#endTimer = quietTimer(() => void this.#ask(failures), milliseconds);
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
async function takeBoard(transport, input, {
  renew = true,
  onProgress,
  onRenewFailed,
  timeout,
  signal: caller,
  ...options
}) {
  const wanted = readInput(leaseInputFields, input);
  const minutes = wanted.minutes ?? (renew ? selfRenewedMinutes : void 0);
  const json = snakeCased({ ...wanted, minutes, heartbeat: true });
  const { signal, end } = joinLimits({ signal: caller, timeout });
  try {
    const lease = await requestTracked(transport, json, { ...options, signal });
    const renewal = new Renewal(lease, onRenewFailed);
    renewal.start();
    await untilActive(lease, signal, onProgress).catch(async (error) => {
      renewal.stop();
      await giveBack(lease, signal);
      throw error;
    });
    if (!renew) renewal.stop();
    return { tracked: lease, renewal };
  } finally {
    end();
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
      const isWithdrawn = await withdraw(transport, post, signal);
      if (error instanceof BoardAccessError) error.outcome = isWithdrawn ? "rejected" : "unknown";
    }
    throw error;
  } finally {
    late.end();
  }
}
async function withdraw(transport, post, signal) {
  const limits = { maxRetries: 5, ...signal.aborted && afterAbort };
  try {
    const lease = new TrackedLease(transport, await post(limits));
    await giveBack(lease, signal);
    return lease.over.aborted;
  } catch {
    return false;
  }
}
async function untilActive(lease, signal, onProgress) {
  const watch = onProgress && watcher(lease, onProgress);
  for (; ; ) {
    signal.throwIfAborted();
    const { status } = lease.record;
    const step = async () => {
      await watch?.(signal);
      if (status !== "active") await lease.nextStatus(signal, watch ? 2 : void 0);
    };
    await persistently(step, { signal });
    if (lease.over.aborted) throw lease.endedError();
    if (status === "active" && lease.record.status === status) return;
  }
}
function watcher(tracked, onProgress) {
  let reported = "";
  return async (signal) => {
    const { record: lease } = tracked;
    const actions = lease.status === "queued" ? [] : await listActions(tracked, { signal });
    const steps = actions.filter(({ phase }) => phase === "prepare");
    const progress = { lease, steps };
    const text = JSON.stringify(progress);
    if (text !== reported) notify(onProgress, progress);
    reported = text;
  };
}
async function giveBack(lease, signal) {
  if (lease.over.aborted) return;
  await lease.release(signal.aborted ? afterAbort : {}).catch(() => {
  });
}

// src/leases/lease.ts
async function createLease(transport, input, options) {
  const { tracked, renewal } = await takeBoard(transport, input, options);
  return leaseOf(tracked, renewal);
}
async function getLease(transport, id, { renew = false, onRenewFailed, ...options } = {}) {
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
      options
    );
  }
  async erase(options) {
    return await this.#act((signal) => carryOut(this.#lease, { action: "erase" }, signal), options);
  }
  async reset(options) {
    return await this.#act((signal) => carryOut(this.#lease, { action: "reset" }, signal), options);
  }
  async power(state, options) {
    const action = `power_${state}`;
    return await this.#act((signal) => carryOut(this.#lease, { action }, signal), options);
  }
  /** An expectation after an action must not match what was shown before its output. */
  async #act(work, options) {
    const action = this.#lease.during(async (signal) => {
      const done = await work(signal);
      this.#expectations.startAt(done.consoleOffset);
      return done;
    }, options);
    return await this.#expectations.pausedDuring(action);
  }
  async actions(options) {
    return await listActions(this.#lease, options);
  }
  async refresh(options) {
    await this.#lease.refresh(options);
    return this.#lease.record;
  }
  async renew({ minutes } = {}, options) {
    const renew = (signal) => this.#renewal.renew(minutes, { ...options, signal, idempotencyKey: uniqueKey() });
    await this.#lease.during(renew, { signal: options?.signal });
    return this.#lease.record;
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
export {
  createLease,
  getLease
};

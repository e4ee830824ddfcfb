import{createRequire}from'node:module';const require=createRequire(import.meta.url);

// src/records/defined.ts
function defined(fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== void 0);
  return Object.fromEntries(entries);
}

// src/errors/base.ts
var brand = /* @__PURE__ */ Symbol.for("board-access.error");
var BoardAccessError = class extends Error {
  /** @internal */
  constructor(message, { cause, outcome = "not-sent", ...details }) {
    super(message, cause === void 0 ? void 0 : { cause });
    Object.assign(this, defined({ attempts: [], ...details, outcome }));
  }
};
Object.defineProperty(BoardAccessError.prototype, brand, { value: true });
function nameErrors(kinds) {
  for (const [name, { prototype }] of Object.entries(kinds)) {
    Object.defineProperty(prototype, "name", { value: name, writable: true, configurable: true });
  }
}

// src/contract/printable.ts
function redact(text) {
  return text.replace(/(key|agt)_[0-9a-f]{48}/gi, "$1_[redacted]");
}
var control = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
var marks = /##(?=\[|vso|teamcity\[)/gi;
var colons = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm;
var groups = /^(?=(?:---|\+\+\+|~~~|\^\^\^)[\t\r ])/gm;
var unfinishedCommand = /(?:##?|##(?:vs?|t[eamcity]{0,7})|(?<![^\n])(?:[^\S\n]*:|(?:-{1,3}|\+{1,3}|~{1,3}|\^{1,3})\r?)|\r)$/i;
function printable(line) {
  return withoutCommands(line.replace(control, " "));
}
function visible(line) {
  const shown = line.replace(
    control,
    (character) => character > "\xFF" ? `\\u${code(character, 4)}` : `\\x${code(character, 2)}`
  );
  return withoutCommands(shown);
}
function printableJson(value, indent = 2) {
  return JSON.stringify(value, null, indent).replace(/[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (found) => `\\u${code(found, 4)}`).replace(marks, "#\\u0023");
}
function printableText(text) {
  const lines = createPrintable();
  return lines.add(text) + lines.end();
}
function createPrintable() {
  const finish = createFinisher((found) => /^[\t\n\r]$/.test(found));
  let command = "";
  let before = "";
  const print = (text, isLast = false) => {
    const lines = (before + command + text).replace(isLast ? /\r(?!\n)/g : /\r(?=[^\n])/g, "\n");
    const [open = ""] = !isLast && unfinishedCommand.exec(lines) || [];
    command = open.slice(Math.max(0, open.length + before.length - lines.length));
    const finished = lines.slice(0, lines.length - command.length);
    const printed = withoutCommands(finished).slice(before.length);
    const line = finished.slice(finished.lastIndexOf("\n") + 1);
    before = line.trim() === "" ? line.slice(0, 1) : "x";
    return printed;
  };
  return {
    /** What can be printed by now. */
    add: (chunk) => print(finish(chunk)),
    /** What must be printed before a message of ours, after which a line begins. */
    breakLine() {
      const rest = print(finish());
      const end = command && print("\n");
      before = "";
      return rest + end;
    },
    /** The rest, when nothing follows. */
    end: () => print(finish(), true)
  };
}
var longest = 4096;
function createFinisher(keeps) {
  const parameters = String.raw`(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}`;
  const text = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\r\n]{0,${longest}}`;
  const short = String.raw`\x1b[ -/]{0,8}`;
  const ended = String.raw`${parameters}[@-~]|${text}(?:\x07|\x1b\\|\x9c)|${short}[0-OQ-WYZ\\\x60-~]`;
  const begun = new RegExp(String.raw`(?:${parameters}|${text}\x1b?|${short})$`);
  const controls = new RegExp(`${ended}|${control.source}`, "gu");
  let unfinished = "";
  return (chunk) => {
    const arrived = unfinished + (chunk ?? "");
    unfinished = chunk === void 0 ? "" : begun.exec(arrived)?.[0] ?? "";
    return arrived.slice(0, arrived.length - unfinished.length).replace(controls, (found) => keeps(found) ? found : "");
  };
}
function withoutCommands(text) {
  return text.replace(marks, "## ").replace(colons, "$1: ").replace(groups, " ");
}
function code(character, digits) {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}

// src/errors/errors.ts
var ConfigurationError = class extends BoardAccessError {
};
var maxIssues = 10;
var maxText = 300;
function shortened(text) {
  return text.length > maxText ? `${text.slice(0, maxText)}\u2026` : text;
}
var InputError = class extends BoardAccessError {
  /** @internal */
  constructor(found, hint) {
    const issues = found.map(({ path, message }) => ({
      path: shortened(redact(path)),
      message: shortened(redact(message))
    }));
    const named = issues.slice(0, maxIssues);
    const sentences = named.map(({ path, message }) => `${path || "The input"}: ${message}`);
    if (issues.length > maxIssues) sentences.push(`and ${issues.length - maxIssues} more`);
    super(sentences.join("; "), {
      code: "invalid_input",
      hint,
      issues
    });
  }
};
function changesNothing(status, code2) {
  if (code2 === "idempotency_in_progress") return false;
  return status >= 400 && status < 500 && status !== 408 || code2 === "unavailable";
}
var ApiError = class extends BoardAccessError {
  /** @internal */
  constructor(message, details) {
    const { status, code: code2, issues = [] } = details;
    const outcome = changesNothing(status, code2) ? "rejected" : "unknown";
    super(message, { ...details, issues, outcome });
  }
};
var ConnectionError = class extends BoardAccessError {
};
var RequestTimeoutError = class extends BoardAccessError {
  /** @internal */
  constructor(milliseconds, missing = "complete response") {
    super(`No ${missing} within ${milliseconds / 1e3} s`, {
      code: "timeout",
      outcome: "unknown"
    });
  }
};
var ResponseError = class extends BoardAccessError {
  /** @internal */
  constructor(message, details) {
    super(message, { ...details, outcome: "unknown" });
  }
};
function invalidResponse(message) {
  return new ResponseError(message, {
    code: "invalid_response",
    hint: "Check that the base URL is the address of the API."
  });
}
nameErrors({
  ConfigurationError,
  InputError,
  ApiError,
  ConnectionError,
  RequestTimeoutError,
  ResponseError
});

// src/records/json.ts
function fieldsOf(value) {
  return typeof value === "object" && value !== null ? value : {};
}
var deepest = 200;
function checkDepth(value, left = deepest) {
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw invalidResponse(`The response is nested deeper than ${deepest} levels`);
  for (const each of Object.values(value)) checkDepth(each, left - 1);
}
function jsonBody(json) {
  try {
    const text = JSON.stringify(json);
    if (text !== void 0 || json === void 0) return text;
  } catch {
  }
  throw new InputError([{ path: "json", message: "cannot be written as JSON" }]);
}

// src/contract/names.ts
function isLoopback(hostname) {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
function snakeCase(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
function camelCase(name) {
  return name.replace(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}
var synonyms = {
  limit: "pageSize",
  type: "boardType",
  minutes: "durationMs",
  waitSeconds: "waitMs"
};
function nearest(name, known) {
  const synonym = known.find((each) => each === synonyms[name]);
  if (synonym !== void 0) return synonym;
  for (const edits of [0, 1, 2]) {
    const near = known.find(
      (each) => each.length >= 3 * edits && isNear(plain(name), plain(each), edits)
    );
    if (near !== void 0) return near;
  }
  return void 0;
}
function plain(name) {
  return name.toLowerCase().replaceAll("_", "");
}
function unknownOption(name, known) {
  const meant = nearest(name, known);
  return `is not an option${meant ? ` (did you mean ${meant}?)` : `; the options are ${known.join(", ")}`}`;
}
function isNear(one, other, edits) {
  if (edits < 0) return false;
  if (one === "" || other === "") return one.length + other.length <= edits;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return isNear(rest, otherRest, edits);
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  return isSwapped && isNear(rest.slice(1), otherRest.slice(1), edits - 1) || isNear(rest, otherRest, edits - 1) || isNear(rest, other, edits - 1) || isNear(one, otherRest, edits - 1);
}

// src/http/retry.ts
var firstWaitMs = 500;
var maxWaitMs = 8e3;
var lastingFailures = [
  "tls_failed",
  "port_blocked",
  "request_not_sent"
];
function isWorthRetrying(error, repeatable) {
  return wasNotProcessed(error) || repeatable && isTransient(error);
}
function waitAfter(error, attempt) {
  const { status, retryAt } = error;
  const requested = retryAt ? retryAt.getTime() - Date.now() : 0;
  if (requested > 0 && status === 429) return requested;
  const wait = requested > 0 ? requested : firstWaitMs * 2 ** (attempt - 1) * (1 + Math.random() / 2);
  return Math.min(maxWaitMs, wait);
}
function retryMoment(header) {
  if (header === null) return void 0;
  if (/^\d{1,9}$/.test(header)) return new Date(Date.now() + Number(header) * 1e3);
  const moment = /^[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(moment) ? void 0 : new Date(moment);
}
function wasNotProcessed(error) {
  return error instanceof ApiError ? error.status === 429 || error.code === "unavailable" : error instanceof ConnectionError && error.outcome === "not-sent" && !lastingFailures.includes(error.code);
}
function isTransient(error) {
  if (error.outcome !== "unknown") return false;
  return error instanceof ApiError ? [408, 409, 500, 502, 503, 504].includes(error.status) : error instanceof ConnectionError || error instanceof RequestTimeoutError;
}

// src/http/response.ts
var notModified = 304;
var maxBody = 4096;
var maxMessage = 300;
function requestIdOf({ headers, redact: redact2 }) {
  const id = textOf(headers.get("x-request-id"));
  return id && redact2(id);
}
var responses = /* @__PURE__ */ new WeakMap();
function rememberResponse(result, response) {
  if (typeof result === "object" && result !== null) responses.set(result, response);
}
function responseOf(result) {
  return responses.get(result);
}
function responseInfo(response) {
  const { status, headers } = response;
  return { status, headers, requestId: requestIdOf(response) };
}
function readResponse(response, reading) {
  const { status, redirected, text } = response;
  const known = status === notModified && reading.method === "GET";
  if (redirected || status >= 300 && status < 400 && !known) throw redirectError(response);
  if (status < 200 || status >= 400) throw apiError(response, reading);
  if (reading.asText) return text;
  if (text.trim() === "") return void 0;
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponse(
      text.trimStart().startsWith("<") ? "The response is a web page, not JSON" : "The response is not valid JSON"
    );
  }
}
function attachResponse(error, response) {
  if (!(error instanceof ResponseError)) return;
  const { status, text, redact: redact2 } = response;
  const body = text === void 0 ? void 0 : visibleBody({ text, redact: redact2 });
  Object.assign(error, defined({ status, requestId: requestIdOf(response), body }));
}
function apiError(response, { wireNames }) {
  const { status, headers, redact: redact2 } = response;
  const clean = ([name, value]) => [name, redact2(value)];
  const { named, reworded, inOurWords } = wireNames ? unchanged : inOurNames;
  const outer = fieldsOf(parsed(response));
  const fields = typeof outer.error === "object" && outer.error ? fieldsOf(outer.error) : outer;
  const message = textOf(fields.message) ?? textOf(fields.detail) ?? textOf(fields.title) ?? textOf(outer.error);
  const [param, hint] = [textOf(fields.param), textOf(fields.hint)];
  const issues = issuesOf(fields.errors).map((issue) => ({ issue, ours: inOurWords(issue) }));
  const text = issues.reduce(
    (text2, { issue, ours }) => text2.replace(sentenceOf(issue), sentenceOf(ours)),
    message ?? `The service responded with status ${status}`
  );
  return new ApiError(sentence(reworded(text)), {
    status,
    code: textOf(fields.code) ?? `http_${status}`,
    hint: hint && reworded(hint),
    param: param && named(param),
    issues: issues.map(({ ours }) => ours),
    headers: new Headers(Array.from(headers, clean)),
    body: visibleBody(response),
    requestId: requestIdOf(response) ?? textOf(fields.request_id),
    retryAt: retryMoment(headers.get("retry-after"))
  });
}
function redirectError({ headers, redact: redact2 }) {
  const target = textOf(headers.get("location"));
  return new ResponseError(
    `The service redirects${target ? ` to ${sentence(redact2(target))}` : ""}; the API key is not sent there`,
    {
      code: "redirect_refused",
      hint: "Set the base URL to the address that responds without a redirect."
    }
  );
}
function visibleBody(response) {
  const visible2 = response.redact(response.text);
  return visible2.length > maxBody ? visible2.slice(0, maxBody) : parsed(response) ?? visible2;
}
function parsed({ text, redact: redact2 }) {
  try {
    return JSON.parse(redact2(JSON.stringify(JSON.parse(text))));
  } catch {
    return void 0;
  }
}
function sentence(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > maxMessage ? `${line.slice(0, maxMessage)}\u2026` : line;
}
var otherNames = {
  limit: "pageSize",
  tag: "tags",
  minutes: "durationMs",
  wait_seconds: "waitMs"
};
var units = { minutes: " minutes", wait_seconds: " seconds" };
var wireWords = /\b(?:(?:account|board|file)_id|board_(?:ids|type)|credits_per_minute|dry_run|expires_at|flash_offset|has_agent|include_revoked|requires_agent|wait_seconds)\b/g;
var unchanged = {
  named: (path) => path,
  reworded: (text) => text,
  inOurWords: (issue) => issue
};
var inOurNames = {
  named: (path) => path.replace(/^\w+/, renamed),
  reworded: (text) => text.replace(wireWords, renamed),
  inOurWords: ({ path, message }) => ({
    path: path.replace(/^\w+/, renamed),
    message: message.replace(wireWords, renamed) + (Object.hasOwn(units, path) ? units[path] : "")
  })
};
function sentenceOf({ path, message }) {
  return `${path} ${message}`;
}
function renamed(name) {
  return Object.hasOwn(otherNames, name) && otherNames[name] || camelCase(name);
}
function issuesOf(value) {
  return (Array.isArray(value) ? value : []).flatMap((item) => {
    const { path, message } = fieldsOf(item);
    return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
  });
}
function textOf(value) {
  return typeof value === "string" ? printable(value).trim() || void 0 : void 0;
}

// src/errors/redact.ts
var minForm = 48;
function redactorFor(key) {
  if (key === null) return redact;
  return (text) => text.length < minForm ? text : redact(text).replace(formsOf(key), "[redacted]");
}
function formsOf(key) {
  const digits = key.slice("key_".length);
  const plain2 = [...digits].map((digit) => `(?:${digit}|%${digit.charCodeAt(0).toString(16)})`);
  return new RegExp(
    [plain2.join(""), ...[0, 1, 2].map((shift) => base64At(shift, digits))].join("|"),
    "gi"
  );
}
function base64At(shift, text) {
  const whole = text.length - (shift + text.length) % 3;
  return btoa(" ".repeat(shift) + text.slice(0, whole)).slice(shift === 0 ? 0 : 4);
}
function isErrorLike(error) {
  const { name, message } = fieldsOf(error);
  return typeof name === "string" && typeof message === "string";
}
function redactedCause(error, clean = redact, depth = 0) {
  if (!isErrorLike(error) || depth > 4) return void 0;
  const { 0: first } = fieldsOf(fieldsOf(error).errors);
  const cause = redactedCause(error.cause ?? first, clean, depth + 1);
  const copy = new Error(clean(error.message), cause && { cause });
  copy.name = clean(error.name);
  copy.stack = clean(String(error.stack ?? copy.message));
  const { code: code2 } = fieldsOf(error);
  if (typeof code2 === "string") copy.code = clean(code2);
  return copy;
}

export {
  redact,
  printable,
  visible,
  printableJson,
  printableText,
  defined,
  brand,
  BoardAccessError,
  nameErrors,
  ConfigurationError,
  InputError,
  ApiError,
  ConnectionError,
  RequestTimeoutError,
  ResponseError,
  invalidResponse,
  fieldsOf,
  checkDepth,
  jsonBody,
  isLoopback,
  snakeCase,
  camelCase,
  nearest,
  unknownOption,
  lastingFailures,
  isWorthRetrying,
  waitAfter,
  requestIdOf,
  rememberResponse,
  responseOf,
  responseInfo,
  readResponse,
  attachResponse,
  redactorFor,
  isErrorLike,
  redactedCause
};

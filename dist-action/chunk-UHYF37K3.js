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

// src/contract/printable.ts
var control = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
var marks = /##(?=\[|vso|teamcity\[)/gi;
var colons = /^([^\S\n]*):(?=:)/gm;
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
function printableText(text2) {
  const lines = createPrintable();
  return lines.add(text2) + lines.end();
}
function createPrintable() {
  const finish = createFinisher((found) => /^[\t\n\r]$/.test(found));
  let command = "";
  let before = "";
  const print = (text2, isLast = false) => {
    const lines = (before + command + text2).replace(isLast ? /\r(?!\n)/g : /\r(?=[^\n])/g, "\n");
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
  const text2 = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\r\n]{0,${longest}}`;
  const short = String.raw`\x1b[ -/]{0,8}`;
  const ended = String.raw`${parameters}[@-~]|${text2}(?:\x07|\x1b\\|\x9c)|${short}[0-OQ-WYZ\\\x60-~]`;
  const begun = new RegExp(String.raw`(?:${parameters}|${text2}\x1b?|${short})$`);
  const controls = new RegExp(`${ended}|${control.source}`, "gu");
  let unfinished = "";
  return (chunk) => {
    const arrived = unfinished + (chunk ?? "");
    unfinished = chunk === void 0 ? "" : begun.exec(arrived)?.[0] ?? "";
    return arrived.slice(0, arrived.length - unfinished.length).replace(controls, (found) => keeps(found) ? found : "");
  };
}
function withoutCommands(text2) {
  return text2.replace(marks, "## ").replace(colons, "$1: ").replace(groups, " ");
}
function code(character, digits) {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}

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
    Object.assign(this, defined({ ...details, outcome, attempts: [] }));
  }
};
Object.defineProperty(BoardAccessError.prototype, brand, { value: true });
function nameErrors(kinds) {
  for (const [name, { prototype }] of Object.entries(kinds)) {
    Object.defineProperty(prototype, "name", { value: name, writable: true, configurable: true });
  }
}

// src/errors/errors.ts
var ConfigurationError = class extends BoardAccessError {
};
var InputError = class extends BoardAccessError {
  /** @internal */
  constructor(issues, hint) {
    super(issues.map(({ path, message }) => `${path || "The input"}: ${message}`).join("; "), {
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
var TimeoutError = class extends BoardAccessError {
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
  TimeoutError,
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
    return JSON.stringify(json);
  } catch {
    throw new InputError([{ path: "json", message: "cannot be written as JSON" }]);
  }
}

// src/http/retry.ts
var firstWaitMs = 500;
var longestWaitMs = 8e3;
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
  return Math.min(longestWaitMs, wait);
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
  return error instanceof ApiError ? [408, 409, 500, 502, 503, 504].includes(error.status) : error instanceof ConnectionError || error instanceof TimeoutError;
}

// src/http/response.ts
var notModified = 304;
var longestBody = 4096;
var longestMessage = 300;
function requestIdOf({ headers, redact: redact2 }) {
  const id = textOf(headers.get("x-request-id"));
  return id && redact2(id);
}
function readResponse(response, reading) {
  const { status, redirected, text: text2 } = response;
  const known = status === notModified && reading.method === "GET";
  if (redirected || status >= 300 && status < 400 && !known) throw redirectError(response);
  if (status < 200 || status >= 400) throw apiError(response, reading);
  if (reading.asText) return text2;
  if (text2.trim() === "") return void 0;
  try {
    return JSON.parse(text2);
  } catch {
    throw invalidResponse(
      text2.trimStart().startsWith("<") ? "The response is a web page, not JSON" : "The response is not valid JSON"
    );
  }
}
function attachResponse(error, response) {
  if (!(error instanceof ResponseError)) return;
  const { status, text: text2, redact: redact2 } = response;
  const body = text2 === void 0 ? void 0 : visibleBody({ text: text2, redact: redact2 });
  Object.assign(error, defined({ status, requestId: requestIdOf(response), body }));
}
function apiError(response, { wireNames }) {
  const { status, headers, redact: redact2 } = response;
  const clean = ([name, value]) => [name, redact2(value)];
  const named = wireNames ? (path) => path : callerName;
  const outer = fieldsOf(parsed(response));
  const fields = typeof outer.error === "object" && outer.error ? fieldsOf(outer.error) : outer;
  const message = textOf(fields.message) ?? textOf(fields.detail) ?? textOf(fields.title) ?? textOf(outer.error);
  const param = textOf(fields.param);
  return new ApiError(sentence(message ?? `The service responded with status ${status}`), {
    status,
    code: textOf(fields.code) ?? `http_${status}`,
    hint: textOf(fields.hint),
    param: param && named(param),
    issues: issuesOf(fields.errors, named),
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
  return visible2.length > longestBody ? visible2.slice(0, longestBody) : parsed(response) ?? visible2;
}
function parsed({ text: text2, redact: redact2 }) {
  try {
    return JSON.parse(redact2(JSON.stringify(JSON.parse(text2))));
  } catch {
    return void 0;
  }
}
function sentence(text2) {
  const line = text2.replace(/\s+/g, " ");
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}\u2026` : line;
}
var otherNames = { limit: "pageSize", tag: "tags" };
function callerName(path) {
  return path.replace(/^\w+/, (name) => otherNames[name] ?? camelCase(name));
}
function issuesOf(value, named) {
  return (Array.isArray(value) ? value : []).flatMap((item) => {
    const { path, message } = fieldsOf(item);
    return typeof path === "string" && typeof message === "string" ? [{ path: named(path), message }] : [];
  });
}
function textOf(value) {
  return typeof value === "string" ? printable(value).trim() || void 0 : void 0;
}

// src/http/response-info.ts
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

// node_modules/zod/v4/core/util.js
function jsonStringifyReplacer(_, value) {
  if (typeof value === "bigint")
    return value.toString();
  return value;
}
function cleanRegex(source) {
  const start = source.startsWith("^") ? 1 : 0;
  const end = source.endsWith("$") ? source.length - 1 : source.length;
  return source.slice(start, end);
}
var captureStackTrace = "captureStackTrace" in Error ? Error.captureStackTrace : (..._args) => {
};
function clone(inst, def, params) {
  const cl = new inst._zod.constr(def ?? inst._zod.def);
  if (!def || params?.parent)
    cl._zod.parent = inst;
  return cl;
}
function normalizeParams(_params) {
  const params = _params;
  if (!params)
    return {};
  if (typeof params === "string")
    return { error: () => params };
  if (params?.message !== void 0) {
    if (params?.error !== void 0)
      throw new Error("Cannot specify both `message` and `error` params");
    params.error = params.message;
  }
  delete params.message;
  if (typeof params.error === "string")
    return { ...params, error: () => params.error };
  return params;
}
function aborted(x, startIndex = 0) {
  if (x.aborted === true)
    return true;
  for (let i = startIndex; i < x.issues.length; i++) {
    if (x.issues[i]?.continue !== true) {
      return true;
    }
  }
  return false;
}
function explicitlyAborted(x, startIndex = 0) {
  if (x.aborted === true)
    return true;
  for (let i = startIndex; i < x.issues.length; i++) {
    if (x.issues[i]?.continue === false) {
      return true;
    }
  }
  return false;
}
function unwrapMessage(message) {
  return typeof message === "string" ? message : message?.message;
}
function attachSchema(issues, start, inst) {
  var _a2;
  for (let i = start; i < issues.length; i++) {
    (_a2 = issues[i]).schema ?? (_a2.schema = inst);
  }
}
function finalizeIssue(iss, ctx, config2) {
  var _a2;
  const traits = iss.inst?._zod?.traits;
  if (traits?.has("$ZodType")) {
    if (traits.has("$ZodCheck"))
      (_a2 = iss).schema ?? (_a2.schema = iss.inst);
    else
      iss.schema = iss.inst;
  }
  const schemaError = iss.schema !== iss.inst ? iss.schema?._zod.def?.error : void 0;
  const message = iss.message ? iss.message : unwrapMessage(iss.inst?._zod.def?.error?.(iss)) ?? unwrapMessage(schemaError?.(iss)) ?? unwrapMessage(ctx?.error?.(iss)) ?? unwrapMessage(config2.customError?.(iss)) ?? unwrapMessage(config2.localeError?.(iss)) ?? "Invalid input";
  const full = {};
  for (const k of Object.keys(iss)) {
    if (k === "inst" || k === "schema" || k === "continue" || k === "input" || k === "__proto__")
      continue;
    full[k] = iss[k];
  }
  full.path ?? (full.path = []);
  full.message = message;
  if (ctx?.reportInput) {
    full.input = iss.input;
  }
  return full;
}
function members(proto, table) {
  for (const key in table) {
    const desc = Object.getOwnPropertyDescriptor(table, key);
    if (desc.get)
      Object.defineProperty(proto, key, { ...desc, enumerable: false });
    else
      defineBound(proto, key, desc.value);
  }
}
function own(inst, key, value, enumerable = true) {
  Object.defineProperty(inst, key, { configurable: true, writable: true, enumerable, value });
  return value;
}
function hide(inst, key, value) {
  return own(inst, key, value, false);
}
function defineBound(proto, key, fn) {
  Object.defineProperty(proto, key, {
    configurable: true,
    get() {
      return this == null ? fn : own(this, key, fn.bind(this));
    },
    set(value) {
      own(this, key, value);
    }
  });
}
var installing;
var broke = false;
var breaker = {
  configurable: true,
  get() {
    broke = true;
    return void 0;
  }
};
function defineLazyInternal(inst, key, compute) {
  const proto = Object.getPrototypeOf(inst._zod);
  if (key in proto && installing !== inst._zod) {
    installing = void 0;
    return;
  }
  installing = inst._zod;
  Object.defineProperty(proto, key, {
    configurable: true,
    get() {
      Object.defineProperty(this, key, breaker);
      const outer = broke;
      broke = false;
      try {
        const value = compute(this);
        if (broke)
          delete this[key];
        else
          Object.defineProperty(this, key, { configurable: true, writable: true, value });
        broke = broke || outer;
        return value;
      } catch (err) {
        delete this[key];
        broke = broke || outer;
        throw err;
      }
    },
    set(value) {
      Object.defineProperty(this, key, { configurable: true, writable: true, value });
    }
  });
}

// node_modules/zod/v4/core/core.js
var _a;
var _zodDesc = { value: void 0, enumerable: false };
var _E = "captureStackTrace" in Error ? Error : null;
function newError(Definition) {
  const E = _E;
  if (E) {
    const saved = E.stackTraceLimit;
    if (typeof saved === "number") {
      try {
        E.stackTraceLimit = 0;
      } catch {
        _E = null;
        return new Definition();
      }
      try {
        return new Definition();
      } finally {
        E.stackTraceLimit = saved;
      }
    }
  }
  return new Definition();
}
// @__NO_SIDE_EFFECTS__
function $constructor(name, initializer2, proto, params) {
  const zodProto = {};
  function Internals(def) {
    this.def = def;
    this.constr = _;
    this.traits = /* @__PURE__ */ new Set();
  }
  Internals.prototype = zodProto;
  const protoMembers = proto;
  const initialized = protoMembers && /* @__PURE__ */ new WeakSet();
  function init(inst, def) {
    if (!inst._zod) {
      _zodDesc.value = new Internals(def);
      try {
        Object.defineProperty(inst, "_zod", _zodDesc);
      } finally {
        _zodDesc.value = void 0;
      }
    } else if (inst._zod.traits.has(name)) {
      return;
    }
    inst._zod.traits.add(name);
    initializer2(inst, def);
    if (initialized) {
      const own2 = Object.getPrototypeOf(inst);
      const ctorProto = inst._zod.constr.prototype;
      let up = own2;
      while (up && up !== ctorProto)
        up = Object.getPrototypeOf(up);
      const target = up ?? own2;
      if (!initialized.has(target)) {
        initialized.add(target);
        members(target, protoMembers);
      }
    }
    const proto2 = _.prototype;
    for (const k in proto2) {
      if (!Object.prototype.hasOwnProperty.call(proto2, k))
        continue;
      if (!(k in inst)) {
        inst[k] = proto2[k].bind(inst);
      }
    }
  }
  const Parent = params?.Parent ?? Object;
  class Definition extends Parent {
  }
  Object.defineProperty(Definition, "name", { value: name });
  function _(def) {
    const inst = params?.Parent ? newError(Definition) : this;
    init(inst, def);
    const deferred = inst._zod.deferred;
    if (deferred) {
      for (const fn of deferred) {
        fn();
      }
      inst._zod.deferred = void 0;
    }
    const pp = globalThis.__zod_globalConfig?.postProcessor;
    if (pp)
      pp(inst);
    return inst;
  }
  Object.defineProperty(_, "init", { value: init });
  Object.defineProperty(_, Symbol.hasInstance, {
    value: (inst) => {
      if (params?.Parent && inst instanceof params.Parent)
        return true;
      return inst?._zod?.traits?.has(name);
    }
  });
  Object.defineProperty(_, "name", { value: name });
  return _;
}
var $ZodAsyncError = class extends Error {
  constructor() {
    super(`Encountered Promise during synchronous parse. Use .parseAsync() instead.`);
  }
};
(_a = globalThis).__zod_globalConfig ?? (_a.__zod_globalConfig = {});
var globalConfig = globalThis.__zod_globalConfig;
function config(newConfig) {
  if (newConfig)
    Object.assign(globalConfig, newConfig);
  return globalConfig;
}

// node_modules/zod/v4/core/errors.js
function _getMessage() {
  const internals = this._zod;
  internals.message ?? (internals.message = JSON.stringify(internals.def, jsonStringifyReplacer, 2));
  return internals.message;
}
function _setMessage(value) {
  this._zod.message = value;
}
var _messageDesc = {
  get: _getMessage,
  set: _setMessage,
  enumerable: true,
  configurable: true
};
var _issuesDesc = { value: void 0, enumerable: false };
var _installedToString = /* @__PURE__ */ new WeakSet([Object.prototype, Error.prototype]);
var initializer = (inst, def) => {
  inst.name = "$ZodError";
  _issuesDesc.value = def;
  Object.defineProperty(inst, "issues", _issuesDesc);
  _issuesDesc.value = void 0;
  Object.defineProperty(inst, "message", _messageDesc);
  const proto = Object.getPrototypeOf(inst);
  if (!_installedToString.has(proto)) {
    _installedToString.add(proto);
    Object.defineProperty(proto, "toString", {
      configurable: true,
      enumerable: false,
      get() {
        const value = () => this.message;
        Object.defineProperty(this, "toString", { value, configurable: true, writable: true });
        return value;
      },
      set(value) {
        Object.defineProperty(this, "toString", { value, configurable: true, writable: true });
      }
    });
  }
};
var $ZodError = $constructor("$ZodError", initializer);
var $ZodRealError = $constructor("$ZodError", initializer, void 0, {
  Parent: Error
});

// node_modules/zod/v4/core/parse.js
var _parse = (_Err) => {
  const fn = (schema, value, _ctx, _params) => {
    const ctx = _ctx ? { ..._ctx, async: false } : { async: false };
    const result = schema._zod.run({ value, issues: [] }, ctx);
    if (result instanceof Promise) {
      throw new $ZodAsyncError();
    }
    if (result.issues.length) {
      const e = new (_params?.Err ?? _Err)(result.issues.map((iss) => finalizeIssue(iss, ctx, config())));
      captureStackTrace(e, _params?.callee ?? fn);
      throw e;
    }
    return result.value;
  };
  return fn;
};
var parse = /* @__PURE__ */ _parse($ZodRealError);
var _parseAsync = (_Err) => {
  const fn = async (schema, value, _ctx, params) => {
    const ctx = _ctx ? { ..._ctx, async: true } : { async: true };
    let result = schema._zod.run({ value, issues: [] }, ctx);
    if (result instanceof Promise)
      result = await result;
    if (result.issues.length) {
      const e = new (params?.Err ?? _Err)(result.issues.map((iss) => finalizeIssue(iss, ctx, config())));
      captureStackTrace(e, params?.callee ?? fn);
      throw e;
    }
    return result.value;
  };
  return fn;
};
var parseAsync = /* @__PURE__ */ _parseAsync($ZodRealError);
var _safeParse = (_Err) => (schema, value, _ctx) => {
  const ctx = _ctx ? { ..._ctx, async: false } : { async: false };
  const result = schema._zod.run({ value, issues: [] }, ctx);
  if (result instanceof Promise) {
    throw new $ZodAsyncError();
  }
  return result.issues.length ? failure(_Err, result.issues, ctx) : { success: true, data: result.value };
};
var safeParse = /* @__PURE__ */ _safeParse($ZodRealError);
function failure(Err, issues, ctx) {
  let error;
  return {
    success: false,
    get error() {
      if (!error) {
        error = new Err(issues.map((iss) => finalizeIssue(iss, ctx, config())));
        issues = void 0;
        ctx = void 0;
      }
      return error;
    },
    set error(e) {
      error = e;
      issues = void 0;
      ctx = void 0;
    }
  };
}
var _safeParseAsync = (_Err) => async (schema, value, _ctx) => {
  const ctx = _ctx ? { ..._ctx, async: true } : { async: true };
  let result = schema._zod.run({ value, issues: [] }, ctx);
  if (result instanceof Promise)
    result = await result;
  return result.issues.length ? failure(_Err, result.issues, ctx) : { success: true, data: result.value };
};
var safeParseAsync = /* @__PURE__ */ _safeParseAsync($ZodRealError);

// node_modules/zod/v4/core/regexes.js
var anyString = /^[\s\S]{0,}$/;
var number = /^-?\d+(?:\.\d+)?$/;
var boolean = /^(?:true|false)$/i;

// node_modules/zod/v4/core/versions.js
var version = {
  major: 4,
  minor: 6,
  patch: 7
};

// node_modules/zod/v4/core/schemas.js
var $ZodType = /* @__PURE__ */ $constructor("$ZodType", (inst, def) => {
  var _a2;
  inst ?? (inst = {});
  inst._zod.def = def;
  inst._zod.bag = inst._zod.bag || {};
  inst._zod.version = version;
  const defChecks = inst._zod.def.checks;
  const checks = inst._zod.traits.has("$ZodCheck") ? [inst, ...defChecks ?? []] : defChecks?.length ? [...defChecks] : [];
  for (const ch of checks) {
    for (const fn of ch._zod.onattach) {
      fn(inst);
    }
  }
  if (checks.length === 0) {
    (_a2 = inst._zod).deferred ?? (_a2.deferred = []);
    inst._zod.deferred?.push(() => {
      inst._zod.run = inst._zod.parse;
    });
  } else {
    const runChecks = (payload, checks2, ctx) => {
      if (payload.memo)
        return payload;
      let isAborted = aborted(payload);
      let asyncResult;
      for (const ch of checks2) {
        if (ch._zod.def.when) {
          if (explicitlyAborted(payload))
            continue;
          const shouldRun = ch._zod.def.when(payload);
          if (!shouldRun)
            continue;
        } else if (isAborted) {
          continue;
        }
        const currLen = payload.issues.length;
        const _ = ch._zod.check(payload);
        if (_ instanceof Promise && ctx?.async === false) {
          throw new $ZodAsyncError();
        }
        if (asyncResult || _ instanceof Promise) {
          asyncResult = (asyncResult ?? Promise.resolve()).then(async () => {
            await _;
            const nextLen = payload.issues.length;
            if (nextLen === currLen)
              return;
            attachSchema(payload.issues, currLen, inst);
            if (!isAborted)
              isAborted = aborted(payload, currLen);
          });
        } else {
          const nextLen = payload.issues.length;
          if (nextLen === currLen)
            continue;
          attachSchema(payload.issues, currLen, inst);
          if (!isAborted)
            isAborted = aborted(payload, currLen);
        }
      }
      if (asyncResult) {
        return asyncResult.then(() => {
          return payload;
        });
      }
      return payload;
    };
    const handleCanaryResult = (canary, payload, ctx) => {
      if (aborted(canary)) {
        canary.aborted = true;
        return canary;
      }
      const checkResult = runChecks(payload, checks, ctx);
      if (checkResult instanceof Promise) {
        if (ctx.async === false)
          throw new $ZodAsyncError();
        return checkResult.then((checkResult2) => inst._zod.parse(checkResult2, ctx));
      }
      return inst._zod.parse(checkResult, ctx);
    };
    inst._zod.run = (payload, ctx) => {
      if (ctx.skipChecks) {
        return inst._zod.parse(payload, ctx);
      }
      if (ctx.direction === "backward") {
        const canary = inst._zod.parse({ value: payload.value, issues: [] }, { ...ctx, skipChecks: true });
        if (canary instanceof Promise) {
          return canary.then((canary2) => {
            return handleCanaryResult(canary2, payload, ctx);
          });
        }
        return handleCanaryResult(canary, payload, ctx);
      }
      const result = inst._zod.parse(payload, ctx);
      if (result instanceof Promise) {
        if (ctx.async === false)
          throw new $ZodAsyncError();
        return result.then((result2) => runChecks(result2, checks, ctx));
      }
      return runChecks(result, checks, ctx);
    };
  }
}, {
  // Wrappers extend this by installing a richer factory over it; reading it eagerly would defeat the laziness.
  get "~standard"() {
    return hide(this, "~standard", standardProps(this));
  },
  set "~standard"(value) {
    own(this, "~standard", value);
  }
});
var toStandardResult = (r, ctx) => r.issues.length ? { issues: r.issues.map((iss) => finalizeIssue(iss, ctx, config())) } : { value: r.value };
async function validateAsync(inst, value) {
  const ctx = { async: true };
  return toStandardResult(await inst._zod.run({ value, issues: [] }, ctx), ctx);
}
function standardProps(inst) {
  return {
    validate: (value) => {
      const ctx = { async: false };
      try {
        const r = inst._zod.run({ value, issues: [] }, ctx);
        if (!(r instanceof Promise))
          return toStandardResult(r, ctx);
      } catch (_) {
      }
      return validateAsync(inst, value);
    },
    vendor: "zod",
    version: 1
  };
}
var $ZodString = /* @__PURE__ */ $constructor("$ZodString", (inst, def) => {
  $ZodType.init(inst, def);
  inst._zod.pattern = def.pattern ?? anyString;
  inst._zod.parse = (payload, _) => {
    if (def.coerce)
      try {
        payload.value = String(payload.value);
      } catch (_2) {
      }
    if (typeof payload.value === "string")
      return payload;
    payload.issues.push({
      expected: "string",
      code: "invalid_type",
      input: payload.value,
      inst
    });
    return payload;
  };
});
var $ZodNumber = /* @__PURE__ */ $constructor("$ZodNumber", (inst, def) => {
  $ZodType.init(inst, def);
  inst._zod.pattern = number;
  inst._zod.parse = (payload, _ctx) => {
    if (def.coerce)
      try {
        payload.value = Number(payload.value);
      } catch (_) {
      }
    const input = payload.value;
    if (typeof input === "number" && !Number.isNaN(input) && Number.isFinite(input)) {
      return payload;
    }
    const received = typeof input === "number" ? Number.isNaN(input) ? "NaN" : !Number.isFinite(input) ? String(input) : void 0 : void 0;
    payload.issues.push({
      expected: "number",
      code: "invalid_type",
      input,
      inst,
      ...received ? { received } : {}
    });
    return payload;
  };
});
var $ZodBoolean = /* @__PURE__ */ $constructor("$ZodBoolean", (inst, def) => {
  $ZodType.init(inst, def);
  inst._zod.pattern = boolean;
  inst._zod.parse = (payload, _ctx) => {
    if (def.coerce)
      try {
        payload.value = Boolean(payload.value);
      } catch (_) {
      }
    const input = payload.value;
    if (typeof input === "boolean")
      return payload;
    payload.issues.push({
      expected: "boolean",
      code: "invalid_type",
      input,
      inst
    });
    return payload;
  };
});
var $ZodUnknown = /* @__PURE__ */ $constructor("$ZodUnknown", (inst, def) => {
  $ZodType.init(inst, def);
  inst._zod.parse = (payload) => payload;
});
function handleOptionalResult(payload, result) {
  payload.value = result.issues.length ? void 0 : result.value;
  return payload;
}
var $ZodOptional = /* @__PURE__ */ $constructor("$ZodOptional", (inst, def) => {
  $ZodType.init(inst, def);
  defineLazyInternal(inst, "optin", (zod) => zod.def.innerType._zod.optin === "defaulted" ? "defaulted" : "optional");
  inst._zod.optout = "optional";
  defineLazyInternal(inst, "values", (zod) => {
    const values = zod.def.innerType._zod.values;
    return values ? /* @__PURE__ */ new Set([...values, void 0]) : void 0;
  });
  defineLazyInternal(inst, "pattern", (zod) => {
    const pattern = zod.def.innerType._zod.pattern;
    return pattern ? new RegExp(`^(${cleanRegex(pattern.source)})?$`) : void 0;
  });
  inst._zod.parse = (payload, ctx) => {
    if (payload.value === void 0) {
      if (def.innerType._zod.optin !== "defaulted")
        return payload;
      const result = def.innerType._zod.run({ value: payload.value, issues: [] }, ctx);
      if (result instanceof Promise)
        return result.then((result2) => handleOptionalResult(payload, result2));
      return handleOptionalResult(payload, result);
    }
    return def.innerType._zod.run(payload, ctx);
  };
});
var $ZodNullable = /* @__PURE__ */ $constructor("$ZodNullable", (inst, def) => {
  $ZodType.init(inst, def);
  defineLazyInternal(inst, "optin", (zod) => zod.def.innerType._zod.optin);
  defineLazyInternal(inst, "optout", (zod) => zod.def.innerType._zod.optout);
  defineLazyInternal(inst, "pattern", (zod) => {
    const pattern = zod.def.innerType._zod.pattern;
    return pattern ? new RegExp(`^(${cleanRegex(pattern.source)}|null)$`) : void 0;
  });
  defineLazyInternal(inst, "values", (zod) => {
    return zod.def.innerType._zod.values ? /* @__PURE__ */ new Set([...zod.def.innerType._zod.values, null]) : void 0;
  });
  inst._zod.parse = (payload, ctx) => {
    if (payload.value === null)
      return payload;
    return def.innerType._zod.run(payload, ctx);
  };
});

// node_modules/zod/v4/core/api.js
function snapshotChecks(def) {
  if (def.checks)
    def.checks = [...def.checks];
  return def;
}
// @__NO_SIDE_EFFECTS__
function _string(Class, params) {
  return new Class(snapshotChecks({ type: "string", ...normalizeParams(params) }));
}
// @__NO_SIDE_EFFECTS__
function _number(Class, params) {
  return new Class(snapshotChecks({ type: "number", checks: [], ...normalizeParams(params) }));
}
// @__NO_SIDE_EFFECTS__
function _boolean(Class, params) {
  return new Class({
    type: "boolean",
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function _unknown(Class) {
  return new Class({
    type: "unknown"
  });
}

// node_modules/zod/v4/mini/schemas.js
var ZodMiniType = /* @__PURE__ */ $constructor("ZodMiniType", (inst, def) => {
  if (!inst._zod)
    throw new Error("Uninitialized schema in ZodMiniType.");
  $ZodType.init(inst, def);
  inst.def = def;
  inst.type = def.type;
}, {
  // `with` is an alias for `check`: the same function object, not a wrapper.
  get with() {
    return this.check;
  },
  set with(value) {
    own(this, "with", value);
  },
  parse(data, params) {
    return parse(this, data, params, { callee: this.parse });
  },
  parseAsync(data, params) {
    return parseAsync(this, data, params, { callee: this.parseAsync });
  },
  safeParse(data, params) {
    return safeParse(this, data, params);
  },
  safeParseAsync(data, params) {
    return safeParseAsync(this, data, params);
  },
  check(...checks) {
    const def = this.def;
    return this.clone({
      ...def,
      checks: [
        ...def.checks ?? [],
        ...checks.map((ch) => typeof ch === "function" ? { _zod: { check: ch, def: { check: "custom" }, onattach: [] } } : ch)
      ]
    }, { parent: true });
  },
  clone(_def, params) {
    return clone(this, _def, params);
  },
  brand() {
    return this;
  },
  register(reg, meta2) {
    reg.add(this, meta2);
    return this;
  },
  apply(fn, ...args) {
    return args.length === 0 ? fn(this) : fn(this, ...args);
  }
});
var ZodMiniString = /* @__PURE__ */ $constructor("ZodMiniString", (inst, def) => {
  $ZodString.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function string2(params) {
  return _string(ZodMiniString, params);
}
var ZodMiniNumber = /* @__PURE__ */ $constructor("ZodMiniNumber", (inst, def) => {
  $ZodNumber.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function number2(params) {
  return _number(ZodMiniNumber, params);
}
var ZodMiniBoolean = /* @__PURE__ */ $constructor("ZodMiniBoolean", (inst, def) => {
  $ZodBoolean.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function boolean2(params) {
  return _boolean(ZodMiniBoolean, params);
}
var ZodMiniUnknown = /* @__PURE__ */ $constructor("ZodMiniUnknown", (inst, def) => {
  $ZodUnknown.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function unknown() {
  return _unknown(ZodMiniUnknown);
}
var ZodMiniOptional = /* @__PURE__ */ $constructor("ZodMiniOptional", (inst, def) => {
  $ZodOptional.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function optional(innerType) {
  return new ZodMiniOptional({
    type: "optional",
    innerType
  });
}
var ZodMiniNullable = /* @__PURE__ */ $constructor("ZodMiniNullable", (inst, def) => {
  $ZodNullable.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function nullable(innerType) {
  return new ZodMiniNullable({
    type: "nullable",
    innerType
  });
}

// src/contract/lease.ts
var leaseStatuses = ["queued", "preparing", "active", "ended"];
var leaseFields = {
  id: string2(),
  status: string2(),
  board_id: nullable(string2()),
  board_type: string2(),
  label: nullable(string2()),
  queue_position: nullable(number2()),
  minutes: number2(),
  created_at: string2(),
  started_at: nullable(string2()),
  expires_at: nullable(string2()),
  expires_in_ms: nullable(number2()),
  preparation_expires_at: nullable(string2()),
  ended_at: nullable(string2()),
  end_reason: nullable(string2()),
  end_message: nullable(string2()),
  credits: nullable(number2()),
  console_status: nullable(string2()),
  console_message: nullable(string2()),
  console_lost_at: nullable(string2()),
  console_gap_offset: nullable(number2()),
  console_gap_ms: nullable(number2())
};
var leaseActionFields = {
  id: string2(),
  action: string2(),
  phase: string2(),
  name: nullable(string2()),
  status: string2(),
  message: string2(),
  console_offset: nullable(number2()),
  created_at: string2(),
  ended_at: nullable(string2())
};
var firmwareFileFields = {
  id: string2(),
  size: number2(),
  sha256: string2(),
  format: string2()
};
function gapOffset({ code: code2, param = "" }) {
  return code2 === "console_gap" && /^\d{1,15}$/.test(param) ? Number(param) : void 0;
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
   * const boards = { list: () => Listing.of<Board>([{ id: 'brd_1' }]) };
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

// src/contract/api-key.ts
var apiKeyPattern = /^key_[0-9a-f]{48}$/i;
function redact(text2) {
  return text2.replace(/(key|agt)_[0-9a-f]{48}/gi, "$1_[redacted]");
}
var apiKeyFields = {
  id: string2(),
  label: nullable(string2()),
  hint: string2(),
  scope: string2(),
  created_at: string2(),
  created_by: nullable(string2()),
  expires_at: nullable(string2()),
  last_used_at: nullable(string2()),
  revoked_at: nullable(string2())
};
var createdApiKeyFields = { ...apiKeyFields, key: string2() };

// src/http/path.ts
function recordPath(parent, id, what) {
  if (typeof id !== "string" || id === "")
    throw invalidId(`must be the id of a ${what}`.replace("a A", "an A"));
  if (apiKeyPattern.test(id.trim())) {
    throw invalidId(
      "is a full API key, not an id; it was not sent",
      'The list of keys has the id of each key; "board-access keys id" computes it from a key.'
    );
  }
  if (/[/\\\p{Cc}\s]/u.test(id) || /^(key_)?\.+$/.test(id)) {
    throw invalidId("must not contain slashes or white space, or consist of dots");
  }
  return `${parent}/${encodeURIComponent(id)}`;
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
  return path;
}
function queryString(query) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== void 0) parameters.append(name, String(each));
    }
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}

// src/records/records.ts
var needed = /* @__PURE__ */ new Set(["id", "key"]);
var expectation = (issue2) => issue2.code === "invalid_type" ? `must be of type ${issue2.expected}` : void 0;
function recordReader(shape) {
  return (body, where = []) => {
    if (!isObject2(body)) throw invalidRecord(where, "must be of type object");
    for (const [name, schema] of Object.entries(shape)) {
      const value = body[name];
      if (!needed.has(name) && (value ?? null) === null) continue;
      const [issue2] = issuesOf2(schema, value);
      if (issue2) throw invalidRecord([...where, name, ...issue2.path], issue2.message);
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
function readInput(fields, input, needed2 = {}) {
  if (!isObject2(input)) throw new InputError([{ path: "", message: "must be of type object" }]);
  const issues = Object.entries({ ...fields, ...needed2 }).flatMap(
    ([name, schema]) => input[name] === void 0 && !(name in needed2) ? [] : issuesOf2(schema, input[name]).map(({ path, message }) => ({
      path: pathText([name, ...path]),
      message
    }))
  );
  if (issues.length > 0) throw new InputError(issues);
  return input;
}
function listQuery(filters, query = {}) {
  const fields = { ...filters, pageSize: number2(), cursor: string2() };
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
function issuesOf2(schema, value) {
  return safeParse(schema, value, { error: expectation }).error?.issues ?? [];
}
function isObject2(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function pathText(path) {
  return path.reduce((text2, part) => {
    if (typeof part === "number") return `${text2}[${part}]`;
    return text2 === "" ? String(part) : `${text2}.${String(part)}`;
  }, "");
}
function invalidRecord(path, message) {
  const where = path.length > 0 ? ` at ${redact(pathText(path.map(shortened)))}` : "";
  return invalidResponse(`The response does not have the expected form${where}: ${message}`);
}
function shortened(name) {
  return typeof name === "string" && !/^[\w-]{1,40}$/.test(name) ? "\u2026" : name;
}

// src/leases/records.ts
var readLease = recordReader(leaseFields);
var readAction = recordReader(leaseActionFields);
var readFile = recordReader(firmwareFileFields);
var text = nullable(string2());
var leaseInputFields = {
  boardType: text,
  boardId: text,
  minutes: nullable(number2()),
  waitSeconds: nullable(number2()),
  label: text,
  requiresAgent: nullable(boolean2())
};
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
function followSignals(signals, { milliseconds, late = () => new TimeoutError(milliseconds ?? 0) } = {}) {
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
function quietTimer(callback, milliseconds) {
  const timer = setTimeout(callback, Math.min(milliseconds, longestTimeout));
  if (typeof timer === "object") timer.unref();
  return timer;
}

// src/http/outages.ts
var shortPauseMs = 250;
var patienceMs = 6e4;
var shortestWaitMs = 1e3;
function startWait(signal) {
  const end = performance.now() + shortestWaitMs;
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
  return error instanceof TimeoutError || error instanceof ResponseError || // a page of a proxy
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

// src/contract/firmware/firmware-error.ts
var FirmwareError = class extends Error {
  name = "FirmwareError";
  /** That of the service for the same file. */
  code = "invalid_firmware";
};

// src/contract/firmware/format.ts
var maxFileSize = 16 * 1024 * 1024;
var names = {
  hex: "Intel HEX",
  uf2: "UF2",
  elf: "ELF",
  raw: "raw"
};
var colon = 58;
var mostBlanks = 1024;
var uf2 = [85, 70, 50, 10];
var elf = [127, 69, 76, 70];
function detectFormat(bytes) {
  const beginsWith = (mark) => mark.every((byte, index) => bytes[index] === byte);
  if (beginsWith(uf2)) return "uf2";
  if (beginsWith(elf)) return "elf";
  return isIntelHex(bytes) ? "hex" : "raw";
}
function fileOf(format) {
  return `The ${names[format]} file`;
}
function checkFormat(bytes, { raw, rawOption = "raw: true", flashOffset = "0" } = {}) {
  if (bytes.length === 0) throw new FirmwareError("The file is empty");
  if (bytes.length > maxFileSize) throw new FirmwareError("The file is larger than 16 MiB");
  if (!isOffset(flashOffset)) throw new FirmwareError(`The flash offset ${offsetRule}`);
  const format = detectFormat(bytes);
  if (format === "raw" && !raw) {
    throw new FirmwareError(
      `The file is neither Intel HEX, UF2 nor ELF. To flash its bytes as they are, pass ${rawOption}`
    );
  }
  requireOffset(format, Number(flashOffset));
}
function requireOffset(format, offset) {
  if (format === "raw" || offset === 0) return;
  throw new FirmwareError(
    `The file is ${names[format]}, which has its own addresses; a flash offset applies to raw files only`
  );
}
var offsetRule = "must be 0x and 1 to 8 hex digits, or a decimal without leading zeros, at most 4294967295";
function isOffset(text2) {
  return /^(0x[0-9a-f]{1,8}|0|[1-9]\d{0,9})$/i.test(text2) && Number(text2) <= 4294967295;
}
function isIntelHex(bytes) {
  const start = bytes.subarray(0, mostBlanks).findIndex((byte) => !isBlank(byte));
  if (bytes[start] !== colon) return false;
  return bytes.subarray(start, start + 64).every((byte) => isBlank(byte) || byte > 32 && byte < 127);
}
function isBlank(byte = 0) {
  return byte === 32 || byte >= 9 && byte <= 13;
}

// src/http/attempts.ts
function createAttempts(method, path, observers) {
  const attempts = [];
  let outcome = "not-sent";
  return {
    attempts,
    addAttempt({ startedAt, response, error, retryInMs }) {
      const known = error instanceof BoardAccessError;
      const attempt = {
        method,
        path,
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
      error.outcome = method === "GET" && known === "unknown" ? "rejected" : known;
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

// src/records/join-bytes.ts
function joinBytes(parts) {
  const all = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

// src/leases/errors.ts
var LeaseEndedError = class extends BoardAccessError {
  /** @internal */
  constructor(message, lease) {
    super(message, { code: "lease_ended", outcome: "unknown", ...lease });
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
nameErrors({
  LeaseEndedError,
  ActionFailedError,
  ExpectationError,
  ConsoleUnavailableError,
  WriteError
});

// src/errors/guards.ts
function isBoardAccessError(error) {
  return typeof error === "object" && error !== null && brand in error;
}
function isApiError(error, codeOrStatus) {
  return isBoardAccessError(error) && error.name === "ApiError" && (codeOrStatus === void 0 || error.code === codeOrStatus || error.status === codeOrStatus);
}

// src/errors/redact.ts
var shortestForm = 48;
function redactorFor(key) {
  if (key === null) return redact;
  return (text2) => text2.length < shortestForm ? text2 : redact(text2).replace(formsOf(key), "[redacted]");
}
function formsOf(key) {
  const digits = key.slice("key_".length);
  const plain = [...digits].map((digit) => `(?:${digit}|%${digit.charCodeAt(0).toString(16)})`);
  return new RegExp(
    [plain.join(""), ...[0, 1, 2].map((shift) => base64At(shift, digits))].join("|"),
    "gi"
  );
}
function base64At(shift, text2) {
  const whole = text2.length - (shift + text2.length) % 3;
  return btoa(" ".repeat(shift) + text2.slice(0, whole)).slice(shift === 0 ? 0 : 4);
}
function isErrorLike(error) {
  const { name, message } = fieldsOf(error);
  return typeof name === "string" && typeof message === "string";
}
function redactedCause(error, clean = redact, depth = 0) {
  if (!isErrorLike(error) || depth > 4) return void 0;
  const cause = redactedCause(error.cause, clean, depth + 1);
  const copy = new Error(clean(error.message), cause && { cause });
  copy.name = clean(error.name);
  copy.stack = clean(String(error.stack ?? copy.message));
  const { code: code2 } = fieldsOf(error);
  if (typeof code2 === "string") copy.code = clean(code2);
  return copy;
}

export {
  string2 as string,
  number2 as number,
  boolean2 as boolean,
  unknown,
  optional,
  nullable,
  defined,
  BoardAccessError,
  ConfigurationError,
  InputError,
  ApiError,
  ConnectionError,
  TimeoutError,
  ResponseError,
  invalidResponse,
  fieldsOf,
  checkDepth,
  jsonBody,
  isLoopback,
  printable,
  visible,
  printableJson,
  printableText,
  isWorthRetrying,
  waitAfter,
  readResponse,
  attachResponse,
  rememberResponse,
  responseOf,
  responseInfo,
  readPage,
  createListing,
  apiKeyPattern,
  apiKeyFields,
  createdApiKeyFields,
  recordReader,
  snakeCased,
  readInput,
  listQuery,
  fieldRule,
  isObject2 as isObject,
  recordPath,
  checkedPath,
  queryString,
  longestTimeout,
  abortable,
  followSignals,
  followLater,
  pause,
  quietTimer,
  startWait,
  waitFor,
  pauseAfter,
  isTemporary,
  persistently,
  leaseStatuses,
  gapOffset,
  FirmwareError,
  detectFormat,
  fileOf,
  checkFormat,
  requireOffset,
  redactorFor,
  isErrorLike,
  redactedCause,
  createAttempts,
  notify,
  joinBytes,
  readLease,
  readAction,
  readFile,
  leaseInputFields,
  leasePath,
  listActions,
  requestLease,
  LeaseEndedError,
  ActionFailedError,
  ExpectationError,
  ConsoleUnavailableError,
  WriteError,
  isBoardAccessError,
  isApiError
};

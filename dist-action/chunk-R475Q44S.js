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
  redact,
  rememberResponse,
  requestIdOf,
  responseOf,
  snakeCase,
  unknownOption,
  waitAfter
} from "./chunk-JWYXB3XR.js";

// src/errors/caller.ts
var claimed = /* @__PURE__ */ new WeakSet();
var settlers = /* @__PURE__ */ new WeakMap();
function keepCallers(owner, names = Reflect.ownKeys(owner)) {
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    if (typeof property?.value !== "function" || name === "constructor") continue;
    Object.defineProperty(owner, name, { ...property, value: withCaller(property.value) });
  }
  return owner;
}
function settleFor(list, work) {
  return settlers.get(list)?.(work) ?? work;
}
function withCaller(method, before = []) {
  return function(...values) {
    const site = new Error();
    const given = [...before, ...values];
    const settle = (work) => work.catch((error) => {
      throw error instanceof BoardAccessError && !isReasonOf(given, error) ? calledAt(site, error) : error;
    });
    const result = method.apply(this, values);
    return result instanceof Promise ? settle(result) : followed(result, settle, given);
  };
}
function followed(result, settle, given) {
  const { next, then } = fieldsOf(result);
  if (typeof next === "function") {
    const value = withCaller(next, given);
    Object.defineProperty(result, "next", { value, configurable: true, writable: true });
  }
  if (typeof then === "function") settlers.set(result, settle);
  return result;
}
function isReasonOf(given, error) {
  return given.some((each) => fieldsOf(fieldsOf(each).signal).reason === error);
}
function calledAt({ stack = "" }, error) {
  const own2 = claimed.has(error) ? copyOf(error) : error;
  claimed.add(own2);
  const start = stack.search(/^ +at /m);
  const frames = stack.slice(Math.max(start, 0)).replace(/^.*\n?/, "");
  own2.stack = start < 0 ? frames : `${own2.name}: ${own2.message}
${frames}`;
  return own2;
}
function copyOf(error) {
  const { message, cause, constructor: kind } = error;
  const values = [message, cause === void 0 ? void 0 : { cause }];
  const copy = Reflect.construct(Error, values, kind);
  return Object.assign(copy, error);
}

// src/http/signals.ts
var maxTimeout = 2 ** 31 - 1;
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
    timer = startTimer(resolve, Math.min(milliseconds, maxTimeout));
  });
  await abortable(elapsed, signal).finally(() => clearTimeout(timer));
}
function quietTimer(callback2, milliseconds) {
  const timer = setTimeout(callback2, Math.min(milliseconds, maxTimeout));
  if (typeof timer === "object") timer.unref();
  return timer;
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

// node_modules/zod/v4/core/checks.js
var $ZodCheck = /* @__PURE__ */ $constructor("$ZodCheck", (inst, def) => {
  var _a2;
  inst._zod ?? (inst._zod = {});
  inst._zod.def = def;
  (_a2 = inst._zod).onattach ?? (_a2.onattach = []);
});
var numericOriginMap = {
  number: "number",
  bigint: "bigint",
  object: "date"
};
var $ZodCheckGreaterThan = /* @__PURE__ */ $constructor("$ZodCheckGreaterThan", (inst, def) => {
  $ZodCheck.init(inst, def);
  const origin = numericOriginMap[typeof def.value];
  inst._zod.check = (payload) => {
    if (def.inclusive ? payload.value >= def.value : payload.value > def.value) {
      return;
    }
    payload.issues.push({
      origin: numericOriginMap[typeof payload.value] ?? origin,
      code: "too_small",
      minimum: typeof def.value === "object" ? def.value.getTime() : def.value,
      input: payload.value,
      inclusive: def.inclusive,
      inst,
      continue: !def.abort
    });
  };
});

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
    const pattern2 = zod.def.innerType._zod.pattern;
    return pattern2 ? new RegExp(`^(${cleanRegex(pattern2.source)})?$`) : void 0;
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
    const pattern2 = zod.def.innerType._zod.pattern;
    return pattern2 ? new RegExp(`^(${cleanRegex(pattern2.source)}|null)$`) : void 0;
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
// @__NO_SIDE_EFFECTS__
function _gte(value, params) {
  return new $ZodCheckGreaterThan({
    check: "greater_than",
    ...normalizeParams(params),
    value,
    inclusive: true
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

// src/records/records.ts
var neededFields = ["id", "key"];
var expectation = (issue2) => issue2.code === "invalid_type" ? `must be of type ${issue2.expected}` : void 0;
function recordReader(shape, { complete: complete2 = false, defaults = {} } = {}) {
  return (sent, where = []) => {
    if (!isObject2(sent)) throw invalidRecord(where, "must be of type object");
    const body = { ...defaults, ...sent };
    for (const [name, schema] of Object.entries(shape)) {
      const value = body[name] ?? null;
      if (value === null && !complete2 && !neededFields.includes(name)) continue;
      const [issue2] = issuesOf(schema, value);
      if (issue2) throw invalidRecord([...where, name, ...issue2.path], issue2.message);
      body[name] = value;
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
  if (!isObject2(input)) throw new InputError([{ path: "", message: "must be of type object" }]);
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
  const fields = { ...filters, pageSize: number2(), cursor: filledText };
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
var filledText = fieldRule(isFilled, "must be text that is not empty");
var textOrList = fieldRule((value) => {
  const all = [value].flat();
  return all.length > 0 && all.every(isFilled);
}, "must be text or a list of text that is not empty");
function isFilled(value) {
  return typeof value === "string" && value.trim() !== "";
}
function issuesOf(schema, value) {
  return safeParse(schema, value, { error: expectation }).error?.issues ?? [];
}
function isObject2(value) {
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
function levelOf({ error, status = 0, retryInMs }) {
  if (error === void 0) return "debug";
  if (retryInMs !== void 0) return "warn";
  const isRejection = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRejection ? "info" : "error";
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
var time2 = inRange(1, maxTimeout);
var shared = {
  timeout: time2,
  attemptTimeout: time2,
  maxRetries: wholeNumber(0, 100),
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
var workRules = {
  timeout: time2,
  headers: object,
  signal: [
    (value) => "aborted" in fieldsOf(value) && typeof fieldsOf(value).addEventListener === "function",
    "must be an AbortSignal"
  ]
};
var callRules = {
  ...shared,
  ...workRules,
  idempotencyKey: [
    (value) => typeof value === "string" && /^[\x20-\x7e]{1,255}$/.test(value),
    "must be 1 to 255 printable ASCII characters"
  ]
};
function readCallOptions(options, own2) {
  if (options === void 0) return {};
  return readOptions(options, { ...callRules, ...own2 });
}
function readWorkOptions(options, own2) {
  if (options === void 0) return {};
  return readOptions(options, { ...workRules, ...own2 });
}
function readOptions(options, rules2) {
  if (!isObject2(options) || ArrayBuffer.isView(options)) {
    throw new InputError([{ path: "options", message: "must be an object of options" }]);
  }
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
function wholeNumber(least, most) {
  return [
    (value) => Number.isInteger(value) && inRange(least, most)[0](value),
    `must be a whole number from ${least} to ${most}`
  ];
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
  id: string2(),
  status: string2(),
  access: string2(),
  holder_email: nullable(string2()),
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
var leaseShareFields = { email: string2(), access: string2(), created_at: string2() };
var leaseActionFields = {
  id: string2(),
  action: string2(),
  phase: string2(),
  name: nullable(string2()),
  status: string2(),
  message: string2(),
  progress: nullable(number2()),
  console_offset: nullable(number2()),
  created_at: string2(),
  ended_at: nullable(string2()),
  requested_by: nullable(string2())
};
var firmwareFileFields = {
  id: string2(),
  size: number2(),
  sha256: string2(),
  format: string2()
};
function gapOffset({ code, param = "" }) {
  return code === "console_gap" && /^\d{1,15}$/.test(param) ? Number(param) : void 0;
}

// src/http/list.ts
var maxPages = 1e3;
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
  pages() {
    return this.#pages();
  }
  async *#pages() {
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
    for await (const { items } of this.#pages()) yield* items;
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
    for await (const page of this.#pages()) {
      for (const item of page.items.slice(0, count - items.length)) items.push(item);
      const response = responseOf(page);
      if (response) rememberResponse(items, response);
      if (items.length >= count) break;
      if (++pages === maxPages && page.nextCursor !== void 0) throw tooManyPages();
    }
    return items;
  }
  /** Makes `await` return an array of all records. */
  // biome-ignore lint/suspicious/noThenProperty: a listing is made to be awaited
  then(onFulfilled, onRejected) {
    this.#all ??= settleFor(this, this.#collect(Number.POSITIVE_INFINITY));
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
keepCallers(Listing.prototype, ["pages", "first", Symbol.asyncIterator]);
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
  return new ResponseError(`The list has more than ${maxPages} pages`, {
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
    const { path, query, read, isPatient, options } = requested;
    return await request({
      method: "GET",
      path,
      query: cursor === void 0 ? query : { ...query, cursor },
      isPatient,
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
  if (/[/\\\p{Cc}\p{Cs}\s]/u.test(id) || /^(key_)?\.+$/.test(id)) {
    throw invalidId(
      "must not contain slashes, white space or half of a character, or consist of dots"
    );
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
  if (/^\/[/\\]|[\\?#\p{Cc}\p{Cs}]/u.test(path)) {
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
var leaseRules = { ...complete, defaults: { access: "hold" } };
var readLease = recordReader(leaseFields, leaseRules);
var readAction = recordReader(leaseActionFields, complete);
var readFile = recordReader(firmwareFileFields, complete);
function leasePath(id) {
  return recordPath("/v1/leases", id, "lease");
}
async function listActions(lease, options) {
  return await createListing(lease.transport.request, () => ({
    path: `${lease.path}/actions`,
    read: (body) => readAction(body),
    isPatient: true,
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
var usualPatienceMs = 6e4;
var minWaitMs = 1e3;
function startWait(signal, minMs = minWaitMs) {
  const end = performance.now() + minMs;
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
async function persistently(work, {
  until = () => 0,
  patienceMs = usualPatienceMs,
  onFailure,
  signal,
  repeats = isTemporary
}) {
  let giveUpAt = 0;
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const now = performance.now();
      if (failures === 1) giveUpAt = now + patienceMs;
      if (signal.aborted || !repeats(error) || now >= Math.max(giveUpAt, until())) throw error;
      onFailure?.(error);
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
var LeaseNotSharedError = class extends BoardAccessError {
  /** @internal */
  constructor(leaseId, cause) {
    const { attempts } = cause;
    super(`The lease ${leaseId} is no longer shared with you`, {
      code: "lease_not_shared",
      hint: "Ask its holder to share it again.",
      outcome: "rejected",
      leaseId,
      attempts,
      cause
    });
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
  LeaseNotSharedError,
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
var maxTime = 2 ** 31 - 1;
var pattern = "must be text that is not empty, or a regular expression";
var time3 = [
  (value) => typeof value === "number" && value >= 1 && value <= maxTime,
  "must be a number of milliseconds, at least 1"
];
var rules = {
  expect: [isPattern, pattern],
  fail: [(value) => [value].flat().length > 0 && [value].flat().every(isPattern), pattern],
  send: [
    (value) => value instanceof Uint8Array || isText(value),
    "must be text that is not empty, or a Uint8Array"
  ],
  wait: time3,
  waitMs: time3,
  reset: [(value) => value === true, "must be true"],
  timeout: time3
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
  _gte,
  string2 as string,
  number2 as number,
  boolean2 as boolean,
  unknown,
  optional,
  nullable,
  keepCallers,
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
  filledText,
  textOrList,
  isObject2 as isObject,
  logLevels,
  createLog,
  anything,
  flag,
  callback,
  clientRules,
  readCallOptions,
  readWorkOptions,
  readOptions,
  ofType,
  wholeNumber,
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
  LeaseNotSharedError,
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

// node_modules/zod/v4/core/util.js
function getEnumValues(entries) {
  const numericValues = Object.values(entries).filter((v) => typeof v === "number");
  const values = Object.entries(entries).filter(([k, _]) => numericValues.indexOf(+k) === -1).map(([_, v]) => v);
  return values;
}
function jsonStringifyReplacer(_, value) {
  if (typeof value === "bigint")
    return value.toString();
  return value;
}
var Cached = class {
  constructor(getter) {
    this._getter = getter;
    this._value = void 0;
  }
  get value() {
    const getter = this._getter;
    if (getter !== void 0) {
      this._value = getter();
      this._getter = void 0;
    }
    return this._value;
  }
};
function cached(getter) {
  return new Cached(getter);
}
function cleanRegex(source) {
  const start = source.startsWith("^") ? 1 : 0;
  const end = source.endsWith("$") ? source.length - 1 : source.length;
  return source.slice(start, end);
}
function assignProp(target, prop, value) {
  Object.defineProperty(target, prop, {
    value,
    writable: true,
    enumerable: true,
    configurable: true
  });
}
var captureStackTrace = "captureStackTrace" in Error ? Error.captureStackTrace : (..._args) => {
};
function isObject(data) {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
function isPlainObject(o) {
  if (isObject(o) === false)
    return false;
  const ctor = o.constructor;
  if (ctor === void 0)
    return true;
  if (typeof ctor !== "function")
    return true;
  const prot = ctor.prototype;
  if (isObject(prot) === false)
    return false;
  if (Object.prototype.hasOwnProperty.call(prot, "isPrototypeOf") === false) {
    return false;
  }
  return true;
}
var propertyKeyTypes = /* @__PURE__ */ new Set(["string", "number", "symbol"]);
function escapeRegex(str) {
  return str.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
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
function optionalKeys(shape) {
  return Object.keys(shape).filter((k) => {
    return shape[k]._zod.optin !== void 0 && shape[k]._zod.optout === "optional";
  });
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
function prefixIssues(path2, issues) {
  return issues.map((iss) => {
    var _a2;
    (_a2 = iss).path ?? (_a2.path = []);
    iss.path.unshift(path2);
    return iss;
  });
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
function claim(inst, sentinel) {
  const proto = Object.getPrototypeOf(inst);
  return sentinel in proto ? void 0 : proto;
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
function installLazyProp(inst, key, make, enumerable) {
  const proto = claim(inst, key);
  if (!proto)
    return;
  Object.defineProperty(proto, key, {
    configurable: true,
    get() {
      const desc = { configurable: true, writable: true, enumerable, value: void 0 };
      Object.defineProperty(this, key, desc);
      desc.value = make(this);
      Object.defineProperty(this, key, desc);
      return desc.value;
    },
    set(value) {
      Object.defineProperty(this, key, { configurable: true, writable: true, enumerable, value });
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
    const input4 = payload.value;
    if (typeof input4 === "number" && !Number.isNaN(input4) && Number.isFinite(input4)) {
      return payload;
    }
    const received = typeof input4 === "number" ? Number.isNaN(input4) ? "NaN" : !Number.isFinite(input4) ? String(input4) : void 0 : void 0;
    payload.issues.push({
      expected: "number",
      code: "invalid_type",
      input: input4,
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
    const input4 = payload.value;
    if (typeof input4 === "boolean")
      return payload;
    payload.issues.push({
      expected: "boolean",
      code: "invalid_type",
      input: input4,
      inst
    });
    return payload;
  };
});
var $ZodUnknown = /* @__PURE__ */ $constructor("$ZodUnknown", (inst, def) => {
  $ZodType.init(inst, def);
  inst._zod.parse = (payload) => payload;
});
function handlePropertyResult(result, final, key, input4, optin, optout) {
  const isPresent = key in input4;
  const isOptionalOut = optout === "optional";
  if (!isPresent && isOptionalOut && optin === "optional") {
    return;
  }
  if (result.issues.length) {
    if (optin !== void 0 && isOptionalOut && !isPresent) {
      return;
    }
    final.issues.push(...prefixIssues(key, result.issues));
  }
  if (!isPresent && optin === void 0) {
    if (!result.issues.length) {
      final.issues.push({
        code: "invalid_type",
        expected: "nonoptional",
        input: void 0,
        path: [key]
      });
    }
    return;
  }
  if (result.value === void 0) {
    if (isPresent || optin === "defaulted" && !isOptionalOut) {
      final.value[key] = void 0;
    }
  } else {
    final.value[key] = result.value;
  }
}
var NO_SYMBOL_KEYS = [];
function normalizeDef(def) {
  const keys = Object.keys(def.shape);
  const ownSymbols = Object.getOwnPropertySymbols(def.shape);
  const symbolKeys = ownSymbols.length ? ownSymbols : NO_SYMBOL_KEYS;
  const allKeys = symbolKeys.length ? [...keys, ...symbolKeys] : keys;
  for (const k of allKeys) {
    if (!def.shape?.[k]?._zod?.traits?.has("$ZodType")) {
      throw new Error(`Invalid element at key "${String(k)}": expected a Zod schema`);
    }
  }
  const okeys = optionalKeys(def.shape);
  return {
    ...def,
    allKeys,
    symbolKeys,
    // string-only: handleCatchall matches it against `for...in`, which never yields a symbol
    keySet: new Set(keys),
    numKeys: keys.length,
    optionalKeys: new Set(okeys)
  };
}
function handleCatchall(proms, input4, payload, ctx, def, inst, abortEarly) {
  const unrecognized = [];
  const keySet = def.keySet;
  const _catchall = def.catchall._zod;
  const t = _catchall.def.type;
  const optin = _catchall.optin;
  const optout = _catchall.optout;
  let seen = 0;
  for (const key in input4) {
    if (abortEarly && payload.issues.length !== seen) {
      if (aborted(payload, seen))
        break;
      seen = payload.issues.length;
    }
    if (keySet.has(key))
      continue;
    if (key === "__proto__") {
      if (t === "never")
        unrecognized.push(key);
      continue;
    }
    if (t === "never") {
      unrecognized.push(key);
      continue;
    }
    const r = _catchall.run({ value: input4[key], issues: [] }, ctx);
    if (r instanceof Promise) {
      proms.push(r.then((r2) => handlePropertyResult(r2, payload, key, input4, optin, optout)));
    } else {
      handlePropertyResult(r, payload, key, input4, optin, optout);
    }
  }
  if (unrecognized.length) {
    payload.issues.push({
      code: "unrecognized_keys",
      keys: unrecognized,
      input: input4,
      inst,
      // Describes the shape of the input, not the validity of the parsed value, so it never aborts. The parse still fails; the schema's own checks just get to run first, and an enclosing intersection can reconcile the key against a sibling operand.
      continue: true
    });
  }
  if (!proms.length)
    return payload;
  return Promise.all(proms).then(() => {
    return payload;
  });
}
var $ZodObject = /* @__PURE__ */ $constructor("$ZodObject", (inst, def) => {
  $ZodType.init(inst, def);
  const desc = Object.getOwnPropertyDescriptor(def, "shape");
  const sh = desc?.get ? desc.get.raw : def.shape ?? {};
  if (sh) {
    const get = () => {
      const newSh = { ...sh };
      Object.defineProperty(def, "shape", { value: newSh });
      get.raw = newSh;
      return newSh;
    };
    get.raw = sh;
    Object.defineProperty(def, "shape", { get });
  }
  const _normalized = cached(() => normalizeDef(def));
  defineLazyInternal(inst, "propValues", (zod) => {
    const shape = zod.def.shape;
    const propValues = {};
    for (const key in shape) {
      const field = shape[key]._zod;
      if (field.values) {
        if (!Object.prototype.hasOwnProperty.call(propValues, key)) {
          assignProp(propValues, key, /* @__PURE__ */ new Set());
        }
        for (const v of field.values)
          propValues[key].add(v);
        if (field.optin !== void 0)
          propValues[key].add(void 0);
      }
    }
    return propValues;
  });
  const isObject3 = isObject;
  const catchall = def.catchall;
  let value;
  const memo = globalConfig.memoizer;
  memo?.attach(inst);
  inst._zod.parse = (payload, ctx) => {
    value ?? (value = _normalized.value);
    const input4 = payload.value;
    if (!isObject3(input4)) {
      payload.issues.push({
        expected: "object",
        code: "invalid_type",
        input: input4,
        inst
      });
      return payload;
    }
    payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
    const proms = [];
    const shape = value.shape;
    const abortEarly = ctx?.abortEarly;
    let seen = payload.issues.length;
    for (const key of value.allKeys) {
      if (abortEarly && payload.issues.length !== seen) {
        if (aborted(payload, seen))
          break;
        seen = payload.issues.length;
      }
      if (key === "__proto__")
        continue;
      const el = shape[key];
      const optin = el._zod.optin;
      const optout = el._zod.optout;
      const r = el._zod.run({ value: input4[key], issues: [] }, ctx);
      if (r instanceof Promise) {
        proms.push(r.then((r2) => handlePropertyResult(r2, payload, key, input4, optin, optout)));
      } else {
        handlePropertyResult(r, payload, key, input4, optin, optout);
      }
    }
    if (!catchall) {
      return proms.length ? Promise.all(proms).then(() => payload) : payload;
    }
    return handleCatchall(proms, input4, payload, ctx, _normalized.value, inst, abortEarly === true);
  };
});
var $ZodRecord = /* @__PURE__ */ $constructor("$ZodRecord", (inst, def) => {
  $ZodType.init(inst, def);
  const memo = globalConfig.memoizer;
  memo?.attach(inst);
  inst._zod.parse = (payload, ctx) => {
    const input4 = payload.value;
    if (!isPlainObject(input4)) {
      payload.issues.push({
        expected: "record",
        code: "invalid_type",
        input: input4,
        inst
      });
      return payload;
    }
    const proms = [];
    const values = def.keyType._zod.values;
    if (values && !def.partial) {
      payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
      const recordKeys = /* @__PURE__ */ new Set();
      for (const key of values) {
        if (typeof key === "string" || typeof key === "number" || typeof key === "symbol") {
          recordKeys.add(typeof key === "number" ? key.toString() : key);
          if (key === "__proto__")
            continue;
          const keyResult = def.keyType._zod.run({ value: key, issues: [] }, ctx);
          if (keyResult instanceof Promise) {
            throw new Error("Async schemas not supported in object keys currently");
          }
          if (keyResult.issues.length) {
            payload.issues.push({
              code: "invalid_key",
              origin: "record",
              issues: keyResult.issues.map((iss) => finalizeIssue(iss, ctx, config())),
              input: key,
              path: [key],
              inst
            });
            continue;
          }
          const outKey = keyResult.value;
          if (outKey === "__proto__")
            continue;
          const result = def.valueType._zod.run({ value: input4[key], issues: [] }, ctx);
          if (result instanceof Promise) {
            proms.push(result.then((result2) => {
              if (result2.issues.length) {
                payload.issues.push(...prefixIssues(key, result2.issues));
              }
              payload.value[outKey] = result2.value;
            }));
          } else {
            if (result.issues.length) {
              payload.issues.push(...prefixIssues(key, result.issues));
            }
            payload.value[outKey] = result.value;
          }
        }
      }
      let unrecognized;
      for (const key in input4) {
        if (!recordKeys.has(key)) {
          if (def.mode === "loose") {
            if (key === "__proto__")
              continue;
            payload.value[key] = input4[key];
          } else {
            unrecognized = unrecognized ?? [];
            unrecognized.push(key);
          }
        }
      }
      if (unrecognized && unrecognized.length > 0) {
        payload.issues.push({
          code: "unrecognized_keys",
          input: input4,
          inst,
          keys: unrecognized,
          continue: true
        });
      }
    } else {
      payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
      let unrecognized;
      for (const key of Reflect.ownKeys(input4)) {
        if (key === "__proto__")
          continue;
        if (!Object.prototype.propertyIsEnumerable.call(input4, key))
          continue;
        let keyResult = def.keyType._zod.run({ value: key, issues: [] }, ctx);
        if (keyResult instanceof Promise) {
          throw new Error("Async schemas not supported in object keys currently");
        }
        const checkNumericKey = typeof key === "string" && number.test(key) && keyResult.issues.length;
        if (checkNumericKey) {
          const retryResult = def.keyType._zod.run({ value: Number(key), issues: [] }, ctx);
          if (retryResult instanceof Promise) {
            throw new Error("Async schemas not supported in object keys currently");
          }
          if (retryResult.issues.length === 0) {
            keyResult = retryResult;
          }
        }
        if (keyResult.issues.length) {
          if (def.mode === "loose") {
            payload.value[key] = input4[key];
          } else if (values) {
            unrecognized = unrecognized ?? [];
            unrecognized.push(key);
          } else {
            payload.issues.push({
              code: "invalid_key",
              origin: "record",
              issues: keyResult.issues.map((iss) => finalizeIssue(iss, ctx, config())),
              input: key,
              path: [key],
              inst
            });
          }
          continue;
        }
        const outKey = keyResult.value;
        if (outKey === "__proto__")
          continue;
        const result = def.valueType._zod.run({ value: input4[key], issues: [] }, ctx);
        if (result instanceof Promise) {
          proms.push(result.then((result2) => {
            if (result2.issues.length) {
              payload.issues.push(...prefixIssues(key, result2.issues));
            }
            payload.value[outKey] = result2.value;
          }));
        } else {
          if (result.issues.length) {
            payload.issues.push(...prefixIssues(key, result.issues));
          }
          payload.value[outKey] = result.value;
        }
      }
      if (unrecognized && unrecognized.length > 0) {
        payload.issues.push({
          code: "unrecognized_keys",
          input: input4,
          inst,
          keys: unrecognized,
          continue: true
        });
      }
    }
    if (proms.length) {
      return Promise.all(proms).then(() => payload);
    }
    return payload;
  };
});
var $ZodEnum = /* @__PURE__ */ $constructor("$ZodEnum", (inst, def) => {
  $ZodType.init(inst, def);
  const values = getEnumValues(def.entries);
  const valuesSet = new Set(values);
  inst._zod.values = valuesSet;
  defineLazyInternal(inst, "pattern", (zod) => {
    const patternValues = getEnumValues(zod.def.entries).filter((k) => propertyKeyTypes.has(typeof k));
    return new RegExp(patternValues.length ? `^(${patternValues.map((o) => escapeRegex(o.toString())).join("|")})$` : "^[^\\s\\S]$");
  });
  inst._zod.parse = (payload, _ctx) => {
    const input4 = payload.value;
    if (valuesSet.has(input4)) {
      return payload;
    }
    payload.issues.push({
      code: "invalid_value",
      values,
      input: input4,
      inst
    });
    return payload;
  };
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
var ZodMiniObject = /* @__PURE__ */ $constructor("ZodMiniObject", (inst, def) => {
  $ZodObject.init(inst, def);
  ZodMiniType.init(inst, def);
  installLazyProp(inst, "shape", (self) => self._zod.def.shape, false);
});
// @__NO_SIDE_EFFECTS__
function object(shape, params) {
  const def = {
    type: "object",
    shape: shape ?? {},
    ...normalizeParams(params)
  };
  return new ZodMiniObject(def);
}
// @__NO_SIDE_EFFECTS__
function looseObject(shape, params) {
  return new ZodMiniObject({
    type: "object",
    shape,
    catchall: /* @__PURE__ */ unknown(),
    ...normalizeParams(params)
  });
}
var ZodMiniRecord = /* @__PURE__ */ $constructor("ZodMiniRecord", (inst, def) => {
  $ZodRecord.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function record(keyType, valueType, params) {
  if (!valueType || !valueType._zod) {
    return new ZodMiniRecord({
      type: "record",
      keyType: /* @__PURE__ */ string2(),
      valueType: keyType,
      ...normalizeParams(valueType)
    });
  }
  return new ZodMiniRecord({
    type: "record",
    keyType,
    valueType,
    ...normalizeParams(params)
  });
}
var ZodMiniEnum = /* @__PURE__ */ $constructor("ZodMiniEnum", (inst, def) => {
  $ZodEnum.init(inst, def);
  ZodMiniType.init(inst, def);
  inst.options = [...inst._zod.values];
});
// @__NO_SIDE_EFFECTS__
function _enum(values, params) {
  const entries = Array.isArray(values) ? Object.fromEntries(values.map((v) => [v, v])) : values;
  return new ZodMiniEnum({
    type: "enum",
    entries,
    ...normalizeParams(params)
  });
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

// src/contract/api-key.ts
var apiKeyPattern = /^key_[0-9a-f]{48}$/i;
function redact(text) {
  return text.replace(/(key|agt)_[0-9a-f]{48}/gi, "$1_[redacted]");
}
var apiKey = object({
  id: string2(),
  label: nullable(string2()),
  hint: string2(),
  created_at: string2(),
  last_used_at: nullable(string2()),
  revoked_at: nullable(string2())
});
var createdApiKey = object({ ...apiKey.shape, key: string2() });

// src/contract/base-image.ts
var baseImageActions = ["flash", "erase"];
var baseImage = object({
  id: string2(),
  action: _enum(baseImageActions),
  board_type: string2(),
  name: string2(),
  description: string2(),
  url: string2(),
  flash_offset: string2(),
  position: number2(),
  enabled: boolean2(),
  created_at: string2()
});

// src/contract/board.ts
var boardStatuses = ["available", "in_use", "offline", "maintenance"];
var board = object({
  id: string2(),
  name: string2(),
  board_type: string2(),
  status: _enum(boardStatuses),
  description: string2(),
  tags: record(string2(), string2()),
  /** Why the board is in maintenance or offline; empty otherwise. */
  status_reason: string2(),
  credits_per_minute: number2(),
  /** The lease that holds the board, for the account that has it; null for everyone else. */
  lease_id: nullable(string2()),
  created_at: string2(),
  updated_at: string2()
});

// src/errors.ts
var brand = /* @__PURE__ */ Symbol.for("board-access.error");
var BoardAccessError = class extends Error {
  /** A stable word for what happened; made for `switch`. */
  code;
  /** Whether the request may have been carried out. */
  outcome;
  /** Every try that was made, in order. */
  attempts = [];
  /** @internal */
  constructor(message, { code, hint, cause, outcome = "not-sent" }) {
    super(message, cause === void 0 ? void 0 : { cause });
    this.code = code;
    if (hint !== void 0) this.hint = hint;
    this.outcome = outcome;
  }
};
var ConfigurationError = class extends BoardAccessError {
};
var InputError = class extends BoardAccessError {
  /** Every fault that was found. */
  issues;
  /** @internal */
  constructor(issues, hint) {
    super(issues.map(({ path: path2, message }) => `${path2 || "The input"}: ${message}`).join("; "), {
      code: "invalid_input",
      hint
    });
    this.issues = issues;
  }
};
function changesNothing(status) {
  return status >= 400 && status < 500 && status !== 408 || status === 503;
}
var ApiError = class extends BoardAccessError {
  /** The HTTP status. */
  status;
  /** The headers of the answer. */
  headers;
  /** The body of the answer, parsed if it is JSON, cut at 4 kB. */
  body;
  /** Every fault that the service named. */
  issues;
  /** @internal */
  constructor(message, details) {
    const { status, code, hint, headers, body, issues = [], param, requestId, retryAt } = details;
    super(message, { code, hint, outcome: changesNothing(status) ? "rejected" : "unknown" });
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.issues = issues;
    if (param !== void 0) this.param = param;
    if (requestId !== void 0) this.requestId = requestId;
    if (retryAt !== void 0) this.retryAt = retryAt;
  }
};
var ConnectionError = class extends BoardAccessError {
};
var TimeoutError = class extends BoardAccessError {
  /** @internal */
  constructor(milliseconds) {
    super(`No complete answer within ${milliseconds} ms`, { code: "timeout", outcome: "unknown" });
  }
};
var ResponseError = class extends BoardAccessError {
  /** @internal */
  constructor(message, details) {
    super(message, { ...details, outcome: "unknown" });
  }
};
Object.defineProperty(BoardAccessError.prototype, brand, { value: true });
var kinds = {
  ConfigurationError,
  InputError,
  ApiError,
  ConnectionError,
  TimeoutError,
  ResponseError
};
for (const [name, { prototype }] of Object.entries(kinds)) {
  Object.defineProperty(prototype, "name", { value: name, writable: true, configurable: true });
}
function invalidResponse(message) {
  return new ResponseError(message, {
    code: "invalid_response",
    hint: "Check that the base URL is the address of the API."
  });
}
function isBoardAccessError(error) {
  return error instanceof Error && brand in error;
}

// src/lib/records.ts
config({ jitless: true });
var needed = /* @__PURE__ */ new Set(["id", "key"]);
var expectation = (issue2) => issue2.code === "invalid_type" ? `must be of type ${issue2.expected}` : void 0;
var camelNames = /* @__PURE__ */ new Map();
function recordReader(shape) {
  const fields = Object.entries(shape);
  return (body, where = []) => {
    if (!isObject2(body)) throw invalidRecord(where, "must be of type object");
    for (const [name, schema] of fields) {
      const value = body[name];
      if ((value === void 0 || value === null) && !needed.has(name)) continue;
      if (plainlyFits(schema, value)) continue;
      const { error } = safeParse(schema, value, { error: expectation });
      const issue2 = error?.issues[0];
      if (issue2) throw invalidRecord([...where, name, ...issue2.path], issue2.message);
    }
    const record2 = {};
    for (const name in body) {
      if (name !== "__proto__") record2[camelName(name)] = body[name];
    }
    return record2;
  };
}
function snakeCased(record2) {
  return Object.fromEntries(
    Object.entries(record2).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value
    ])
  );
}
function readInput(schema, input4) {
  const result = safeParse(schema, input4, { error: expectation });
  if (!result.success) throw new InputError(issuesOf(result.error));
  return result.data;
}
function isObject2(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function pathText(path2) {
  return path2.reduce((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}
function issuesOf(error) {
  return error.issues.map(({ path: path2, message }) => ({ path: pathText(path2), message }));
}
function invalidRecord(path2, message) {
  const place = path2.length > 0 ? ` at ${redact(pathText(path2))}` : "";
  return invalidResponse(`The answer is not what the call needs${place}: ${message}`);
}
function plainlyFits(schema, value) {
  const { def } = schema._zod;
  switch (def.type) {
    case "string":
      return typeof value === "string" && def.checks === void 0;
    case "nullable":
      return plainlyFits(def.innerType, value);
    case "record":
      return isObject2(value) && Object.values(value).every((each) => plainlyFits(def.valueType, each));
    default:
      return false;
  }
}
function camelName(name) {
  let known = camelNames.get(name);
  if (known === void 0) {
    known = name.replace(
      /(?<=[a-zA-Z0-9])_([a-z0-9])/g,
      (_, letter) => letter.toUpperCase()
    );
    if (camelNames.size < 500) camelNames.set(name, known);
  }
  return known;
}

// src/base-images.ts
var readBaseImage = recordReader({ ...baseImage.shape, action: string2() });
var input = looseObject({
  action: _enum(baseImageActions, "must be 'flash' or 'erase'"),
  boardType: optional(string2()),
  name: optional(string2()),
  description: optional(string2()),
  url: optional(string2()),
  flashOffset: optional(string2()),
  position: optional(number2()),
  enabled: optional(boolean2())
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

// src/lib/json.ts
function fieldsOf(value) {
  return typeof value === "object" && value !== null ? value : {};
}

// src/lib/response-info.ts
var responses = /* @__PURE__ */ new WeakMap();
function rememberResponse(result, response) {
  if (typeof result === "object" && result !== null) responses.set(result, response);
}
function responseOf(result) {
  return responses.get(result);
}

// src/listing.ts
var Listing = class {
  /** Names the class where it is printed. */
  [Symbol.toStringTag] = "Listing";
  #fetchPage;
  /** @internal */
  constructor(fetchPage) {
    this.#fetchPage = fetchPage;
  }
  /** The pages one after the other, each an array. */
  async *pages() {
    const seen = /* @__PURE__ */ new Set();
    for (let cursor; ; ) {
      const page = await this.#fetchPage(cursor);
      const response = responseOf(page);
      if (response) rememberResponse(page.items, response);
      yield page.items;
      cursor = page.nextCursor;
      if (cursor === void 0) return;
      if (seen.has(cursor)) {
        throw new ResponseError("The service answered the same page twice", {
          code: "cursor_repeated",
          hint: "This is a fault of the service: its list does not come to an end."
        });
      }
      seen.add(cursor);
    }
  }
  /** The items one after the other. */
  async *[Symbol.asyncIterator]() {
    for await (const page of this.pages()) yield* page;
  }
  /** The first `count` items, without fetching more pages than they take. */
  async first(count) {
    const items = [];
    if (count <= 0) return items;
    for await (const page of this.pages()) {
      for (const item of page.slice(0, count - items.length)) items.push(item);
      const response = responseOf(page);
      if (response) rememberResponse(items, response);
      if (items.length >= count) break;
    }
    return items;
  }
  #all() {
    return this.first(Number.POSITIVE_INFINITY);
  }
  /** Makes `await` give an array of everything. */
  // biome-ignore lint/suspicious/noThenProperty: being awaited is what a listing is for
  then(onFulfilled, onRejected) {
    return this.#all().then(onFulfilled, onRejected);
  }
  /** As with any promise. */
  catch(onRejected) {
    return this.#all().catch(onRejected);
  }
  /** As with any promise. */
  finally(onFinally) {
    return this.#all().finally(onFinally);
  }
};
var envelopes = ["data", "boards", "keys", "items", "results"];
function readPage(read, body) {
  const envelope = fieldsOf(body);
  const name = envelopes.find((key) => Array.isArray(envelope[key]));
  const items = Array.isArray(body) ? body : name && envelope[name];
  if (!Array.isArray(items)) throw invalidResponse("The answer is not a list");
  const where = name === void 0 ? [] : [name];
  const cursor = envelope.next_cursor;
  return {
    items: items.map((item, index) => read(item, [...where, index])),
    nextCursor: typeof cursor === "string" && cursor !== "" ? cursor : void 0
  };
}
function createListing(request, { path: path2, query: query2, read, options }) {
  return new Listing(
    (cursor) => request({
      method: "GET",
      path: path2,
      query: { ...query2, cursor },
      options,
      read: (body) => readPage(read, body)
    })
  );
}

// src/boards.ts
var readBoard = recordReader({ ...board.shape, status: string2() });
var input2 = looseObject({
  boardType: optional(string2()),
  status: optional(string2()),
  pageSize: optional(number2())
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
var input3 = looseObject({ label: optional(string2()) });
var query = looseObject({
  includeRevoked: optional(boolean2()),
  pageSize: optional(number2())
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

// package.json
var version2 = "0.1.0";

// src/lib/api-key.ts
var keyLength = "key_".length + 48;
var advice = [
  [/^["'`]/, "Remove the quotes around it."],
  [/^bearer\b/i, "Leave out Bearer."]
];
function readApiKey(text, source) {
  if (typeof text !== "string") throw malformed(`The API key from ${source} is not a string`);
  const key = text.trim();
  if (apiKeyPattern.test(key)) return key;
  if (key === "") {
    throw new ConfigurationError(`The API key from ${source} is empty`, {
      code: "api_key_missing",
      hint: "In CI, check that the secret exists and that this job is allowed to read it."
    });
  }
  if (/^key_[0-9a-f]{24}$/i.test(key)) {
    throw malformed(
      `The API key from ${source} is the id of a key, not the key itself`,
      "A key is shown once, when it is created. If it is lost, create a new one."
    );
  }
  throw malformed(
    `The API key from ${source} is not "key_" and 48 hexadecimal characters: it is ${key.length} characters long, and character ${firstBadPosition(key) + 1} does not fit`,
    advice.find(([pattern]) => pattern.test(key))?.[1]
  );
}
function malformed(message, hint) {
  return new ConfigurationError(message, { code: "api_key_malformed", hint });
}
function firstBadPosition(text) {
  const at = [...text].findIndex(
    (character, index) => index < 4 ? character !== "key_"[index] : !/[0-9a-f]/i.test(character)
  );
  return at === -1 ? Math.min(text.length, keyLength) : at;
}

// src/lib/retry.ts
var firstWaitMs = 500;
var longestWaitMs = 8e3;
function isWorthRetrying(error, repeatable) {
  return wasNotProcessed(error) || repeatable && isTransient(error);
}
function waitAfter(error, attempt2) {
  const asked = error instanceof ApiError && error.retryAt ? error.retryAt.getTime() - Date.now() : 0;
  return asked > 0 ? asked : Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt2 - 1));
}
function retryMoment(header) {
  if (header === null) return void 0;
  if (/^\d{1,9}$/.test(header)) return new Date(Date.now() + Number(header) * 1e3);
  const moment = /^[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(moment) ? void 0 : new Date(moment);
}
function wasNotProcessed(error) {
  return error instanceof ApiError ? error.status === 429 || error.status === 503 : error instanceof ConnectionError && error.outcome === "not-sent" && !["tls_failed", "port_blocked"].includes(error.code);
}
function isTransient(error) {
  return error instanceof ApiError ? [408, 500, 502, 504].includes(error.status) : error instanceof ConnectionError && error.outcome === "unknown";
}

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
    issues: issuesOf2(fields.errors),
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
function issuesOf2(value) {
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

// src/lib/redact.ts
function redactedCause(error, depth = 0) {
  if (!(error instanceof Error) || depth > 4) return void 0;
  const cause = redactedCause(error.cause, depth + 1);
  const copy = new Error(redact(error.message), cause && { cause });
  copy.name = redact(error.name);
  copy.stack = redact(error.stack ?? copy.message);
  const code = "code" in error ? error.code : void 0;
  if (typeof code === "string") copy.code = redact(code);
  return copy;
}

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
async function send({ method, url, headers, body, credentials, fetch }, signal) {
  const complete = (request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return (fetch ?? globalThis.fetch)(request, { signal });
  };
  try {
    const { default: ky } = await import("./distribution.js");
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
    return {
      status: response.status,
      redirected: response.redirected || response.type === "opaqueredirect",
      headers: response.headers,
      text: await response.text()
    };
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

// src/lib/base-url.ts
function readBaseUrl(given2, source, { allowInsecureHttp } = {}) {
  const wrong2 = (code, what, hint) => new ConfigurationError(`The address from ${source} ${what}`, { code, hint });
  const text = String(given2).trim();
  if (text === "") {
    throw wrong2(
      "base_url_missing",
      "is missing",
      "Set SERVICE_BASE_URL or pass a base URL. A service to try: npx board-access-service start --demo"
    );
  }
  const url = URL.canParse(text) ? new URL(text) : void 0;
  if (url === void 0 || !/^https?:$/.test(url.protocol)) {
    throw wrong2("base_url_invalid", "is not one such as https://boards.example.com");
  }
  if (url.username || url.password || /[?#]/.test(url.href)) {
    throw wrong2("base_url_invalid", 'has a user name, a password, "?" or "#" in it');
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowInsecureHttp) {
    throw wrong2(
      "insecure_http",
      "is plain http to another machine, where the API key could be read on the way",
      "Use https. In code, allowInsecureHttp permits plain http on a network of your own."
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  if (url.pathname.endsWith("/v1")) {
    throw wrong2("base_url_invalid", "ends in /v1, which every call adds itself", "Leave /v1 out.");
  }
  return url;
}
function isLoopback(hostname) {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

// src/lib/settings.ts
var longestTimeout = 2 ** 31 - 1;
function isBrowser() {
  return "window" in globalThis && "document" in globalThis || "importScripts" in globalThis;
}
function wrong(code, message, hint) {
  return new ConfigurationError(message, { code, hint });
}
function readAddressOption(options) {
  const source = options.baseUrl === void 0 ? "SERVICE_BASE_URL" : "the option baseUrl";
  const given2 = options.baseUrl ?? fromEnvironment("SERVICE_BASE_URL") ?? "";
  return readBaseUrl(given2, source, options);
}
function readKeyOption({ apiKey: apiKey2, dangerouslyAllowBrowser }) {
  if (apiKey2 === null) return null;
  if (isBrowser() && !dangerouslyAllowBrowser) {
    throw wrong(
      "browser_refused",
      "An API key in a browser can be read by every visitor of the page",
      "Pass apiKey: null to use the session cookie, or set dangerouslyAllowBrowser."
    );
  }
  if (typeof apiKey2 === "function") return apiKey2;
  if (apiKey2 !== void 0) return readApiKey(apiKey2, "the option apiKey");
  const found = fromEnvironment("SERVICE_API_KEY");
  if (found !== void 0) return readApiKey(found, "SERVICE_API_KEY");
  throw wrong(
    "api_key_missing",
    "There is no API key: set SERVICE_API_KEY or pass apiKey",
    "Create one on the API Keys page of the web UI; it is shown once."
  );
}
function readNumber(name, value, least, most) {
  if (typeof value === "number" && value >= least && value <= most) return value;
  throw wrong("option_invalid", `${name} must be a number from ${least} to ${most}`);
}
function readTimeout(value) {
  return readNumber("timeout", value, 1, longestTimeout);
}
function readMaxRetries(value) {
  return readNumber("maxRetries", value, 0, 100);
}
function readHeaders(headers) {
  const read = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw wrong("option_invalid", "headers has a name that is not one of an HTTP header");
    }
    if (typeof value !== "string" || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw wrong("option_invalid", `headers has a value for ${name} that cannot be sent`);
    }
    read[name.toLowerCase()] = value;
  }
  return read;
}
function readSettings(options) {
  return {
    apiKey: readKeyOption(options),
    baseUrl: readAddressOption(options),
    timeout: readTimeout(options.timeout ?? 3e4),
    maxRetries: readMaxRetries(options.maxRetries ?? 2),
    headers: readHeaders(options.headers ?? {}),
    fetch: options.fetch,
    onAttempt: options.onAttempt
  };
}
function fromEnvironment(name) {
  try {
    return globalThis.process?.env?.[name];
  } catch {
    return void 0;
  }
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
          answer = await deadline.race(sendWithKey(outgoing, apiKey2, deadline.signal));
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
  const userAgent = isBrowser() ? {} : { "user-agent": `board-access/${version2}` };
  const common = { accept: "application/json", ...userAgent, ...headers };
  const credentials = credentialsFor(apiKey2);
  return ({ method, path: path2, query: query2, json, options }) => {
    const body = bodyOf(json);
    return {
      method,
      url: base + path2 + (query2 ? queryString(query2) : ""),
      headers: {
        ...common,
        ...options?.headers && readHeaders(options.headers),
        ...body !== void 0 && { "content-type": "application/json" },
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
async function sendWithKey(outgoing, apiKey2, signal) {
  const key = await resolveApiKey(apiKey2);
  if (key === null) return await send(outgoing, signal);
  const headers = { ...outgoing.headers, authorization: `Bearer ${key}` };
  return await send({ ...outgoing, headers }, signal);
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

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
function optionalKeys(shape3) {
  return Object.keys(shape3).filter((k) => {
    return shape3[k]._zod.optin !== void 0 && shape3[k]._zod.optout === "optional";
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
    const shape3 = zod.def.shape;
    const propValues = {};
    for (const key in shape3) {
      const field = shape3[key]._zod;
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
    const shape3 = value.shape;
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
      const el = shape3[key];
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
function object(shape3, params) {
  const def = {
    type: "object",
    shape: shape3 ?? {},
    ...normalizeParams(params)
  };
  return new ZodMiniObject(def);
}
// @__NO_SIDE_EFFECTS__
function looseObject(shape3, params) {
  return new ZodMiniObject({
    type: "object",
    shape: shape3,
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
var redact = (text) => text.replace(/key_[0-9a-f]{48}/gi, "key_[redacted]");
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
var changesNothing = (status) => status >= 400 && status < 500 && status !== 408 || status === 503;
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
var invalidResponse = (message) => new ResponseError(message, {
  code: "invalid_response",
  hint: "Check that baseUrl is the address of the API."
});
var isBoardAccessError = (error) => error instanceof Error && brand in error;

// src/api-key-text.ts
var keyLength = "key_".length + 48;
var malformed = (message, hint) => new ConfigurationError(message, { code: "api_key_malformed", hint });
var firstBadPosition = (text) => {
  const at = [...text].findIndex(
    (character, index) => index < 4 ? character !== "key_"[index] : !/[0-9a-f]/i.test(character)
  );
  return at === -1 ? Math.min(text.length, keyLength) : at;
};
var readApiKey = (text, source) => {
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
    /^["'`]/.test(key) ? "Remove the quotes around it." : void 0
  );
};

// src/json.ts
var fieldsOf = (value) => typeof value === "object" && value !== null ? value : {};

// src/records.ts
config({ jitless: true });
var needed = /* @__PURE__ */ new Set(["id", "key"]);
var expectation = (issue2) => issue2.code === "invalid_type" ? `must be of type ${issue2.expected}` : void 0;
var pathText = (path2) => path2.reduce((text, part) => {
  if (typeof part === "number") return `${text}[${part}]`;
  return text === "" ? String(part) : `${text}.${String(part)}`;
}, "");
var issuesOf = (error) => error.issues.map(({ path: path2, message }) => ({ path: pathText(path2), message }));
var unfit = (path2, message) => {
  const place = path2.length > 0 ? ` at ${redact(pathText(path2))}` : "";
  return invalidResponse(`The answer is not what the call needs${place}: ${message}`);
};
var check = (shape3, record2, where) => {
  if (typeof record2 !== "object" || record2 === null || Array.isArray(record2)) {
    throw unfit(where, "must be of type object");
  }
  const fields = fieldsOf(record2);
  for (const [name, field] of Object.entries(shape3)) {
    const value = fields[name];
    if (typeof value === "string" && field.def.type === "string") continue;
    if ((value === void 0 || value === null) && !needed.has(name)) continue;
    const { error } = safeParse(field, value, { error: expectation });
    const issue2 = error?.issues[0];
    if (issue2) throw unfit([...where, name, ...issue2.path], issue2.message);
  }
  return fields;
};
var camelNames = /* @__PURE__ */ new Map();
var camelName = (name) => {
  let known = camelNames.get(name);
  if (known === void 0) {
    known = name.replace(
      /(?<=[a-zA-Z0-9])_([a-z0-9])/g,
      (_, letter) => letter.toUpperCase()
    );
    if (camelNames.size < 500) camelNames.set(name, known);
  }
  return known;
};
var readRecord = (shape3, body, where = []) => {
  const fields = check(shape3, body, where);
  const record2 = {};
  for (const name in fields) {
    if (name !== "__proto__") record2[camelName(name)] = fields[name];
  }
  return record2;
};
var snakeCased = (record2) => Object.fromEntries(
  Object.entries(record2).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value
  ])
);
var readInput = (schema, input4) => {
  const result = safeParse(schema, input4, { error: expectation });
  if (!result.success) throw new InputError(issuesOf(result.error));
  return result.data;
};

// src/base-images.ts
var shape = { ...baseImage.shape, action: string2() };
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
      read: (body) => readRecord(shape, body)
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

// src/response-of.ts
var responses = /* @__PURE__ */ new WeakMap();
var rememberResponse = (result, response) => {
  if (typeof result === "object" && result !== null) responses.set(result, response);
};
var responseOf = (result) => responses.get(result);

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
  first(count) {
    return this.#collect(count);
  }
  async #collect(most) {
    const items = [];
    if (most <= 0) return items;
    for await (const page of this.pages()) {
      for (const item of page.slice(0, most - items.length)) items.push(item);
      const response = responseOf(page);
      if (response) rememberResponse(items, response);
      if (items.length >= most) break;
    }
    return items;
  }
  #all() {
    return this.#collect(Number.POSITIVE_INFINITY);
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
var readPage = (shape3, body) => {
  const envelope = fieldsOf(body);
  const name = envelopes.find((key) => Array.isArray(envelope[key]));
  const items = Array.isArray(body) ? body : name && envelope[name];
  if (!Array.isArray(items)) throw invalidResponse("The answer is not a list");
  const where = name === void 0 ? [] : [name];
  const cursor = envelope.next_cursor;
  return {
    items: items.map((item, index) => readRecord(shape3, item, [...where, index])),
    nextCursor: typeof cursor === "string" && cursor !== "" ? cursor : void 0
  };
};
var createListing = (request, { path: path2, query: query2, shape: shape3, options }) => new Listing(
  (cursor) => request({
    method: "GET",
    path: path2,
    query: { ...query2, cursor },
    options,
    read: (body) => readPage(shape3, body)
  })
);

// src/boards.ts
var shape2 = { ...board.shape, status: string2() };
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
      shape: shape2,
      options
    });
  }
};

// package.json
var version2 = "0.1.0";

// src/deadline.ts
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

// src/retry.ts
var firstWaitMs = 500;
var longestWaitMs = 8e3;
var untouched = (error) => error instanceof ApiError ? error.status === 429 || error.status === 503 : error instanceof ConnectionError && error.outcome === "not-sent" && error.code !== "tls_failed";
var passing = (error) => error instanceof ApiError ? [408, 500, 502, 504].includes(error.status) : error instanceof ConnectionError && error.outcome === "unknown";
var isWorthRetrying = (error, repeatable) => untouched(error) || repeatable && passing(error);
var waitAfter = (error, attempt2) => {
  const asked = error instanceof ApiError && error.retryAt ? error.retryAt.getTime() - Date.now() : 0;
  return asked > 0 ? asked : Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt2 - 1));
};
var retryMoment = (header) => {
  if (header === null) return void 0;
  if (/^\d{1,9}$/.test(header)) return new Date(Date.now() + Number(header) * 1e3);
  const moment = /^[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(moment) ? void 0 : new Date(moment);
};

// src/interpret.ts
var longestBody = 4096;
var longestMessage = 300;
var textOf = (value) => typeof value === "string" && value.trim() !== "" ? value.trim() : void 0;
var parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
};
var sentence = (text) => {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ");
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}\u2026` : line;
};
var issuesOf2 = (value) => (Array.isArray(value) ? value : []).flatMap((item) => {
  const { path: path2, message } = fieldsOf(item);
  return typeof path2 === "string" && typeof message === "string" ? [{ path: path2, message }] : [];
});
var requestIdOf = (headers) => {
  const id = textOf(headers.get("x-request-id"));
  return id && redact(id);
};
var redactedHeaders = (headers) => {
  const copy = new Headers();
  for (const [name, value] of headers) copy.append(name, redact(value));
  return copy;
};
var apiError = ({ status, headers, text }) => {
  const visible = redact(text);
  const body = parsed(visible);
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
};
var redirectRefused = ({ headers }) => {
  const target = textOf(headers.get("location"));
  return new ResponseError(
    `The service redirects${target ? ` to ${sentence(redact(target))}` : ""}; the API key does not follow`,
    { code: "redirect_refused", hint: "Set baseUrl to the address that answers itself." }
  );
};
var notJson = (text) => invalidResponse(
  text.trimStart().startsWith("<") ? "The answer is a web page, not JSON" : "The answer is not valid JSON"
);
var interpret = (answer) => {
  const { status, redirected, text } = answer;
  if (redirected || status >= 300 && status < 400) throw redirectRefused(answer);
  if (status < 200 || status >= 400) throw apiError(answer);
  if (text.trim() === "") return void 0;
  const body = parsed(text);
  if (body === void 0) throw notJson(text);
  return body;
};

// src/history.ts
var worse = (one, other) => {
  if (one === "unknown" || other === "unknown") return "unknown";
  return one === "rejected" ? one : other;
};
var History = class {
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

// src/path.ts
var keyPath = (id) => {
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
};
var checkedPath = (path2) => {
  const refuse = (message) => new InputError([{ path: "path", message }]);
  if (typeof path2 !== "string" || !path2.startsWith("/")) throw refuse('must begin with "/"');
  if (/^\/[/\\]|[\\?#\p{Cc}]/u.test(path2)) {
    throw refuse("must be a path only, without host, query and fragment");
  }
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(path2)) throw refuse('must not contain "." or ".." segments');
  if (redact(path2) !== path2) throw refuse("must not contain a whole API key");
  return path2;
};
var queryString = (query2) => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query2)) {
    if (value !== void 0) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
};

// src/redacted-cause.ts
var redactedCause = (error, depth = 0) => {
  if (!(error instanceof Error) || depth > 4) return void 0;
  const cause = redactedCause(error.cause, depth + 1);
  const copy = new Error(redact(error.message), cause && { cause });
  copy.name = redact(error.name);
  copy.stack = redact(error.stack ?? copy.message);
  const code = "code" in error ? error.code : void 0;
  if (typeof code === "string") copy.code = redact(code);
  return copy;
};

// node_modules/ky/distribution/errors/KyError.js
var KyError = class extends Error {
  name = "KyError";
  get isKyError() {
    return true;
  }
};

// node_modules/ky/distribution/errors/HTTPError.js
var HTTPError = class extends KyError {
  name = "HTTPError";
  response;
  request;
  options;
  data;
  constructor(response, request, options) {
    const code = response.status || response.status === 0 ? response.status : "";
    const title = response.statusText ?? "";
    const status = `${code} ${title}`.trim();
    const reason = status ? `status code ${status}` : "an unknown error";
    super(`Request failed with ${reason}: ${request.method} ${request.url}`);
    this.response = response;
    this.request = request;
    this.options = options;
  }
};

// node_modules/ky/distribution/errors/NetworkError.js
var NetworkError = class extends KyError {
  name = "NetworkError";
  request;
  constructor(request, options) {
    super(`Request failed due to a network error: ${request.method} ${request.url}`, options);
    this.request = request;
  }
};

// node_modules/ky/distribution/errors/NonError.js
var NonError = class extends Error {
  name = "NonError";
  value;
  constructor(value) {
    let message = "Non-error value was thrown";
    try {
      if (typeof value === "string") {
        message = value;
      } else if (value && typeof value === "object" && "message" in value && typeof value.message === "string") {
        message = value.message;
      }
    } catch {
    }
    super(message);
    this.value = value;
  }
};

// node_modules/ky/distribution/errors/ForceRetryError.js
var ForceRetryError = class extends KyError {
  name = "ForceRetryError";
  customDelay;
  code;
  customRequest;
  constructor(options) {
    const cause = options?.cause ? options.cause instanceof Error ? options.cause : new NonError(options.cause) : void 0;
    super(options?.code ? `Forced retry: ${options.code}` : "Forced retry", cause ? { cause } : void 0);
    this.customDelay = options?.delay;
    this.code = options?.code;
    this.customRequest = options?.request;
  }
};

// node_modules/ky/distribution/errors/SchemaValidationError.js
var SchemaValidationError = class extends Error {
  name = "SchemaValidationError";
  issues;
  constructor(issues) {
    super("Response schema validation failed");
    this.issues = issues;
  }
};

// node_modules/ky/distribution/errors/TimeoutError.js
var TimeoutError2 = class extends KyError {
  name = "TimeoutError";
  request;
  constructor(request) {
    super(`Request timed out: ${request.method} ${request.url}`);
    this.request = request;
  }
};

// node_modules/ky/distribution/core/constants.js
var supportsRequestStreams = (() => {
  let duplexAccessed = false;
  let hasContentType = false;
  const supportsReadableStream = typeof globalThis.ReadableStream === "function";
  const supportsRequest = typeof globalThis.Request === "function";
  if (supportsReadableStream && supportsRequest) {
    try {
      hasContentType = new globalThis.Request("https://empty.invalid", {
        body: new globalThis.ReadableStream(),
        method: "POST",
        // @ts-expect-error - Types are outdated.
        get duplex() {
          duplexAccessed = true;
          return "half";
        }
      }).headers.has("Content-Type");
    } catch (error) {
      if (error instanceof Error && error.message === "unsupported BodyInit type") {
        return false;
      }
      throw error;
    }
  }
  return duplexAccessed && !hasContentType;
})();
var supportsAbortController = typeof globalThis.AbortController === "function";
var supportsAbortSignal = typeof globalThis.AbortSignal === "function" && typeof globalThis.AbortSignal.any === "function";
var supportsResponseStreams = typeof globalThis.ReadableStream === "function";
var supportsFormData = typeof globalThis.FormData === "function";
var requestMethods = ["get", "post", "put", "patch", "head", "delete", "query"];
var validate2 = () => void 0;
validate2();
var responseTypes = {
  json: "application/json",
  text: "text/*",
  formData: "multipart/form-data",
  arrayBuffer: "*/*",
  blob: "*/*",
  // Supported in modern Fetch implementations (for example, browsers and recent Node.js/undici).
  // We still feature-check at runtime before exposing the shortcut.
  bytes: "*/*"
};
var maxSafeTimeout = 2147483647;
var usualFormBoundarySize = 40;
var stop = /* @__PURE__ */ Symbol("stop");
var RetryMarker = class {
  options;
  constructor(options) {
    this.options = options;
  }
};
var retry = (options) => new RetryMarker(options);
var kyOptionKeys = {
  json: true,
  parseJson: true,
  stringifyJson: true,
  searchParams: true,
  baseUrl: true,
  prefix: true,
  retry: true,
  timeout: true,
  totalTimeout: true,
  hooks: true,
  throwHttpErrors: true,
  onDownloadProgress: true,
  onUploadProgress: true,
  fetch: true,
  context: true
};
var requestOptionsRegistry = {
  method: true,
  headers: true,
  body: true,
  mode: true,
  credentials: true,
  cache: true,
  redirect: true,
  referrer: true,
  referrerPolicy: true,
  integrity: true,
  keepalive: true,
  signal: true,
  window: true,
  duplex: true
};

// node_modules/ky/distribution/utils/body.js
var encoder = new TextEncoder();
var getBodySize = (body) => {
  if (!body) {
    return 0;
  }
  if (body instanceof FormData) {
    let size = 0;
    for (const [key, value] of body) {
      size += usualFormBoundarySize;
      size += encoder.encode(`Content-Disposition: form-data; name="${key}"`).byteLength;
      size += typeof value === "string" ? encoder.encode(value).byteLength : value.size;
    }
    return size;
  }
  if (body instanceof Blob) {
    return body.size;
  }
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) {
    return body.byteLength;
  }
  if (typeof body === "string") {
    return encoder.encode(body).byteLength;
  }
  if (body instanceof URLSearchParams) {
    return encoder.encode(body.toString()).byteLength;
  }
  return 0;
};
var withProgress = (stream, totalBytes, onProgress) => {
  let previousChunk;
  let transferredBytes = 0;
  return stream.pipeThrough(new TransformStream({
    transform(currentChunk, controller) {
      controller.enqueue(currentChunk);
      if (previousChunk) {
        transferredBytes += previousChunk.byteLength;
        let percent = totalBytes === 0 ? 0 : transferredBytes / totalBytes;
        if (percent >= 1) {
          percent = 1 - Number.EPSILON;
        }
        onProgress?.({ percent, totalBytes: Math.max(totalBytes, transferredBytes), transferredBytes }, previousChunk);
      }
      previousChunk = currentChunk;
    },
    flush() {
      const finalChunk = previousChunk ?? new Uint8Array();
      transferredBytes += finalChunk.byteLength;
      onProgress?.({ percent: 1, totalBytes: Math.max(totalBytes, transferredBytes), transferredBytes }, finalChunk);
    }
  }));
};
var streamResponse = (response, onDownloadProgress) => {
  if (!response.body) {
    return response;
  }
  const responseInit = {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers
  };
  if (response.status === 204) {
    return new Response(null, responseInit);
  }
  const totalBytes = Math.max(0, Number(response.headers.get("content-length")) || 0);
  return new Response(withProgress(response.body, totalBytes, onDownloadProgress), responseInit);
};
var streamRequest = (request, onUploadProgress, originalBody) => {
  if (!request.body) {
    return request;
  }
  const totalBytes = getBodySize(originalBody ?? request.body);
  return new Request(request, {
    // @ts-expect-error - Types are outdated.
    duplex: "half",
    body: withProgress(request.body, totalBytes, onUploadProgress)
  });
};

// node_modules/ky/distribution/utils/is.js
var isObject2 = (value) => value !== null && typeof value === "object";

// node_modules/ky/distribution/utils/merge.js
var replaceSymbol = /* @__PURE__ */ Symbol("replaceOption");
var getReplaceState = (value) => isObject2(value) && value[replaceSymbol] === true ? {
  isReplace: true,
  value: value.value
} : {
  isReplace: false,
  value
};
var validateAndMerge = (...sources) => {
  for (const source of sources) {
    if ((!isObject2(source) || Array.isArray(source)) && source !== void 0) {
      throw new TypeError("The `options` argument must be an object");
    }
  }
  return deepMerge({}, ...sources);
};
var mergeHeaders = (source1 = {}, source2 = {}) => {
  const result = new globalThis.Headers(source1);
  const isHeadersInstance = source2 instanceof globalThis.Headers;
  const source = new globalThis.Headers(source2);
  for (const [key, value] of source.entries()) {
    if (isHeadersInstance && value === "undefined" || value === void 0) {
      result.delete(key);
    } else {
      result.set(key, value);
    }
  }
  return result;
};
var isPlainObject2 = (value) => {
  if (!isObject2(value) || Array.isArray(value)) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
var cloneShallow = (value) => {
  if (value instanceof URLSearchParams) {
    const copy = new URLSearchParams(value);
    const deleted = value[deletedParametersSymbol];
    if (deleted) {
      copy[deletedParametersSymbol] = new Set(deleted);
    }
    return copy;
  }
  if (value instanceof globalThis.Headers) {
    return new globalThis.Headers(value);
  }
  if (Array.isArray(value)) {
    return [...value];
  }
  if (isPlainObject2(value)) {
    const copy = { ...value };
    return copy;
  }
  return value;
};
var normalizeHeaderObject = (headers) => Object.fromEntries(Object.entries(headers).filter((entry) => entry[1] !== void 0));
var mergeHeaderContainers = (source1, source2) => {
  if (isPlainObject2(source1) && isPlainObject2(source2)) {
    return normalizeHeaderObject({ ...source1, ...source2 });
  }
  return mergeHeaders(source1, source2);
};
function newHookValue(original, incoming, property) {
  return Object.hasOwn(incoming, property) && incoming[property] === void 0 ? [] : deepMerge(original[property] ?? [], incoming[property] ?? []);
}
var mergeHooks = (original = {}, incoming = {}) => ({
  init: newHookValue(original, incoming, "init"),
  beforeRequest: newHookValue(original, incoming, "beforeRequest"),
  beforeRetry: newHookValue(original, incoming, "beforeRetry"),
  beforeError: newHookValue(original, incoming, "beforeError"),
  afterResponse: newHookValue(original, incoming, "afterResponse")
});
var deletedParametersSymbol = /* @__PURE__ */ Symbol("deletedParameters");
var appendSearchParameters = (target, source) => {
  const result = new URLSearchParams();
  const deleted = /* @__PURE__ */ new Set();
  for (const input4 of [target, source]) {
    if (input4 === void 0) {
      continue;
    }
    if (input4 instanceof URLSearchParams) {
      for (const [key, value] of input4.entries()) {
        result.append(key, value);
        deleted.delete(key);
      }
      const inputDeleted = input4[deletedParametersSymbol];
      if (inputDeleted) {
        for (const key of inputDeleted) {
          result.delete(key);
          deleted.add(key);
        }
      }
    } else if (Array.isArray(input4)) {
      for (const pair of input4) {
        if (!Array.isArray(pair) || pair.length !== 2) {
          throw new TypeError("Array search parameters must be provided in [[key, value], ...] format");
        }
        result.append(String(pair[0]), String(pair[1]));
        deleted.delete(String(pair[0]));
      }
    } else if (isObject2(input4)) {
      for (const [key, value] of Object.entries(input4)) {
        if (value === void 0) {
          result.delete(key);
          deleted.add(key);
        } else {
          result.append(key, String(value));
          deleted.delete(key);
        }
      }
    } else {
      const parameters = new URLSearchParams(input4);
      for (const [key, value] of parameters.entries()) {
        result.append(key, value);
        deleted.delete(key);
      }
    }
  }
  if (deleted.size > 0) {
    result[deletedParametersSymbol] = deleted;
  }
  return result;
};
var deepMergeInternal = (isRoot, ...sources) => {
  let returnValue = {};
  let headers = {};
  let hooks = {};
  let searchParameters;
  const signals = [];
  for (const source of sources) {
    if (Array.isArray(source)) {
      if (!Array.isArray(returnValue)) {
        returnValue = [];
      }
      returnValue = [...returnValue, ...source];
    } else if (isObject2(source)) {
      for (let [key, value] of Object.entries(source)) {
        const replaceState = getReplaceState(value);
        const { isReplace } = replaceState;
        value = replaceState.value;
        const isRootSignal = isRoot && key === "signal";
        if (isRootSignal && (isReplace || value === void 0)) {
          signals.length = 0;
        }
        if (isRootSignal && value instanceof globalThis.AbortSignal) {
          signals.push(value);
          continue;
        }
        if (key === "context") {
          if (value !== void 0 && value !== null && (!isObject2(value) || Array.isArray(value))) {
            throw new TypeError("The `context` option must be an object");
          }
          returnValue = {
            ...returnValue,
            context: value === void 0 || value === null ? {} : isReplace ? { ...value } : { ...returnValue.context, ...value }
          };
          continue;
        }
        if (key === "searchParams") {
          if (value === void 0 || value === null) {
            searchParameters = void 0;
          } else if (isReplace) {
            searchParameters = value;
          } else {
            searchParameters = searchParameters === void 0 ? value : appendSearchParameters(searchParameters, value);
          }
          continue;
        }
        if (isRoot && key === "retry" && isObject2(value) && !isReplace && typeof returnValue[key] === "number") {
          returnValue = { ...returnValue, [key]: { limit: returnValue[key] } };
        }
        if (isObject2(value) && !isReplace && key in returnValue) {
          value = deepMergeInternal(false, returnValue[key], value);
        }
        returnValue = { ...returnValue, [key]: value };
      }
      if (isObject2(source.hooks)) {
        const { value: hookValue, isReplace } = getReplaceState(source.hooks);
        hooks = isReplace ? mergeHooks({}, hookValue) : mergeHooks(hooks, hookValue);
        returnValue.hooks = hooks;
      }
      if (isObject2(source.headers)) {
        const { value: headerValue, isReplace } = getReplaceState(source.headers);
        headers = isReplace ? cloneShallow(headerValue) : mergeHeaderContainers(headers, headerValue);
        returnValue.headers = headers;
      }
    }
  }
  if (searchParameters !== void 0) {
    returnValue.searchParams = searchParameters;
  }
  if (signals.length > 0) {
    if (signals.length === 1) {
      returnValue.signal = signals[0];
    } else if (supportsAbortSignal) {
      returnValue.signal = AbortSignal.any(signals);
    } else {
      returnValue.signal = signals.at(-1);
    }
  }
  return returnValue;
};
var deepMerge = (...sources) => deepMergeInternal(true, ...sources);

// node_modules/ky/distribution/utils/normalize.js
var normalizeRequestMethod = (input4) => requestMethods.includes(input4) ? input4.toUpperCase() : input4;
var retryMethods = ["get", "put", "head", "delete", "options", "trace", "query"];
var retryStatusCodes = [408, 413, 429, 500, 502, 503, 504];
var retryAfterStatusCodes = [413, 429, 503];
var invalidRetryLimitErrorMessage = "`retry.limit` must be a finite, non-negative integer";
var defaultRetryOptions = {
  limit: 2,
  methods: retryMethods,
  statusCodes: retryStatusCodes,
  afterStatusCodes: retryAfterStatusCodes,
  maxRetryAfter: Number.POSITIVE_INFINITY,
  backoffLimit: Number.POSITIVE_INFINITY,
  delay: (attemptCount) => 0.3 * 2 ** (attemptCount - 1) * 1e3,
  jitter: void 0,
  retryOnTimeout: false
};
var getDefaultRetryOptions = () => ({
  ...defaultRetryOptions,
  methods: [...defaultRetryOptions.methods],
  statusCodes: [...defaultRetryOptions.statusCodes],
  afterStatusCodes: [...defaultRetryOptions.afterStatusCodes]
});
var normalizeRetryLimit = (retryLimit) => {
  if (retryLimit === void 0) {
    return defaultRetryOptions.limit;
  }
  if (typeof retryLimit !== "number" || !Number.isInteger(retryLimit) || retryLimit < 0) {
    throw new TypeError(invalidRetryLimitErrorMessage);
  }
  return retryLimit;
};
var normalizeRetryOptions = (retry2 = {}) => {
  if (typeof retry2 === "number") {
    return {
      ...getDefaultRetryOptions(),
      limit: normalizeRetryLimit(retry2)
    };
  }
  if (retry2 === null || typeof retry2 !== "object" || Array.isArray(retry2)) {
    throw new TypeError("`retry` must be a number or an object");
  }
  const normalizedRetry = Object.fromEntries(Object.entries(retry2).filter(([, value]) => value !== void 0));
  const retryLimit = normalizeRetryLimit(normalizedRetry.limit);
  if (normalizedRetry.methods !== void 0 && !Array.isArray(normalizedRetry.methods)) {
    throw new Error("retry.methods must be an array");
  }
  if (normalizedRetry.statusCodes !== void 0 && !Array.isArray(normalizedRetry.statusCodes)) {
    throw new Error("retry.statusCodes must be an array");
  }
  if (normalizedRetry.afterStatusCodes !== void 0 && !Array.isArray(normalizedRetry.afterStatusCodes)) {
    throw new Error("retry.afterStatusCodes must be an array");
  }
  if (normalizedRetry.methods !== void 0) {
    normalizedRetry.methods = normalizedRetry.methods.map((method) => method.toLowerCase());
  }
  if (normalizedRetry.statusCodes !== void 0) {
    normalizedRetry.statusCodes = [...normalizedRetry.statusCodes];
  }
  if (normalizedRetry.afterStatusCodes !== void 0) {
    normalizedRetry.afterStatusCodes = [...normalizedRetry.afterStatusCodes];
  }
  return {
    ...getDefaultRetryOptions(),
    ...normalizedRetry,
    limit: retryLimit
  };
};

// node_modules/ky/distribution/utils/timeout.js
async function timeout(request, init, abortController, options) {
  return new Promise((resolve, reject) => {
    const timeoutId = setTimeout(() => {
      if (abortController) {
        abortController.abort();
      }
      reject(new TimeoutError2(request));
    }, options.timeout);
    void options.fetch(request, init).then(resolve).catch(reject).then(() => {
      clearTimeout(timeoutId);
    });
  });
}

// node_modules/ky/distribution/utils/delay.js
async function delay(ms, { signal }) {
  return new Promise((resolve, reject) => {
    if (signal) {
      signal.throwIfAborted();
      signal.addEventListener("abort", abortHandler, { once: true });
    }
    function abortHandler() {
      clearTimeout(timeoutId);
      reject(signal.reason);
    }
    const timeoutId = setTimeout(() => {
      signal?.removeEventListener("abort", abortHandler);
      resolve();
    }, ms);
  });
}

// node_modules/ky/distribution/utils/options.js
var findUnknownOptions = (options) => {
  const unknownOptions = {};
  for (const key in options) {
    if (!Object.hasOwn(options, key)) {
      continue;
    }
    if (!(key in requestOptionsRegistry) && !(key in kyOptionKeys)) {
      unknownOptions[key] = options[key];
    }
  }
  return unknownOptions;
};
var hasSearchParameters = (search) => {
  if (search === void 0) {
    return false;
  }
  if (Array.isArray(search)) {
    return search.length > 0;
  }
  if (search instanceof URLSearchParams) {
    return search.size > 0 || Boolean(search[deletedParametersSymbol]?.size);
  }
  if (typeof search === "object") {
    return Object.keys(search).length > 0;
  }
  if (typeof search === "string") {
    return search.trim().length > 0;
  }
  return Boolean(search);
};

// node_modules/ky/distribution/utils/is-network-error.js
var objectToString = Object.prototype.toString;
var isError = (value) => objectToString.call(value) === "[object Error]";
var errorMessages = /* @__PURE__ */ new Set([
  "network error",
  // Chrome
  "NetworkError when attempting to fetch resource.",
  // Firefox
  "The Internet connection appears to be offline.",
  // Safari 16
  "Network request failed",
  // `cross-fetch`
  "fetch failed",
  // Undici (Node.js)
  "terminated",
  // Undici (Node.js)
  " A network error occurred.",
  // Bun (WebKit) - leading space is intentional
  "Network connection lost"
  // Cloudflare Workers (fetch)
]);
function isRawNetworkError(error) {
  const isValid = error && isError(error) && error.name === "TypeError" && typeof error.message === "string";
  if (!isValid) {
    return false;
  }
  const { message, stack } = error;
  if (message === "Load failed" || message.startsWith("Load failed (") && message.endsWith(")")) {
    return stack === void 0 || "__sentry_captured__" in error;
  }
  if (message.startsWith("error sending request for url")) {
    return true;
  }
  if (message === "Failed to fetch" || message.startsWith("Failed to fetch (") && message.endsWith(")")) {
    return true;
  }
  return errorMessages.has(message);
}

// node_modules/ky/distribution/utils/type-guards.js
var isErrorType = (error, cls) => error instanceof cls || error?.name === cls.name;
function isHTTPError(error) {
  return isErrorType(error, HTTPError);
}
function isNetworkError(error) {
  return isErrorType(error, NetworkError);
}
function isTimeoutError(error) {
  return isErrorType(error, TimeoutError2);
}

// node_modules/ky/distribution/core/retry-timing.js
var timestampThreshold = Date.parse("2024-01-01");
var delayPattern = /^\d+$/;
var months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
var imfDatePattern = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
var rfc850DatePattern = /^(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday), (\d{2})-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
var asctimeDatePattern = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{2}| \d) (\d{2}:\d{2}:\d{2}) (\d{4})$/;
var getRetryTimingHeader = (headers) => {
  const retryAfter = headers.get("Retry-After");
  if (retryAfter !== null) {
    return { value: retryAfter, allowTimestamp: false };
  }
  const rateLimitReset = headers.get("RateLimit-Reset");
  if (rateLimitReset !== null) {
    return { value: rateLimitReset, allowTimestamp: true };
  }
  const rateLimitRetryAfter = headers.get("X-RateLimit-Retry-After");
  if (rateLimitRetryAfter !== null) {
    return { value: rateLimitRetryAfter, allowTimestamp: false };
  }
  const rateLimitResetAlias = headers.get("X-RateLimit-Reset") ?? headers.get("X-Rate-Limit-Reset");
  if (rateLimitResetAlias !== null) {
    return { value: rateLimitResetAlias, allowTimestamp: true };
  }
  return void 0;
};
var createTimestamp = ({ year, month, day, hours, minutes, seconds }) => {
  const monthIndex = months.indexOf(month);
  const dayNumber = Number(day);
  const hoursNumber = Number(hours);
  const minutesNumber = Number(minutes);
  const secondsNumber = Number(seconds);
  if (monthIndex === -1 || hoursNumber > 23 || minutesNumber > 59 || secondsNumber > 60) {
    return void 0;
  }
  const normalizedSeconds = Math.min(secondsNumber, 59);
  const date2 = new Date(Date.UTC(year, monthIndex, dayNumber, hoursNumber, minutesNumber, normalizedSeconds));
  date2.setUTCFullYear(year);
  const timestamp = date2.getTime();
  if (date2.getUTCFullYear() !== year || date2.getUTCMonth() !== monthIndex || date2.getUTCDate() !== dayNumber || date2.getUTCHours() !== hoursNumber || date2.getUTCMinutes() !== minutesNumber || date2.getUTCSeconds() !== normalizedSeconds) {
    return void 0;
  }
  return secondsNumber === 60 ? timestamp + 1e3 : timestamp;
};
var getCapture = (match, index) => match[index];
var parseDate = (value) => {
  const imfDate = imfDatePattern.exec(value);
  if (imfDate) {
    return createTimestamp({
      year: Number(getCapture(imfDate, 3)),
      month: getCapture(imfDate, 2),
      day: getCapture(imfDate, 1),
      hours: getCapture(imfDate, 4),
      minutes: getCapture(imfDate, 5),
      seconds: getCapture(imfDate, 6)
    });
  }
  const rfc850Date = rfc850DatePattern.exec(value);
  if (rfc850Date) {
    const now = /* @__PURE__ */ new Date();
    const twoDigitYear = Number(getCapture(rfc850Date, 3));
    const currentCenturyYear = Math.floor(now.getUTCFullYear() / 100) * 100 + twoDigitYear;
    const fiftyYearsFromNow = Date.UTC(now.getUTCFullYear() + 50, now.getUTCMonth(), now.getUTCDate(), now.getUTCHours(), now.getUTCMinutes(), now.getUTCSeconds(), now.getUTCMilliseconds());
    let timestamp;
    for (const year of [
      currentCenturyYear - 100,
      currentCenturyYear,
      currentCenturyYear + 100
    ]) {
      const candidateTimestamp = createTimestamp({
        year,
        month: getCapture(rfc850Date, 2),
        day: getCapture(rfc850Date, 1),
        hours: getCapture(rfc850Date, 4),
        minutes: getCapture(rfc850Date, 5),
        seconds: getCapture(rfc850Date, 6)
      });
      if (candidateTimestamp !== void 0 && candidateTimestamp <= fiftyYearsFromNow) {
        timestamp = candidateTimestamp;
      }
    }
    return timestamp;
  }
  const asctimeDate = asctimeDatePattern.exec(value);
  if (asctimeDate) {
    const time2 = getCapture(asctimeDate, 4);
    const [hours, minutes, seconds] = time2.split(":");
    return createTimestamp({
      year: Number(getCapture(asctimeDate, 5)),
      month: getCapture(asctimeDate, 2),
      day: getCapture(asctimeDate, 3).trim(),
      hours,
      minutes,
      seconds
    });
  }
  return void 0;
};
var calculateRetryTimingDelay = ({ value, allowTimestamp }) => {
  if (delayPattern.test(value)) {
    let delay3 = Number(value) * 1e3;
    if (allowTimestamp && delay3 >= timestampThreshold) {
      delay3 -= Date.now();
    }
    return Math.max(0, delay3);
  }
  const timestamp = parseDate(value);
  if (timestamp === void 0) {
    return void 0;
  }
  const delay2 = timestamp - Date.now();
  return Number.isFinite(delay2) ? Math.max(0, delay2) : void 0;
};

// node_modules/ky/distribution/core/Ky.js
var maxErrorResponseBodySize = 10 * 1024 * 1024;
var prefixUrlRenamedErrorMessage = "The `prefixUrl` option has been renamed `prefix` in v2 and enhanced to allow slashes in input. See also the new `baseUrl` option for improved flexibility with standard URL resolution: https://github.com/sindresorhus/ky#baseurl";
var timedOutResponseData = /* @__PURE__ */ Symbol("timedOutResponseData");
var timedOutOperation = /* @__PURE__ */ Symbol("timedOutOperation");
var createTextDecoder = (contentType) => {
  const match = /;\s*charset\s*=\s*(?:"([^"]+)"|([^;,\s]+))/i.exec(contentType);
  const charset = match?.[1] ?? match?.[2];
  if (charset) {
    try {
      return new TextDecoder(charset);
    } catch {
    }
  }
  return new TextDecoder();
};
var invalidSchemaMessage = "The `schema` argument must follow the Standard Schema specification";
var cloneRetryOptions = (retry2) => {
  if (retry2 === null || typeof retry2 !== "object" || Array.isArray(retry2)) {
    return retry2;
  }
  const clonedRetry = { ...retry2 };
  if (Array.isArray(clonedRetry.methods)) {
    clonedRetry.methods = [...clonedRetry.methods];
  }
  if (Array.isArray(clonedRetry.statusCodes)) {
    clonedRetry.statusCodes = [...clonedRetry.statusCodes];
  }
  if (Array.isArray(clonedRetry.afterStatusCodes)) {
    clonedRetry.afterStatusCodes = [...clonedRetry.afterStatusCodes];
  }
  return clonedRetry;
};
var objectToString2 = Object.prototype.toString;
var leadingC0ControlOrSpacePattern = /^[\0-\u0020]+/g;
var asciiTabOrNewLinePattern = /[\t\n\r]/g;
var schemePattern = /^[a-z][\d+.a-z-]*:/i;
var malformedHttpProtocolPattern = /^https?:(?!\/\/)/i;
var isRequestInstance = (value) => value instanceof globalThis.Request || objectToString2.call(value) === "[object Request]";
var isResponseInstance = (value) => value instanceof globalThis.Response || objectToString2.call(value) === "[object Response]";
var isAbsoluteInput = (input4) => schemePattern.test(input4);
var normalizeInputForProtocolCheck = (input4) => input4.replaceAll(leadingC0ControlOrSpacePattern, "").replaceAll(asciiTabOrNewLinePattern, "");
var cloneSearchParametersForInitHook = (searchParameters) => {
  if (Array.isArray(searchParameters)) {
    return searchParameters.map((parameter) => [...parameter]);
  }
  return cloneShallow(searchParameters);
};
function cloneInitHookOptions(options) {
  const clonedOptions = {
    ...options,
    json: cloneShallow(options.json),
    context: cloneShallow(options.context),
    headers: cloneShallow(options.headers),
    searchParams: cloneSearchParametersForInitHook(options.searchParams)
  };
  if (options.retry !== void 0) {
    clonedOptions.retry = cloneRetryOptions(options.retry);
  }
  return clonedOptions;
}
var validateJsonWithSchema = async (jsonValue, schema) => {
  if (typeof schema !== "object" && typeof schema !== "function" || schema === null) {
    throw new TypeError(invalidSchemaMessage);
  }
  const standardSchema = schema["~standard"];
  if (typeof standardSchema !== "object" || standardSchema === null || typeof standardSchema.validate !== "function") {
    throw new TypeError(invalidSchemaMessage);
  }
  const validationResult = await standardSchema.validate(jsonValue);
  if (validationResult.issues) {
    throw new SchemaValidationError(validationResult.issues);
  }
  return validationResult.value;
};
var Ky = class _Ky {
  static create(input4, options) {
    const initHooks = options.hooks?.init ?? [];
    const initHookOptions = initHooks.length > 0 ? cloneInitHookOptions(options) : options;
    for (const hook of initHooks) {
      hook(initHookOptions);
    }
    const ky2 = new _Ky(input4, initHookOptions);
    const function_ = async () => {
      if (typeof ky2.#options.timeout === "number" && ky2.#options.timeout > maxSafeTimeout) {
        throw new RangeError(`The \`timeout\` option cannot be greater than ${maxSafeTimeout}`);
      }
      if (typeof ky2.#options.totalTimeout === "number" && ky2.#options.totalTimeout > maxSafeTimeout) {
        throw new RangeError(`The \`totalTimeout\` option cannot be greater than ${maxSafeTimeout}`);
      }
      await Promise.resolve();
      const beforeRequestResponse = await ky2.#runBeforeRequestHooks();
      if (beforeRequestResponse !== void 0) {
        ky2.#retryLimit = normalizeRetryOptions(ky2.#options.retry).limit;
      }
      let response = beforeRequestResponse ?? await ky2.#retry(async () => ky2.#fetch());
      let responseFromHook = beforeRequestResponse !== void 0 || ky2.#consumeReturnedResponseFromBeforeRetryHook();
      for (; ; ) {
        if (response === void 0) {
          return response;
        }
        if (isResponseInstance(response)) {
          try {
            response = await ky2.#runAfterResponseHooks(response);
          } catch (error) {
            if (!(error instanceof ForceRetryError)) {
              throw error;
            }
            const retriedResponse = await ky2.#retryFromError(error, async () => ky2.#fetch());
            if (retriedResponse === void 0) {
              return retriedResponse;
            }
            response = retriedResponse;
            responseFromHook = ky2.#consumeReturnedResponseFromBeforeRetryHook();
            continue;
          }
        }
        const currentResponse = response;
        if (!currentResponse.ok && currentResponse.type !== "opaque" && (typeof ky2.#options.throwHttpErrors === "function" ? ky2.#options.throwHttpErrors(currentResponse.status) : ky2.#options.throwHttpErrors)) {
          const httpError = new HTTPError(currentResponse, ky2.#getResponseRequest(currentResponse), ky2.#getNormalizedOptions());
          const errorToThrow = httpError;
          httpError.data = await ky2.#getResponseData(currentResponse);
          if (responseFromHook) {
            throw errorToThrow;
          }
          const retriedResponse = await ky2.#retryFromError(httpError, async () => ky2.#fetch());
          if (retriedResponse === void 0) {
            return retriedResponse;
          }
          response = retriedResponse;
          responseFromHook = ky2.#consumeReturnedResponseFromBeforeRetryHook();
          continue;
        }
        break;
      }
      if (!isResponseInstance(response)) {
        return response;
      }
      ky2.#decorateResponse(response);
      if (ky2.#options.onDownloadProgress) {
        if (typeof ky2.#options.onDownloadProgress !== "function") {
          throw new TypeError("The `onDownloadProgress` option must be a function");
        }
        if (!supportsResponseStreams) {
          throw new Error("Streams are not supported in your environment. `ReadableStream` is missing.");
        }
        const progressResponse = response.clone();
        ky2.#cancelResponseBody(response);
        return streamResponse(progressResponse, ky2.#options.onDownloadProgress);
      }
      return response;
    };
    const result = (async () => {
      try {
        return await function_();
      } catch (error) {
        await ky2.#throwProcessedError(error);
      } finally {
        const originalRequest = ky2.#originalRequest;
        ky2.#cancelBody(originalRequest?.body ?? void 0);
        if (ky2.request !== originalRequest) {
          ky2.#cancelBody(ky2.request.body ?? void 0);
        }
      }
    })();
    for (const [type, mimeType] of Object.entries(responseTypes)) {
      if (type === "bytes" && typeof globalThis.Response?.prototype?.bytes !== "function") {
        continue;
      }
      result[type] = async (schema) => {
        ky2.request.headers.set("accept", ky2.request.headers.get("accept") || mimeType);
        const response = await result;
        if (type !== "json") {
          return ky2.#raceBodyRead(async () => response[type](), response);
        }
        const text = await ky2.#raceBodyRead(async () => response.text(), response);
        const request = ky2.#getResponseRequest(response);
        const parsedResult = await ky2.#raceWithTotalTimeout(async () => {
          const jsonValue = initHookOptions.parseJson ? await initHookOptions.parseJson(text, { request, response }) : text === "" && schema !== void 0 ? void 0 : JSON.parse(text);
          return schema === void 0 ? jsonValue : validateJsonWithSchema(jsonValue, schema);
        });
        if (parsedResult === timedOutOperation) {
          await ky2.#throwProcessedError(new TimeoutError2(request));
        }
        return parsedResult;
      };
    }
    return result;
  }
  // eslint-disable-next-line unicorn/prevent-abbreviations
  static #normalizeSearchParams(searchParams) {
    if (searchParams && typeof searchParams === "object" && !Array.isArray(searchParams) && !(searchParams instanceof URLSearchParams)) {
      return Object.fromEntries(Object.entries(searchParams).filter(([, value]) => value !== void 0));
    }
    return searchParams;
  }
  request;
  #abortController;
  #retryCount = 0;
  #retryLimit;
  #input;
  #options;
  #originalRequest;
  #userProvidedAbortSignal;
  #beforeRetryHookErrors = /* @__PURE__ */ new WeakSet();
  #cachedNormalizedOptions;
  #startTime;
  #returnedResponseFromBeforeRetryHook = false;
  #responseRequests = /* @__PURE__ */ new WeakMap();
  // eslint-disable-next-line complexity
  constructor(input4, options = {}) {
    this.#input = input4;
    if (Object.hasOwn(options, "prefixUrl")) {
      throw new Error(prefixUrlRenamedErrorMessage);
    }
    this.#options = {
      ...options,
      headers: mergeHeaders(this.#input.headers, options.headers),
      hooks: mergeHooks({}, options.hooks),
      method: normalizeRequestMethod(options.method ?? this.#input.method ?? "GET"),
      // eslint-disable-next-line @typescript-eslint/prefer-nullish-coalescing
      prefix: String(options.prefix || ""),
      retry: normalizeRetryOptions(options.retry),
      throwHttpErrors: options.throwHttpErrors ?? true,
      timeout: options.timeout ?? 1e4,
      totalTimeout: options.totalTimeout ?? false,
      fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
      context: options.context ?? {}
    };
    this.#retryLimit = this.#options.retry.limit;
    if (typeof this.#input !== "string" && !(this.#input instanceof URL || this.#input instanceof globalThis.Request)) {
      throw new TypeError("`input` must be a string, URL, or Request");
    }
    if (typeof this.#input === "string") {
      if (this.#options.prefix) {
        const normalizedPrefix = this.#options.prefix.replace(/\/+$/, "");
        const normalizedInput = this.#input.replace(/^\/+/, "");
        this.#input = `${normalizedPrefix}/${normalizedInput}`;
      }
      if (this.#options.baseUrl) {
        const normalizedInput = normalizeInputForProtocolCheck(this.#input);
        if (malformedHttpProtocolPattern.test(normalizedInput)) {
          throw new TypeError("`input` url protocol must be followed by `//` when using `baseUrl`");
        }
        if (!isAbsoluteInput(normalizedInput)) {
          this.#input = new URL(this.#input, new Request(this.#options.baseUrl).url);
        }
      }
    }
    if (supportsAbortController && supportsAbortSignal) {
      this.#userProvidedAbortSignal = this.#options.signal ?? this.#input.signal;
      this.#abortController = new globalThis.AbortController();
      this.#options.signal = this.#createManagedSignal();
    }
    if (supportsRequestStreams) {
      this.#options.duplex = "half";
    }
    if (this.#options.json !== void 0) {
      this.#options.body = this.#options.stringifyJson?.(this.#options.json) ?? JSON.stringify(this.#options.json);
      this.#options.headers.set("content-type", this.#options.headers.get("content-type") ?? "application/json");
    }
    const userProvidedContentType = options.headers && new globalThis.Headers(options.headers).has("content-type");
    if (this.#input instanceof globalThis.Request && (supportsFormData && this.#options.body instanceof globalThis.FormData || this.#options.body instanceof URLSearchParams) && !userProvidedContentType) {
      this.#options.headers.delete("content-type");
    }
    this.request = new globalThis.Request(this.#input, this.#options);
    if (hasSearchParameters(this.#options.searchParams)) {
      const url = new URL(this.request.url);
      const deleted = this.#options.searchParams?.[deletedParametersSymbol];
      if (deleted) {
        for (const key of deleted) {
          url.searchParams.delete(key);
        }
      }
      if (typeof this.#options.searchParams === "string") {
        const stringSearchParameters = this.#options.searchParams.replace(/^\?/, "");
        if (stringSearchParameters !== "") {
          url.search = url.search ? `${url.search}&${stringSearchParameters}` : `?${stringSearchParameters}`;
        }
      } else {
        const optionsSearchParameters = new URLSearchParams(_Ky.#normalizeSearchParams(this.#options.searchParams));
        for (const [key, value] of optionsSearchParameters.entries()) {
          url.searchParams.append(key, value);
        }
      }
      if (this.#options.searchParams && typeof this.#options.searchParams === "object" && !Array.isArray(this.#options.searchParams) && !(this.#options.searchParams instanceof URLSearchParams)) {
        for (const [key, value] of Object.entries(this.#options.searchParams)) {
          if (value === void 0) {
            url.searchParams.delete(key);
          }
        }
      }
      this.request = new globalThis.Request(url, this.#options);
    }
    if (this.#options.onUploadProgress && typeof this.#options.onUploadProgress !== "function") {
      throw new TypeError("The `onUploadProgress` option must be a function");
    }
    this.#startTime = typeof this.#options.totalTimeout === "number" ? this.#getCurrentTime() : void 0;
  }
  #calculateDelay(retry2) {
    const retryDelay = retry2.delay(this.#retryCount + 1);
    let jitteredDelay = retryDelay;
    if (retry2.jitter === true) {
      jitteredDelay = Math.random() * retryDelay;
    } else if (typeof retry2.jitter === "function") {
      jitteredDelay = retry2.jitter(retryDelay);
      if (!Number.isFinite(jitteredDelay) || jitteredDelay < 0) {
        jitteredDelay = retryDelay;
      }
    }
    return Math.min(retry2.backoffLimit, jitteredDelay);
  }
  async #calculateRetryDelay(error) {
    const retry2 = normalizeRetryOptions(this.#options.retry);
    if (this.#retryCount >= Math.min(retry2.limit, this.#retryLimit)) {
      throw error;
    }
    const errorObject = error instanceof Error ? error : new NonError(error);
    if (errorObject instanceof ForceRetryError) {
      return errorObject.customDelay ?? this.#calculateDelay(retry2);
    }
    if (!retry2.methods.includes(this.request.method.toLowerCase())) {
      throw error;
    }
    const { shouldRetry } = retry2;
    if (shouldRetry !== void 0) {
      const result = await this.#raceWithTotalTimeout(async () => shouldRetry({ error: errorObject, retryCount: this.#retryCount + 1 }));
      if (result === timedOutOperation) {
        throw new TimeoutError2(this.request);
      }
      if (result === false) {
        throw error;
      }
      if (result === true) {
        return this.#calculateDelay(retry2);
      }
    }
    if (isTimeoutError(error)) {
      if (!retry2.retryOnTimeout) {
        throw error;
      }
      return this.#calculateDelay(retry2);
    }
    if (isHTTPError(error)) {
      if (!retry2.statusCodes.includes(error.response.status)) {
        throw error;
      }
      const retryTimingHeader = getRetryTimingHeader(error.response.headers);
      if (retryTimingHeader && retry2.afterStatusCodes.includes(error.response.status)) {
        const after = calculateRetryTimingDelay(retryTimingHeader);
        if (after === void 0) {
          return this.#calculateDelay(retry2);
        }
        return Math.min(retry2.maxRetryAfter, after);
      }
      if (error.response.status === 413) {
        throw error;
      }
      return this.#calculateDelay(retry2);
    }
    if (!isNetworkError(error)) {
      throw error;
    }
    return this.#calculateDelay(retry2);
  }
  #decorateResponse(response) {
    const request = this.#getResponseRequest(response);
    if (this.#options.parseJson) {
      response.json = async () => {
        const text = await response.text();
        return this.#options.parseJson(text, { request, response });
      };
    }
    return response;
  }
  async #throwProcessedError(error) {
    if (!(error instanceof Error)) {
      throw error;
    }
    if (this.#beforeRetryHookErrors.has(error)) {
      throw error;
    }
    let processedError = error;
    for (const hook of this.#options.hooks.beforeError) {
      const hookResult = await hook({
        request: this.request,
        options: this.#getNormalizedOptions(),
        error: processedError,
        retryCount: this.#retryCount
      });
      if (hookResult instanceof Error) {
        processedError = hookResult;
      }
    }
    throw processedError;
  }
  async #getResponseData(response) {
    const readTimeout2 = this.#getErrorDataTimeout();
    const text = await this.#readResponseText(response, readTimeout2.milliseconds);
    if (text === timedOutResponseData) {
      if (readTimeout2.fromTotalTimeout) {
        throw new TimeoutError2(this.request);
      }
      this.#throwIfTotalTimeoutExhausted();
      return void 0;
    }
    if (!text) {
      return void 0;
    }
    if (!this.#isJsonContentType(response.headers.get("content-type") ?? "")) {
      return text;
    }
    const parseTimeout = this.#getErrorDataTimeout();
    const data = await this.#parseJson(text, response, parseTimeout.milliseconds, this.#getResponseRequest(response));
    if (data === timedOutResponseData) {
      if (parseTimeout.fromTotalTimeout) {
        throw new TimeoutError2(this.request);
      }
      this.#throwIfTotalTimeoutExhausted();
      return void 0;
    }
    return data;
  }
  #getErrorDataTimeout() {
    const errorDataTimeout = this.#options.timeout === false ? 1e4 : this.#options.timeout;
    const remainingTotal = this.#getRemainingTotalTimeout();
    if (remainingTotal === void 0) {
      return {
        milliseconds: errorDataTimeout,
        fromTotalTimeout: false
      };
    }
    if (remainingTotal <= 0) {
      throw new TimeoutError2(this.request);
    }
    return {
      milliseconds: Math.min(errorDataTimeout, remainingTotal),
      fromTotalTimeout: remainingTotal <= errorDataTimeout
    };
  }
  #getBodyReadTimeout() {
    const remainingTotal = this.#getRemainingTotalTimeout();
    if (remainingTotal !== void 0) {
      if (remainingTotal <= 0) {
        throw new TimeoutError2(this.request);
      }
      return this.#options.timeout === false ? remainingTotal : Math.min(this.#options.timeout, remainingTotal);
    }
    return this.#options.timeout === false ? void 0 : this.#options.timeout;
  }
  // Unlike error bodies (`#getResponseData`), a successful body read has no fallback value to return -
  // the caller's `.json()`/`.text()`/etc. promise must settle, so a timeout here always rejects.
  async #raceBodyRead(createBodyPromise, response) {
    let timeoutMs;
    try {
      timeoutMs = this.#getBodyReadTimeout();
    } catch (error) {
      await this.#throwProcessedError(error);
    }
    const bodyPromise = createBodyPromise();
    if (timeoutMs === void 0) {
      return bodyPromise;
    }
    const result = await Promise.race([
      bodyPromise,
      new Promise((resolve) => {
        const timeoutId = setTimeout(() => {
          resolve(timedOutResponseData);
        }, timeoutMs);
        void bodyPromise.finally(() => {
          clearTimeout(timeoutId);
        }).catch(() => void 0);
      })
    ]);
    if (result === timedOutResponseData) {
      this.#abortController?.abort();
      await this.#throwProcessedError(new TimeoutError2(this.#getResponseRequest(response)));
    }
    return result;
  }
  async #raceWithTotalTimeout(operation) {
    const remainingTotal = this.#getRemainingTotalTimeout();
    if (remainingTotal === void 0) {
      return operation();
    }
    if (remainingTotal <= 0) {
      this.#abortController?.abort();
      return timedOutOperation;
    }
    let timeoutId;
    try {
      const timeoutPromise = new Promise((resolve) => {
        timeoutId = setTimeout(() => {
          resolve(timedOutOperation);
        }, remainingTotal);
      });
      const operationResult = Promise.resolve().then(operation).then((value) => ({ status: "fulfilled", value })).catch((error) => ({ status: "rejected", error }));
      const result = await Promise.race([operationResult, timeoutPromise]);
      const remainingAfterOperation = this.#getRemainingTotalTimeout();
      const didTimeOut = result === timedOutOperation || remainingAfterOperation !== void 0 && remainingAfterOperation <= 0;
      if (didTimeOut) {
        this.#abortController?.abort();
        if (result === timedOutOperation) {
          void operationResult.then((result2) => {
            if (result2.status === "fulfilled") {
              this.#cancelReturnedBody(result2.value);
            }
          });
        } else if (result.status === "fulfilled") {
          this.#cancelReturnedBody(result.value);
        }
        return timedOutOperation;
      }
      if (result.status === "rejected") {
        throw result.error;
      }
      return result.value;
    } finally {
      clearTimeout(timeoutId);
    }
  }
  #isJsonContentType(contentType) {
    const mimeType = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
    return /\/(?:.*[.+-])?json$/.test(mimeType);
  }
  async #readResponseText(response, timeoutMs) {
    const { body } = response;
    if (!body) {
      try {
        return await response.text();
      } catch {
        return void 0;
      }
    }
    let reader;
    try {
      reader = body.getReader();
    } catch {
      return void 0;
    }
    const decoder = createTextDecoder(response.headers.get("content-type") ?? "");
    const chunks = [];
    let totalBytes = 0;
    const readAll = (async () => {
      try {
        for (; ; ) {
          const { done, value } = await reader.read();
          if (done) {
            break;
          }
          totalBytes += value.byteLength;
          if (totalBytes > maxErrorResponseBodySize) {
            void reader.cancel().catch(() => void 0);
            return void 0;
          }
          chunks.push(decoder.decode(value, { stream: true }));
        }
      } catch {
        return void 0;
      }
      chunks.push(decoder.decode());
      return chunks.join("");
    })();
    const timeoutPromise = new Promise((resolve) => {
      const timeoutId = setTimeout(() => {
        resolve(timedOutResponseData);
      }, timeoutMs);
      void readAll.finally(() => {
        clearTimeout(timeoutId);
      });
    });
    const result = await Promise.race([readAll, timeoutPromise]);
    if (result === timedOutResponseData) {
      void reader.cancel().catch(() => void 0);
    }
    return result;
  }
  async #parseJson(text, response, timeoutMs, request) {
    let timeoutId;
    try {
      return await Promise.race([
        Promise.resolve().then(() => this.#options.parseJson ? this.#options.parseJson(text, { request, response }) : JSON.parse(text)),
        new Promise((resolve) => {
          timeoutId = setTimeout(() => {
            resolve(timedOutResponseData);
          }, timeoutMs);
        })
      ]);
    } catch {
      return void 0;
    } finally {
      clearTimeout(timeoutId);
    }
  }
  #cancelBody(body) {
    if (!body) {
      return;
    }
    void body.cancel().catch(() => void 0);
  }
  #cancelResponseBody(response) {
    this.#cancelBody(response.body ?? void 0);
  }
  #cancelReturnedBody(value) {
    if (isResponseInstance(value)) {
      this.#cancelResponseBody(value);
    } else if (isRequestInstance(value)) {
      this.#cancelBody(value.body ?? void 0);
    }
  }
  #createManagedSignal() {
    return this.#userProvidedAbortSignal ? AbortSignal.any([this.#userProvidedAbortSignal, this.#abortController.signal]) : this.#abortController.signal;
  }
  #throwIfTotalTimeoutExhausted() {
    const remaining = this.#getRemainingTotalTimeout();
    if (remaining !== void 0 && remaining <= 0) {
      throw new TimeoutError2(this.request);
    }
  }
  async #runBeforeRequestHooks() {
    for (const hook of this.#options.hooks.beforeRequest) {
      const result = await this.#raceWithTotalTimeout(async () => hook({
        request: this.request,
        options: this.#getNormalizedOptions(),
        retryCount: 0
      }));
      if (result === timedOutOperation) {
        throw new TimeoutError2(this.request);
      }
      if (isRequestInstance(result)) {
        this.#assignRequest(result);
      } else if (isResponseInstance(result)) {
        return result;
      }
    }
    return void 0;
  }
  async #runAfterResponseHooks(response) {
    const responseRequest = this.#getResponseRequest(response);
    for (const hook of this.#options.hooks.afterResponse) {
      const hookResponse = this.#setResponseRequest(response.clone(), responseRequest);
      this.#decorateResponse(hookResponse);
      let modifiedResponse;
      try {
        modifiedResponse = await this.#raceWithTotalTimeout(async () => hook({
          request: this.request,
          options: this.#getNormalizedOptions(),
          response: hookResponse,
          retryCount: this.#retryCount
        }));
        if (modifiedResponse === timedOutOperation) {
          throw new TimeoutError2(this.request);
        }
      } catch (error) {
        if (hookResponse !== response) {
          this.#cancelResponseBody(hookResponse);
        }
        this.#cancelResponseBody(response);
        throw error;
      }
      if (modifiedResponse instanceof RetryMarker) {
        if (hookResponse !== response) {
          this.#cancelResponseBody(hookResponse);
        }
        this.#cancelResponseBody(response);
        throw new ForceRetryError(modifiedResponse.options);
      }
      const nextResponse = isResponseInstance(modifiedResponse) ? this.#setResponseRequest(modifiedResponse, responseRequest) : response;
      if (hookResponse !== response && hookResponse !== nextResponse && hookResponse.body !== nextResponse.body) {
        this.#cancelResponseBody(hookResponse);
      }
      if (response !== nextResponse && response.body !== nextResponse.body) {
        this.#cancelResponseBody(response);
      }
      response = nextResponse;
    }
    return response;
  }
  async #retry(function_) {
    try {
      return await function_();
    } catch (error) {
      return this.#retryFromError(error, function_);
    }
  }
  async #retryFromError(error, function_) {
    this.#returnedResponseFromBeforeRetryHook = false;
    const retryDelay = Math.min(await this.#calculateRetryDelay(error), maxSafeTimeout);
    const delayOptions = { signal: this.#userProvidedAbortSignal };
    const remainingTimeout = this.#getRemainingTotalTimeout();
    if (remainingTimeout !== void 0) {
      if (remainingTimeout <= 0) {
        throw new TimeoutError2(this.request);
      }
      if (retryDelay >= remainingTimeout) {
        await delay(remainingTimeout, delayOptions);
        throw new TimeoutError2(this.request);
      }
    }
    await delay(retryDelay, delayOptions);
    this.#throwIfTotalTimeoutExhausted();
    if (error instanceof ForceRetryError && error.customRequest) {
      const customRequest = new globalThis.Request(error.customRequest, this.#options.signal ? { signal: this.#options.signal } : void 0);
      this.#assignRequest(customRequest);
    }
    for (const hook of this.#options.hooks.beforeRetry) {
      let hookResult;
      try {
        hookResult = await this.#raceWithTotalTimeout(async () => hook({
          request: this.request,
          options: this.#getNormalizedOptions(),
          error,
          retryCount: this.#retryCount + 1
        }));
      } catch (hookError) {
        if (hookError instanceof Error && hookError !== error) {
          this.#beforeRetryHookErrors.add(hookError);
        }
        throw hookError;
      }
      if (hookResult === timedOutOperation) {
        throw new TimeoutError2(this.request);
      }
      if (isRequestInstance(hookResult)) {
        this.#assignRequest(hookResult);
        break;
      }
      if (isResponseInstance(hookResult)) {
        this.#returnedResponseFromBeforeRetryHook = true;
        this.#retryCount++;
        return hookResult;
      }
      if (hookResult === stop) {
        return;
      }
    }
    this.#throwIfTotalTimeoutExhausted();
    this.#retryCount++;
    return this.#retry(function_);
  }
  #consumeReturnedResponseFromBeforeRetryHook() {
    const value = this.#returnedResponseFromBeforeRetryHook;
    this.#returnedResponseFromBeforeRetryHook = false;
    return value;
  }
  async #fetch() {
    if (this.#abortController?.signal.aborted) {
      this.#abortController = new globalThis.AbortController();
      this.#options.signal = this.#createManagedSignal();
      this.request = new globalThis.Request(this.request, { signal: this.#options.signal });
    }
    const nonRequestOptions = findUnknownOptions(this.#options);
    this.#retryLimit = normalizeRetryOptions(this.#options.retry).limit;
    const retryRequest = this.#retryLimit > 0 ? this.request.clone() : void 0;
    const request = this.#wrapRequestWithUploadProgress(this.request, this.#options.body ?? void 0);
    this.#originalRequest = request;
    if (retryRequest) {
      this.request = retryRequest;
    }
    try {
      const remainingTotal = this.#getRemainingTotalTimeout();
      if (remainingTotal !== void 0 && remainingTotal <= 0) {
        throw new TimeoutError2(this.request);
      }
      const effectiveTimeout = this.#options.timeout === false ? remainingTotal : remainingTotal === void 0 ? this.#options.timeout : Math.min(this.#options.timeout, remainingTotal);
      const response = effectiveTimeout === void 0 ? await this.#options.fetch(request, nonRequestOptions) : await timeout(request, nonRequestOptions, this.#abortController, {
        timeout: effectiveTimeout,
        fetch: this.#options.fetch
      });
      return this.#setResponseRequest(response, request);
    } catch (error) {
      if (isRawNetworkError(error)) {
        throw new NetworkError(this.request, { cause: error });
      }
      throw error;
    }
  }
  #getRemainingTotalTimeout() {
    if (this.#startTime === void 0) {
      return void 0;
    }
    const elapsed = this.#getCurrentTime() - this.#startTime;
    return Math.max(0, this.#options.totalTimeout - elapsed);
  }
  #getCurrentTime() {
    return globalThis.performance?.now() ?? Date.now();
  }
  #getNormalizedOptions() {
    if (!this.#cachedNormalizedOptions) {
      const { hooks, json, parseJson, stringifyJson, searchParams, timeout: timeout2, totalTimeout, throwHttpErrors, fetch, ...normalizedOptions } = this.#options;
      this.#cachedNormalizedOptions = Object.freeze(normalizedOptions);
    }
    return this.#cachedNormalizedOptions;
  }
  #assignRequest(request) {
    this.#cachedNormalizedOptions = void 0;
    this.request = request;
  }
  #getResponseRequest(response) {
    return this.#responseRequests.get(response) ?? this.request;
  }
  #setResponseRequest(response, request) {
    this.#responseRequests.set(response, request);
    return response;
  }
  #wrapRequestWithUploadProgress(request, originalBody) {
    if (!this.#options.onUploadProgress || !request.body || !supportsRequestStreams) {
      return request;
    }
    return streamRequest(request, this.#options.onUploadProgress, originalBody ?? this.#options.body ?? void 0);
  }
};

// node_modules/ky/distribution/index.js
var createInstance = (defaults) => {
  const ky2 = (input4, options) => Ky.create(input4, validateAndMerge(defaults, options));
  for (const method of requestMethods) {
    ky2[method] = (input4, options) => Ky.create(input4, validateAndMerge(defaults, options, { method }));
  }
  ky2.create = (newDefaults) => createInstance(validateAndMerge(newDefaults));
  ky2.extend = (newDefaults) => {
    if (typeof newDefaults === "function") {
      newDefaults = newDefaults(defaults ?? {});
    }
    return createInstance(validateAndMerge(defaults, newDefaults));
  };
  ky2.stop = stop;
  ky2.retry = retry;
  return ky2;
};
var ky = createInstance();
var distribution_default = ky;

// src/send.ts
var neverLeft = {
  ECONNREFUSED: { code: "connection_refused", message: "Nothing answers at this address" },
  ConnectionRefused: { code: "connection_refused", message: "Nothing answers at this address" },
  ENOTFOUND: { code: "name_not_found", message: "The name of the host is not known" },
  EAI_AGAIN: { code: "name_not_found", message: "The name of the host could not be looked up" },
  EHOSTUNREACH: { code: "unreachable", message: "The host cannot be reached" },
  ENETUNREACH: { code: "unreachable", message: "The network cannot be reached" },
  UND_ERR_CONNECT_TIMEOUT: { code: "connect_timeout", message: "The host does not answer" }
};
var tlsCode = /^(EPROTO|ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;
var codeOf = (error) => {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (/client error \(Connect\).*dns/.test(error.message)) return "ENOTFOUND";
  if (/client error \(Connect\).*refused/.test(error.message)) return "ECONNREFUSED";
  return codeOf(error.cause);
};
var connectionError = (error, host) => {
  const cause = redactedCause(error);
  const code = codeOf(error);
  const known = neverLeft[code];
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
};
var withoutRequest = (error) => error instanceof Error && "request" in error ? error.cause : error;
var send = async ({ url, fetch, body, credentials, ...request }, signal) => {
  try {
    const response = await distribution_default(url, {
      ...request,
      redirect: "manual",
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      ...body !== void 0 && { body },
      ...credentials && { credentials },
      // Given to fetch, not to ky: ky would watch it once more for each of its own.
      fetch: (input4, init) => (fetch ?? globalThis.fetch)(input4, { ...init, signal })
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
};

// src/settings.ts
var longestTimeout = 2 ** 31 - 1;
var fromEnvironment = (name) => {
  try {
    return globalThis.process?.env?.[name];
  } catch {
    return void 0;
  }
};
var isBrowser = () => "window" in globalThis && "document" in globalThis || "importScripts" in globalThis;
var isLoopback = (hostname) => /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
var wrong = (code, message, hint) => new ConfigurationError(message, { code, hint });
var readBaseUrl = ({ baseUrl, allowInsecureHttp }) => {
  const given2 = baseUrl ?? fromEnvironment("SERVICE_BASE_URL");
  const source = baseUrl === void 0 ? "SERVICE_BASE_URL" : "baseUrl";
  const text = String(given2 ?? "").trim();
  if (text === "") {
    throw wrong(
      "base_url_missing",
      "The address of the service is not known: set SERVICE_BASE_URL or pass baseUrl",
      "A service of your own for trying things out: npx board-access-service start --demo"
    );
  }
  const url = URL.canParse(text) ? new URL(text) : void 0;
  if (url === void 0 || !/^https?:$/.test(url.protocol)) {
    throw wrong(
      "base_url_invalid",
      `${source} must be an address such as https://boards.example.com`
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw wrong(
      "base_url_invalid",
      `${source} must be an address without user name, password, "?" and "#"`
    );
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowInsecureHttp) {
    throw wrong(
      "insecure_http",
      `${source} is plain http to another machine, where the API key could be read on the way`,
      "Use https, or set allowInsecureHttp if the network is your own."
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
};
var readKeyOption = ({ apiKey: apiKey2, dangerouslyAllowBrowser }) => {
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
};
var readNumber = (name, value, least, most) => {
  if (typeof value === "number" && value >= least && value <= most) return value;
  throw wrong("option_invalid", `${name} must be a number from ${least} to ${most}`);
};
var readTimeout = (value) => readNumber("timeout", value, 1, longestTimeout);
var readMaxRetries = (value) => readNumber("maxRetries", value, 0, 100);
var readHeaders = (headers) => {
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
};
var readSettings = (options) => ({
  apiKey: readKeyOption(options),
  baseUrl: readBaseUrl(options),
  timeout: readTimeout(options.timeout ?? 3e4),
  maxRetries: readMaxRetries(options.maxRetries ?? 2),
  headers: readHeaders(options.headers ?? {}),
  fetch: options.fetch,
  onAttempt: options.onAttempt
});

// src/http.ts
var bodyOf = (json) => {
  try {
    return json === void 0 ? void 0 : JSON.stringify(json);
  } catch {
    throw new InputError([{ path: "json", message: "cannot be written as JSON" }]);
  }
};
var idempotencyHeader = (key) => {
  if (typeof key === "string" && /^[\x20-\x7e]{1,255}$/.test(key))
    return { "idempotency-key": key };
  throw new InputError([
    { path: "idempotencyKey", message: "must be 1 to 255 printable ASCII characters" }
  ]);
};
var credentialsFor = (apiKey2) => {
  if (apiKey2 === null) return "include";
  return isBrowser() ? "omit" : void 0;
};
var createBuild = ({ baseUrl, headers, apiKey: apiKey2, fetch }) => {
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
};
var askForKey = async (apiKey2) => {
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
};
var sendWithKey = async (outgoing, apiKey2, signal) => {
  const key = await askForKey(apiKey2);
  if (key === null) return await send(outgoing, signal);
  const headers = { ...outgoing.headers, authorization: `Bearer ${key}` };
  return await send({ ...outgoing, headers }, signal);
};
var isRepeatable = ({ method, options }) => /^(GET|PUT|DELETE)$/.test(method) || options?.idempotencyKey !== void 0;
var responseInfo = ({ status, headers }) => ({
  status,
  headers,
  requestId: requestIdOf(headers)
});
var createRequest = (settings) => {
  const build = createBuild(settings);
  return async (call) => {
    const outgoing = build(call);
    const apiKey2 = call.apiKey ?? settings.apiKey;
    const maxRetries = readMaxRetries(call.options?.maxRetries ?? settings.maxRetries);
    const timeout2 = readTimeout(call.options?.timeout ?? settings.timeout);
    const deadline = new Deadline(timeout2, call.options?.signal);
    const history = new History(call.method, call.path, settings.onAttempt);
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
          const result = call.read(interpret(answer));
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
};

// src/keys.ts
var input3 = looseObject({ label: optional(string2()) });
var query = looseObject({
  includeRevoked: optional(boolean2()),
  pageSize: optional(number2())
});
var path = "/v1/auth/keys";
var wellFormed = (created) => {
  if (apiKeyPattern.test(created.key)) return created;
  throw invalidResponse('The answer holds a key that is not "key_" and 48 hexadecimal characters');
};
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
      read: (body) => this.#created(wellFormed(readRecord(createdApiKey.shape, body)))
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
      shape: apiKey.shape,
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
    this.#request = createRequest(settings);
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
var createClient = (options) => new BoardAccess(options);

// src/action/missing-key.ts
import { readFileSync } from "fs";
var readEvent = (path2) => {
  try {
    return JSON.parse(readFileSync(path2, "utf8"));
  } catch {
    return {};
  }
};
var isFromFork = (runner) => {
  if (runner.variable("GITHUB_EVENT_NAME") !== "pull_request") return false;
  const { pull_request: pull } = readEvent(runner.variable("GITHUB_EVENT_PATH"));
  return pull !== void 0 && pull.head?.repo?.full_name !== pull.base?.repo?.full_name;
};
var whyNoKey = (runner) => {
  if (isFromFork(runner)) {
    return "There is no API key: this run is for a pull request from a fork, and GitHub gives such runs no secrets. Skip the job for forks: if: github.event.pull_request.head.repo.full_name == github.repository";
  }
  if (runner.variable("GITHUB_ACTOR") === "dependabot[bot]") {
    return "There is no API key: runs of Dependabot see only the secrets that are set for Dependabot.";
  }
  return "There is no API key: pass the input api-key from a secret, and check that the secret exists.";
};

// src/action/connect.ts
var connect = (runner, fetch) => {
  const input4 = runner.input("api-key");
  const text = input4 || runner.variable("SERVICE_API_KEY");
  runner.mask(text);
  if (text.trim() === "") throw new Error(whyNoKey(runner));
  const apiKey2 = readApiKey(text, input4 ? "the input api-key" : "SERVICE_API_KEY");
  runner.mask(apiKey2);
  const baseUrl = runner.input("base-url") || runner.variable("SERVICE_BASE_URL");
  return new BoardAccess({ apiKey: apiKey2, baseUrl, fetch });
};

// src/action/summary.ts
var special = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;"
};
var cell = (tag) => (text) => {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ");
  return `<${tag}>${line.replace(/[&<>"]/g, (character) => special[character] ?? "")}</${tag}>`;
};
var summaryTable = (titles, rows) => {
  const lines = [titles.map(cell("th")), ...rows.map((row2) => row2.map(cell("td")))];
  return `<table>
${lines.map((cells) => `<tr>${cells.join("")}</tr>`).join("\n")}
</table>`;
};

// src/action/create-base-image.ts
var given = (runner, name) => runner.input(name) || void 0;
var position = (runner) => {
  const text = runner.input("position");
  if (text === "") return void 0;
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error("The input position must be a whole number");
};
var imageOf = (runner) => ({
  action: runner.input("image-action"),
  // the client checks it
  boardType: given(runner, "board-type"),
  name: given(runner, "name"),
  description: given(runner, "description"),
  url: given(runner, "url"),
  flashOffset: given(runner, "flash-offset"),
  position: position(runner),
  enabled: runner.flag("enabled")
});
var createBaseImage = async (client, runner) => {
  const image = await client.admin.baseImages.create(imageOf(runner));
  runner.output("base-image-id", image.id);
  const row2 = [image.id, image.boardType, image.action, image.flashOffset, image.name];
  runner.summary(
    summaryTable(
      ["Base image", "Board type", "Action", "Offset", "Name"],
      [row2.map((value) => value ?? "")]
    )
  );
};

// src/action/keys.ts
var createKey = async (client, runner) => {
  const keep = runner.flag("keep-key");
  const label = runner.input("label") || void 0;
  const { id, key } = await client.keys.create({ label });
  runner.mask(key);
  if (!keep) runner.saveState("keyId", id);
  runner.output("key", key);
  runner.output("key-id", id);
  const end = keep ? "stays until it is revoked" : "is revoked when the job ends";
  runner.summary(summaryTable(["Key", "Label", ""], [[id, label ?? "", end]]));
};
var revoke = async (id, client, runner) => {
  await client.keys.revoke(id);
  runner.info(`The key ${id} no longer works.`);
};
var revokeKey = async (client, runner) => {
  const id = runner.input("key-id");
  await revoke(id, client, runner);
  runner.output("key-id", id);
};
var revokeCreatedKey = async (client, runner) => revoke(runner.state("keyId"), client, runner);

// src/cli/matrix.ts
var matrixOf = (boards) => ({
  include: boards.map(({ id, name, boardType }) => ({ id, name, boardType }))
});
var largestMatrix = 256;
var matrixWarning = (boards) => boards.length > largestMatrix ? `GitHub runs at most ${largestMatrix} jobs of one matrix.` : void 0;

// src/action/list-boards.ts
var row = ({ id, name, boardType, status }) => [
  id,
  name ?? "",
  boardType ?? "",
  status ?? ""
];
var listBoards = async (client, runner) => {
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
};

// src/action/run.ts
var commands = {
  "list-boards": listBoards,
  "create-key": createKey,
  "revoke-key": revokeKey,
  "create-base-image": createBaseImage
};
var commandOf = (runner) => {
  const name = runner.input("command");
  const command = Object.hasOwn(commands, name) ? commands[name] : void 0;
  if (command) return command;
  throw new Error(`The input command must be one of ${Object.keys(commands).join(", ")}`);
};
var words = (error) => {
  if (!isBoardAccessError(error)) return error instanceof Error ? error.message : String(error);
  const requestId = error.name === "ApiError" ? error.requestId : void 0;
  return [error.message, error.hint, requestId && `(request id: ${requestId})`].filter(Boolean).join(" ");
};
var attempt = async (runner, work) => {
  try {
    await work();
    return 0;
  } catch (error) {
    runner.error(words(error));
    return 1;
  }
};
var runStep = (runner, fetch) => attempt(runner, async () => {
  const client = connect(runner, fetch);
  await commandOf(runner)(client, runner);
});
var endJob = (runner, fetch) => attempt(runner, async () => {
  if (runner.state("keyId") !== "") await revokeCreatedKey(connect(runner, fetch), runner);
});

// src/action/runner.ts
import { randomUUID } from "crypto";
import { appendFileSync } from "fs";
var escaped = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
var assignment = (name, value) => {
  const end = randomUUID();
  return `${name}<<${end}
${value}
${end}
`;
};
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

export {
  runStep,
  endJob,
  Runner
};
/*! Bundled license information:

ky/distribution/index.js:
  (*! MIT License © Sindre Sorhus *)
*/

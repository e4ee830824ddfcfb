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

// src/contract/api-key.ts
var apiKeyPattern = /^key_[0-9a-f]{48}$/i;
function redact(text) {
  return text.replace(/(key|agt)_[0-9a-f]{48}/gi, "$1_[redacted]");
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

// src/errors/errors.ts
var ConfigurationError = class extends BoardAccessError {
};
var InputError = class extends BoardAccessError {
  /** @internal */
  constructor(found, hint) {
    const issues = found.map(({ path, message }) => ({
      path: redact(path),
      message: redact(message)
    }));
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
var synonyms = { limit: "pageSize", type: "boardType" };
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
  const text = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\r\n]{0,${longest}}`;
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
  return error instanceof ApiError ? [408, 409, 500, 502, 503, 504].includes(error.status) : error instanceof ConnectionError || error instanceof RequestTimeoutError;
}

// src/http/response.ts
var notModified = 304;
var longestBody = 4096;
var longestMessage = 300;
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
  const { named, reworded } = wireNames ? unchanged : inOurNames;
  const outer = fieldsOf(parsed(response));
  const fields = typeof outer.error === "object" && outer.error ? fieldsOf(outer.error) : outer;
  const message = textOf(fields.message) ?? textOf(fields.detail) ?? textOf(fields.title) ?? textOf(outer.error);
  const [param, hint] = [textOf(fields.param), textOf(fields.hint)];
  const issues = issuesOf(fields.errors);
  const text = issues.reduce(
    (text2, { path, message: message2 }) => text2.replace(`${path} ${message2}`, `${named(path)} ${message2}`),
    message ?? `The service responded with status ${status}`
  );
  return new ApiError(sentence(reworded(text)), {
    status,
    code: textOf(fields.code) ?? `http_${status}`,
    // `waitSeconds` is the older name.
    hint: hint && reworded(hint).replace("waitSeconds", "waitMs"),
    param: param && named(param),
    issues: issues.map((issue2) => ({ path: named(issue2.path), message: reworded(issue2.message) })),
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
function parsed({ text, redact: redact2 }) {
  try {
    return JSON.parse(redact2(JSON.stringify(JSON.parse(text))));
  } catch {
    return void 0;
  }
}
function sentence(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}\u2026` : line;
}
var otherNames = { limit: "pageSize", tag: "tags" };
var wireWords = /\b(?:(?:account|board|file)_id|board_(?:ids|type)|credits_per_minute|dry_run|expires_at|flash_offset|has_agent|include_revoked|requires_agent|wait_seconds)\b/g;
var unchanged = { named: (path) => path, reworded: (text) => text };
var inOurNames = {
  named: (path) => path.replace(/^\w+/, renamed),
  reworded: (text) => text.replace(wireWords, renamed)
};
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
var shortestForm = 48;
function redactorFor(key) {
  if (key === null) return redact;
  return (text) => text.length < shortestForm ? text : redact(text).replace(formsOf(key), "[redacted]");
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
  safeParse,
  _gte,
  string2 as string,
  number2 as number,
  boolean2 as boolean,
  unknown,
  optional,
  nullable,
  apiKeyPattern,
  redact,
  apiKeyFields,
  createdApiKeyFields,
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
  printable,
  visible,
  printableJson,
  printableText,
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

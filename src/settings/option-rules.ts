// What the options of a client, and those of its calls, may be.
import { unknownOption } from '../contract/names.ts';
import { InputError } from '../errors/errors.ts';
import { maxTimeout } from '../http/signals.ts';
import { fieldsOf } from '../records/json.ts';
import { isObject } from '../records/records.ts';
import { logLevels } from './log.ts';

/** Whether a value fits, and what to say of one that does not. */
type Rule = readonly [fits: (value: unknown) => boolean, message: string];
type Rules = Readonly<Record<string, Rule>>;

export const anything: Rule = [() => true, ''];
export const flag = ofType('boolean');
export const callback = ofType('function');
const object = ofType('object');
const time = inRange(1, maxTimeout);

const shared = {
	timeout: time,
	attemptTimeout: time,
	maxRetries: wholeNumber(0, 100),
	headers: object, // its names and values are checked where they are read
} satisfies Rules;

/** The options of a client; `apiKey` and `baseUrl` have readers of their own. */
export const clientRules = {
	...shared,
	apiKey: anything,
	baseUrl: anything,
	fetch: callback,
	fetchOptions: object,
	maxResponseSize: inRange(1, Number.MAX_SAFE_INTEGER),
	onAttempt: callback,
	onRequest: callback,
	logger: [
		(value) =>
			logLevels.every((level) => level === 'off' || typeof fieldsOf(value)[level] === 'function'),
		'must have the methods debug, info, warn and error',
	],
	logLevel: [
		(value) =>
			typeof value === 'string' && logLevels.some((level) => level === value.trim().toLowerCase()),
		`must be one of ${logLevels.join(', ')}`,
	],
	allowInsecureHttp: flag,
	dangerouslyAllowBrowser: flag,
} satisfies Rules;

/** The options of work that takes many requests, and retries them as it needs. */
const workRules = {
	timeout: time,
	headers: object,
	signal: [
		(value) =>
			'aborted' in fieldsOf(value) && typeof fieldsOf(value).addEventListener === 'function',
		'must be an AbortSignal',
	],
} satisfies Rules;

/** The options of a request. */
const callRules = {
	...shared,
	...workRules,
	idempotencyKey: [
		(value) => typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value),
		'must be 1 to 255 printable ASCII characters',
	],
} satisfies Rules;

/** The rules of the options that only some methods have. */
export type OwnRules<Options> = { [Name in keyof Options]?: Rule };

/**
 * The options of a call, or an {@link InputError} with everything that is wrong with them. `own` has rules
 * for the options that only this method has.
 */
export function readCallOptions<Options extends object>(
	options: Options | undefined,
	own?: OwnRules<Options>,
) {
	if (options === undefined) return {} as Partial<Options>;
	return readOptions(options, { ...callRules, ...own });
}

/** The options of work that takes many requests, which has none of how often each is retried. */
export function readWorkOptions<Options extends object>(
	options: Options | undefined,
	own?: OwnRules<Options>,
) {
	if (options === undefined) return {} as Partial<Options>;
	return readOptions(options, { ...workRules, ...own });
}

export function readOptions<Options extends object>(options: Options, rules: Rules) {
	// The names in bytes are numbers.
	if (!isObject(options) || ArrayBuffer.isView(options)) {
		throw new InputError([{ path: 'options', message: 'must be an object of options' }]);
	}
	const issues = Object.entries(options).flatMap(([path, value]) => {
		const rule = Object.hasOwn(rules, path) ? rules[path] : undefined;
		if (!rule) return [{ path, message: unknownOption(path, Object.keys(rules)) }];
		const [fits, message] = rule;
		return value === undefined || fits(value) ? [] : [{ path, message }];
	});
	if (issues.length > 0) throw new InputError(issues);
	return options;
}

export function ofType(type: 'boolean' | 'function' | 'object' | 'string'): Rule {
	return [(value) => value !== null && typeof value === type, `must be of type ${type}`];
}

export function wholeNumber(least: number, most: number): Rule {
	return [
		(value) => Number.isInteger(value) && inRange(least, most)[0](value),
		`must be a whole number from ${least} to ${most}`,
	];
}

export function inRange(least: number, most: number): Rule {
	return [
		(value) => typeof value === 'number' && value >= least && value <= most,
		`must be a number from ${least} to ${most}`,
	];
}

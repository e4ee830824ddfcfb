// Checks the options of the client and of its methods.
import { unknownOption } from '../contract/names.ts';
import { InputError } from '../errors/errors.ts';
import { maxTimeout } from '../http/signals.ts';
import { fieldsOf } from '../records/json.ts';
import { isObject } from '../records/records.ts';
import { logLevels } from './log.ts';

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
	webSocket: callback,
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

/** Without options for retries, because such work retries as it needs. */
const workRules = {
	timeout: time,
	headers: object,
	signal: [
		(value) =>
			'aborted' in fieldsOf(value) && typeof fieldsOf(value).addEventListener === 'function',
		'must be an AbortSignal',
	],
} satisfies Rules;

const callRules = {
	...shared,
	...workRules,
	idempotencyKey: [
		(value) => typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value),
		'must be 1 to 255 printable ASCII characters',
	],
} satisfies Rules;

export type OwnRules<Options> = { [Name in keyof Options]?: Rule };

/** The options of a request, or an {@link InputError}. */
export const readCallOptions = readerWith(callRules);

/** The options of work that takes many requests. */
export const readWorkOptions = readerWith(workRules);

/** `own` are the rules of options of one method only. */
function readerWith(rules: Rules) {
	return <Options extends object>(options: Options | undefined, own?: OwnRules<Options>) =>
		options === undefined ? ({} as Partial<Options>) : readOptions(options, { ...rules, ...own });
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

export function wholeNumber(min: number, max: number): Rule {
	return [
		(value) => Number.isInteger(value) && inRange(min, max)[0](value),
		`must be a whole number from ${min} to ${max}`,
	];
}

export function inRange(min: number, max: number): Rule {
	return [
		(value) => typeof value === 'number' && value >= min && value <= max,
		`must be a number from ${min} to ${max}`,
	];
}

// Errors show the line that called the client, which the runtime forgets after a timer or a lost connection.
import { fieldsOf } from '../records/json.ts';
import { BoardAccessError } from './base.ts';

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Settle = <Result>(work: Promise<Result>) => Promise<Result>;

/** Errors that have the stack of a call. */
const claimed = new WeakSet<BoardAccessError>();

/** How to settle a list: with the stack of the call that returned it. */
const settlers = new WeakMap<object, Settle>();

/** Has the methods of an object or of a prototype reject with errors whose stack is that of the call. */
export function keepCallers<Owner extends object>(owner: Owner, names = Reflect.ownKeys(owner)) {
	for (const name of names) {
		const property = Object.getOwnPropertyDescriptor(owner, name);
		if (typeof property?.value !== 'function' || name === 'constructor') continue;
		Object.defineProperty(owner, name, { ...property, value: withCaller(property.value) });
	}
	return owner;
}

/** For a list, whose `then` is called by `await`. */
export function settleFor<Result>(list: object, work: Promise<Result>) {
	return settlers.get(list)?.(work) ?? work;
}

/** `before` are the arguments of the call that returned the iterator. */
function withCaller(method: Method, before: readonly unknown[] = []): Method {
	return function (...values) {
		const site = new Error(); // not formatted unless it is needed
		const given = [...before, ...values];
		const settle: Settle = (work) =>
			work.catch((error) => {
				throw error instanceof BoardAccessError && !isReasonOf(given, error)
					? calledAt(site, error)
					: error;
			});
		const result = method.apply(this, values);
		return result instanceof Promise ? settle(result) : followed(result, settle, given);
	};
}

/** An iterator rejects when it is read, and a list when it is awaited. */
function followed(result: unknown, settle: Settle, given: readonly unknown[]) {
	const { next, then } = fieldsOf(result);
	if (typeof next === 'function') {
		const value = withCaller(next as Method, given); // it is a function
		Object.defineProperty(result, 'next', { value, configurable: true, writable: true });
	}
	if (typeof then === 'function') settlers.set(result as object, settle); // it has a field
	return result;
}

/** The reason of a caller's signal can be the error of another call. */
function isReasonOf(given: readonly unknown[], error: BoardAccessError) {
	return given.some((each) => fieldsOf(fieldsOf(each).signal).reason === error);
}

/** The error with the stack of the call; a copy if another call has the error, too. */
function calledAt({ stack = '' }: Error, error: BoardAccessError) {
	const own = claimed.has(error) ? copyOf(error) : error;
	claimed.add(own);
	// The first frame is of this file. Only some engines write the error above the frames.
	const start = stack.search(/^ +at /m);
	const frames = stack.slice(Math.max(start, 0)).replace(/^.*\n?/, '');
	own.stack = start < 0 ? frames : `${own.name}: ${own.message}\n${frames}`;
	return own;
}

function copyOf(error: BoardAccessError) {
	const { message, cause, constructor: kind } = error;
	const values = [message, cause === undefined ? undefined : { cause }];
	const copy: BoardAccessError = Reflect.construct(Error, values, kind);
	return Object.assign(copy, error);
}

// Namespaces in the second file of the build.
import { Listing } from './http/list.ts';

/** What it returns is awaited, if it is not a list. */
type Method = (...args: readonly unknown[]) => Listing<unknown>;

/** The namespace with these methods, whose code is loaded with the first use of any of them. */
export function lazily<Namespace extends object>(
	load: () => Promise<Namespace>,
	names: readonly (keyof Namespace)[],
): Namespace {
	const call = async (name: keyof Namespace, args: readonly unknown[]) => {
		const namespace = (await load()) as Record<keyof Namespace, Method>; // it has methods only
		// In an object, because a list is a promise of its records.
		return { result: namespace[name](...args) };
	};
	const methods = names.map((name) => [
		name,
		name === 'list'
			? (...args: readonly unknown[]) => Listing.later(() => call(name, args))
			: async (...args: readonly unknown[]) => await (await call(name, args)).result,
	]);
	return Object.fromEntries(methods);
}

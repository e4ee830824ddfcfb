// The methods of the client and of a lease, and arguments that are valid for each.
export type Method = (...values: unknown[]) => unknown;

/** The methods of an object, with those of its prototypes, without those of any promise. */
export function methodsOf(target: object) {
	const methods = new Map<string, Method>();
	for (let each = target; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
		for (const name of Object.getOwnPropertyNames(each)) {
			if (name === 'constructor' || Object.hasOwn(Promise.prototype, name)) continue;
			const method = Object.getOwnPropertyDescriptor(each, name)?.value;
			if (typeof method === 'function') methods.set(name, method.bind(target));
		}
	}
	return methods;
}

const query = {};
const clientArguments: Record<string, unknown[]> = {
	create: [{ name: 'x', boardType: 'x', action: 'erase' }, {}],
	request: [{ method: 'GET', path: '/v1/x' }],
	withOptions: [{}],
	list: [query, {}],
	watch: [query, {}],
	waitFor: [query, { timeout: 5 }],
	get: ['key_1', {}],
	attach: ['key_1', {}],
	delete: ['key_1', {}],
	revoke: ['key_1', {}],
	rotate: ['key_1', {}, {}],
	end: ['key_1', {}],
	expiring: [{ withinDays: 5 }, {}],
	replace: [{ boardType: 'x', images: [{ action: 'erase', name: 'x' }] }, {}],
	import: [[{ name: 'x', boardType: 'x' }], {}],
	setMaintenance: ['key_1', { on: true }, {}],
	update: ['key_1', {}, {}],
	'account.get': [{}],
	'agents.list': [{}],
	'leases.create': [{ boardType: 'x' }, { timeout: 20 }],
};

/** The arguments of a method of the client; of one that has none here, an id and options. */
export function validFor(noun: string, name: string) {
	return clientArguments[`${noun}.${name}`] ?? clientArguments[name] ?? ['key_1', {}, {}];
}

const leaseArguments: Record<string, unknown[]> = {
	flash: [new Uint8Array(4), { raw: true }],
	run: [[{ reset: true }], { timeout: 20 }],
	power: ['on', {}],
	drivePin: ['D2', 0, {}],
	channel: ['serial', {}],
	share: ['ada@example.com', { access: 'look' }, {}],
	unshare: ['ada@example.com', {}],
	renew: [{}, {}],
	write: ['x', {}],
	expect: ['x', { timeout: 5 }],
	expectLine: ['x', { timeout: 5 }],
};

/** The arguments of a method of a lease or of its console. */
export function validForLease(name: string) {
	return leaseArguments[name] ?? [{}];
}

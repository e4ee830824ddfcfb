// The visitor's settings of the console: kept by the browser, for all leases.
const name = 'console';

export type Ending = '\n' | '\r' | '\r\n';

export const settings = {
	mode: 'lines',
	stamps: true,
	ending: '\r' as Ending,
	...read(localStorage, name, {}),
};

export function saveSetting(change: Partial<typeof settings>) {
	Object.assign(settings, change);
	write(localStorage, name, settings);
}

/** What a tab keeps when it is reloaded, such as a half-typed line. */
export function remembered<Value>(key: string, otherwise: Value) {
	return read(sessionStorage, key, otherwise);
}

export function remember(key: string, value: unknown) {
	write(sessionStorage, key, value);
}

function read<Value>(storage: Storage, key: string, otherwise: Value): Value {
	try {
		return JSON.parse(storage.getItem(key) ?? '') ?? otherwise;
	} catch {
		return otherwise;
	}
}

function write(storage: Storage, key: string, value: unknown) {
	try {
		storage.setItem(key, JSON.stringify(value));
	} catch {
		// The browser may forbid storage: then the value lasts as long as the page.
	}
}

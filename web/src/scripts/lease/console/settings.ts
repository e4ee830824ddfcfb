// The visitor's settings of the console: kept by the browser, for all leases.
const name = 'console';

export type Ending = '\n' | '\r' | '\r\n';

export const settings = {
	mode: 'lines',
	stamps: true,
	ending: '\r' as Ending,
	...remembered(name, {}, localStorage),
};

export function saveSetting(change: Partial<typeof settings>) {
	Object.assign(settings, change);
	remember(name, settings, localStorage);
}

/** What a tab keeps when it is reloaded, such as a half-typed line. */
export function remembered<Value>(key: string, otherwise: Value, storage = sessionStorage): Value {
	try {
		return JSON.parse(storage.getItem(key) ?? '') ?? otherwise;
	} catch {
		return otherwise;
	}
}

export function remember(key: string, value: unknown, storage = sessionStorage) {
	try {
		storage.setItem(key, JSON.stringify(value));
	} catch {
		// The browser may forbid storage: then the value lasts as long as the page.
	}
}

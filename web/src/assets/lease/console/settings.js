// How somebody likes the console: kept by the browser, for all leases.
const name = 'console';
const defaults = {
	mode: 'lines',
	stamps: true,
	ending: '\r',
	echo: true,
	echoKeys: false,
};

const read = () => {
	try {
		return JSON.parse(localStorage.getItem(name)) ?? {};
	} catch {
		return {};
	}
};

export const settings = { ...defaults, ...read() };

export const saveSetting = (change) => {
	Object.assign(settings, change);
	try {
		localStorage.setItem(name, JSON.stringify(settings));
	} catch {
		// A browser may forbid it: then they last as long as the page.
	}
};

/** What a tab keeps of a lease when it is loaded again: what was typed, for example. */
export const remembered = (key, otherwise) => {
	try {
		return JSON.parse(sessionStorage.getItem(key)) ?? otherwise;
	} catch {
		return otherwise;
	}
};

export const remember = (key, value) => {
	try {
		sessionStorage.setItem(key, JSON.stringify(value));
	} catch {
		// As above.
	}
};

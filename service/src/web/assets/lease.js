// The lease page: the live terminal, the upload with its progress, buttons that keep the terminal,
// and the time that is left. Without this script every part is a form or a link.

import { showProblem, unreachable } from './connection.js';
import { followLease } from './lease-stream.js';
import { replaceResults, resultsIn } from './live-results.js';
import { Terminal } from './xterm.js';
import { FitAddon } from './xterm-fit.js';

const page = document.querySelector('[data-lease]');
const { lease: id, leaseStatus: status } = page.dataset;
const api = `/v1/leases/${id}`;
const notice = page.querySelector('[data-lease-notice]');

const say = (text, failed = false) => {
	notice.textContent = text;
	notice.className = failed ? 'alert' : 'notice';
	notice.hidden = false;
};

let problem = '';

/* Time left, as the service counted it: from the request for the page, or from a message of the stream. */

let countedAt = 0;

const countDown = () => {
	for (const time of document.querySelectorAll('[data-countdown]')) {
		const left = Number(time.dataset.countdown) - (performance.now() - countedAt);
		const seconds = Math.max(0, Math.round(left / 1000));
		time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
		time.classList.toggle('soon', seconds < 120);
	}
};

/* Terminal */

// The Content-Security-Policy forbids style elements and style attributes that come from text, so
// the terminal gets elements that put the same text into constructed stylesheets.
const create = (...words) => Document.prototype.createElement.apply(document, words);

const styleElement = () => {
	const element = create('span');
	const sheet = new CSSStyleSheet();
	document.adoptedStyleSheets.push(sheet);
	element.hidden = true;
	Object.defineProperty(element, 'textContent', { set: (text) => sheet.replaceSync(text) });
	return element;
};

const createElement = (name, options) => {
	if (name === 'style') return styleElement();
	const element = create(name, options);
	if (name === 'span') {
		element.setAttribute = (attribute, value) => {
			if (attribute === 'style') element.style.cssText = value;
			else Element.prototype.setAttribute.call(element, attribute, value);
		};
	}
	return element;
};

const documentOverride = new Proxy(document, {
	get(target, name) {
		if (name === 'createElement') return createElement;
		const value = target[name];
		return typeof value === 'function' ? value.bind(target) : value;
	},
	set: (target, name, value) => Reflect.set(target, name, value),
});

const openTerminal = (place) => {
	const terminal = new Terminal({
		documentOverride,
		convertEol: false,
		cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
		disableStdin: status !== 'active',
		fontFamily: getComputedStyle(place).fontFamily,
		fontSize: 14,
		screenReaderMode: true,
		scrollback: 10_000,
		theme: { background: '#16181a', foreground: '#f4f2ef', cursor: '#f0a070' },
	});
	const fit = new FitAddon();
	terminal.loadAddon(fit);
	place.hidden = false;
	// One part of xterm 6 ignores the override and takes the document of the window.
	document.createElement = createElement;
	terminal.open(place);
	delete document.createElement;
	fit.fit();
	new ResizeObserver(() => fit.fit()).observe(place);
	return terminal;
};

let terminal;
let oldPieces = 0;

const showOutput = ({ bytes, old }) => {
	if (!old) return terminal?.write(bytes);
	oldPieces += 1;
	terminal?.write(bytes, () => {
		oldPieces -= 1;
	});
};

// What a terminal sends by itself: its attributes, its state, where its cursor is, whether it has the focus.
// biome-ignore lint/suspicious/noControlCharactersInRegex: replies begin with escape
const reply = /^\x1b(?:\[[?>=]?[\d;]*(?:[cntxR]|\$y)|\[[IO]|[P\]_].+)$/s;

const writeConsole = (place, stream) => {
	terminal.onData((text) => {
		if (!reply.test(text)) return stream.postMessage({ typed: text });
		// The program that asked is long gone.
		if (oldPieces === 0) stream.postMessage({ reply: text });
	});
	place.addEventListener('focus', () => stream.postMessage({ focused: true }), true);
};

const startConsole = (stream) => {
	const place = page.querySelector('[data-terminal]');
	if (!place) return;
	terminal = openTerminal(place);
	page.querySelector('[data-console-text]').hidden = true;
	page.querySelector('.no-script').hidden = true;
	if (status !== 'active') return;
	page.querySelector('[data-console-input]').hidden = true;
	writeConsole(place, stream);
	offerUnsent(stream);
};

/* The connection, which all tabs of the lease share */

const takeProblem = ({ problem: current }) => {
	problem = current;
	showProblem(problem, 'What you type is not sent.');
	if (!problem && notice.textContent === unreachable) notice.hidden = true;
};

/* What was typed but not sent, until it is sent again or dismissed */

const unsent = page.querySelector('[data-unsent]');
let refused = [];

// What keys like the arrows send cannot be read.
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is typed has control characters
const unreadable = /\x1b(?:[[O][\d;]*.)?|[\x00-\x08\x0b-\x1f\x7f]/g;
const readable = (text) => text.replace(/\r/g, '⏎').replace(unreadable, '·');

const showUnsent = (reason) => {
	unsent.hidden = refused.length === 0;
	const texts = refused.map(({ text }) => readable(text)).join('');
	const sure = refused.every(({ offset }) => offset === undefined);
	const why = reason === problem ? '' : `${reason} `;
	const message = `${why}${sure ? 'Not sent' : 'Perhaps not sent'}: “${texts}”`;
	unsent.querySelector('p').textContent = refused.length > 0 ? message : '';
};

const takeRefused = ({ text, offset, reason }) => {
	refused.push({ text, offset });
	showUnsent(reason);
};

const clearUnsent = () => {
	const texts = refused;
	refused = [];
	showUnsent();
	terminal.focus();
	return texts;
};

const offerUnsent = (stream) => {
	const on = (name, act) => unsent.querySelector(name).addEventListener('click', act);
	on('[data-dismiss]', clearUnsent);
	on('[data-send-again]', () => {
		for (const { text, offset } of clearUnsent()) stream.postMessage({ typed: text, offset });
	});
};

// Resolved with the step of an action when it has ended.
const awaited = new Map();

const settle = () => {
	for (const [action, resolve] of awaited) {
		const step = document.getElementById(action);
		if (!step?.matches('.step-done, .step-failed')) continue;
		awaited.delete(action);
		resolve(step);
	}
};

const showParts = (parts) => {
	// The page has other parts with another status.
	if (parts.status !== status) return location.reload();
	replaceResults(resultsIn(new DOMParser().parseFromString(parts.html, 'text/html')));
	countedAt = performance.now();
	countDown();
	settle();
};

const kinds = {
	problem: takeProblem,
	parts: showParts,
	output: showOutput,
	refused: takeRefused,
	restart: () => terminal?.reset(),
	reload: () => location.reload(),
};

const openStream = () => {
	const address = new URL('./lease-stream.js', import.meta.url);
	if ('SharedWorker' in window) return new SharedWorker(address, { type: 'module', name: id }).port;
	const { port1, port2 } = new MessageChannel();
	followLease(id)(port2);
	return port1;
};

const follow = () => {
	const stream = openStream();
	startConsole(stream);
	stream.onmessage = ({ data }) => kinds[data.kind](data);
	const reportVisibility = () =>
		stream.postMessage({ seen: document.visibilityState === 'visible' });
	document.addEventListener('visibilitychange', reportVisibility);
	// A page from the browser's cache has missed what happened in between.
	addEventListener('pageshow', ({ persisted }) =>
		persisted ? location.reload() : reportVisibility(),
	);
	addEventListener('pagehide', () => stream.postMessage({ seen: false, closed: true }));
};

/* Buttons that leave the terminal as it is */

const silentMilliseconds = 15_000;
const notPossible = 'That was not possible. Reload the page.';

const throwUnreachable = () => {
	throw new Error(unreachable);
};

const submitInPlace = async (form, submitter) => {
	if (problem) throw new Error(problem);
	const response = await fetch(form.getAttribute('action'), {
		method: 'POST',
		body: new URLSearchParams(new FormData(form, submitter)),
		headers: { accept: 'text/html', prefer: 'return=minimal' },
		signal: AbortSignal.timeout(silentMilliseconds),
	}).catch(throwUnreachable);
	const html = await response.text().catch(throwUnreachable);
	const next = new DOMParser().parseFromString(html, 'text/html');
	// Any other page is an error or the log-in.
	if (!next.querySelector(`[data-lease="${id}"]`)) {
		throw new Error(response.status < 500 ? notPossible : unreachable);
	}
	const alert = next.querySelector('[role=alert]');
	const done = next.querySelector('.notice:not([hidden])');
	// The next click is another request, unless the response was lost.
	const token = next.querySelector(`form[action="${form.getAttribute('action')}"] [name=token]`);
	if (token) form.elements.token.value = token.value;
	say((alert ?? done)?.textContent.trim() ?? 'Done.', alert !== null);
};

for (const form of page.querySelectorAll('form[data-stay]')) {
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		event.stopPropagation();
		submitInPlace(form, event.submitter).catch((error) => say(error.message, true));
	});
}

/* Upload */

// Longer than what a slow connection holds back.
const stalledMilliseconds = 60_000;

/** Sends a part of a flash, which happens once however often it is sent with the same key. */
const post = (path, { body, type, key, onProgress }) =>
	new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		let stalled;
		const wait = () => {
			clearTimeout(stalled);
			stalled = setTimeout(() => request.abort(), stalledMilliseconds);
		};
		request.open('POST', api + path);
		request.setRequestHeader('content-type', type);
		request.setRequestHeader('idempotency-key', key);
		request.responseType = 'json';
		request.upload.addEventListener('progress', ({ loaded, total }) => {
			wait();
			onProgress?.((loaded / total) * 100);
		});
		request.addEventListener('load', () => {
			if (request.status < 300) return resolve(request.response);
			const { message, hint } = request.response?.error ?? { message: `Status ${request.status}` };
			reject(new Error([message, hint].filter(Boolean).join(' ')));
		});
		request.addEventListener('error', () => reject(new Error(unreachable)));
		request.addEventListener('abort', () => reject(new Error(unreachable)));
		request.addEventListener('loadend', () => clearTimeout(stalled));
		request.send(body);
		wait();
	});

const finished = ({ id: action }) =>
	new Promise((resolve) => {
		awaited.set(action, resolve);
		settle();
	});

/* The same choice is the same flash until its action has been accepted; only a response says so. */

let flashes = 0;
let chosen;

const keyOf = (form, file, details) => {
	const choice = JSON.stringify([file.name, file.size, file.lastModified, details]);
	if (choice !== chosen) flashes += 1;
	chosen = choice;
	return `web ${form.elements.token.value} ${flashes}`;
};

const uploadFile = (form, { file, raw, key }) => {
	const progress = form.querySelector('progress');
	progress.hidden = false;
	progress.value = 0;
	say(`Uploading ${file.name}…`);
	return post(`/files${raw ? '?raw=true' : ''}`, {
		body: file,
		type: 'application/octet-stream',
		key: `${key} file`,
		onProgress: (percent) => {
			progress.value = percent;
		},
	});
};

const flash = async (form, file) => {
	if (problem) throw new Error(problem);
	const raw = form.elements.raw.checked;
	const flash_offset = form.elements.flash_offset.value.trim() || undefined;
	const key = keyOf(form, file, [raw, flash_offset]);
	const { id: file_id } = await uploadFile(form, { file, raw, key }).catch((error) => {
		throw error.message === unreachable ? error : new Error(`${file.name}: ${error.message}`);
	});
	say(`Flashing ${file.name}…`);
	const body = JSON.stringify({ action: 'flash', file_id, flash_offset });
	const action = await post('/actions', { body, type: 'application/json', key });
	chosen = undefined;
	const step = await finished(action);
	form.querySelector('progress').hidden = true;
	if (step.matches('.step-failed')) {
		throw new Error(`${file.name} was not flashed. ${step.querySelector('p')?.textContent ?? ''}`);
	}
	say(`${file.name} is on the board.`);
};

const refuse = (form, message) => {
	const text = message.replace('pass raw=true', 'choose “Raw binary” below');
	if (text !== message) form.querySelector('details').open = true;
	say(text, true);
};

const startFlash = (form, file) => {
	const button = form.querySelector('button');
	if (!file || button.disabled) return;
	button.disabled = true;
	flash(form, file)
		.catch((error) => refuse(form, error.message))
		.finally(() => {
			button.disabled = false;
			form.querySelector('progress').hidden = true;
		});
};

const form = page.querySelector('[data-upload]');
form?.addEventListener('submit', (event) => {
	event.preventDefault();
	event.stopPropagation();
	startFlash(form, form.elements.firmware.files[0]);
});
form?.elements.firmware.addEventListener('change', () => {
	if (notice.className === 'alert') notice.hidden = true;
});
form?.addEventListener('dragover', (event) => {
	event.preventDefault();
	form.classList.add('dragging');
});
form?.addEventListener('dragleave', () => form.classList.remove('dragging'));
form?.addEventListener('drop', (event) => {
	event.preventDefault();
	form.classList.remove('dragging');
	startFlash(form, event.dataTransfer.files[0]);
});

follow();
countDown();
setInterval(countDown, 1000);

// The lease page: the live terminal, the upload with its progress, buttons that keep the terminal,
// and the time that is left. Without this script every part is a form or a link.

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

/** Throws the message of an API error. */
const checked = async (response) => {
	if (response.ok) return response.status === 204 ? undefined : response.json();
	const { error } = await response.json().catch(() => ({ error: {} }));
	throw new Error(
		[error.message ?? `Status ${response.status}`, error.hint].filter(Boolean).join(' '),
	);
};

const post = async (path, body, type = 'application/json') =>
	checked(await fetch(api + path, { method: 'POST', body, headers: { 'content-type': type } }));

/* The page changes its parts with the status, so a new status opens the page again. */

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const watchStatus = async () => {
	for (;;) {
		try {
			const lease = await checked(await fetch(`${api}?wait=20&status=${status}`));
			if (lease.status !== status) return location.reload();
		} catch {
			await pause(3000);
		}
	}
};

/* Time left */

const countDown = () => {
	for (const time of document.querySelectorAll('[data-countdown]')) {
		const seconds = Math.max(0, Math.round((Date.parse(time.dateTime) - Date.now()) / 1000));
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

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const readConsole = (terminal) => {
	const events = new EventSource(`${api}/console`);
	events.addEventListener('output', ({ data }) => terminal.write(bytesOf(JSON.parse(data).data)));
	events.addEventListener('dropped', ({ data }) => {
		terminal.write(`\r\n[… ${JSON.parse(data).bytes} bytes dropped …]\r\n`);
	});
	events.addEventListener('end', () => events.close());
};

const writeConsole = (terminal) => {
	let waiting = '';
	let sending = false;
	const send = async () => {
		if (sending || waiting === '') return;
		sending = true;
		// Keys that are typed together travel together, in their order.
		await pause(30);
		const text = waiting.slice(0, 1000);
		waiting = waiting.slice(1000);
		await post('/console', text, 'application/octet-stream').catch((error) =>
			say(`The console input was not sent. ${error.message}`, true),
		);
		sending = false;
		send();
	};
	terminal.onData((text) => {
		waiting += text;
		send();
	});
};

const startConsole = () => {
	const place = page.querySelector('[data-terminal]');
	if (!place) return;
	const terminal = openTerminal(place);
	page.querySelector('[data-console-text]').hidden = true;
	page.querySelector('.no-script').hidden = true;
	readConsole(terminal);
	if (status !== 'active') return;
	page.querySelector('[data-console-input]').hidden = true;
	writeConsole(terminal);
};

/* Buttons that leave the terminal as it is */

const submitInPlace = async (form, submitter) => {
	const body = new URLSearchParams(new FormData(form, submitter));
	const response = await fetch(form.getAttribute('action'), {
		method: 'POST',
		body,
		headers: { accept: 'text/html' },
	});
	const next = new DOMParser().parseFromString(await response.text(), 'text/html');
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

const upload = (file, progress) =>
	new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open('POST', `${api}/files`);
		request.setRequestHeader('content-type', 'application/octet-stream');
		request.responseType = 'json';
		request.upload.addEventListener('progress', ({ loaded, total }) => {
			progress.value = (loaded / total) * 100;
		});
		request.addEventListener('load', () => {
			if (request.status === 201) return resolve(request.response);
			const { message, hint } = request.response?.error ?? { message: `Status ${request.status}` };
			reject(new Error([message, hint].filter(Boolean).join(' ')));
		});
		request.addEventListener('error', () => reject(new Error('No connection.')));
		request.send(file);
	});

const finished = async (action) => {
	let current = action;
	while (current.ended_at === null) {
		current = await checked(await fetch(`${api}/actions/${action.id}?wait=20`));
	}
	return current;
};

const flash = async (form, file) => {
	const progress = form.querySelector('progress');
	progress.hidden = false;
	progress.value = 0;
	say(`Uploading ${file.name}…`);
	const { id: file_id } = await upload(file, progress);
	const flash_offset = form.elements.flash_offset.value.trim() || undefined;
	say(`Flashing ${file.name}…`);
	const action = await post('/actions', JSON.stringify({ action: 'flash', file_id, flash_offset }));
	const { status: outcome, message } = await finished(action);
	progress.hidden = true;
	if (outcome === 'failed') throw new Error(`${file.name} was not flashed. ${message}`);
	say(`${file.name} is on the board.`);
};

const startFlash = (form, file) => {
	const button = form.querySelector('button');
	if (!file || button.disabled) return;
	button.disabled = true;
	flash(form, file)
		.catch((error) => say(error.message, true))
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

startConsole();
countDown();
setInterval(countDown, 1000);
if (status !== 'ended') watchStatus();

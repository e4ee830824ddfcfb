// Keeps a list up to date: filters while one types, and reads it again every few seconds. The
// address is always the one that shows the same list without JavaScript.
import { watchService } from './connection.js';
import { showCopyButtons } from './copy.js';
import { showLocalTimes } from './local-time.js';

const root = document.querySelector('[data-live-filter]');
const form = root?.querySelector('form[method=get]');
const seconds = Number(root?.dataset.liveSeconds);
const retrySeconds = 5;
let wanted = location.href;
const pause = root?.querySelector('[data-live-pause]');
let paused = false;
let typing;
let refreshing;
let loading;

export const resultsIn = (page) => page.querySelectorAll('[data-live-results]');

/** What takes the place of the results; undefined on another page, such as the log-in. */
const readResults = (text) => {
	const page = new DOMParser().parseFromString(text, 'text/html');
	return page.querySelector('[data-live-filter]') ? resultsIn(page) : undefined;
};

/** What the visitor has chosen or typed, and not sent yet, stays. */
const keepFields = (old, next) => {
	for (const { id, value, checked } of old.querySelectorAll(
		'form[method=post] input[id]:not([type=file])',
	)) {
		const field = next.querySelector(`#${CSS.escape(id)}`);
		if (field) Object.assign(field, { value, checked });
	}
};

/** The parts of the page with those that take their place: of the same name, in the same order. */
const pairs = (olds, fresh) =>
	olds.flatMap((old) => {
		const isNamedAlike = ({ dataset }) => dataset.liveResults === old.dataset.liveResults;
		const next = fresh.filter(isNamedAlike)[olds.filter(isNamedAlike).indexOf(old)];
		return next ? [{ old, next }] : [];
	});

export const replaceResults = (fresh) => {
	const field = document.activeElement?.closest('[data-live-results] :is(input, button)')?.id;
	const active = document.activeElement?.closest('[data-live-results] a')?.getAttribute('href');
	for (const { old, next } of pairs([...resultsIn(document)], [...fresh])) {
		// What the visitor has opened stays open.
		const opened = [...old.querySelectorAll('details')].map(({ open }) => open);
		const checked = old.querySelector('.tabs input:checked')?.id;
		for (const [number, details] of next.querySelectorAll('details').entries()) {
			details.open = opened[number] ?? false;
		}
		keepFields(old, next);
		old.replaceChildren(...next.childNodes);
		const tab = checked && document.getElementById(checked);
		if (tab) tab.checked = true;
	}
	if (field) document.getElementById(field)?.focus();
	if (active) {
		const same = [...root.querySelectorAll('[data-live-results] a')];
		same.find((link) => link.getAttribute('href') === active)?.focus();
	}
	showCopyButtons(document);
	showLocalTimes(document);
};

const load = async (address) => {
	loading?.abort();
	loading = new AbortController();
	const { signal } = loading;
	const response = await fetch(address, { signal, headers: { accept: 'text/html' } });
	const text = await response.text();
	if (response.status === 429) {
		const wait = Number(response.headers.get('retry-after')) || retrySeconds;
		return tryLater(address, `Too many requests. Trying again in ${wait} seconds.`, wait);
	}
	if (response.status >= 500) {
		return tryLater(address, 'The service is unavailable. Trying again…', retrySeconds);
	}
	const fresh = readResults(text);
	// The browser opens the log-in page, for example.
	if (!fresh) return location.assign(address);
	replaceResults(fresh);
	history.replaceState(null, '', address);
	schedule();
};

const show = (address) => {
	wanted = address;
	clearTimeout(refreshing);
	load(address).catch((error) => {
		if (error.name !== 'AbortError') {
			tryLater(address, 'No connection. Trying again…', retrySeconds);
		}
	});
};

/** Says beside the old results why they are old. */
const tryLater = (address, message, wait) => {
	for (const place of root.querySelectorAll('[data-live-message]')) {
		place.dataset.before ??= place.textContent;
		place.textContent = `${place.dataset.before}. ${message}`;
	}
	refreshing = setTimeout(() => show(address), wait * 1000);
};

const schedule = () => {
	clearTimeout(refreshing);
	if (seconds > 0) {
		refreshing = setTimeout(() => {
			if (document.visibilityState === 'visible' && !paused) show(location.href);
			else schedule();
		}, seconds * 1000);
	}
};

const formAddress = () => {
	const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
	return `${form.action}${query.size > 0 ? `?${query}` : ''}`;
};

form?.addEventListener('input', ({ target }) => {
	clearTimeout(typing);
	clearTimeout(refreshing);
	loading?.abort();
	typing = setTimeout(() => show(formAddress()), target.type === 'search' ? 200 : 0);
});

document.addEventListener('visibilitychange', () => {
	if (root && seconds > 0 && !paused && document.visibilityState === 'visible') {
		show(location.href);
	}
});

pause?.querySelector('button').addEventListener('click', ({ target }) => {
	paused = !paused;
	target.textContent = paused ? 'Resume' : 'Pause';
	if (paused) clearTimeout(refreshing);
	else show(location.href);
});

if (pause) pause.hidden = false;
if (root) schedule();
const onBack = () => {
	if (!paused) show(wanted);
};
if (seconds > 0) watchService({ onAway: () => loading?.abort(), onBack });

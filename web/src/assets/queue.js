// The page of a lease that waits: it stays up to date, also in the tab, and notifies if that is chosen.
import { showProblem } from './connection.js';
import { openStream } from './lease/open-stream.js';
import { replaceResults, resultsIn } from './live-results.js';
import { showPosition } from './tab-icon.js';

const page = document.querySelector('[data-lease]');
const id = page.dataset.lease;
const name = page.querySelector('h1').textContent;
const service = document.title.split(' · ').at(-1);

const showTitle = () => {
	const place = page.querySelector('[data-place]').parentElement.parentElement.innerText;
	const start = page.querySelector('[data-start]')?.textContent;
	const parts = [place.replace(/\s+/g, ' ').trim(), start && `about ${start}`, service];
	document.title = parts.filter(Boolean).join(' · ');
	showPosition(Number.parseInt(page.querySelector('[data-place]').textContent, 10));
};

/* Notifications, of this page while it is open */

const button = page.querySelector('[data-notify]');
const wants = () => button.ariaPressed === 'true';

const setNotify = (on) => {
	button.ariaPressed = String(on);
	button.textContent = on ? 'You are notified' : 'Notify me';
};

button.addEventListener('click', async () => {
	if (wants()) return setNotify(false);
	const permission = await Notification.requestPermission();
	if (permission === 'granted') return setNotify(true);
	button.textContent = 'Your browser blocks notifications';
});
button.hidden = !('Notification' in window);

const news = {
	preparing: `Your board is being prepared: ${name}`,
	active: `Your board is ready: ${name}`,
	ended: 'Your lease ended in the queue.',
};

const notify = (status) => {
	try {
		new Notification(news[status], { tag: id });
	} catch {
		// Some browsers show notifications of installed pages only.
	}
};

/* A mail, for those who leave the page */

const mail = page.querySelector('[data-mail]');

mail?.addEventListener('change', async ({ target }) => {
	const body = new URLSearchParams(new FormData(mail));
	const response = await fetch(mail.action, { method: 'POST', body }).catch(() => undefined);
	// Somebody who has been logged out is led to the log-in.
	if (response?.ok && response.url.endsWith(id)) return;
	target.checked = !target.checked;
	mail.querySelector('[role=alert]').textContent = 'That was not saved. Reload the page.';
});

/* The connection. It stays open in the background, where somebody who waits leaves the page. */

const showParts = ({ status, html }) => {
	if (status !== 'queued') {
		if (wants()) notify(status);
		return location.reload();
	}
	replaceResults(resultsIn(new DOMParser().parseFromString(html, 'text/html')));
	showTitle();
};

const kinds = {
	problem: ({ problem }) => showProblem(problem, 'You keep your position.'),
	parts: showParts,
	reload: () => location.reload(),
};

const stream = openStream(id);
stream.onmessage = ({ data }) => kinds[data.kind]?.(data);
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
addEventListener('pagehide', () => stream.postMessage({ seen: false, closed: true }));

showTitle();
// Only the holder chooses firmware.
if (page.querySelector('[data-waiting-firmware]')) import('./queue-firmware.js');

// The page of a lease that waits: keeps it and the title of the tab up to date, and notifies if asked to.
import { get, parse } from './dom.ts';
import { showProblem } from './pages/connection.ts';
import { replaceResults } from './pages/live-results.ts';
import { followLease, type PageUpdate } from './stream.ts';

const page = get('[data-lease]');
const id = page.dataset.lease ?? '';
const name = get('h1', page).textContent;
const service = document.title.split(' · ').at(-1);

function showTitle() {
	const position = get('[data-place]', page);
	const place = position.closest('dd')?.innerText ?? '';
	const start = page.querySelector('[data-start]')?.textContent;
	const parts = [place.replace(/\s+/g, ' ').trim(), start && `about ${start}`, service];
	document.title = parts.filter(Boolean).join(' · ');
}

/* Notifications, while this page is open */

const button = get<HTMLButtonElement>('[data-notify]', page);
const wants = () => button.ariaPressed === 'true';

button.addEventListener('click', async () => {
	const on = !wants() && (await Notification.requestPermission());
	button.ariaPressed = String(on === 'granted');
	const words = { granted: 'You are notified', denied: 'Your browser blocks notifications' };
	button.textContent = (on && on !== 'default' && words[on]) || 'Notify me';
});
button.hidden = !('Notification' in window);

const news: Record<string, string> = {
	preparing: `Your board is being prepared: ${name}`,
	active: `Your board is ready: ${name}`,
	ended: 'Your lease ended in the queue.',
};

function notify(status: string) {
	try {
		new Notification(news[status] ?? status, { tag: id });
	} catch {
		// Some browsers show notifications of installed pages only.
	}
}

/* The connection, which stays open in the background */

function showParts({ status, html }: PageUpdate) {
	if (status !== 'queued') {
		if (wants()) notify(status);
		return location.reload();
	}
	replaceResults(parse(html));
	showTitle();
}

followLease(id, {
	parts: showParts,
	problem: (text) => showProblem(text, 'You keep your position.'),
});
showTitle();

// The lease page: the live terminal, the upload with its progress, buttons that keep the terminal,
// and the time that is left. Without this script every part is a form or a link.

import { countFromNow } from './clock.js';
import { consoleKinds, showConnection, startConsole } from './console/console.js';
import { openStream } from './open-stream.js';
import './firmware/drop.js';
import './forms.js';
import { canFlash, startFlash } from './firmware/upload.js';
import { access, id, page, say, setProblem, statusOf } from './page.js';
import { settle } from './steps.js';
import './view.js';
import { replaceResults, resultsIn } from '../live-results.js';

/* The connection, which all tabs of the lease share */

const showParts = (parts) => {
	const ends = statusOf() === 'active' && parts.status === 'ended';
	// The page has other parts with another status, and for those who may do something else.
	if (parts.access !== access || (parts.status !== statusOf() && !ends)) return location.reload();
	page.dataset.leaseStatus = parts.status;
	const focused = document.activeElement;
	if (ends) for (const part of page.querySelectorAll('[data-until-end]')) part.hidden = true;
	replaceResults(resultsIn(new DOMParser().parseFromString(parts.html, 'text/html')));
	// What had the focus may be gone with the end.
	if (ends && focused?.checkVisibility() === false) page.querySelector('.lease-actions a').focus();
	countFromNow();
	settle();
};

/** Loaded only where the agent knows the pins. */
const live = document.querySelector('[data-live-state]') && import('./board/live.js');

if (document.querySelector('[data-camera]')) import('./board/camera.js');

// Its minutes have not begun.
if (document.hidden && document.querySelector('.lease-start form')) {
	import('../tab-icon.js').then(({ markReady }) => markReady());
}

/** Flashes what was chosen for that while the lease waited. */
const flashWaiting = async () => {
	if (localStorage.getItem(`firmware ${id}`) === null) return;
	const { take } = await import('./firmware/waiting.js');
	const choice = canFlash() && (await take(id));
	if (choice) await startFlash(choice.file, choice);
};

const kinds = {
	...consoleKinds,
	problem({ problem }) {
		setProblem(problem);
		showConnection();
	},
	pins: async ({ sample }) => (await live)?.showPins(sample),
	parts: showParts,
	reload: () => location.reload(),
};

const follow = () => {
	const stream = openStream(id);
	startConsole(stream);
	stream.onmessage = ({ data }) => kinds[data.kind](data);
	// Somebody who waits for the board leaves the page in the background.
	const reportVisibility = () =>
		stream.postMessage({
			seen: statusOf() === 'preparing' || document.visibilityState === 'visible',
		});
	document.addEventListener('visibilitychange', reportVisibility);
	// A page from the browser's cache has missed what happened in between.
	addEventListener('pageshow', ({ persisted }) =>
		persisted ? location.reload() : reportVisibility(),
	);
	addEventListener('pagehide', () => stream.postMessage({ seen: false, closed: true }));
};

follow();
flashWaiting().catch(() =>
	say('The firmware that was chosen in the queue could not be read. Choose it again.', true),
);

// The script of the lease page: the live terminal, the buttons, and the time that is left.
import { get, getAll, parse } from './dom.ts';
import { startActions } from './lease/actions.ts';
import { followCamera } from './lease/board/camera.ts';
import { startLiveBoard } from './lease/board/live.ts';
import { leaseOfPage } from './lease/client.ts';
import { countFromNow } from './lease/clock.ts';
import { startConsole } from './lease/console/console.ts';
import { offerDrop } from './lease/firmware/drop.ts';
import { startFlashing } from './lease/firmware/flash.ts';
import { access, id, page, setProblem, statusOf } from './lease/page.ts';
import { createLines } from './lease/typing/lines.ts';
import { replaceResults } from './pages/live-results.ts';
import { followLease, type Parts } from './stream.ts';

const lines = createLines((text) => stream.addTyped(text));
const shown = startConsole({ lines, replay: () => stream.replay() });
const board = page.querySelector<HTMLElement>('[data-live-board]:has([data-live-state])');
const showPins = board ? startLiveBoard(board) : undefined;
const picture = page.querySelector<HTMLImageElement>('[data-camera]');
if (picture) followCamera(picture);
prepareClient().catch(() => {});
startActions();
offerDrop(startFlashing());

/** So that the first line does not wait for the client, nor the terminal. */
async function prepareClient() {
	await shown?.screen;
	if (access !== 'look') await leaseOfPage();
}

function showParts(parts: Parts) {
	const ends = statusOf() === 'active' && parts.status === 'ended';
	// The page has other parts with another status, and for those who may do something else.
	if (parts.access !== access || (parts.status !== statusOf() && !ends)) return location.reload();
	page.dataset.leaseStatus = parts.status;
	const focused = document.activeElement;
	if (ends) for (const part of getAll('[data-until-end]', page)) part.hidden = true;
	replaceResults(parse(parts.html));
	// What had the focus may be gone with the end.
	if (ends && focused?.checkVisibility() === false) get('.lease-actions a', page).focus();
	countFromNow();
}

const stream = followLease(id, {
	...shown?.handlers,
	parts: showParts,
	pins: showPins,
	problem(text) {
		setProblem(text);
		shown?.showConnection();
	},
	reload: () => location.reload(),
});

// Somebody who waits for the board leaves the page in the background.
const reportVisibility = () => stream.setSeen(statusOf() === 'preparing' || !document.hidden);
document.addEventListener('visibilitychange', reportVisibility);
reportVisibility();
// A page from the browser's cache has missed what happened in between.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

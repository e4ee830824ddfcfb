// The script of the lease page: the live terminal, the buttons, and the time that is left.
import { get, getAll, parse } from './dom.ts';
import { startActions } from './lease/actions.ts';
import { startLiveBoard } from './lease/board/live.ts';
import { leaseOfPage } from './lease/client.ts';
import { countFromNow } from './lease/clock.ts';
import { startConsole } from './lease/console/console.ts';
import { offerDrop } from './lease/firmware/drop.ts';
import { startFlashing } from './lease/firmware/flash.ts';
import { access, id, page, setProblem, statusOf } from './lease/page.ts';
import { startPorts } from './lease/port.ts';
import { createLines } from './lease/typing/lines.ts';
import { replaceResults } from './pages/live-results.ts';
import { followLease, type PageUpdate } from './stream.ts';

const lines = createLines((text) => stream.addTyped(text));
const shown = startConsole({ lines, replay: () => stream.replay() });
const board = page.querySelector<HTMLElement>('[data-live-board]:has([data-live-state])');
const showPins = board ? startLiveBoard(board) : undefined;
prepareClient().catch(() => {});
startActions();
offerDrop(startFlashing());
startPorts();

/** Loads the client after the terminal, before anything is typed. */
async function prepareClient() {
	await shown?.screen;
	if (access !== 'look') await leaseOfPage();
}

function showParts(parts: PageUpdate) {
	const ends = statusOf() === 'active' && parts.status === 'ended';
	// A page for another status or access has other parts.
	if (parts.access !== access || (parts.status !== statusOf() && !ends)) return location.reload();
	page.dataset.leaseStatus = parts.status;
	const focused = document.activeElement;
	if (ends) for (const part of getAll('[data-until-end]', page)) part.hidden = true;
	replaceResults(parse(parts.html));
	// The focused element may have been removed.
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
});

// A page whose board is being prepared is often left in the background.
const reportVisibility = () => stream.setSeen(statusOf() === 'preparing' || !document.hidden);
document.addEventListener('visibilitychange', reportVisibility);
reportVisibility();

// The script of the lease page: the live terminal, the buttons, and the time that is left.
import type * as Chart from './chart.ts';
import { get, getAll, parse } from './dom.ts';
import { startActions } from './lease/actions.ts';
import { followCamera } from './lease/board/camera.ts';
import { startLiveBoard } from './lease/board/live.ts';
import { leaseOfPage } from './lease/client.ts';
import { countFromNow } from './lease/clock.ts';
import { startConsole } from './lease/console/console.ts';
import { offerDrop } from './lease/firmware/drop.ts';
import { startFlashing } from './lease/firmware/flash.ts';
import { take } from './lease/firmware/waiting.ts';
import { load } from './lease/load.ts';
import { openStream } from './lease/open-stream.ts';
import { access, id, page, say, setProblem, statusOf } from './lease/page.ts';
import { plotWith } from './lease/plot/plot.ts';
import { createLines } from './lease/typing/lines.ts';
import { replaceResults } from './pages/live-results.ts';
import { markReady } from './pages/tab-icon.ts';
import type { Message, Parts } from './stream.ts';
import type * as Terminal from './terminal.ts';

const stream = openStream(new URL('./stream.js', import.meta.url), id);
plotWith(async () => (await load<typeof Chart>('chart.js')).drawChart);

const lines = createLines((message) => stream.postMessage(message));
const hasConsole = page.querySelector('[data-console-view]') !== null;
const terminal = hasConsole ? load<typeof Terminal>('terminal.js') : undefined;
const shown = startConsole({
	lines,
	replay: () => stream.postMessage({ replay: true }),
	terminal,
});
const flashing = startFlashing();
const board = page.querySelector<HTMLElement>('[data-live-board]:has([data-live-state])');
const showPins = board && startLiveBoard(board);
const picture = page.querySelector<HTMLImageElement>('[data-camera]');
if (picture) followCamera(picture);
prepareClient().catch(() => {});
startActions();
offerDrop(flashing);

// Its minutes have not begun.
if (document.hidden && page.querySelector('.lease-start button')) markReady();

/** So that the first line does not wait for the client, nor the terminal. */
async function prepareClient() {
	await terminal;
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

function takeNews(message: Message) {
	const { kind, data } = message;
	if (kind === 'reload') location.reload();
	else if (kind === 'parts') showParts(data);
	else if (kind === 'pins') showPins?.(data);
	else if (kind === 'reply') lines.write(data).catch(() => {});
	else if (kind === 'problem') {
		setProblem(data);
		shown?.showConnection();
	} else shown?.take(message);
}

function follow() {
	stream.onmessage = ({ data }) => takeNews(data);
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
}

/** Flashes what was chosen for that while the lease waited. */
async function flashWaiting() {
	const choice = flashing.canFlash() && (await take(id));
	if (choice) await flashing.startFlash(choice.file, choice);
}

follow();
flashWaiting().catch(() =>
	say('The firmware that was chosen in the queue could not be read. Choose it again.', true),
);

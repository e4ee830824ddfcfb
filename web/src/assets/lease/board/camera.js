// The picture of the board by its camera, replaced once a second while the page is visible.
// Without this script the page shows one picture.
import { id } from '../page.js';

const pause = 1000;
const state = document.querySelector('[data-camera-state]');
let picture = document.querySelector('[data-camera]');
let seenAt;

const loadNext = async () => {
	const next = picture.cloneNode();
	next.hidden = false;
	next.loading = 'eager';
	next.src = `/leases/${id}/picture?at=${Date.now()}`;
	await next.decode();
	picture.replaceWith(next);
	picture = next;
	seenAt = new Date();
	return 'Live, by its camera';
};

const failed = () => {
	picture.hidden = !seenAt;
	const since = seenAt ? ` since ${seenAt.toLocaleTimeString()}` : '';
	return `No picture${since}`;
};

const refresh = async () => {
	if (!document.hidden) {
		const text = await loadNext().catch(failed);
		if (state.textContent !== text) state.textContent = text;
	}
	if (picture.isConnected) setTimeout(refresh, pause);
};

refresh();

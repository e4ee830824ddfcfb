// The camera's picture of the board, replaced once a second while the page is visible.
import { get } from '../../dom.ts';
import { id } from '../page.ts';

const pauseMilliseconds = 1000;

export function followCamera(first: HTMLImageElement) {
	const state = get('[data-camera-state]');
	let picture = first;
	let seenAt: Date | undefined;

	const loadNext = async () => {
		const next = picture.cloneNode() as HTMLImageElement; // a copy of one
		Object.assign(next, { hidden: false, loading: 'eager' });
		next.src = `/leases/${id}/picture?at=${Date.now()}`;
		await next.decode();
		picture.replaceWith(next);
		picture = next;
		seenAt = new Date();
		return 'Live, by its camera';
	};

	const failed = () => {
		picture.hidden = !seenAt;
		return `No picture${seenAt ? ` since ${seenAt.toLocaleTimeString()}` : ''}`;
	};

	const refresh = async () => {
		if (!document.hidden) {
			const text = await loadNext().catch(failed);
			if (state.textContent !== text) state.textContent = text;
		}
		if (picture.isConnected) setTimeout(refresh, pauseMilliseconds);
	};

	refresh();
}

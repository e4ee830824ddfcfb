// The newest lines as text for screen readers: they are read out, unless too many arrive.
import { create, get } from '../../dom.ts';
import { page } from '../page.ts';

const maxLines = 200;
const windowMilliseconds = 1_000;
const maxPerWindow = 2;
const drawMilliseconds = 100;

/** Returns a function that takes the next line. */
export function startLog() {
	const log = get('[data-console-lines]', page);
	let lines: string[] = [];
	let recent: number[] = [];
	let drawing: ReturnType<typeof setTimeout> | undefined;

	const draw = () => {
		drawing = undefined;
		log.append(...lines.slice(-maxLines).map((textContent) => create('div', { textContent })));
		lines = [];
		while (log.childElementCount > maxLines) log.firstChild?.remove();
	};

	const quiet = () => {
		log.ariaLive = 'polite';
	};
	// What was printed before the page was opened is not read out.
	let quieting = setTimeout(quiet, windowMilliseconds);

	return (text: string) => {
		if (!text) return;
		const now = performance.now();
		recent = [...recent.filter((time) => now - time < windowMilliseconds), now];
		recent = recent.slice(-maxPerWindow - 1);
		const isBusy = recent.length > maxPerWindow;
		if (isBusy) {
			log.ariaLive = 'off';
			clearTimeout(quieting);
			quieting = setTimeout(quiet, windowMilliseconds);
		}
		lines.push(text);
		if (drawing === undefined)
			drawing = setTimeout(draw, isBusy ? windowMilliseconds : drawMilliseconds);
	};
}

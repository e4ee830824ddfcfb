// The newest lines as text for screen readers: they are read out, unless too many arrive.
import { page } from '../page.js';

const maxLines = 200;
const windowMilliseconds = 1_000;
const maxPerWindow = 2;
const drawMilliseconds = 100;

export const startLog = () => {
	const log = page.querySelector('[data-console-lines]');
	let lines = [];
	let recent = [];
	let drawing;

	const draw = () => {
		drawing = undefined;
		const added = lines.map((text) => {
			const line = document.createElement('div');
			line.textContent = text;
			return line;
		});
		lines = [];
		log.append(...added);
		while (log.childElementCount > maxLines) log.firstChild.remove();
	};

	const quiet = () => {
		log.setAttribute('aria-live', 'polite');
	};
	// What was printed before the page was opened is not read out.
	let quieting = setTimeout(quiet, windowMilliseconds);

	return (text) => {
		if (!text) return;
		const now = performance.now();
		recent = [...recent.filter((time) => now - time < windowMilliseconds), now].slice(
			-maxPerWindow - 1,
		);
		if (recent.length > maxPerWindow) {
			log.setAttribute('aria-live', 'off');
			clearTimeout(quieting);
			quieting = setTimeout(quiet, windowMilliseconds);
		}
		lines = [...lines.slice(1 - maxLines), text];
		if (drawing === undefined) drawing = setTimeout(draw, drawMilliseconds);
	};
};

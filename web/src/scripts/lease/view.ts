// The full screen.
import { get } from '../dom.ts';
import { page } from './page.ts';

export function offerFullScreen() {
	const button = get('[data-full-screen]', page);
	button.hidden = !document.fullscreenEnabled;
	button.addEventListener('click', () => {
		if (document.fullscreenElement) document.exitFullscreen();
		else page.requestFullscreen();
	});
	document.addEventListener('fullscreenchange', () => {
		button.ariaPressed = String(document.fullscreenElement !== null);
	});
}

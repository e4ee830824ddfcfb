// The full screen, and the views of a narrow screen, where the steps are always open.
import { page } from './page.js';

const button = page.querySelector('[data-full-screen]');
button.hidden = !document.fullscreenEnabled;
button.addEventListener('click', () => {
	if (document.fullscreenElement) document.exitFullscreen();
	else page.requestFullscreen();
});
document.addEventListener('fullscreenchange', () => {
	button.setAttribute('aria-pressed', document.fullscreenElement !== null);
});

// The full screen, and the list of the steps, whose end stays in view.
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

const list = page.querySelector('.step-list');
let isAtEnd = true;

const showNewest = () => {
	if (isAtEnd) list.scrollTop = list.scrollHeight;
};

list.addEventListener('scroll', () => {
	isAtEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 10;
});
new MutationObserver(showNewest).observe(list, { childList: true });
// Its height changes when it is opened.
new ResizeObserver(showNewest).observe(list);

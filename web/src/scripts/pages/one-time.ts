// The page that shows a key. Leaving it before the key is copied asks first. Its content is removed when the
// visitor leaves, so that the browser does not keep the key.
import { get } from '../dom.ts';

export function guardSecret() {
	const page = document.querySelector('[data-one-time]');
	if (!page) return;
	const key = get('#new-key', page).textContent;
	let stored = false;
	const noteCopied = (text: string) => {
		if (text.includes(key)) stored = true;
	};
	history.replaceState(null, '', location.href);
	document.addEventListener('copy', () => noteCopied(String(getSelection())));
	// The copy buttons announce what they copied.
	document.addEventListener('copied', (event) => noteCopied((event as CustomEvent).detail)); // a text
	get('[data-stored]', page).addEventListener('click', () => {
		stored = true;
	});
	addEventListener('beforeunload', (event) => {
		if (!stored) event.preventDefault();
	});
	addEventListener('pagehide', () => page.remove());
}

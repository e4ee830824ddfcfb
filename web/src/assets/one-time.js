// The page that shows a key. It is removed when the visitor leaves, so that the browser does not
// keep it, and leaving it before the key is copied asks first.

const page = document.querySelector('[data-one-time]');
if (page) {
	const key = page.querySelector('#new-key').textContent;
	let stored = false;
	history.replaceState(null, '', location.href);
	document.addEventListener('copy', () => {
		if (String(getSelection()).includes(key)) stored = true;
	});
	// The copy buttons announce what they copied.
	document.addEventListener('copied', ({ detail }) => {
		if (detail.includes(key)) stored = true;
	});
	page.querySelector('[data-stored]').addEventListener('click', () => {
		stored = true;
	});
	addEventListener('beforeunload', (event) => {
		if (!stored) event.preventDefault();
	});
	addEventListener('pagehide', () => page.remove());
}

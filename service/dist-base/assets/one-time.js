// The page that shows a key: it goes from the screen's memory when one leaves, and a reload asks for
// the list instead of sending the form again.

const page = document.querySelector('[data-one-time]');
if (page) {
	history.replaceState(null, '', location.href);
	addEventListener('pagehide', () => page.remove());
}

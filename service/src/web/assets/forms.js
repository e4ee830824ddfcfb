// Ignores a second click while a form is being sent.

document.addEventListener('submit', (event) => {
	const form = event.target;
	if (form.method !== 'post') return;
	if (form.dataset.sent) event.preventDefault();
	form.dataset.sent = 'true';
});

// A page that the browser restores from its cache accepts its form again.
addEventListener('pageshow', () => {
	for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

// The account menu closes on a click elsewhere and on Escape.
const menu = document.querySelector('details.menu');
document.addEventListener('click', ({ target }) => {
	if (menu?.open && !menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', ({ key }) => {
	if (key !== 'Escape' || !menu?.open) return;
	menu.open = false;
	menu.querySelector('summary').focus();
});

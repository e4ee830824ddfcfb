// Keeps an impatient second click from sending a form twice.

document.addEventListener('submit', (event) => {
	const form = event.target;
	if (form.method !== 'post') return;
	if (form.dataset.sent) event.preventDefault();
	form.dataset.sent = 'true';
});

// A page that comes back from the browser's memory has to work again.
addEventListener('pageshow', () => {
	for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

// The account menu closes when one clicks elsewhere or presses Escape.
const menu = document.querySelector('details.menu');
document.addEventListener('click', ({ target }) => {
	if (menu?.open && !menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', ({ key }) => {
	if (key !== 'Escape' || !menu?.open) return;
	menu.open = false;
	menu.querySelector('summary').focus();
});

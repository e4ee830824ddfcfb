// Ignores a second click while a form is being sent, and shows what is typed as a password.

const show = (button, shown) => {
	document.getElementById(button.dataset.show).type = shown ? 'text' : 'password';
	button.setAttribute('aria-pressed', shown);
};

for (const button of document.querySelectorAll('[data-show]')) {
	button.hidden = false;
	button.addEventListener('click', () => {
		show(button, button.getAttribute('aria-pressed') === 'false');
	});
}

document.addEventListener('submit', (event) => {
	const form = event.target;
	if (form.method !== 'post') return;
	// The browser offers to store a password, and no text.
	for (const button of form.querySelectorAll('[data-show]')) show(button, false);
	if (form.dataset.sent) event.preventDefault();
	form.dataset.sent = 'true';
});

// A page that the browser restores from its cache accepts its form again.
addEventListener('pageshow', () => {
	for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

// A menu closes on a click elsewhere and on Escape.
const openMenus = () => [...document.querySelectorAll('details.menu[open]')];
document.addEventListener('click', ({ target }) => {
	for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', ({ key }) => {
	if (key !== 'Escape') return;
	for (const menu of openMenus()) {
		menu.open = false;
		menu.querySelector('summary').focus();
	}
});

// Ignores a second click while a form is being sent, shows passwords on request, and closes menus.
import { getAll } from '../dom.ts';

function showPassword(button: HTMLElement, shown: boolean) {
	const field = document.getElementById(button.dataset.show ?? '');
	if (field instanceof HTMLInputElement) field.type = shown ? 'text' : 'password';
	button.ariaPressed = String(shown);
}

export function startForms() {
	for (const button of getAll('[data-show]')) {
		button.hidden = false;
		button.addEventListener('click', () => showPassword(button, button.ariaPressed === 'false'));
	}
	document.addEventListener('submit', (event) => {
		const form = event.target;
		if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
		// So that the browser offers to save the password.
		for (const button of getAll('[data-show]', form)) showPassword(button, false);
		if (form.dataset.sent) event.preventDefault();
		form.dataset.sent = 'true';
	});
	// The form of a page that the browser restores from its cache can be sent again.
	addEventListener('pageshow', () => {
		for (const form of getAll('form[data-sent]')) delete form.dataset.sent;
	});
	startMenus();
}

/** A menu closes on a click elsewhere and on Escape. */
function startMenus() {
	const openMenus = () => getAll<HTMLDetailsElement>('details.menu[open]');
	document.addEventListener('click', ({ target }) => {
		for (const menu of openMenus()) menu.open = menu.contains(target as Node); // of a click
	});
	document.addEventListener('keydown', ({ key }) => {
		if (key !== 'Escape') return;
		for (const menu of openMenus()) {
			menu.open = false;
			menu.querySelector('summary')?.focus();
		}
	});
}

// Opens a question as a dialog where the link would lead to the page that asks it.
import { closest, create, get, parse } from '../dom.ts';

/** Shows it; the focus returns to what opened it. */
function openDialog(dialog: HTMLDialogElement, opener = document.activeElement) {
	dialog.addEventListener('close', () => {
		dialog.remove();
		if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
	});
	document.body.append(dialog);
	dialog.showModal();
}

/** Asks the question of another page. */
function openQuestion(question: Element, opener: Element) {
	const dialog = create('dialog', {}, ...question.childNodes);
	dialog.setAttribute('aria-labelledby', 'question');
	openDialog(dialog, opener);
	const cancel = get('[data-cancel]', dialog);
	cancel.addEventListener('click', (event) => {
		event.preventDefault();
		dialog.close();
	});
	cancel.focus();
}

async function followLink(link: HTMLAnchorElement) {
	const response = await fetch(link.href, { headers: { accept: 'text/html' } });
	const question = parse(await response.text()).querySelector('[data-confirm-question]');
	if (question) openQuestion(question, link);
	else location.assign(link.href);
}

export function openQuestions() {
	let opening = false;
	document.addEventListener('click', (event) => {
		const link = closest<HTMLAnchorElement>(event, 'a[data-confirm]');
		// A click that opens a new tab still shows the page.
		if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		if (opening) return;
		opening = true;
		followLink(link)
			.catch(() => location.assign(link.href))
			.finally(() => {
				opening = false;
			});
	});
}

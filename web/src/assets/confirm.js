// Opens a question as a dialog where the link would lead to the page that asks it.

let opening = false;

/** Asks the question of another page as a dialog; the focus returns to what opened it. */
export const openQuestion = (question, opener) => {
	const dialog = document.createElement('dialog');
	dialog.setAttribute('aria-labelledby', 'question');
	dialog.append(...question.childNodes);
	const cancel = dialog.querySelector('[data-cancel]');
	cancel.addEventListener('click', (event) => {
		event.preventDefault();
		dialog.close();
	});
	dialog.addEventListener('close', () => {
		dialog.remove();
		opener.focus();
	});
	document.body.append(dialog);
	dialog.showModal();
	cancel.focus();
};

const followLink = async (link) => {
	const response = await fetch(link.href, { headers: { accept: 'text/html' } });
	const page = new DOMParser().parseFromString(await response.text(), 'text/html');
	const question = page.querySelector('[data-confirm-question]');
	if (!question) return location.assign(link.href);
	openQuestion(question, link);
};

document.addEventListener('click', (event) => {
	const link = event.target.closest('a[data-confirm]');
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

// Asks in a dialog where the link would lead to a page that asks the same.

const build = ({ href, dataset }) => {
	const dialog = document.createElement('dialog');
	const heading = document.createElement('h2');
	const detail = document.createElement('p');
	const form = document.createElement('form');
	const yes = document.createElement('button');
	const no = document.createElement('button');
	heading.id = 'confirm-title';
	heading.textContent = dataset.confirm;
	detail.textContent = dataset.confirmDetail;
	detail.className = 'muted';
	form.method = 'post';
	form.action = href;
	form.className = 'actions';
	yes.className = 'button primary danger';
	yes.textContent = dataset.confirmAction;
	no.className = 'button';
	no.type = 'button';
	no.textContent = 'Cancel';
	no.addEventListener('click', () => dialog.close());
	form.append(yes, no);
	dialog.setAttribute('aria-labelledby', heading.id);
	dialog.append(heading, detail, form);
	dialog.addEventListener('close', () => dialog.remove());
	return dialog;
};

document.addEventListener('click', (event) => {
	const link = event.target.closest('a[data-confirm]');
	// Opening in a new tab still shows the page.
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	const dialog = build(link);
	document.body.append(dialog);
	dialog.showModal();
});

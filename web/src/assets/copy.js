// Copy buttons: copy the text of the element that the button names, and say so.

const select = (element) => {
	const range = document.createRange();
	range.selectNodeContents(element);
	getSelection()?.removeAllRanges();
	getSelection()?.addRange(range);
};

const copy = async (element) => {
	try {
		await navigator.clipboard.writeText(element.textContent);
		document.dispatchEvent(new CustomEvent('copied', { detail: element.textContent }));
		return true;
	} catch {
		// Plain http has no clipboard; the selected text can still be copied by hand.
		select(element);
		return false;
	}
};

document.addEventListener('click', async ({ target }) => {
	const button = target.closest('[data-copy]');
	const element = button && document.getElementById(button.dataset.copy);
	if (!element) return;
	button.textContent = (await copy(element)) ? 'Copied' : 'Selected';
	button.classList.add('copied');
	setTimeout(() => {
		button.textContent = 'Copy';
		button.classList.remove('copied');
	}, 2000);
});

/** Shows the buttons, which need this script. */
export const showCopyButtons = (root) => {
	for (const button of root.querySelectorAll('[data-copy]')) button.hidden = false;
};

showCopyButtons(document);

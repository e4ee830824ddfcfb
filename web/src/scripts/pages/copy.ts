// Copy buttons: each copies the text of the element that it names.
import { closest, getAll } from '../dom.ts';

const shownMilliseconds = 2_000;

async function copy(element: HTMLElement) {
	try {
		await navigator.clipboard.writeText(element.textContent);
		document.dispatchEvent(new CustomEvent('copied', { detail: element.textContent }));
		return true;
	} catch {
		// Plain http has no clipboard; the selected text can still be copied by hand.
		getSelection()?.selectAllChildren(element);
		return false;
	}
}

export function startCopying() {
	showCopyButtons();
	document.addEventListener('click', async (event) => {
		const button = closest(event, '[data-copy]');
		const element = document.getElementById(button?.dataset.copy ?? '');
		if (!button || !element) return;
		button.textContent = (await copy(element)) ? 'Copied' : 'Selected';
		setTimeout(() => {
			button.textContent = 'Copy';
		}, shownMilliseconds);
	});
}

/** Shows the buttons, which need the script. */
export function showCopyButtons() {
	for (const button of getAll('[data-copy]')) button.hidden = false;
}

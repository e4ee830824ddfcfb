// Firmware can be dropped anywhere on the page.
import { page, say } from '../page.js';
import { canFlash, startFlash } from './upload.js';

const target = page.querySelector('[data-drop]');

const hasFile = ({ dataTransfer }) => dataTransfer?.types.includes('Files');

/** Names the firmware that a new one replaces. */
const describe = () => {
	const last = [...page.querySelectorAll('[data-flashed].step-done')].at(-1);
	target.querySelector('[data-replaced]').textContent = last
		? `It replaces ${last.dataset.flashed}. `
		: '';
};

const show = (shown) => {
	if (shown && target.hidden) describe();
	target.hidden = !shown;
};

addEventListener('dragover', (event) => {
	if (!target || !hasFile(event)) return;
	// Otherwise the browser would leave the page and open the file.
	event.preventDefault();
	const possible = canFlash();
	event.dataTransfer.dropEffect = possible ? 'copy' : 'none';
	show(possible);
});

addEventListener('dragleave', ({ relatedTarget }) => {
	if (target && relatedTarget === null) show(false);
});

addEventListener('drop', (event) => {
	if (!target || !hasFile(event)) return;
	event.preventDefault();
	show(false);
	const { files } = event.dataTransfer;
	if (files.length > 1) say('Drop one file.', true);
	else if (canFlash()) startFlash(files[0]);
});

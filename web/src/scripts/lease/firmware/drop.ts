// Firmware can be dropped anywhere on the page.
import { page, say } from '../page.ts';
import type { Flashing } from './flash.ts';

/** `flashing` is undefined if the board cannot be flashed. */
export function offerDrop(flashing: Flashing) {
	const target = page.querySelector<HTMLElement>('[data-drop]');
	if (!target) return;
	const canFlash = () => flashing?.canFlash() ?? false;
	const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files');

	const show = (shown: boolean) => {
		target.hidden = !shown;
	};

	addEventListener('dragover', (event) => {
		if (!hasFile(event) || !event.dataTransfer) return;
		// Otherwise the browser would leave the page and open the file.
		event.preventDefault();
		event.dataTransfer.dropEffect = canFlash() ? 'copy' : 'none';
		show(canFlash());
	});
	addEventListener('dragleave', ({ relatedTarget }) => {
		if (relatedTarget === null) show(false);
	});
	addEventListener('drop', (event) => {
		if (!hasFile(event)) return;
		event.preventDefault();
		show(false);
		const [file, ...others] = event.dataTransfer?.files ?? [];
		if (others.length > 0) say('Drop one file.', true);
		else if (file && canFlash()) flashing?.startFlash(file);
	});
}

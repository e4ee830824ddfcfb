// Flashes a file of this computer now and whenever it changes, until the button is pressed again or the lease ends.
import { say } from '../page.js';

const pause = 1_000;
let watched;

const stateOf = ({ size, lastModified }) => `${size} ${lastModified}`;

/** The file, or undefined while a build has removed it. */
const read = (handle) =>
	handle.getFile().catch((error) => {
		if (error.name !== 'NotFoundError') throw error;
	});

/** Flashes what has not changed between two looks: before, it may still be written. */
const follow = async (handle, button, { canFlash, startFlash }) => {
	let seen;
	let flashed;
	while (watched === handle && button.isConnected) {
		const file = await read(handle);
		const state = file && stateOf(file);
		if (file && state === seen && state !== flashed && canFlash()) {
			flashed = state;
			await startFlash(file);
		}
		seen = state;
		await new Promise((resolve) => setTimeout(resolve, pause));
	}
};

export const toggleWatch = async (button, flashing) => {
	const show = (text) => {
		button.textContent = text;
		button.setAttribute('aria-pressed', watched !== undefined);
	};
	const off = button.dataset.watchFile;
	if (watched) {
		watched = undefined;
		return show(off);
	}
	// Rejected if no file is chosen.
	const [handle] = await window.showOpenFilePicker().catch(() => []);
	if (!handle) return;
	watched = handle;
	show(`Stop flashing ${handle.name} on change`);
	await follow(handle, button, flashing).catch(() =>
		say(`${handle.name} can no longer be read.`, true),
	);
	if (watched === handle) watched = undefined;
	if (!watched) show(off);
};

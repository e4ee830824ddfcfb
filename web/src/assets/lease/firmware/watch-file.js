// Flashes a file of this computer now and whenever it changes, until that is stopped or the lease ends.
import { page, say } from '../page.js';
import { describeOptions } from './options.js';

const pause = 1_000;
const strip = page.querySelector('[data-watching]');
let watched;

strip.querySelector('button').addEventListener('click', () => stop());

const stop = () => {
	watched = undefined;
	strip.hidden = true;
};

const stateOf = ({ size, lastModified }) => `${size} ${lastModified}`;

/** The file, or undefined while a build has removed it. */
const read = (handle) =>
	handle.getFile().catch((error) => {
		if (error.name !== 'NotFoundError') throw error;
	});

/** Flashes what has not changed between two looks: before, it may still be written. */
const follow = async (handle, options, { button, canFlash, startFlash }) => {
	let seen;
	let flashed;
	while (watched === handle && button.isConnected) {
		const file = await read(handle);
		const state = file && stateOf(file);
		if (file && state === seen && state !== flashed && canFlash()) {
			flashed = state;
			if (await startFlash(file, options)) {
				return say(`${handle.name} is no longer flashed on change.`);
			}
		}
		seen = state;
		await new Promise((resolve) => setTimeout(resolve, pause));
	}
};

const show = ({ name }, options) => {
	const text = [`Flashing ${name} on change`, ...describeOptions(options)].join(', ');
	const status = strip.querySelector('[role=status]');
	status.textContent = text;
	status.title = text;
	strip.hidden = false;
};

export const startWatch = async (button, { takeOptions, ...flashing }) => {
	// Rejected if no file is chosen.
	const [handle] = await window.showOpenFilePicker().catch(() => []);
	if (!handle) return;
	const options = takeOptions();
	watched = handle;
	show(handle, options);
	await follow(handle, options, { button, ...flashing }).catch(() =>
		say(`${handle.name} can no longer be read.`, true),
	);
	if (watched === handle) stop();
};

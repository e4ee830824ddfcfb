// Flashes a file of this computer now and whenever it changes, until that is stopped or the lease ends.
import { get } from '../../dom.ts';
import { page, say } from '../page.ts';
import type { Flashing } from './flash.ts';
import { describeOptions, type FirmwareOptions } from './options.ts';

const pauseMilliseconds = 1_000;

// TypeScript does not know it.
declare global {
	interface Window {
		showOpenFilePicker?: () => Promise<FileSystemFileHandle[]>;
	}
}

/** The file, or undefined while a build has removed it. */
async function read(handle: FileSystemFileHandle) {
	try {
		return await handle.getFile();
	} catch (error) {
		if (error instanceof DOMException && error.name === 'NotFoundError') return undefined;
		throw error;
	}
}

/** Offers it by a button. */
export function offerWatch(button: HTMLElement, flashing: Flashing) {
	const { canFlash, startFlash, takeOptions } = flashing;
	const strip = get('[data-watching]', page);
	let watched: FileSystemFileHandle | undefined;

	const stop = () => {
		watched = undefined;
		strip.hidden = true;
	};

	/** Flashes what has not changed between two looks: before, it may still be written. */
	const follow = async (handle: FileSystemFileHandle, options: FirmwareOptions) => {
		let seen: string | undefined;
		let flashed: string | undefined;
		while (watched === handle && button.isConnected) {
			const file = await read(handle);
			const state = file && `${file.size} ${file.lastModified}`;
			if (file && state === seen && state !== flashed && canFlash()) {
				flashed = state;
				if (await startFlash(file, options)) {
					return say(`${handle.name} is no longer flashed on change.`);
				}
			}
			seen = state;
			await new Promise<void>((resolve) => setTimeout(() => resolve(), pauseMilliseconds));
		}
	};

	get('button', strip).addEventListener('click', stop);
	button.hidden = !window.showOpenFilePicker;
	button.addEventListener('click', async () => {
		// Rejected if no file is chosen.
		const [handle] = (await window.showOpenFilePicker?.().catch(() => [])) ?? [];
		if (!handle) return;
		const options = takeOptions();
		watched = handle;
		const text = [`Flashing ${handle.name} on change`, ...describeOptions(options)].join(', ');
		Object.assign(get('[role=status]', strip), { textContent: text, title: text });
		strip.hidden = false;
		await follow(handle, options).catch(() => say(`${handle.name} can no longer be read.`, true));
		if (watched === handle) stop();
	});
}

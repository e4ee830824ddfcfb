// Flashes a file that is chosen or dropped: uploads it with its progress, and waits for the action.
import { unreachable } from '../../connection.js';
import { hideAlert, id, page, problem, say } from '../page.js';
import { finished } from '../steps.js';
import { fillOptions, noOptions, readOptions } from './options.js';

// Longer than what a slow connection holds back.
const stalledMilliseconds = 60_000;

/** Sends a part of a flash, which happens once however often it is sent with the same key. */
const post = (path, { body, type, key, onProgress }) =>
	new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		let stalled;
		const wait = () => {
			clearTimeout(stalled);
			stalled = setTimeout(() => request.abort(), stalledMilliseconds);
		};
		request.open('POST', `/v1/leases/${id}${path}`);
		request.setRequestHeader('content-type', type);
		request.setRequestHeader('idempotency-key', key);
		request.responseType = 'json';
		request.upload.addEventListener('progress', ({ loaded, total }) => {
			wait();
			onProgress?.((loaded / total) * 100);
		});
		request.addEventListener('load', () => {
			if (request.status < 300) return resolve(request.response);
			const { message, hint } = request.response?.error ?? { message: `Status ${request.status}` };
			reject(new Error([message, hint].filter(Boolean).join(' ')));
		});
		request.addEventListener('error', () => reject(new Error(unreachable)));
		request.addEventListener('abort', () => reject(new Error(unreachable)));
		request.addEventListener('loadend', () => clearTimeout(stalled));
		request.send(body);
		wait();
	});

/* The same choice is the same flash until its action has been accepted; only a response says so. */

let flashes = 0;
let chosen;

const keyOf = (form, file, details) => {
	const choice = JSON.stringify([file.name, file.size, file.lastModified, details]);
	if (choice !== chosen) flashes += 1;
	chosen = choice;
	return `web ${form.elements.token.value} ${flashes}`;
};

const form = page.querySelector('[data-upload]');
const button = form?.querySelector('[data-choose]');
const menu = form?.querySelector('details');
const refusal = form?.querySelector('[data-refusal]');

/** Shows in the button how far the flash is; without a word, that a file can be chosen. */
const showProgress = (word, percent) => {
	const text = word && (percent === undefined ? `${word}…` : `${word}, ${Math.floor(percent)} %`);
	button.querySelector('[data-flash-text]').textContent = text || 'Flash…';
	button.classList.toggle('busy', Boolean(word));
};

const uploadFile = ({ file, raw, key }) =>
	post(`/files${raw ? '?raw=true' : ''}`, {
		body: file,
		type: 'application/octet-stream',
		key: `${key} file`,
		onProgress: (percent) => showProgress('Uploading', percent),
	}).catch((error) => {
		throw error.message === unreachable ? error : new Error(`${file.name}: ${error.message}`);
	});

const flash = async (file, { raw, flash_offset }) => {
	if (problem) throw new Error(problem);
	const key = keyOf(form, file, [raw, flash_offset]);
	showProgress('Uploading', 0);
	say(`Uploading ${file.name}…`);
	const { id: file_id } = await uploadFile({ file, raw, key });
	showProgress('Flashing');
	say(`Flashing ${file.name}…`);
	const body = JSON.stringify({ action: 'flash', name: nameOf(file), file_id, flash_offset });
	const action = await post('/actions', { body, type: 'application/json', key });
	chosen = undefined;
	const step = await finished(action.id, (percent) => showProgress('Flashing', percent));
	if (step.matches('.step-failed')) {
		throw new Error(`${file.name} was not flashed. ${step.dataset.message ?? ''}`);
	}
	say(`${file.name} is on the board.`);
};

/** As the service accepts names. */
const nameOf = ({ name }) =>
	[...name.replace(/\p{Cc}/gu, '').trim()].slice(0, 200).join('') || undefined;

/** Puts a file that was not flashed into the menu, so that its button flashes this file. */
const putBack = (file, options) => {
	const held = new DataTransfer();
	held.items.add(file);
	form.elements.firmware.files = held.files;
	fillOptions(form.elements, options);
};

const showRefusal = (text) => {
	refusal.textContent = text;
	refusal.hidden = !text;
};

/** Says why a file was not flashed; in the menu if it has the remedy, and covers what is said elsewhere. */
const refuse = (message) => {
	const text = message.replace('pass raw=true', 'choose “Raw binary”');
	const isForMenu = text !== message;
	say(isForMenu ? '' : text, !isForMenu);
	if (isForMenu) {
		showRefusal(text);
		menu.open = true;
	}
	return isForMenu;
};

/** What was chosen in the menu, for one use. What a closed menu hides is discarded. */
const takeOptions = () => {
	const options = menu.open ? readOptions(form.elements) : noOptions;
	fillOptions(form.elements, noOptions);
	showRefusal('');
	menu.open = false;
	return options;
};

let flashing = false;

/** Flashes a file unless another one is being flashed. Returns whether the options have to change first. */
export const startFlash = async (file, given) => {
	if (!file) return false;
	if (flashing) {
		menu.open = false;
		say(`${file.name} was not flashed: another file is being flashed.`, true);
		return false;
	}
	flashing = true;
	const options = given ?? takeOptions();
	const mustChange = await flash(file, options).then(
		() => false,
		({ message }) => {
			putBack(file, options);
			return refuse(message);
		},
	);
	flashing = false;
	showProgress();
	return mustChange;
};

/** Whether a file can be flashed at the moment. */
export const canFlash = () => Boolean(form?.isConnected) && !flashing && !problem;

if (form) {
	const { firmware } = form.elements;
	button.hidden = false;
	button.addEventListener('click', (event) => {
		// The menu stays open with its options, and takes the file.
		if (menu.open) event.stopPropagation();
		// The same file can be chosen again.
		firmware.value = '';
		if (!flashing) firmware.click();
	});
	const watch = form.querySelector('[data-watch-file]');
	watch.hidden = !('showOpenFilePicker' in window);
	watch.addEventListener('click', async () =>
		(await import('./watch-file.js')).startWatch(watch, { canFlash, startFlash, takeOptions }),
	);
	firmware.addEventListener('change', () => {
		hideAlert();
		showRefusal('');
		// In the menu, something else may be set first.
		if (!menu.open) startFlash(firmware.files[0]);
	});
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		event.stopPropagation();
		startFlash(firmware.files[0]);
	});
}

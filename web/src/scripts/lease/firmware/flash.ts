// Flashes a file that is chosen or dropped, with its progress.
import type { ActionProgress } from 'board-access';
import { get } from '../../dom.ts';
import { unreachable } from '../../pages/connection.ts';
import { isError, leaseOfPage, loadClient, messageOf } from '../client.ts';
import { hideAlert, page, problem, say } from '../page.ts';

const noOptions = { raw: false, flashOffset: '' };

export type Flashing = ReturnType<typeof startFlashing>;

/** The name of a file, as the service accepts it. */
function nameOf({ name }: File) {
	return [...name.replace(/\p{Cc}/gu, '').trim()].slice(0, 200).join('') || undefined;
}

/** Starts the form of the firmware, if the page has one. */
export function startFlashing() {
	const form = page.querySelector<HTMLFormElement>('[data-upload]');
	if (!form) return undefined;
	const menu = get<HTMLDetailsElement>('details', form);
	const field = get<HTMLInputElement>('[type=file]', form);
	const raw = get<HTMLInputElement>('[name=raw]', form);
	const offset = get<HTMLInputElement>('[name=flash_offset]', form);
	const rejection = get('[data-rejection]', form);
	let flashing = false;

	/** Whether a file can be flashed now. */
	const canFlash = () => form.isConnected && !flashing && !problem;

	/** Shows the progress in the button; without a word, that a file can be chosen. */
	const showProgress = (word = '', percent: number | null = null) => {
		const text = percent === null ? `${word}…` : `${word}, ${Math.floor(percent)} %`;
		get('[data-flash-text]', form).textContent = word ? text : 'Flash…';
		get('[data-choose]', form).classList.toggle('busy', Boolean(word));
	};

	const flash = async (file: File, options: typeof noOptions) => {
		if (problem) throw new Error(problem);
		let step = '';
		const onProgress = (progress: ActionProgress) => {
			const word = progress.step === 'uploading' ? 'Uploading' : 'Flashing';
			showProgress(word, word === 'Uploading' ? 0 : progress.percent);
			if (word !== step) say(`${word} ${file.name}…`);
			step = word;
		};
		const { watchUpload } = await loadClient();
		watchUpload((percent) => showProgress('Uploading', percent));
		const lease = await leaseOfPage();
		const flashOffset = options.flashOffset || undefined;
		await lease.flash(file, { raw: options.raw, flashOffset, name: nameOf(file), onProgress });
		say(`${file.name} is on the board.`);
	};

	/** Says why a file was not flashed; in the menu if an option there helps. */
	const reject = (file: File, error: unknown) => {
		const message = messageOf(error).replace(/^firmware: /, '');
		const text = message.replace(/pass raw(: |=)true\.?$/, 'choose “Raw binary”.');
		const isOfFile =
			isError(error, 'InputError') || (message !== unreachable && message !== problem);
		const named = isOfFile ? `${file.name}: ${text}` : text;
		const failed = `${file.name} was not flashed. ${text}`;
		const isForMenu = text !== message;
		say(isForMenu ? '' : isError(error, 'ActionFailedError') ? failed : named, !isForMenu);
		if (isForMenu) showRejection(named);
	};

	const showRejection = (text: string) => {
		rejection.textContent = text;
		rejection.hidden = !text;
		if (text) menu.open = true;
	};

	/** Takes the options of the menu, for one flash. Those of a closed menu are discarded. */
	const takeOptions = () => {
		const chosen = { raw: raw.checked, flashOffset: offset.value.trim() };
		const options = menu.open ? chosen : noOptions;
		fillOptions(noOptions);
		showRejection('');
		menu.open = false;
		return options;
	};

	const fillOptions = (options: typeof noOptions) => {
		raw.checked = options.raw;
		offset.value = options.flashOffset;
	};

	/** Flashes a file unless another one is being flashed. */
	const startFlash = async (file: File) => {
		if (flashing) {
			menu.open = false;
			say(`${file.name} was not flashed: another file is being flashed.`, true);
			return;
		}
		flashing = true;
		// So that the button of the menu flashes this file again.
		const held = new DataTransfer();
		held.items.add(file);
		field.files = held.files;
		const options = takeOptions();
		try {
			await flash(file, options);
		} catch (error) {
			fillOptions(options);
			reject(file, error);
		} finally {
			flashing = false;
			if (form.isConnected) showProgress();
		}
	};

	const chosen = () => field.files?.[0];
	get('[data-choose]', form).addEventListener('click', (event) => {
		// An open menu stays open, and takes the file.
		if (menu.open) event.stopPropagation();
		// So that the same file can be chosen again.
		field.value = '';
		if (!flashing) field.click();
	});
	field.addEventListener('change', () => {
		hideAlert();
		showRejection('');
		const file = chosen();
		// In the menu, options may follow.
		if (file && !menu.open) startFlash(file);
	});
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		event.stopPropagation();
		const file = chosen();
		if (file) startFlash(file);
	});
	return { canFlash, startFlash };
}

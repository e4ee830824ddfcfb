// The choice of firmware while a lease waits, which its page flashes once the board is ready.
import { keep, readKept, take } from './lease/firmware/waiting.js';

const { lease: id } = document.querySelector('[data-lease]').dataset;
const card = document.querySelector('[data-waiting-firmware]');
const form = card.querySelector('form');
const chosen = card.querySelector('[data-chosen]');
const [name, size] = chosen.querySelectorAll('strong, span');

const describe = ({ file, raw, flash_offset }) =>
	[
		`${Math.ceil(file.size / 1024).toLocaleString('en')} KiB`,
		raw && 'raw binary',
		flash_offset && `at ${flash_offset}`,
	]
		.filter(Boolean)
		.join(', ');

const show = (choice) => {
	form.hidden = choice !== undefined;
	chosen.hidden = choice === undefined;
	name.textContent = choice?.file.name ?? '';
	size.textContent = choice ? describe(choice) : '';
};

const fail = () => {
	card.querySelector('[role=alert]').textContent = 'This browser cannot keep the file.';
};

form.addEventListener('submit', async (event) => {
	event.preventDefault();
	const { firmware, raw, flash_offset } = form.elements;
	const choice = {
		file: firmware.files[0],
		raw: raw.checked,
		flash_offset: flash_offset.value.trim() || undefined,
	};
	await keep(id, choice).then(() => show(choice), fail);
});

chosen.querySelector('button').addEventListener('click', () => {
	take(id).then(() => {
		show();
		form.elements.firmware.focus();
	}, fail);
});

readKept(id).then((choice) => {
	show(choice);
	card.hidden = false;
}, fail);

// The choice of firmware while a lease waits, which its page flashes once the board is ready.
import { describeOptions, readOptions } from './lease/firmware/options.js';
import { keep, readKept, take } from './lease/firmware/waiting.js';

const { lease: id } = document.querySelector('[data-lease]').dataset;
const card = document.querySelector('[data-waiting-firmware]');
const form = card.querySelector('form');
const chosen = card.querySelector('[data-chosen]');
const [name, size] = chosen.querySelectorAll('strong, span');

const describe = ({ file, ...options }) => {
	const size = `${Math.ceil(file.size / 1024).toLocaleString('en')} KiB`;
	return [size, ...describeOptions(options)].join(', ');
};

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
	const choice = { file: form.elements.firmware.files[0], ...readOptions(form.elements) };
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

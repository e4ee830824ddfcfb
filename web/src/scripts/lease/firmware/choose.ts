// The choice of firmware while a lease waits, which its page flashes once the board is ready.
import { get } from '../../dom.ts';
import { describeOptions, readOptions } from './options.ts';
import { type Choice, keep, readKept, take } from './waiting.ts';

function describe({ file, ...options }: Choice) {
	const size = `${Math.ceil(file.size / 1024).toLocaleString('en')} KiB`;
	return [size, ...describeOptions(options)].join(', ');
}

/** Offers it in its card, for the lease with this identifier. */
export function offerChoice(card: HTMLElement, id: string) {
	const form = get('form', card);
	const field = get<HTMLInputElement>('[name=firmware]', form);
	const chosen = get('[data-chosen]', card);

	const show = (choice?: Choice) => {
		form.hidden = choice !== undefined;
		chosen.hidden = choice === undefined;
		get('strong', chosen).textContent = choice?.file.name ?? '';
		get('span', chosen).textContent = choice ? describe(choice) : '';
	};

	const fail = () => {
		get('[role=alert]', card).textContent = 'This browser cannot keep the file.';
	};

	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		const file = field.files?.[0];
		if (!file) return;
		const choice = { file, ...readOptions(form) };
		await keep(id, choice).then(() => show(choice), fail);
	});
	get('button', chosen).addEventListener('click', () => {
		take(id).then(() => {
			show();
			field.focus();
		}, fail);
	});
	readKept(id).then((choice) => {
		show(choice);
		card.hidden = false;
	}, fail);
}

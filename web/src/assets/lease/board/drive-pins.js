// The button and the slider that drive the pins of the board. Without this script both are forms.
import { unreachable } from '../../connection.js';
import { id, say } from '../page.js';

// So that a short press is one for the firmware, too.
const paceMilliseconds = 120;
const wanted = new Map();
let sending = false;

const post = async (pin, volts) => {
	const response = await fetch(`/v1/leases/${id}/pins`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ pin, volts }),
	}).catch(() => undefined);
	if (response?.ok) return;
	const { error } = (await response?.json().catch(() => undefined)) ?? {};
	say(error?.message ?? unreachable, true);
};

/** Drives a pin by a voltage, or lets it go with null. What is newer replaces what is not sent yet. */
const drive = async (pin, volts) => {
	wanted.set(pin, volts);
	if (sending) return;
	sending = true;
	for (const [next, level] of wanted) {
		wanted.delete(next);
		await post(next, level);
		await new Promise((resolve) => setTimeout(resolve, paceMilliseconds));
	}
	sending = false;
};

const board = document.querySelector('[data-live-board]');
const button = board.querySelector('[data-pin-button]');
const press = board.querySelector('[data-press]');

/** The first pin with a pull-up is where a button is expected. */
export const chooseButton = (sample) => {
	const pulled = Object.entries(sample?.pins ?? {}).find(([, { mode }]) => mode === 'pull_up');
	if (pulled) button.elements.pin.value = pulled[0];
};

let pressed;

const setPressed = (isPressed) => {
	if (isPressed === (pressed !== undefined)) return;
	const pin = pressed ?? button.elements.pin.value;
	pressed = isPressed ? pin : undefined;
	press.classList.toggle('pressed', isPressed);
	drive(pin, isPressed ? 0 : null);
};

const isKey = ({ key }) => key === ' ' || key === 'Enter';

press.hidden = false;
press.addEventListener('pointerdown', () => setPressed(true));
press.addEventListener('keydown', (event) => isKey(event) && setPressed(true));
press.addEventListener('keyup', (event) => isKey(event) && setPressed(false));
for (const name of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) {
	press.addEventListener(name, () => setPressed(false));
}

const submitWith = (form, voltsOf) =>
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		event.stopPropagation();
		drive(form.elements.pin.value, voltsOf(event.submitter));
	});

submitWith(button, ({ value }) => (value === '' ? null : Number(value)));

const slider = board.querySelector('[data-pin-slider]');
slider.querySelector('button').hidden = true;
submitWith(slider, () => Number(slider.elements.volts.value));
slider.elements.volts.addEventListener('input', ({ target }) => {
	slider.querySelector('output').textContent = `${Number(target.value).toFixed(2)} V`;
	drive(slider.elements.pin.value, Number(target.value));
});

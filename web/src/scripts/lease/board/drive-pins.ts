// The button and the slider that drive the pins of the board.
import type { PinSample } from '../../../drawings/live-board.tsx';
import { get } from '../../dom.ts';
import { leaseOfPage, messageOf } from '../client.ts';
import { say } from '../page.ts';

// Long enough for the firmware to notice a short press.
const paceMilliseconds = 120;
const wanted = new Map<string, number | null>();
let sending = false;

/** Drives a pin with a voltage, or lets it go with null. A newer value replaces one that is not sent yet. */
async function drive(pin: string, volts: number | null) {
	wanted.set(pin, volts);
	if (sending) return;
	sending = true;
	for (const [next, level] of wanted) {
		wanted.delete(next);
		await leaseOfPage()
			.then((lease) => lease.drivePin(next, level))
			.catch((error) => say(messageOf(error), true));
		await new Promise<void>((resolve) => setTimeout(() => resolve(), paceMilliseconds));
	}
	sending = false;
}

/** Returns a function that takes the first sample. */
export function driveByHand(inputs: HTMLElement) {
	const buttonPin = get<HTMLSelectElement>('#button-pin', inputs);
	const press = get('[data-press]', inputs);
	let pressed: string | undefined;

	const setPressed = (isPressed: boolean) => {
		if (isPressed === (pressed !== undefined)) return;
		const pin = pressed ?? buttonPin.value;
		pressed = isPressed ? pin : undefined;
		press.classList.toggle('pressed', isPressed);
		drive(pin, isPressed ? 0 : null);
	};

	const onKey = (isPressed: boolean) => (event: Event) => {
		if (event instanceof KeyboardEvent && /^( |Enter)$/.test(event.key)) setPressed(isPressed);
	};

	press.addEventListener('pointerdown', () => setPressed(true));
	press.addEventListener('keydown', onKey(true));
	press.addEventListener('keyup', onKey(false));
	for (const name of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) {
		press.addEventListener(name, () => setPressed(false));
	}
	inputs.addEventListener('click', ({ target }) => {
		if (!(target instanceof HTMLButtonElement) || target.dataset.volts === undefined) return;
		const { volts } = target.dataset;
		drive(buttonPin.value, volts === '' ? null : Number(volts));
	});
	const slider = get<HTMLInputElement>('[name=volts]', inputs);
	slider.addEventListener('input', () => {
		const volts = Number(slider.value);
		get('output', inputs).textContent = `${volts.toFixed(2)} V`;
		drive(get<HTMLSelectElement>('#slider-pin', inputs).value, volts);
	});

	/** A button is usually on the first pin with a pull-up. */
	return (sample: PinSample) => {
		const pulled = Object.entries(sample.pins).find(([, { mode }]) => mode === 'pull_up');
		if (pulled) buttonPin.value = pulled[0];
	};
}

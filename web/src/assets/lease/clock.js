// Counts on what changes with time alone: the time that is left, the share of it, the cost, and now on the
// axis of the steps. Each counts from what the service sent, so the clock of the browser does not matter.
import { page } from './page.js';

const minute = 60_000;
const soon = 2 * minute;

let countedAt = 0;

const clockText = (milliseconds) => {
	const seconds = Math.max(0, Math.round(milliseconds / 1000));
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const tick = () => {
	const passed = performance.now() - countedAt;
	for (const time of page.querySelectorAll('[data-countdown]')) {
		time.textContent = clockText(Number(time.dataset.countdown) - passed);
	}
	const time = page.querySelector('.lease-facts [data-countdown]');
	if (time) {
		const left = Number(time.dataset.countdown) - passed;
		time.classList.toggle('soon', left < soon);
		page.querySelector('.lease-actions').classList.toggle('soon', left < soon);
		page.querySelector('.time-line').value = left;
	}
	for (const sum of page.querySelectorAll('[data-cost]')) {
		const { cost, used, held } = sum.dataset;
		const started = Math.max(0, Math.ceil((Number(used) + passed) / minute));
		sum.textContent = Math.min(Number(held), started * Number(cost));
	}
	for (const axis of page.querySelectorAll('.time-axis[data-now]')) {
		const { start, end, now } = axis.dataset;
		const share = (Number(now) + passed - Number(start)) / (Number(end) - Number(start));
		const at = `${Math.min(1, share) * 100}%`;
		axis.querySelector('.axis-used').setAttribute('x2', at);
		for (const name of ['x1', 'x2']) axis.querySelector('.axis-now').setAttribute(name, at);
	}
};

/** Counts from now on, because the service has sent new parts of the page. */
export const countFromNow = () => {
	countedAt = performance.now();
	tick();
};

tick();
setInterval(tick, 1000);

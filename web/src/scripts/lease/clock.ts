// Updates what changes with time alone: the time left, its share, and the cost. Each counts from what the
// service sent, so the browser's clock does not matter.
import { clockText, minute, soon } from '../../leases/workbench/time-left.ts';
import { get, getAll } from '../dom.ts';
import { page } from './page.ts';

let countedAt = 0;

function tick() {
	const passed = performance.now() - countedAt;
	for (const time of getAll('[data-countdown]', page)) {
		const left = Number(time.dataset.countdown) - passed;
		time.textContent = clockText(left);
		if (!time.closest('.lease-facts')) continue;
		time.classList.toggle('soon', left < soon);
		get('.lease-actions', page).classList.toggle('soon', left < soon);
		const line = get<SVGRectElement>('.time-line rect', page);
		const share = Math.max(0, left / Number(line.dataset.all));
		line.setAttribute('width', `${100 * Math.min(1, share)}%`);
	}
	for (const sum of getAll('[data-cost]', page)) {
		const { cost, used, held } = sum.dataset;
		const started = Math.max(0, Math.ceil((Number(used) + passed) / minute));
		sum.textContent = String(Math.min(Number(held), started * Number(cost)));
	}
}

/** Starts counting anew after the service has sent new parts of the page. */
export function countFromNow() {
	countedAt = performance.now();
	tick();
}

tick();
setInterval(tick, 1000);

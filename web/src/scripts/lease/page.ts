// What the scripts of the lease page share: the lease, messages, and whether the connection works.
import { closest, get, getAll } from '../dom.ts';
import { showProblem, unreachable } from '../pages/connection.ts';

const saidMilliseconds = 15_000;

export const page = get('[data-lease]');
export const { lease: id = '', leaseAccess: access } = page.dataset;

export function statusOf() {
	return page.dataset.leaseStatus;
}

const notice = get('[data-lease-notice]', page);
const alert = get('[data-lease-alert]', page);
let clearing: ReturnType<typeof setTimeout> | undefined;

/** Shows what was done beside the steps, or what failed above the console until it is dismissed. */
export function say(text: string, failed = false) {
	clearTimeout(clearing);
	notice.textContent = failed ? '' : text;
	get('span', alert).textContent = failed ? text : '';
	alert.hidden = !failed;
	const clear = () => {
		notice.textContent = '';
	};
	if (!failed) clearing = setTimeout(clear, saidMilliseconds);
}

export function hideAlert() {
	alert.hidden = true;
}

/** Why nothing can be sent at the moment; empty while the connection works. */
export let problem = '';

const actions = get('.lease-actions', page);

export function setProblem(text: string) {
	problem = text;
	const since = `Nothing was received since ${new Date().toLocaleTimeString()}.`;
	showProblem(problem, `${since} The lease goes on. What you type is not sent.`);
	page.classList.toggle('away', problem !== '');
	for (const control of getAll('button, summary', actions)) {
		control.ariaDisabled = String(problem !== '');
	}
	if (!problem && alert.textContent.includes(unreachable)) hideAlert();
}

get('button', alert).addEventListener('click', hideAlert);
actions.addEventListener(
	'click',
	(event) => {
		if (!closest(event, '[aria-disabled=true]')) return;
		event.preventDefault();
		event.stopPropagation();
	},
	true,
);

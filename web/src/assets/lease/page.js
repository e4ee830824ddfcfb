// What the scripts of the lease page share: the lease, what they say, and the problem of its connection.
import { showProblem, unreachable } from '../connection.js';

const saidMilliseconds = 15_000;

export const page = document.querySelector('[data-lease]');
export const { lease: id, leaseAccess: access } = page.dataset;
export const statusOf = () => page.dataset.leaseStatus;

const notice = page.querySelector('[data-lease-notice]');
const alert = page.querySelector('[data-lease-alert]');
let clearing;

/** Says what is done beside the steps, and what failed above the console, where it stays until it is dismissed. */
export const say = (text, failed = false) => {
	clearTimeout(clearing);
	notice.textContent = failed ? '' : text;
	alert.querySelector('span').textContent = failed ? text : '';
	alert.hidden = !failed;
	if (!failed) clearing = setTimeout(() => (notice.textContent = ''), saidMilliseconds);
};

/** Whether nothing else was said since. */
export const isSaid = (text) => notice.textContent === text;

export const hideAlert = () => {
	alert.hidden = true;
};

alert.querySelector('button').addEventListener('click', hideAlert);

/** Why nothing can be sent at the moment; empty while the connection works. */
export let problem = '';

const actions = page.querySelector('.lease-actions');

export const setProblem = (text) => {
	problem = text;
	const since = `Nothing was received since ${new Date().toLocaleTimeString()}.`;
	showProblem(problem, `${since} The lease goes on. What you type is not sent.`);
	page.classList.toggle('away', problem !== '');
	for (const control of actions.querySelectorAll('button, summary')) {
		control.setAttribute('aria-disabled', problem !== '');
	}
	if (!problem && alert.textContent.includes(unreachable)) hideAlert();
};

actions.addEventListener(
	'click',
	(event) => {
		if (!event.target.closest('[aria-disabled=true]')) return;
		event.preventDefault();
		event.stopPropagation();
	},
	true,
);

// Forms of the lease page are sent without leaving it, so that the console and what is typed stay.
import { openQuestion } from '../confirm.js';
import { unreachable } from '../connection.js';
import { id, isSaid, page, problem, say } from './page.js';
import { finished } from './steps.js';

const silentMilliseconds = 15_000;
const actionPaths = /\/(actions|flash-again|erase)$/;
const notPossible = 'That was not possible. Reload the page.';

const throwUnreachable = () => {
	throw new Error(unreachable);
};

const submitInPlace = async (form, submitter) => {
	if (problem) throw new Error(problem);
	const action = form.getAttribute('action');
	const response = await fetch(action, {
		method: 'POST',
		body: new URLSearchParams(new FormData(form, submitter)),
		headers: { accept: 'text/html', prefer: 'return=minimal' },
		signal: AbortSignal.timeout(silentMilliseconds),
	}).catch(throwUnreachable);
	const html = await response.text().catch(throwUnreachable);
	const next = new DOMParser().parseFromString(html, 'text/html');
	const question = next.querySelector('[data-confirm-question]');
	if (question) return openQuestion(question, submitter);
	// Any other page is an error or the log-in.
	if (!next.querySelector(`[data-lease="${id}"]`)) {
		throw new Error(response.status < 500 ? notPossible : unreachable);
	}
	const alert = next.querySelector('[role=alert]:not([hidden])');
	const done = next.querySelector('.notice:not([hidden])');
	// The next click is another request, unless the response was lost.
	const token = next.querySelector(`form[action="${action}"] [name=token]`);
	if (token && form.elements.token) form.elements.token.value = token.value;
	if (!alert && form.dataset.stay === 'clear') form.reset();
	const text = (alert ?? done)?.textContent.trim() ?? '';
	say(text, alert !== null);
	if (alert || !actionPaths.test(action)) return;
	const step = [...next.querySelectorAll('.steps > li')].at(-1);
	if (step) finished(step.id).then((ended) => sayEnd(ended, text));
};

/** In place of the sentence that the action was sent. */
const sayEnd = (step, sent) => {
	const title = step.querySelector('strong').textContent;
	if (step.matches('.step-failed')) say(`${title} failed. ${step.dataset.message}`, true);
	else if (isSaid(sent)) say(`${title} is done.`);
};

// Before the console takes it as Enter.
document.addEventListener(
	'keydown',
	(event) => {
		const { key, ctrlKey, shiftKey, altKey, repeat } = event;
		if (key !== 'Enter' || !ctrlKey || !shiftKey || altKey || repeat) return;
		event.preventDefault();
		event.stopPropagation();
		page.querySelector('button[form=flash-again]')?.form.requestSubmit();
	},
	true,
);

const staysHere = (form) =>
	form.matches('[data-stay], dialog form') && form.getAttribute('action').includes(id);

document.addEventListener(
	'submit',
	(event) => {
		const form = event.target;
		if (!staysHere(form)) return;
		event.preventDefault();
		event.stopPropagation();
		submitInPlace(form, event.submitter).catch((error) => say(error.message, true));
		form.closest('dialog')?.close();
		for (const menu of page.querySelectorAll('.lease-actions .menu')) menu.open = false;
	},
	true,
);

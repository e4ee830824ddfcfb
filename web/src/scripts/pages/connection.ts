// Says on an open page that the service cannot be reached, and when it is back.
import { get } from '../dom.ts';

const backMilliseconds = 10_000;

export const unreachable = 'The service cannot be reached.';

let hiding: ReturnType<typeof setTimeout> | undefined;

export function showProblem(problem: string, consequence = '') {
	const strip = get('[data-connection]');
	if (!problem && strip.hidden) return;
	clearTimeout(hiding);
	const hide = () => {
		strip.hidden = true;
	};
	if (!problem) hiding = setTimeout(hide, backMilliseconds);
	strip.hidden = false;
	strip.className = `connection ${problem ? 'alert' : 'notice'}`;
	strip.textContent = problem
		? `${problem} Trying again… ${consequence}`.trim()
		: 'The service is back.';
}

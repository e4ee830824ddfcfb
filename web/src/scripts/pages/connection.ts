// Says on an open page that the service cannot be reached, and when it is back.
import { get } from '../dom.ts';

// A page says within five seconds that the service is away.
const checkMilliseconds = 2_000;
const silentMilliseconds = 2_000;
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

async function isReachable() {
	const signal = AbortSignal.timeout(silentMilliseconds);
	const request: RequestInit = { method: 'HEAD', cache: 'no-store', signal };
	const response = await fetch('/healthz', request).catch(() => undefined);
	return response?.ok ?? false;
}

/** Checks while the page is visible, and calls a function when the service is away or back. */
export function watchService({ onAway, onBack }: Record<'onAway' | 'onBack', () => void>) {
	let away = false;
	const check = async () => {
		const reachable = document.visibilityState === 'visible' ? await isReachable() : !away;
		if (reachable === away) {
			away = !reachable;
			showProblem(away ? unreachable : '');
			(away ? onAway : onBack)();
		}
		setTimeout(check, checkMilliseconds);
	};
	check();
}

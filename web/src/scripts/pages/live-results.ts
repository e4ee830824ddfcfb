// Keeps a list up to date: filters it while the visitor types, and reads it again every few seconds. The
// address bar always has the address of the same list.
import { getAll, parse } from '../dom.ts';
import { showCopyButtons } from './copy.ts';
import { showLocalTimes } from './local-time.ts';

const retrySeconds = 5;
const typingMilliseconds = 200;

/** Replaces the parts that are shown by the parts of the same name in a new page. */
export function replaceResults(page: Document) {
	const shown = getAll('[data-live-results]');
	const focused = document.activeElement?.closest('[data-live-results] :is(a, input, button)');
	const same = focused?.id
		? `#${CSS.escape(focused.id)}`
		: `a[href="${focused?.getAttribute('href')}"]`;
	for (const old of shown) {
		const isNamedAlike = ({ dataset }: HTMLElement) =>
			dataset.liveResults === old.dataset.liveResults;
		const place = shown.filter(isNamedAlike).indexOf(old);
		const next = getAll('[data-live-results]', page).filter(isNamedAlike)[place];
		if (next) replaceResult(old, next);
	}
	const again = focused && document.querySelector<HTMLElement>(`[data-live-results] ${same}`);
	again?.focus();
	showCopyButtons();
	showLocalTimes();
}

/** Keeps what the visitor has opened, chosen or typed. */
function replaceResult(old: HTMLElement, next: HTMLElement) {
	const opened = getAll<HTMLDetailsElement>('details', old);
	for (const [number, details] of getAll<HTMLDetailsElement>('details', next).entries()) {
		details.open = opened[number]?.open ?? false;
	}
	const fields = ':is(form[method=post], .tabs) input[id]:not([type=file])';
	for (const { id, value, checked } of getAll<HTMLInputElement>(fields, old)) {
		const field = next.querySelector<HTMLInputElement>(`#${CSS.escape(id)}`);
		if (field) Object.assign(field, { value, checked });
	}
	old.replaceChildren(...next.childNodes);
}

export function startResults() {
	const root = document.querySelector<HTMLElement>('[data-live-filter]:not([data-lease])');
	if (!root) return;
	const form = root.querySelector<HTMLFormElement>('form[method=get]');
	const seconds = Number(root.dataset.liveSeconds ?? 0);
	let typing: ReturnType<typeof setTimeout> | undefined;
	let refreshing: ReturnType<typeof setTimeout> | undefined;
	let loading: AbortController | undefined;

	const load = async (address: string) => {
		loading?.abort();
		loading = new AbortController();
		const headers = { accept: 'text/html' };
		const signal = AbortSignal.any([loading.signal, AbortSignal.timeout(10_000)]);
		const response = await fetch(address, { signal, headers });
		const page = parse(await response.text());
		if (response.status === 429) {
			const wait = Number(response.headers.get('retry-after')) || retrySeconds;
			return tryLater(address, `Too many requests. Trying again in ${wait} seconds.`, wait);
		}
		if (response.status >= 500) {
			return tryLater(address, 'The service is unavailable. Trying again…', retrySeconds);
		}
		// For example the log-in page.
		if (!page.querySelector('[data-live-filter]')) return location.assign(address);
		replaceResults(page);
		history.replaceState(null, '', address);
		schedule();
	};

	const show = (address: string) => {
		clearTimeout(refreshing);
		load(address).catch((error) => {
			if (error.name === 'AbortError') return;
			tryLater(address, 'No connection. Trying again…', retrySeconds);
		});
	};

	/** Says beside the old results why there are no new ones, and tries again later. */
	const tryLater = (address: string, message: string, wait: number) => {
		for (const place of getAll('[data-live-message]', root)) {
			place.dataset.before ??= place.textContent;
			place.textContent = `${place.dataset.before}. ${message}`;
		}
		refreshing = setTimeout(() => show(address), wait * 1000);
	};

	const schedule = () => {
		clearTimeout(refreshing);
		if (seconds === 0) return;
		refreshing = setTimeout(() => {
			if (document.visibilityState === 'visible') show(location.href);
			else schedule();
		}, seconds * 1000);
	};

	form?.addEventListener('input', ({ target }) => {
		clearTimeout(typing);
		clearTimeout(refreshing);
		loading?.abort();
		const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
		const query = new URLSearchParams(fields.filter(([, value]) => value !== ''));
		const address = `${form.action}${query.size > 0 ? `?${query}` : ''}`;
		const isTyped = target instanceof HTMLInputElement && target.type === 'search';
		typing = setTimeout(() => show(address), isTyped ? typingMilliseconds : 0);
	});
	document.addEventListener('visibilitychange', () => {
		if (seconds > 0 && document.visibilityState === 'visible') show(location.href);
	});
	schedule();
}

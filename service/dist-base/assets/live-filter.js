// Filters while one types: fetches the page that the form would lead to and puts its results in.
import { showCopyButtons } from './copy.js';

const results = (root) => root.querySelectorAll('[data-live-filter] [data-live-results]');

const form = document.querySelector('[data-live-filter] form');
let waiting;
let loading;

const show = async (address) => {
	loading?.abort();
	loading = new AbortController();
	const answer = await fetch(address, { signal: loading.signal, headers: { accept: 'text/html' } });
	const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
	const fresh = results(page);
	// A log-in page, for example, has none: then the browser should really go there.
	if (fresh.length === 0) return location.assign(address);
	for (const [index, old] of results(document).entries()) {
		old.replaceChildren(...(fresh[index]?.childNodes ?? []));
	}
	showCopyButtons(document);
	history.replaceState(null, '', address);
};

const refresh = () => {
	const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
	const sort = new URLSearchParams(location.search).get('sort');
	if (sort) query.set('sort', sort);
	const address = `${form.action}${query.size > 0 ? `?${query}` : ''}`;
	show(address).catch((error) => {
		if (error.name !== 'AbortError') location.assign(address);
	});
};

form?.addEventListener('input', ({ target }) => {
	clearTimeout(waiting);
	waiting = setTimeout(refresh, target.type === 'search' ? 200 : 0);
});

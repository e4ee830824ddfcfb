// Finds text in the console. The search of xterm is loaded when it is first used.
import { page } from '../page.js';

const maxMatches = 1000;
const decorations = {
	matchBackground: '#6b5420',
	matchOverviewRuler: '#f0c060',
	activeMatchBackground: '#9c5a2c',
	activeMatchBorder: '#f0a070',
	activeMatchColorOverviewRuler: '#f0a070',
};

/** Returns a function that moves the focus to the search. */
export const offerFind = (terminal, onLeave) => {
	const field = page.querySelector('[data-find]');
	const count = page.querySelector('[data-find-count]');
	let search;

	const showCount = ({ resultIndex, resultCount }) => {
		const all = resultCount >= maxMatches ? `${maxMatches.toLocaleString()}+` : resultCount;
		if (!field.value) count.textContent = '';
		else if (resultCount === 0) count.textContent = 'None';
		else count.textContent = resultIndex < 0 ? all : `${resultIndex + 1} of ${all}`;
	};

	const load = async () => {
		const { SearchAddon } = await import('../../xterm-search.js');
		search = new SearchAddon({ highlightLimit: maxMatches });
		terminal.loadAddon(search);
		search.onDidChangeResults(showCount);
	};

	let loading;
	const find = async (direction) => {
		loading ??= load();
		await loading;
		if (!field.value) return leave();
		// From the end of the console, where it is read.
		if (!direction) terminal.clearSelection();
		search[direction ?? 'findPrevious'](field.value, { decorations });
	};

	const leave = () => {
		search?.clearDecorations();
		terminal.clearSelection();
		count.textContent = '';
	};

	field.addEventListener('input', () => find());
	field.addEventListener('keydown', (event) => {
		if (event.key === 'Enter') find(event.shiftKey ? 'findPrevious' : 'findNext');
		else if (event.key === 'Escape') {
			field.value = '';
			leave();
			onLeave();
		} else return;
		event.preventDefault();
	});

	const focus = () => {
		field.focus();
		field.select();
	};
	document.addEventListener('keydown', (event) => {
		if (!event.ctrlKey || !event.shiftKey || event.key.toLowerCase() !== 'f') return;
		event.preventDefault();
		focus();
	});
	return focus;
};

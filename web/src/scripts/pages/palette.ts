// The palette: jumps to pages, boards and own leases, and on a lease to its buttons, which it never presses.
import { create, getAll, parse } from '../dom.ts';
import { openDialog } from './confirm.ts';

const typingMilliseconds = 200;
const maxShown = 12;

interface Entry {
	kind: string;
	text: string;
	run: () => void;
}

/* What can be found */

function textOf(element: HTMLElement) {
	return (element.ariaLabel ?? element.textContent).trim().replace(/\s+/g, ' ');
}

function linkEntries(kind: string, selector: string, page: Document = document): Entry[] {
	return getAll<HTMLAnchorElement>(selector, page).map((link) => ({
		kind,
		text: textOf(link),
		run: () => location.assign(link.href),
	}));
}

/** Nothing on a board happens by a key alone: what is found gets the focus. */
function focusEntries(kind: string, selector: string): Entry[] {
	return getAll(selector)
		.filter((element) => element.checkVisibility())
		.map((element) => ({
			kind,
			text: element.matches('textarea') ? 'Console' : textOf(element),
			run: () => element.focus(),
		}));
}

/** The links of a list that the service has searched. */
async function linksOf(address: string, kind: string, signal?: AbortSignal) {
	const request = { headers: { accept: 'text/html' }, ...(signal && { signal }) };
	const response = await fetch(address, request);
	if (!response.ok || response.redirected) return [];
	return linkEntries(kind, 'main a.row-link', parse(await response.text()));
}

function matches(wanted: string) {
	const words = wanted.trim().toLowerCase().split(/\s+/);
	return ({ kind, text }: Entry) => {
		const name = `${kind} ${text}`.toLowerCase();
		return words.every((word) => name.includes(word));
	};
}

/* The dialog */

export function openPalette() {
	const fixed = [
		...focusEntries('Go to', '.xterm-helper-textarea'),
		...focusEntries('Go to button', '.lease-actions :is(button, summary)'),
		...linkEntries('Page', 'header :is(nav, .menu-body) a'),
		{ kind: 'Help', text: 'Keyboard shortcuts', run: showShortcuts },
	];
	const list = create('ul', { id: 'palette-list', role: 'listbox', ariaLabel: 'Results' });
	const input = create('input', {
		type: 'text',
		placeholder: 'Go to a page, board or lease…',
		role: 'combobox',
		autocomplete: 'off',
		spellcheck: false,
		maxLength: 200,
		ariaLabel: 'Go to',
		ariaExpanded: 'true',
		ariaAutoComplete: 'list',
	});
	input.setAttribute('aria-controls', list.id);
	const dialog = create('dialog', { className: 'palette', ariaLabel: 'Go to' }, input, list);
	let leases: Entry[] = [];
	let boards: Entry[] = [];
	let shown: Entry[] = [];
	let chosen = 0;
	let typing: ReturnType<typeof setTimeout> | undefined;
	let loading = new AbortController();

	const mark = () => {
		for (const [index, option] of [...list.children].entries()) {
			option.ariaSelected = String(index === chosen);
			if (index === chosen) option.scrollIntoView({ block: 'nearest' });
		}
		input.setAttribute('aria-activedescendant', list.children[chosen]?.id ?? '');
	};

	const render = () => {
		shown = [...fixed, ...leases].filter(matches(input.value)).concat(boards).slice(0, maxShown);
		chosen = Math.max(0, Math.min(chosen, shown.length - 1));
		const options = shown.map(({ kind, text }, index) => {
			const name = create('bdi', { textContent: text });
			const note = create('span', { className: 'muted small', textContent: ` ${kind}` });
			const option = create('li', { id: `palette-${index}`, role: 'option' }, name, note);
			option.addEventListener('click', () => run(index));
			return option;
		});
		const nothing = { role: 'option', className: 'muted', ariaDisabled: 'true' };
		list.replaceChildren(
			...(options.length > 0 ? options : [create('li', nothing, 'Nothing found')]),
		);
		mark();
	};

	const run = (index: number) => {
		if (!shown[index]) return;
		dialog.close();
		shown[index].run();
	};

	const search = async () => {
		const text = input.value.trim();
		loading.abort();
		loading = new AbortController();
		const address = `/boards?${new URLSearchParams({ q: text, size: '25' })}`;
		boards = text === '' ? [] : await linksOf(address, 'Board', loading.signal);
		render();
	};

	input.addEventListener('input', () => {
		chosen = 0;
		boards = [];
		render();
		clearTimeout(typing);
		typing = setTimeout(() => search().catch(() => {}), typingMilliseconds);
	});
	input.addEventListener('keydown', (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (step) {
			chosen = (chosen + step + shown.length) % Math.max(1, shown.length);
			mark();
		} else if (event.key === 'Enter') run(chosen);
		else return;
		event.preventDefault();
	});
	dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
	dialog.addEventListener('close', () => {
		clearTimeout(typing);
		loading.abort();
	});
	openDialog(dialog);
	render();
	if (!document.querySelector('.bar-account')) return;
	const showLeases = (found: Entry[]) => {
		leases = found;
		render();
	};
	linksOf('/leases', 'Lease').then(showLeases, () => {});
}

/* The list of shortcuts */

const shortcuts = [
	['Ctrl K', 'Go to a page, a board, a lease or a button'],
	['/', 'Go to the search of the page'],
	['?', 'Show this list'],
	['Ctrl Shift Enter', 'Flash the last firmware of the lease again'],
] as const;

export function showShortcuts() {
	const rows = shortcuts.flatMap(([keys, text]) => [
		create('dt', {}, create('kbd', { textContent: keys })),
		create('dd', { textContent: text }),
	]);
	const checked = localStorage.getItem('single-keys') !== 'off';
	const box = create('input', { type: 'checkbox', checked });
	box.addEventListener('change', () =>
		localStorage.setItem('single-keys', box.checked ? 'on' : 'off'),
	);
	const close = create('button', { className: 'button', textContent: 'Close', autofocus: true });
	const dialog = create(
		'dialog',
		{ ariaLabel: 'Keyboard shortcuts' },
		create('h1', { textContent: 'Keyboard shortcuts' }),
		create('dl', { className: 'facts' }, ...rows),
		create('p', { className: 'muted small' }, 'Not while you type in a field or in the console.'),
		create('label', { className: 'check' }, box, ' Use / and ? in this browser'),
		create('p', { className: 'actions' }, close),
	);
	close.addEventListener('click', () => dialog.close());
	openDialog(dialog);
}

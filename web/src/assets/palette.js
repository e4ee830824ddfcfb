// The palette: jumps to pages, boards and own leases, and on a lease to its buttons, which it never presses.

const typingMilliseconds = 200;
const maxShown = 12;

const make = (name, properties = {}, ...children) => {
	const element = Object.assign(document.createElement(name), properties);
	element.append(...children);
	return element;
};

const show = (dialog, label) => {
	const focused = document.activeElement;
	dialog.setAttribute('aria-label', label);
	dialog.addEventListener('close', () => {
		dialog.remove();
		if (document.activeElement === document.body) focused?.focus();
	});
	document.body.append(dialog);
	dialog.showModal();
};

/* What can be found */

const textOf = (element) => element.getAttribute('aria-label') ?? element.textContent.trim();

const linkEntry = (kind) => (link) => ({
	kind,
	text: textOf(link),
	run: () => location.assign(link.href),
});

const pages = () =>
	[...document.querySelectorAll('header :is(nav, .menu-body) a')].map(linkEntry('Page'));

/** Nothing on a board happens by a key alone: the button gets the focus. */
const buttons = () =>
	[...document.querySelectorAll('.lease-actions :is(button, summary)')]
		.filter((button) => button.checkVisibility())
		.map((button) => ({
			kind: 'Go to button',
			text: textOf(button).replace(/\s+/g, ' '),
			run: () => button.focus(),
		}));

const consoleEntry = () => {
	const terminal = document.querySelector('.xterm-helper-textarea');
	return terminal ? [{ kind: 'Go to', text: 'Console', run: () => terminal.focus() }] : [];
};

const help = { kind: 'Help', text: 'Keyboard shortcuts', run: () => showShortcuts() };

/** The links of a list that the service has searched. */
const linksOf = async (address, kind, signal) => {
	const response = await fetch(address, { signal, headers: { accept: 'text/html' } });
	if (!response.ok || response.redirected) return [];
	const page = new DOMParser().parseFromString(await response.text(), 'text/html');
	return [...page.querySelectorAll('main a.row-link')].map(linkEntry(kind));
};

const matches = (text) => (entry) => {
	const name = `${entry.kind} ${entry.text}`.toLowerCase();
	return text
		.toLowerCase()
		.split(/\s+/)
		.every((word) => name.includes(word));
};

/* The dialog */

export const openPalette = () => {
	const list = make('ul', { id: 'palette-list', role: 'listbox' });
	list.setAttribute('aria-label', 'Results');
	const input = make('input', { type: 'text', placeholder: 'Go to a page, board or lease…' });
	for (const [name, value] of Object.entries({
		role: 'combobox',
		autocomplete: 'off',
		spellcheck: 'false',
		maxlength: '200',
		'aria-label': 'Go to',
		'aria-expanded': 'true',
		'aria-controls': list.id,
		'aria-autocomplete': 'list',
	})) {
		input.setAttribute(name, value);
	}
	const dialog = make('dialog', { className: 'palette' }, input, list);
	const fixed = [...consoleEntry(), ...buttons(), ...pages(), help];
	let leases = [];
	let boards = [];
	let shown = [];
	let chosen = 0;
	let typing;
	let loading = new AbortController();

	const mark = () => {
		for (const [index, option] of [...list.children].entries()) {
			option.setAttribute('aria-selected', index === chosen);
			if (index === chosen) option.scrollIntoView({ block: 'nearest' });
		}
		input.setAttribute('aria-activedescendant', list.children[chosen]?.id ?? '');
	};

	const render = () => {
		const found = [...fixed, ...leases].filter(matches(input.value.trim()));
		shown = [...found, ...boards].slice(0, maxShown);
		chosen = Math.max(0, Math.min(chosen, shown.length - 1));
		const options = shown.map(({ kind, text }, index) => {
			const name = make('bdi', { textContent: text });
			const option = make('li', { id: `palette-${index}`, role: 'option' }, name);
			option.append(make('span', { className: 'muted small', textContent: ` ${kind}` }));
			option.addEventListener('click', () => run(index));
			return option;
		});
		list.replaceChildren(...options);
		if (options.length === 0) {
			const nothing = make('li', {
				role: 'option',
				className: 'muted',
				textContent: 'Nothing found',
			});
			nothing.setAttribute('aria-disabled', 'true');
			list.append(nothing);
		}
		mark();
	};

	const run = (index) => {
		const entry = shown[index];
		if (!entry) return;
		dialog.close();
		entry.run();
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
	show(dialog, 'Go to');
	render();
	if (document.querySelector('.bar-account')) {
		linksOf('/leases', 'Lease', undefined)
			.then((found) => {
				leases = found;
				render();
			})
			.catch(() => {});
	}
};

/* The list of shortcuts */

const shortcuts = [
	['Ctrl K', 'Go to a page, a board, a lease or a button'],
	['/', 'Go to the search of the page'],
	['?', 'Show this list'],
	['Ctrl Shift Enter', 'Flash the last firmware of the lease again'],
];

export const showShortcuts = () => {
	const rows = shortcuts.flatMap(([keys, text]) => [
		make('dt', {}, make('kbd', { textContent: keys })),
		make('dd', { textContent: text }),
	]);
	const box = make('input', {
		type: 'checkbox',
		checked: localStorage.getItem('single-keys') !== 'off',
	});
	box.addEventListener('change', () =>
		localStorage.setItem('single-keys', box.checked ? 'on' : 'off'),
	);
	const label = make('label', { className: 'check' }, box, ' Use / and ? in this browser');
	const close = make('button', { className: 'button', textContent: 'Close', autofocus: true });
	const dialog = make(
		'dialog',
		{},
		make('h1', { textContent: 'Keyboard shortcuts' }),
		make('dl', { className: 'facts' }, ...rows),
		make('p', {
			className: 'muted small',
			textContent: 'Not while you type in a field or in the console.',
		}),
		label,
		make('p', { className: 'actions' }, close),
	);
	close.addEventListener('click', () => dialog.close());
	show(dialog, 'Keyboard shortcuts');
};

// Ctrl K opens the palette, / goes to the search, ? lists the shortcuts. What they show loads with its first use.

const isTyping = ({ target }) =>
	target instanceof Element &&
	target.closest('input, textarea, select, [contenteditable], .xterm') !== null;

/** Speech input can type single keys by mistake, so they can be turned off. */
const singleKeys = () => localStorage.getItem('single-keys') !== 'off';

const actionOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }) => {
	if (altKey) return undefined;
	if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey ? 'palette' : undefined;
	if (!singleKeys()) return undefined;
	return { '/': 'search', '?': 'help' }[key];
};

const actions = {
	palette: async () => (await import('./palette.js')).openPalette(),
	help: async () => (await import('./palette.js')).showShortcuts(),
	search: () => document.querySelector('main input[type=search]')?.focus(),
};

document.addEventListener('keydown', (event) => {
	if (event.defaultPrevented || event.repeat || isTyping(event)) return;
	const action = actionOf(event);
	if (!action || document.querySelector('dialog[open]')) return;
	event.preventDefault();
	actions[action]();
});

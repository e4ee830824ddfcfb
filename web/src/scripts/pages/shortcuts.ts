// Ctrl K opens the palette, / goes to the search, ? lists the shortcuts.
import { openPalette, showShortcuts } from './palette.ts';

const typing = 'input, textarea, select, [contenteditable], .xterm';

const actions = {
	palette: openPalette,
	help: showShortcuts,
	search: () => document.querySelector<HTMLElement>('main input[type=search]')?.focus(),
};

function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
	if (altKey) return undefined;
	if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey ? 'palette' : undefined;
	// Speech input can type single keys by mistake, so they can be turned off.
	if (localStorage.getItem('single-keys') === 'off') return undefined;
	return ({ '/': 'search', '?': 'help' } as const)[key];
}

export function startShortcuts() {
	document.addEventListener('keydown', (event) => {
		const isTyping = event.target instanceof Element && event.target.closest(typing);
		if (event.defaultPrevented || event.repeat || isTyping) return;
		const action = actionOf(event);
		if (!action || document.querySelector('dialog[open]')) return;
		event.preventDefault();
		actions[action]();
	});
}

// The terminal of the lease page, adapted to its Content-Security-Policy, in readable colors. Loaded after
// what is needed for typing.
import { FitAddon } from '@xterm/addon-fit';
import { type ITerminalOptions, Terminal } from '@xterm/xterm';
import css from '@xterm/xterm/css/xterm.css';
import { addStyle } from './dom.ts';

// The policy forbids style elements and style attributes that come from text. The text of style
// elements is put into constructed stylesheets, and that of attributes is set as properties.
const create = Document.prototype.createElement.bind(document);

function createElement(name: string, options?: ElementCreationOptions) {
	if (name !== 'style') return create(name, options);
	const element = create('span');
	const sheet = addStyle('');
	element.hidden = true;
	Object.defineProperty(element, 'textContent', { set: (text) => sheet.replaceSync(text) });
	return element;
}

// The spans of rows are created without the override.
HTMLSpanElement.prototype.setAttribute = function (name: string, value: string) {
	if (name === 'style') this.style.cssText = value;
	else Element.prototype.setAttribute.call(this, name, value);
};

const documentOverride = new Proxy(document, {
	get(target, name) {
		if (name === 'createElement') return createElement;
		const value = Reflect.get(target, name, target);
		return typeof value === 'function' ? value.bind(target) : value;
	},
	set: (target, name, value) => Reflect.set(target, name, value),
});

// Each has a contrast of 4.5:1 on the background, except black, which is a background itself.
const theme = {
	background: '#16181a',
	foreground: '#f4f2ef',
	cursor: '#f0a070',
	selectionBackground: '#4a5058',
	black: '#2e3338',
	red: '#ff8a80',
	green: '#6fd48b',
	yellow: '#f0c060',
	blue: '#8cbcff',
	magenta: '#e0a0f0',
	cyan: '#6fd0d8',
	white: '#d8d6d3',
	brightBlack: '#9aa1a9',
	brightRed: '#ffb0a8',
	brightGreen: '#95e6ab',
	brightYellow: '#ffd98a',
	brightBlue: '#b0d0ff',
	brightMagenta: '#f0c0ff',
	brightCyan: '#98e4ea',
	brightWhite: '#ffffff',
};

/** Opens a terminal in an element. It fits itself to the element only when `fit` is called. */
export function openTerminal(place: HTMLElement, options: ITerminalOptions) {
	addStyle(css);
	const terminal = new Terminal({
		...options,
		// Decorations of lines: marks, and matches of a search.
		allowProposedApi: true,
		documentOverride,
		cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
		fontFamily: getComputedStyle(place).fontFamily,
		fontSize: 13,
		lineHeight: 1.25,
		// For the colors that firmware chooses beyond the theme.
		minimumContrastRatio: 4.5,
		scrollback: 10_000,
		theme,
	});
	const fit = new FitAddon();
	terminal.loadAddon(fit);
	// One part of xterm 6 ignores the override and uses the global document.
	Object.assign(document, { createElement });
	terminal.open(place);
	Reflect.deleteProperty(document, 'createElement');
	fit.fit();
	return { terminal, fit: () => fit.fit() };
}

export type OpenTerminal = typeof openTerminal;

// The tools above the console: time stamps, line ending, clear, copy.

import { page, say } from '../page.js';
import { saveSetting, settings } from './settings.js';

const tool = (name) => page.querySelector(`[data-${name}]`);

/** A button that is on or off, and stays so in this browser. */
const toggle = (name, setting, onChange) => {
	const button = tool(name);
	const show = () => {
		button.setAttribute('aria-pressed', settings[setting]);
		onChange?.(settings[setting]);
	};
	button.addEventListener('click', () => {
		saveSetting({ [setting]: !settings[setting] });
		show();
	});
	show();
};

// Without a secure context, a browser copies only what is selected.
const copySelected = (text) => {
	const area = document.createElement('textarea');
	area.value = text;
	document.body.append(area);
	area.select();
	document.execCommand('copy');
	area.remove();
};

const copy = async (text) => {
	if (navigator.clipboard) await navigator.clipboard.writeText(text);
	else copySelected(text);
	say('The console is copied.');
};

export const startTools = (view, { onChange }) => {
	toggle('stamps', 'stamps', view.setStamps);
	toggle('echo', 'echo');
	toggle('echo-keys', 'echoKeys');
	const ending = tool('ending');
	ending.value = { '\n': 'lf', '\r': 'cr', '\r\n': 'crlf' }[settings.ending];
	ending.addEventListener('change', () => {
		saveSetting({ ending: { lf: '\n', cr: '\r', crlf: '\r\n' }[ending.value] });
		onChange();
	});
	for (const button of page.querySelectorAll('[data-clear]')) {
		button.addEventListener('click', view.clear);
	}
	tool('copy-all').addEventListener('click', () =>
		copy(view.text()).catch(() => say('The browser does not allow to copy.', true)),
	);
	const menu = tool('console-more');
	menu.addEventListener('click', ({ target }) => {
		if (target.closest('.menu-body button:not([aria-pressed])')) menu.open = false;
	});
	for (const element of page.querySelectorAll('[data-console-tools]')) element.hidden = false;
};

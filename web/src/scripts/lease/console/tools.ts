// The tools above the console: time stamps, line ending, clear, copy.
import { closest, create, get, getAll } from '../../dom.ts';
import { page, say } from '../page.ts';
import { type Ending, saveSetting, settings } from './settings.ts';
import type { Console } from './view.ts';

const endings: Record<string, Ending> = { lf: '\n', cr: '\r', crlf: '\r\n' };

type Flag = 'stamps' | 'echo' | 'echoKeys';

/** A button that is on or off, and stays so in this browser. */
function toggle(selector: string, setting: Flag, onChange?: (on: boolean) => void) {
	const button = get(selector, page);
	const show = () => {
		button.ariaPressed = String(settings[setting]);
		onChange?.(settings[setting]);
	};
	button.addEventListener('click', () => {
		saveSetting({ [setting]: !settings[setting] });
		show();
	});
	show();
}

async function copy(text: string) {
	if (navigator.clipboard) return navigator.clipboard.writeText(text);
	// Without a secure context, a browser copies only what is selected.
	const area = create('textarea', { value: text });
	document.body.append(area);
	area.select();
	document.execCommand('copy');
	area.remove();
}

export function startTools(view: Console, onChange: () => void) {
	toggle('[data-stamps]', 'stamps', view.setStamps);
	toggle('[data-echo]', 'echo');
	toggle('[data-echo-keys]', 'echoKeys');
	const ending = get<HTMLSelectElement>('[data-ending]', page);
	ending.value = Object.keys(endings).find((name) => endings[name] === settings.ending) ?? '';
	ending.addEventListener('change', () => {
		saveSetting({ ending: endings[ending.value] ?? '\r' });
		onChange();
	});
	for (const button of getAll('[data-clear]', page)) button.addEventListener('click', view.clear);
	get('[data-copy-all]', page).addEventListener('click', () =>
		copy(view.text()).then(
			() => say('The console is copied.'),
			() => say('The browser does not allow to copy.', true),
		),
	);
	const menu = get<HTMLDetailsElement>('[data-console-more]', page);
	menu.addEventListener('click', (event) => {
		if (closest(event, '.menu-body button:not([aria-pressed])')) menu.open = false;
	});
	for (const element of getAll('[data-console-tools]', page)) element.hidden = false;
}

// The tools above the console: time stamps, line ending, clear.
import { get, getAll } from '../../dom.ts';
import { page } from '../page.ts';
import { type Ending, saveSetting, settings } from './settings.ts';
import type { Console } from './view.ts';

const endings: Record<string, Ending> = { lf: '\n', cr: '\r', crlf: '\r\n' };

export function startTools(view: Console, onChange: () => void) {
	const stamps = get('[data-stamps]', page);
	const showStamps = () => {
		stamps.ariaPressed = String(settings.stamps);
		view.setStamps(settings.stamps);
	};
	stamps.addEventListener('click', () => {
		saveSetting({ stamps: !settings.stamps });
		showStamps();
	});
	showStamps();
	const ending = get<HTMLSelectElement>('[data-ending]', page);
	ending.value = Object.keys(endings).find((name) => endings[name] === settings.ending) ?? '';
	ending.addEventListener('change', () => {
		saveSetting({ ending: endings[ending.value] ?? '\r' });
		onChange();
	});
	get('[data-clear]', page).addEventListener('click', view.clear);
	for (const element of getAll('[data-console-tools]', page)) element.hidden = false;
}

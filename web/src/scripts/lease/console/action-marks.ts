// The words of the marks that actions leave in the console.
import type { Marks } from '../../../leases/stream.ts';
import { secondsText } from '../../../leases/workbench/time-left.ts';

// Paths of icons in a 24 × 24 square.
const icons: Record<string, string> = {
	flash: 'M13 3L5 13.5h6L10.5 21 19 10.5h-6z',
	erase: 'M4 20h16M8 16l-3-3 9-9 5 5-7 7z',
	reset: 'M6.5 8A7.5 7.5 0 1 1 4.5 13M4.5 4v4.5H9',
	power: 'M12 4v8M7.5 7a7 7 0 1 0 9 0',
	release: 'M9 4H5v16h4M10 12h10M16 8l4 4-4 4',
	failed: 'M6 6l12 12M18 6L6 18',
};

const words: Record<string, readonly [running: string, done: string, failed: string]> = {
	flash: ['Flashing', 'Flashed', 'Not flashed'],
	erase: ['Erasing the flash', 'Flash erased', 'Flash not erased'],
	reset: ['Resetting', 'Reset', 'Not reset'],
	power_on: ['Switching the power on', 'Power on', 'Power not switched on'],
	power_off: ['Switching the power off', 'Power off', 'Power not switched off'],
	power_cycle: ['Power cycling', 'Power cycled', 'Not power cycled'],
};

type LeaseAction = Marks['actions'][number];

export interface Mark {
	id: string;
	text: string;
	time: number;
	/** Where its output begins; null where that is not known. */
	offset: number | null;
	/** Only marks of actions have it. */
	action?: { status: string; icon: string; name: string; detail: string };
}

// The other actions are too short for it.
function duration({ action, started_at, ended_at }: LeaseAction) {
	if (!/flash|erase/.test(action) || !ended_at) return '';
	return secondsText(Date.parse(ended_at) - Date.parse(started_at));
}

function detailOf(action: LeaseAction) {
	const { status, message, progress } = action;
	const [line = ''] = message.split('\n', 1);
	if (status === 'running') return progress === null ? '' : `, ${progress} %`;
	const words = line && `: ${line}`;
	const time = status === 'failed' ? '' : duration(action);
	return words + (time && ` in ${time}`);
}

function markOf(action: LeaseAction): Mark {
	const { id, action: kind, name, status, console_offset, requested_by: who } = action;
	const [running, done, failed] = words[kind] ?? [kind, kind, kind];
	const text = { queued: running, running, done, failed }[status];
	const icon = icons[status === 'failed' ? 'failed' : kind] ?? icons.power ?? '';
	const detail = (who ? ` by ${who}` : '') + detailOf(action);
	return {
		id,
		text: name ? `${text} ` : text,
		time: Date.parse(action.ended_at ?? action.started_at),
		// A failed action does not say where its output begins.
		offset: status === 'done' ? console_offset : null,
		action: { status, icon, name: name ?? '', detail },
	};
}

/** The marks of the actions that have begun; of the preparation, only those that failed. */
export function marksOf(actions: Marks['actions']) {
	return actions
		.filter(({ status, phase }) => status !== 'queued' && (phase === 'use' || status === 'failed'))
		.map(markOf);
}

/** The mark at the end of a lease. */
export function endMark(end: NonNullable<Marks['end']>): Mark {
	const [status, icon] =
		end.end_reason === 'released' ? ['done', icons.release] : ['failed', icons.failed];
	return {
		id: 'end',
		text: end.text.replace(/\.$/, ''),
		time: Date.parse(end.ended_at),
		offset: null,
		action: { status: status ?? '', icon: icon ?? '', name: '', detail: '' },
	};
}

// The words of the marks that actions leave in the console.

// Paths of icons in a square of 24.
const icons = {
	flash: 'M13 3L5 13.5h6L10.5 21 19 10.5h-6z',
	erase: 'M4 20h16M8 16l-3-3 9-9 5 5-7 7z',
	reset: 'M6.5 8A7.5 7.5 0 1 1 4.5 13M4.5 4v4.5H9',
	power: 'M12 4v8M7.5 7a7 7 0 1 0 9 0',
	release: 'M9 4H5v16h4M10 12h10M16 8l4 4-4 4',
	failed: 'M6 6l12 12M18 6L6 18',
};

const words = {
	flash: ['Flashing', 'Flashed', 'Not flashed'],
	erase: ['Erasing the flash', 'Flash erased', 'Flash not erased'],
	reset: ['Resetting', 'Reset', 'Not reset'],
	power_on: ['Switching the power on', 'Power on', 'Power not switched on'],
	power_off: ['Switching the power off', 'Power off', 'Power not switched off'],
	power_cycle: ['Power cycling', 'Power cycled', 'Not power cycled'],
};

const iconOf = (kind) => icons[kind] ?? icons.power;

// The others take no time worth naming.
const duration = ({ action, started_at, ended_at }) => {
	if (!/flash|erase/.test(action) || !started_at || !ended_at) return '';
	const milliseconds = Date.parse(ended_at) - Date.parse(started_at);
	return milliseconds < 100 ? 'under 0.1 s' : `${(milliseconds / 1000).toFixed(1)} s`;
};

const detailOf = (action) => {
	const { status, message, progress } = action;
	const [line] = (message ?? '').split('\n', 1);
	if (status === 'running') return progress === null ? '' : `, ${progress} %`;
	if (status === 'failed') return line && `: ${line}`;
	const time = duration(action);
	return (line && `: ${line}`) + (time && ` in ${time}`);
};

const markOf = (action) => {
	const { id, action: kind, name, status, console_offset: offset, requested_by: who } = action;
	const [running, done, failed] = words[kind];
	const text = { running, done, failed }[status];
	const time = Date.parse(action.ended_at ?? action.started_at ?? action.created_at);
	return {
		id,
		kind: 'action',
		status,
		icon: status === 'failed' ? icons.failed : iconOf(kind),
		text: name ? `${text} ` : text,
		name,
		detail: (who ? ` by ${who}` : '') + detailOf(action),
		time,
		// An action that failed says not where its output begins.
		offset: status === 'done' ? offset : null,
	};
};

/** The marks of the actions that have begun; of the preparation, only what was not done. */
export const marksOf = (actions) =>
	actions
		.filter(({ status, phase }) => status !== 'queued' && (phase === 'use' || status === 'failed'))
		.map(markOf);

/** The mark at the end of a lease. */
export const endMark = ({ end_reason, ended_at, text }) => ({
	id: 'end',
	kind: 'action',
	status: end_reason === 'released' ? 'done' : 'failed',
	icon: end_reason === 'released' ? icons.release : icons.failed,
	text: text.replace(/\.$/, ''),
	time: Date.parse(ended_at),
	offset: null,
});

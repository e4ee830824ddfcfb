// Timestamps as people read them on a terminal.

const units = [
	['year', 31_557_600],
	['month', 2_629_800],
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1],
] as const;

const format = new Intl.RelativeTimeFormat('en', { style: 'narrow' });

/**
 * `3d ago`, `in 2h`; text that is not a timestamp stays as it is. `left` says how far off it is where the service
 * says so, because the clock of this machine may be wrong.
 */
export function age(timestamp: string | null | undefined, left?: number | null) {
	const seconds = Math.round((left ?? Date.parse(timestamp ?? '') - Date.now()) / 1000);
	if (Number.isNaN(seconds)) return timestamp ?? '';
	const [unit, size] = units.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
	return format.format(Math.trunc(seconds / size), unit);
}

// How times of a lease are shown, by the service and by the script of the page.

export const minute = 60_000;

/** With less than this left, the time is red, and renewing is the primary action. */
export const soon = 2 * minute;

export function clockText(milliseconds: number) {
	const seconds = Math.max(0, Math.round(milliseconds / 1000));
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function secondsText(milliseconds: number) {
	return milliseconds < 100 ? 'under 0.1 s' : `${(milliseconds / 1000).toFixed(1)} s`;
}

// Shows clock times in the time zone of the visitor.
import { getAll } from '../dom.ts';

const halfDay = 12 * 60 * 60 * 1000;

/** Formats dates. The formatter is created once, because that takes milliseconds. */
function formatter(options: Intl.DateTimeFormatOptions) {
	let format: Intl.DateTimeFormat | undefined;
	return (date: Date) => {
		format ??= new Intl.DateTimeFormat([], options);
		return format.format(date);
	};
}

const seconds = formatter({ hour: 'numeric', minute: 'numeric', second: 'numeric' });
const clock = formatter({ hour: '2-digit', minute: '2-digit' });
const day = formatter({ day: 'numeric', month: 'short' });

function withDate(date: Date) {
	const isNear = Math.abs(date.getTime() - Date.now()) < halfDay;
	return isNear ? clock(date) : `${day(date)}, ${clock(date)}`;
}

export function showLocalTimes() {
	for (const time of getAll<HTMLTimeElement>('time[data-clock]')) {
		const date = new Date(time.dateTime);
		time.textContent = time.dataset.clock === 'minutes' ? withDate(date) : seconds(date);
	}
	for (const zone of getAll('[data-utc]')) zone.hidden = true;
}

// Shows clock times in the time zone of the visitor.

const halfDay = 12 * 60 * 60 * 1000;
const minutes = { hour: '2-digit', minute: '2-digit' };

/** Formats dates. What does so is made once, because that takes milliseconds. */
const formatter = (options) => {
	let format;
	return (date) => {
		format ??= new Intl.DateTimeFormat([], options);
		return format.format(date);
	};
};

const seconds = formatter({ hour: 'numeric', minute: 'numeric', second: 'numeric' });
const clock = formatter(minutes);
const wholeHour = formatter({ hour: 'numeric' });
const day = formatter({ day: 'numeric', month: 'short' });

const withDate = (date) => {
	if (Math.abs(date - Date.now()) < halfDay) return clock(date);
	return `${day(date)}, ${clock(date)}`;
};

/** As narrow as the labels of an axis have to be. */
const hourOf = (date) => {
	const time = clock(date);
	return time.length <= 5 || date.getMinutes() > 0 ? time : wholeHour(date);
};

export const showLocalTimes = (root) => {
	for (const time of root.querySelectorAll('time[data-clock]')) {
		const date = new Date(time.dateTime);
		time.textContent = time.dataset.clock === 'minutes' ? withDate(date) : seconds(date);
	}
	// The hours of a timeline.
	for (const label of root.querySelectorAll('[data-at]')) {
		label.textContent = hourOf(new Date(label.dataset.at));
	}
	for (const zone of root.querySelectorAll('[data-utc]')) zone.hidden = true;
};

showLocalTimes(document);

// Shows clock times in the time zone of the visitor.

const halfDay = 12 * 60 * 60 * 1000;
const minutes = { hour: '2-digit', minute: '2-digit' };

const withDate = (date) => {
	const time = date.toLocaleTimeString([], minutes);
	if (Math.abs(date - Date.now()) < halfDay) return time;
	return `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })}, ${time}`;
};

/** As narrow as the labels of an axis have to be. */
const hourOf = (date) => {
	const time = date.toLocaleTimeString([], minutes);
	if (time.length <= 5 || date.getMinutes() > 0) return time;
	return date.toLocaleTimeString([], { hour: 'numeric' });
};

export const showLocalTimes = (root) => {
	for (const time of root.querySelectorAll('time[data-clock]')) {
		const date = new Date(time.dateTime);
		const isShort = time.dataset.clock === 'minutes';
		time.textContent = isShort ? withDate(date) : date.toLocaleTimeString();
	}
	// The hours of a timeline.
	for (const label of root.querySelectorAll('[data-at]')) {
		label.textContent = hourOf(new Date(label.dataset.at));
	}
	for (const zone of root.querySelectorAll('[data-utc]')) zone.hidden = true;
};

showLocalTimes(document);

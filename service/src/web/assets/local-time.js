// Shows clock times in the time zone of the visitor.

export const showLocalTimes = (root) => {
	for (const time of root.querySelectorAll('time[data-clock]')) {
		time.textContent = new Date(time.dateTime).toLocaleTimeString();
	}
};

showLocalTimes(document);

/** Loads a stylesheet that only a part of the page needs, when it needs it. */
export const loadStyle = (address) =>
	new Promise((resolve, reject) => {
		const link = document.createElement('link');
		Object.assign(link, { rel: 'stylesheet', href: address, onload: resolve, onerror: reject });
		document.head.append(link);
	});

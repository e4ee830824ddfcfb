// The icon of the tab of a lease: its position while it waits, and a dot once its board is ready.

const icon = document.querySelector('link[rel=icon]');
const plain = icon.href;

const draw = (content) => {
	const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32"
		height="32" rx="7" fill="#b4531c"/><g fill="#fff" text-anchor="middle"
		font-family="sans-serif" font-weight="700">${content}</g></svg>`;
	icon.href = `data:image/svg+xml,${encodeURIComponent(picture)}`;
};

export const showPosition = (position) => {
	const size = position < 10 ? 24 : 19;
	draw(`<text x="16" y="${16 + size * 0.36}" font-size="${size}">${Math.min(position, 99)}</text>`);
};

/** For somebody who looks at another tab, until they look at this one. */
export const markReady = () => {
	if (!document.hidden) return;
	draw('<circle cx="16" cy="16" r="8"/>');
	const restore = () => {
		icon.href = plain;
	};
	document.addEventListener('visibilitychange', restore, { once: true });
};

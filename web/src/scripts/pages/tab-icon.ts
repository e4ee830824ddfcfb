// The icon of the tab of a lease: its position while it waits, and a dot once its board is ready.
import { get } from '../dom.ts';

function draw(content: string) {
	const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32"
		height="32" rx="7" fill="#b4531c"/><g fill="#fff" text-anchor="middle"
		font-family="sans-serif" font-weight="700">${content}</g></svg>`;
	const icon = get<HTMLLinkElement>('link[rel=icon]');
	const plain = icon.href;
	icon.href = `data:image/svg+xml,${encodeURIComponent(picture)}`;
	return () => {
		icon.href = plain;
	};
}

export function showPosition(position: number) {
	const size = position < 10 ? 24 : 19;
	draw(`<text x="16" y="${16 + size * 0.36}" font-size="${size}">${Math.min(position, 99)}</text>`);
}

/** For somebody who looks at another tab, until they look at this one. */
export function markReady() {
	if (!document.hidden) return;
	const restore = draw('<circle cx="16" cy="16" r="8"/>');
	document.addEventListener('visibilitychange', restore, { once: true });
}

// Small icons in the colour of their text; the words next to them carry the meaning.

const paths = {
	board:
		'M7 7h10v10H7zM10 10h4v4h-4zM9 7V4M12 7V4M15 7V4M9 20v-3M12 20v-3M15 20v-3M7 9H4M7 12H4M7 15H4M20 9h-3M20 12h-3M20 15h-3',
	check: 'M5 12.5l4.5 4.5L19 7.5',
	alert: 'M12 8v5M12 16.5v.5M12 3.5L21.5 20h-19z',
	down: 'M7 10l5 5 5-5',
	left: 'M14 7l-5 5 5 5',
	right: 'M10 7l5 5-5 5',
	key: 'M14.5 9.5a4.5 4.5 0 1 0-3.6 4.4l1.6 1.6h2v2h2v2h3v-3.2l-5.2-5.2c.1-.5.2-1 .2-1.6zM9 8.5v.5',
	plus: 'M12 5v14M5 12h14',
	search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.5 15.5L20 20',
	terminal: 'M5 7l5 5-5 5M12 17h7',
	browser: 'M4 5h16v14H4zM4 9h16M7 7h.01',
	code: 'M9 8l-4 4 4 4M15 8l4 4-4 4',
	coins:
		'M12 9c4 0 7-1.3 7-3s-3-3-7-3-7 1.3-7 3 3 3 7 3zM5 6v6c0 1.7 3 3 7 3s7-1.3 7-3V6M5 12v6c0 1.7 3 3 7 3s7-1.3 7-3v-6',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
	return (
		<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
			<path d={paths[name]} />
		</svg>
	);
}

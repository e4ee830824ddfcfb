// The wall of boards is one stop of the Tab key: arrows go from cell to cell.
const cells = () => [...document.querySelectorAll('[data-wall] .cell')];

/** The cell that Tab leads to: the last one that had the focus, or the first. */
let current;

const mark = () => {
	const all = cells();
	const kept = all.find((cell) => cell.getAttribute('href') === current) ?? all[0];
	for (const cell of all) cell.tabIndex = cell === kept ? 0 : -1;
};

/** The nearest cell of the next row up or down. */
const nearest = (all, from, down) => {
	const { left, top } = from.getBoundingClientRect();
	const places = all.map((cell) => ({ cell, place: cell.getBoundingClientRect() }));
	const beyond = places.filter(({ place }) => (down ? place.top > top + 1 : place.top < top - 1));
	const distance = ({ place }) => 10 * Math.abs(place.top - top) + Math.abs(place.left - left);
	return beyond.sort((one, other) => distance(one) - distance(other))[0]?.cell;
};

const targetOf = (key, from) => {
	const all = cells();
	const index = all.indexOf(from);
	if (key === 'ArrowRight') return all[index + 1];
	if (key === 'ArrowLeft') return all[index - 1];
	if (key === 'Home') return all[0];
	if (key === 'End') return all.at(-1);
	if (key === 'ArrowUp' || key === 'ArrowDown') return nearest(all, from, key === 'ArrowDown');
	return undefined;
};

document.addEventListener('keydown', (event) => {
	const from = event.target.closest?.('[data-wall] .cell');
	const target = from && targetOf(event.key, from);
	if (!target) return;
	event.preventDefault();
	target.focus();
});

document.addEventListener('focusin', ({ target }) => {
	if (!target.matches('[data-wall] .cell')) return;
	current = target.getAttribute('href');
	mark();
});

mark();
for (const results of document.querySelectorAll('[data-live-results]')) {
	new MutationObserver(mark).observe(results, { childList: true });
}

// The drawing of the board and the table of its pins, as its agent samples them. Without this script the page
// shows the last known state.

const board = document.querySelector('[data-live-board]');
const supply = Number(board.dataset.liveBoard);
const state = board.querySelector('[data-live-state]');
const table = board.querySelector('[data-pins]');
const modes = JSON.parse(table.closest('table').dataset.modes);
/** Only where the visitor may drive the pins. */
const inputs = board.querySelector('[data-pin-button]') && import('./drive-pins.js');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const traceMilliseconds = 10_000;
const drawMilliseconds = 250;
const calmMilliseconds = 2_000;
const trace = { width: 120, height: 14 };

/* What the pins do, and did in the last seconds */

let sample;
const histories = new Map();

/** From 0 to 1. */
const levelOf = ({ high, volts }) => (volts === undefined ? high : Math.min(1, volts / supply));

const keepHistory = (at) => {
	const used = sample?.pins ?? {};
	for (const name of histories.keys()) if (!(name in used)) histories.delete(name);
	for (const [name, pin] of Object.entries(used)) {
		const history = histories.get(name) ?? [];
		history.push({ at, level: levelOf(pin) });
		// The last one before them is where the trace begins.
		while (history.length > 1 && history[1].at < at - traceMilliseconds) history.shift();
		histories.set(name, history);
	}
};

const pointsOf = (history, now) => {
	const x = (at) => trace.width * Math.max(0, 1 - (now - at) / traceMilliseconds);
	const y = (level) => 1 + (1 - level) * (trace.height - 2);
	const steps = history.flatMap(({ at, level }, index) => {
		const before = history[index - 1] ?? { level };
		return [`${x(at).toFixed(1)},${y(before.level)}`, `${x(at).toFixed(1)},${y(level)}`];
	});
	return [...steps, `${trace.width},${y(history.at(-1).level)}`].join(' ');
};

/* The drawing */

const shape = (name, attributes, parent) => {
	const element = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
	return parent.appendChild(element);
};

const middleOf = (rect) => ({
	x: rect.x.baseVal.value + rect.width.baseVal.value / 2,
	y: rect.y.baseVal.value + rect.height.baseVal.value / 2,
});

/** A frame around a pin that is in use, filled as far as it is high. */
const pinMark = (pin) => {
	const { x, y } = middleOf(pin.querySelector('rect'));
	const mark = shape('g', { class: 'pin-mark', visibility: 'hidden' }, pin);
	shape('rect', { x: x - 4.5, y: y - 4.5, width: 9, height: 9, rx: 1.5, class: 'pin-frame' }, mark);
	const level = shape('rect', { x: x - 2.7, width: 5.4, class: 'pin-level' }, mark);
	return { pin, mark, level, foot: y + 2.7 };
};

const ledMark = (led) => {
	const rect = led.querySelector('rect');
	const { x, y } = middleOf(rect);
	const mark = shape('g', { fill: 'currentColor', opacity: 0 }, led);
	shape('circle', { cx: x, cy: y, r: 11, opacity: 0.25 }, mark);
	shape('circle', { cx: x, cy: y, r: 7.5, opacity: 0.4 }, mark);
	mark.append(rect.cloneNode());
	mark.lastChild.setAttribute('fill', 'currentColor');
	return mark;
};

const marks = (attribute, mark) =>
	new Map(
		[...board.querySelectorAll(`[${attribute}]`)].map((element) => [
			element.getAttribute(attribute),
			mark(element),
		]),
	);
const pins = marks('data-pin', pinMark);
const leds = marks('data-led', ledMark);

const drawPin = ({ pin, mark, level, foot }, used) => {
	mark.setAttribute('visibility', used ? 'visible' : 'hidden');
	pin.classList.toggle('pin-used', used !== undefined);
	const height = used ? 5.4 * levelOf(used) : 0;
	level.setAttribute('height', height);
	level.setAttribute('y', foot - height);
};

const drawBoard = () => {
	for (const [name, mark] of pins) drawPin(mark, sample?.pins[name]);
	for (const [name, mark] of leds) mark.setAttribute('opacity', sample?.leds[name] ?? 0);
};

/* The table */

const valueText = ({ high, hz, volts }) => {
	if (volts !== undefined) return `${volts.toFixed(2)} V`;
	if (hz !== undefined) return `${Math.round(high * 100)} %`;
	return high >= 0.5 ? 'high' : 'low';
};

const frequency = (hz) => (hz >= 1000 ? `${(hz / 1000).toFixed(1)} kHz` : `${Math.round(hz)} Hz`);
const modeOf = ({ mode, hz }) => (hz ? `${modes[mode]} ${frequency(hz)}` : modes[mode]);

const addRow = (name) => {
	const row = table.insertRow();
	const head = document.createElement('th');
	head.scope = 'row';
	head.textContent = name;
	row.append(head);
	const [mode, place, value] = [row.insertCell(), row.insertCell(), row.insertCell()];
	const size = { viewBox: `0 0 ${trace.width} ${trace.height}`, class: 'pin-trace' };
	const line = shape('polyline', {}, shape('svg', { ...size, 'aria-hidden': true }, place));
	return { mode, value, line };
};

let rows = new Map();

const setText = (element, text) => {
	if (element.textContent !== text) element.textContent = text;
};

const drawTable = (now) => {
	const used = Object.entries(sample?.pins ?? {});
	if (used.map(([name]) => name).join() !== [...rows.keys()].join()) {
		table.replaceChildren();
		rows = new Map(used.map(([name]) => [name, addRow(name)]));
	}
	for (const [name, pin] of used) {
		const { mode, value, line } = rows.get(name);
		setText(mode, modeOf(pin));
		setText(value, valueText(pin));
		line.setAttribute('points', pointsOf(histories.get(name), now));
	}
};

const stateText = () => {
	if (!sample) return 'No current values';
	return sample.power ? 'Live, from the emulator' : 'The power is off';
};

const ledText = () =>
	Object.entries(sample?.leds ?? {})
		.map(([name, on]) => `LED ${name} is ${on >= 0.5 ? 'on' : 'off'}.`)
		.join(' ');

let drawnAt = Number.NEGATIVE_INFINITY;

const draw = () => {
	const now = performance.now();
	if (document.hidden || (calm.matches && now - drawnAt < calmMilliseconds)) return;
	drawnAt = now;
	drawBoard();
	drawTable(now);
	setText(state, stateText());
	setText(board.querySelector('[data-leds]'), ledText());
};

/** Shows a sample of the stream; null if there is none of now. */
export const showPins = (next) => {
	if (!sample) inputs?.then(({ chooseButton }) => chooseButton(next));
	sample = next;
	keepHistory(performance.now());
	draw();
};

setInterval(draw, drawMilliseconds);

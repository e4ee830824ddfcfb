// The drawing of the board and the table of its pins, as its agent samples them.
import type { PinSample } from '../../../drawings/live-board.tsx';
import { create, createSvg, get, getAll } from '../../dom.ts';
import { driveByHand } from './drive-pins.ts';

const traceMilliseconds = 10_000;
const drawMilliseconds = 250;
const calmMilliseconds = 2_000;
const trace = { width: 120, height: 14 };

type Pin = PinSample['pins'][string];
type History = { at: number; level: number }[];

function pointsOf(history: History, now: number) {
	const x = (at: number) =>
		(trace.width * Math.max(0, 1 - (now - at) / traceMilliseconds)).toFixed(1);
	const y = (level: number) => 1 + (1 - level) * (trace.height - 2);
	const steps = history.flatMap(({ at, level }, index) => {
		const before = history[index - 1]?.level ?? level;
		return [`${x(at)},${y(before)}`, `${x(at)},${y(level)}`];
	});
	return [...steps, `${trace.width},${y(history.at(-1)?.level ?? 0)}`].join(' ');
}

/* The drawing */

function rectOf(shape: Element) {
	const rect = get<SVGRectElement>('rect', shape);
	const { x, y, width, height } = rect;
	const middle = (start: SVGAnimatedLength, size: SVGAnimatedLength) =>
		start.baseVal.value + size.baseVal.value / 2;
	return { rect, x: middle(x, width), y: middle(y, height) };
}

/** A frame around a pin in use, filled by the share of the time for which the pin is high. */
function pinMark(pin: Element) {
	const { x, y } = rectOf(pin);
	const frame = { x: x - 4.5, y: y - 4.5, width: 9, height: 9, rx: 1.5, class: 'pin-frame' };
	const level = createSvg('rect', { x: x - 2.7, width: 5.4, class: 'pin-level' });
	const attributes = { class: 'pin-mark', visibility: 'hidden' };
	const mark = createSvg('g', attributes, createSvg('rect', frame), level);
	pin.append(mark);
	return { pin, mark, level, foot: y + 2.7 };
}

function ledMark(led: Element) {
	const { rect, x, y } = rectOf(led);
	const light = rect.cloneNode() as SVGRectElement; // a copy of one
	light.setAttribute('fill', 'currentColor');
	const circle = (r: number, opacity: number) => createSvg('circle', { cx: x, cy: y, r, opacity });
	const attributes = { fill: 'currentColor', opacity: 0 };
	const mark = createSvg('g', attributes, circle(11, 0.25), circle(7.5, 0.4), light);
	led.append(mark);
	return mark;
}

/* The table */

const modeWords: Record<string, string> = {
	in: 'In',
	pull_up: 'In, pull-up',
	pull_down: 'In, pull-down',
	out: 'Out',
	pwm: 'PWM',
	analog: 'In, analog',
};

function valueText({ high, hz, volts }: Pin) {
	if (volts !== undefined) return `${volts.toFixed(2)} V`;
	if (hz !== undefined) return `${Math.round(high * 100)} %`;
	return high >= 0.5 ? 'high' : 'low';
}

function frequency(hz: number) {
	return hz >= 1000 ? `${(hz / 1000).toFixed(1)} kHz` : `${Math.round(hz)} Hz`;
}

function stateText(sample: PinSample | null) {
	if (!sample) return 'No current values';
	return sample.power ? 'Live, from the emulator' : 'The power is off';
}

function ledText(sample: PinSample | null) {
	return Object.entries(sample?.leds ?? {})
		.map(([name, on]) => `LED ${name} is ${on >= 0.5 ? 'on' : 'off'}.`)
		.join(' ');
}

function setText(element: Element, text: string) {
	if (element.textContent !== text) element.textContent = text;
}

/** Returns a function that shows a sample; null if there is no recent one. */
export function startLiveBoard(board: HTMLElement) {
	const supply = Number(board.dataset.liveBoard);
	const table = get<HTMLTableSectionElement>('[data-pins]', board);
	const inputs = board.querySelector<HTMLElement>('.pin-inputs');
	const choosePin = inputs ? driveByHand(inputs) : undefined;
	const calm = matchMedia('(prefers-reduced-motion: reduce)');
	const marks = <Mark>(name: string, mark: (element: Element) => Mark) =>
		new Map(getAll<SVGElement>(`[${name}]`, board).map((at) => [at.getAttribute(name), mark(at)]));
	const pins = marks('data-pin', pinMark);
	const leds = marks('data-led', ledMark);
	const histories = new Map<string, History>();
	let sample: PinSample | null = null;

	/** From 0 to 1. */
	const levelOf = ({ high, volts }: Pin) =>
		volts === undefined ? high : Math.min(1, volts / supply);

	const keepHistory = (at: number) => {
		const used = sample?.pins ?? {};
		for (const name of histories.keys()) if (!(name in used)) histories.delete(name);
		for (const [name, pin] of Object.entries(used)) {
			const history = histories.get(name) ?? [];
			history.push({ at, level: levelOf(pin) });
			// The last level before the trace is where it begins.
			while (history[1] && history[1].at < at - traceMilliseconds) history.shift();
			histories.set(name, history);
		}
	};

	const drawBoard = () => {
		for (const [name, { pin, mark, level, foot }] of pins) {
			const used = sample?.pins[name ?? ''];
			const height = used ? 5.4 * levelOf(used) : 0;
			mark.setAttribute('visibility', used ? 'visible' : 'hidden');
			pin.classList.toggle('pin-used', used !== undefined);
			level.setAttribute('height', String(height));
			level.setAttribute('y', String(foot - height));
		}
		for (const [name, mark] of leds) {
			mark.setAttribute('opacity', String(sample?.leds[name ?? ''] ?? 0));
		}
	};

	const addRow = (name: string) => {
		const row = table.insertRow();
		row.append(create('th', { scope: 'row', textContent: name }));
		const [mode, place, value] = [row.insertCell(), row.insertCell(), row.insertCell()];
		const size = { viewBox: `0 0 ${trace.width} ${trace.height}`, class: 'pin-trace' };
		const line = createSvg('polyline');
		place.append(createSvg('svg', { ...size, 'aria-hidden': true }, line));
		return { mode, value, line };
	};

	let rows = new Map<string, ReturnType<typeof addRow>>();

	const drawTable = (now: number) => {
		const used = Object.entries(sample?.pins ?? {});
		if (used.map(([name]) => name).join() !== [...rows.keys()].join()) {
			table.replaceChildren();
			rows = new Map(used.map(([name]) => [name, addRow(name)]));
		}
		for (const [name, pin] of used) {
			const row = rows.get(name);
			if (!row) continue;
			const mode = modeWords[pin.mode] ?? pin.mode;
			setText(row.mode, pin.hz ? `${mode} ${frequency(pin.hz)}` : mode);
			setText(row.value, valueText(pin));
			row.line.setAttribute('points', pointsOf(histories.get(name) ?? [], now));
		}
	};

	let drawnAt = Number.NEGATIVE_INFINITY;

	const draw = () => {
		const now = performance.now();
		if (document.hidden || (calm.matches && now - drawnAt < calmMilliseconds)) return;
		drawnAt = now;
		drawBoard();
		drawTable(now);
		setText(get('[data-live-state]', board), stateText(sample));
		setText(get('[data-leds]', board), ledText(sample));
	};

	setInterval(draw, drawMilliseconds);
	return (next: PinSample | null) => {
		if (!sample && next) choosePin?.(next);
		sample = next;
		keepHistory(performance.now());
		draw();
	};
}

// The timeline of a board, drawn to scale: a unit of the picture is a minute.

const minute = 60_000;
const betweenLabels = 120;

/** The hours before and after now that it shows. */
export const [hoursBack, hoursAhead] = [12, 4];

const back = hoursBack * 60;
const length = back + hoursAhead * 60;

/** What happened to a board during a time, in drawing order. */
const kinds = ['unusable', 'lease', 'running', 'yours', 'expected'] as const;

export interface Span {
	kind: (typeof kinds)[number];
	from: number;
	until: number;
}

interface TimelineProps {
	now: number;
	spans: readonly Span[];
	/** The same in words. */
	label: string;
}

export function Timeline({ now, spans, label }: TimelineProps) {
	const ofKind = (kind: Span['kind']) => spans.filter((span) => span.kind === kind);
	const paths = kinds.map((kind) => [`span-${kind}`, outlineOf(now, ofKind(kind))] as const);
	return (
		<svg
			class="timeline"
			viewBox={`0 0 ${length} 16`}
			preserveAspectRatio="none"
			role="img"
			aria-label={label}
		>
			<path class="track" d={box(0, length)} />
			<path
				class="hours"
				d={labelled(now)
					.map((x) => `M${x} 0v16`)
					.join('')}
			/>
			{paths.map(([name, outline]) => outline && <path class={name} d={outline} />)}
			<path class="now" d={`M${back}-3v22`} />
		</svg>
	);
}

/** The hours below a timeline. A script shows them in the time zone of the visitor. */
export function TimeAxis({ now }: { now: number }) {
	const shown = labelled(now).filter((x) => x > length / 20 && x < length * 0.95);
	return (
		<svg class="hour-axis" aria-hidden="true">
			{shown.map((x) => {
				const at = new Date(now + (x - back) * minute).toISOString();
				return (
					<text x={`${((x / length) * 100).toFixed(2)}%`} y="75%" data-at={at}>
						{at.slice(11, 16)}
					</text>
				);
			})}
		</svg>
	);
}

/** The positions of every second hour. */
function labelled(now: number) {
	const beginning = Math.floor(now / minute) - back;
	const first = (betweenLabels - (beginning % betweenLabels)) % betweenLabels;
	const count = Math.ceil((length - first) / betweenLabels);
	return Array.from({ length: count }, (_, index) => first + index * betweenLabels);
}

function outlineOf(now: number, spans: readonly Span[]) {
	const position = (time: number) => (time - now) / minute + back;
	const boxes = spans.map(({ from, until }) => {
		const x = Math.max(0, position(from));
		// Short leases stay visible.
		return box(x, Math.min(length, Math.max(x + 1.5, position(until))));
	});
	return boxes.join('');
}

function box(from: number, until: number) {
	return `M${round(from)} 0H${round(until)}V16H${round(from)}z`;
}

function round(minutes: number) {
	return Math.round(minutes * 10) / 10;
}

const words = [
	['lease', 'Others'],
	['yours', 'You'],
	['running', 'Running'],
] as const;

export function Legend() {
	return (
		<ul class="legend muted small">
			{words.map(([kind, word]) => (
				<li>
					<svg class="swatch" viewBox="0 0 14 10" aria-hidden="true">
						<path class={`span-${kind}`} d="M.5.5h13v9H.5z" />
					</svg>
					{word}
				</li>
			))}
			<li data-utc>Times are in UTC</li>
		</ul>
	);
}

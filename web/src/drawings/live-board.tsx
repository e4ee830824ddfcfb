// The board of a lease: its drawing, its pins, and the inputs that drive them.
import type { drivenBoard, pinSample } from 'board-access-contract';
import { raw } from 'hono/html';
import type * as z from 'zod/mini';
import { assetText } from '../assets.ts';
import { Button } from '../elements/form.tsx';
import { BoardPicture, drawingOf } from './board-picture.tsx';

/** What the agent has read of the pins. */
export type PinSample = z.output<typeof pinSample>;

type Pins = NonNullable<z.output<typeof drivenBoard>['pins']>;

export interface LivePins {
	/** The pins that the agent reads, if it reads any. */
	pins?: Pins | undefined;
	driven: Readonly<Record<string, number>>;
}

interface LiveBoardProps {
	/** Whether the visitor may drive the pins. */
	canDrive: boolean;
	boardType: string;
	/** Undefined while the lease is not active. */
	live: LivePins | undefined;
}

export function LiveBoard({ boardType, live, canDrive }: LiveBoardProps) {
	const label = `A drawing of ${boardType}`;
	if (!live?.pins) {
		return (
			<section aria-labelledby="live-board" data-live-board>
				<h2 id="live-board">Board</h2>
				<BoardPicture boardType={boardType} label={label} />
				{live && <p class="muted small">The agent of this board does not read its pins.</p>}
			</section>
		);
	}
	const { pins, driven } = live;
	return (
		<section aria-labelledby="live-board" data-live-board={pins.volts}>
			<div class="group-head">
				<h2 id="live-board">Board</h2>
				<span class="muted small" data-live-state />
			</div>
			<div class="board-drawing" role="img" aria-label={label}>
				{raw(assetText(`board-${drawingOf(boardType)}.svg`))}
			</div>
			<p class="unseen" data-leds />
			<PinTable />
			{canDrive && <PinInputs pins={pins} driven={driven} />}
		</section>
	);
}

/** The script of the page fills it. */
function PinTable() {
	return (
		<table class="pin-table">
			<caption>
				Pins in use <span class="muted small">last 10 s</span>
			</caption>
			<thead class="unseen">
				<tr>
					{['Pin', 'Mode', 'Last 10 seconds', 'Value'].map((title) => (
						<th scope="col">{title}</th>
					))}
				</tr>
			</thead>
			<tbody data-pins />
		</table>
	);
}

/** A button and a potentiometer, for the script of the page. */
function PinInputs({ pins, driven }: Required<LivePins> & { pins: Pins }) {
	const { names, analog, volts } = pins;
	const [first = ''] = analog;
	return (
		<div class="pin-inputs">
			<div class="actions">
				<PinChoice id="button-pin" label="Button" names={names} chosen={names[2]} />
				<Button type="button" text="Press" data-press />
				<Button text="Low" data-volts="0" />
				<Button text="High" data-volts={volts} />
				<Button text="Let go" data-volts="" />
			</div>
			<div class="actions">
				<PinChoice id="slider-pin" label="Potentiometer" names={analog} chosen={first} />
				<input
					type="range"
					name="volts"
					aria-label="Voltage"
					{...{ min: 0, max: volts, step: 0.01, value: driven[first] ?? 0 }}
				/>
				<output class="number">{`${(driven[first] ?? 0).toFixed(2)} V`}</output>
			</div>
		</div>
	);
}

interface PinChoiceProps {
	id: string;
	label: string;
	names: readonly string[];
	chosen: string | undefined;
}

function PinChoice({ id, label, names, chosen }: PinChoiceProps) {
	return (
		<>
			<label for={id}>{label}</label>
			<select id={id} name="pin">
				{names.map((name) => (
					<option selected={name === chosen}>{name}</option>
				))}
			</select>
		</>
	);
}

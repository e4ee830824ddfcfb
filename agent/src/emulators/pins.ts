// The pins of an emulated chip.
import type { drivenPins, pinModes, pinSample } from 'board-access-contract';
import type * as z from 'zod/mini';

export type PinSample = z.output<typeof pinSample>;
export type PinMode = (typeof pinModes)[number];

/** Voltages by the names of the pins. */
export type DrivenPins = z.output<typeof drivenPins>;

export interface ChipPins {
	/** What the pins did since the last call. The first call begins to measure. */
	sample(): Pick<PinSample, 'leds' | 'pins'>;
	/** Stops measuring. */
	rest(): void;
	/** Drives these pins from outside, and releases all others. */
	drive(pins: DrivenPins): void;
}

export interface ChipPin {
	readonly name: string;
	mode(): PinMode;
	isHigh(): boolean;
	/** Only of a pin that can measure it. */
	volts?(): number;
	/** Follows the level of an output until the returned function is called. */
	follow(onLevel: (isHigh: boolean) => void): () => void;
	/** Drives it from outside, or releases it. */
	drive(volts: number | undefined): void;
}

interface Chip {
	readonly pins: readonly ChipPin[];
	/** The emulated time, in nanoseconds. */
	now(): number;
	leds(pins: PinSample['pins']): PinSample['leds'];
}

export function createChipPins({ pins, now, leds }: Chip): ChipPins {
	let driven: DrivenPins = {};
	let followed: readonly ReturnType<typeof follow>[] | undefined;

	const follow = (pin: ChipPin) => {
		const meter = new PinMeter(pin.isHigh(), now());
		return { pin, meter, stop: pin.follow((high) => meter.set(high, now())) };
	};
	const stateOf = (pin: ChipPin, { high, hz }: ReturnType<PinMeter['take']>) => {
		const mode = pin.mode();
		if (mode === 'out' || mode === 'pwm') return { mode, high, ...(hz !== undefined && { hz }) };
		// Otherwise the voltage would be that of the pull-up, which is not emulated.
		const hasVolts = mode === 'analog' || driven[pin.name] !== undefined;
		const volts = hasVolts ? pin.volts?.() : undefined;
		return { mode, high: +pin.isHigh(), ...(volts !== undefined && { volts: round(volts) }) };
	};

	return {
		sample() {
			followed ??= pins.map(follow);
			const states = followed.flatMap(({ pin, meter }) => {
				const state = stateOf(pin, meter.take(now()));
				const isUsed = state.mode !== 'in' || driven[pin.name] !== undefined;
				return isUsed ? [[pin.name, state] as const] : [];
			});
			const sampled = Object.fromEntries(states);
			return { pins: sampled, leds: leds(sampled) };
		},
		rest() {
			for (const { stop } of followed ?? []) stop();
			followed = undefined;
		},
		drive(wanted) {
			driven = wanted;
			for (const pin of pins) pin.drive(wanted[pin.name]);
		},
	};
}

/** The channels that the firmware has measured. */
export function noticeReads<Input>(
	adc: { onADCRead: (input: Input) => void },
	channelOf: (input: Input) => number | undefined,
): ReadonlySet<number | undefined> {
	const channels = new Set<number | undefined>();
	const { onADCRead } = adc;
	adc.onADCRead = (input) => {
		channels.add(channelOf(input));
		onADCRead(input);
	};
	return channels;
}

/** From this many rises on, a signal is measured over whole periods. */
const minRises = 3;

/** Measures one signal. Times are in nanoseconds. */
export class PinMeter {
	#isHigh;
	#start;
	#changedAt;
	#high = 0;
	#rises = 0;
	#firstRise = { at: 0, high: 0 };
	#lastRise = { at: 0, high: 0 };

	constructor(isHigh: boolean, at: number) {
		this.#isHigh = isHigh;
		this.#start = at;
		this.#changedAt = at;
	}

	set(isHigh: boolean, at: number): void {
		if (isHigh === this.#isHigh) return;
		if (this.#isHigh) this.#high += at - this.#changedAt;
		this.#isHigh = isHigh;
		this.#changedAt = at;
		if (!isHigh) return;
		this.#lastRise = { at, high: this.#high };
		if (this.#rises === 0) this.#firstRise = this.#lastRise;
		this.#rises += 1;
	}

	/** The share of time in which it was high since the last call, and its frequency if it rose often. */
	take(at: number): { high: number; hz?: number } {
		const [first, last, periods] = [this.#firstRise, this.#lastRise, this.#rises - 1];
		const high = this.#high + (this.#isHigh ? at - this.#changedAt : 0);
		const time = at - this.#start;
		[this.#start, this.#changedAt, this.#high, this.#rises] = [at, at, 0, 0];
		if (periods + 1 < minRises) return { high: round(time > 0 ? high / time : +this.#isHigh) };
		const seconds = (last.at - first.at) / 1e9;
		const hz = Number((periods / seconds).toPrecision(3));
		return { high: round((last.high - first.high) / (last.at - first.at)), hz };
	}
}

/** So that noise does not count as a change. */
function round(value: number) {
	return Math.round(value * 100) / 100;
}

// The pins of a Raspberry Pi Pico, by their GPIO numbers.
import { type GPIOPin, GPIOPinState, type RP2040 } from 'rp2040js';
import { emulatedPins } from './boards.ts';
import { type ChipPin, createChipPins, noticeReads, type PinMode } from './pins.ts';

const { names, analog, volts: supply } = emulatedPins['rp2040-pico'];
const highestReading = 4095;
/** The LED of the board, which has no pin. */
const led = 'GP25';
const pwmFunction = 4;

/** PWM, SIO and the two PIO. With any other function, the pin is unused or belongs to a peripheral. */
const pinFunctions = [pwmFunction, 5, 6, 7];

const modes: Readonly<Partial<Record<GPIOPinState, PinMode>>> = {
	[GPIOPinState.Low]: 'out',
	[GPIOPinState.High]: 'out',
	[GPIOPinState.InputPullUp]: 'pull_up',
	[GPIOPinState.InputPullDown]: 'pull_down',
};

export function createPicoPins(rp2040: RP2040, now: () => number) {
	const measured = noticeReads(rp2040.adc, (channel) => channel);
	return createChipPins({
		pins: rp2040.gpio
			.filter(({ index }) => [...names, led].includes(`GP${index}`))
			.map((gpio) => pinOf({ rp2040, gpio, measured })),
		now,
		leds: (pins) => ({ [led]: pins[led]?.high ?? 0 }),
	});
}

interface Pin {
	readonly rp2040: RP2040;
	readonly gpio: GPIOPin;
	readonly measured: ReadonlySet<number | undefined>;
}

function pinOf({ rp2040: { adc }, gpio, measured }: Pin): ChipPin {
	const name = `GP${gpio.index}`;
	const channel = analog.indexOf(name);
	let driven: number | undefined;
	let isInputHigh = false;
	// rp2040js does not emulate pull-ups.
	const setInput = () => {
		const isPulled = gpio.pullupEnabled && !gpio.pulldownEnabled;
		const isHigh = driven === undefined ? isPulled : driven >= supply / 2;
		if (isHigh === isInputHigh) return;
		isInputHigh = isHigh;
		gpio.setInputValue(isHigh);
	};
	gpio.addListener(setInput);
	return {
		name,
		isHigh: () => (gpio.outputEnable ? gpio.outputValue : isInputHigh),
		mode() {
			if (measured.has(channel)) return 'analog';
			if (!pinFunctions.includes(gpio.functionSelect)) return 'in';
			const mode = modes[gpio.value] ?? 'in';
			return mode === 'out' && gpio.functionSelect === pwmFunction ? 'pwm' : mode;
		},
		...(channel >= 0 && { volts: () => driven ?? 0 }),
		follow: (onLevel) => {
			const stop = gpio.addListener((state) => onLevel(state === GPIOPinState.High));
			return () => void stop();
		},
		drive(volts) {
			driven = volts;
			const reading = Math.round(((volts ?? 0) / supply) * highestReading);
			if (channel >= 0) adc.channelValues[channel] = Math.min(reading, highestReading);
			setInput();
		},
	};
}

// The pins of an Arduino Uno, by the names on the board.
import {
	ADCMuxInputType,
	type AVRADC,
	type AVRIOPort,
	type CPU,
	PinState,
	portBConfig,
	portCConfig,
	portDConfig,
} from 'avr8js';
import { emulatedPins } from './boards.ts';
import { type ChipPin, createChipPins, noticeReads } from './pins.ts';

const modes = {
	[PinState.Low]: 'out',
	[PinState.High]: 'out',
	[PinState.Input]: 'in',
	[PinState.InputPullUp]: 'pull_up',
} as const;

const { names, analog, volts: supply } = emulatedPins['arduino-uno'];

/** The ports, and the names of their pins. */
export const unoPorts = [
	{ config: portDConfig, names: names.slice(0, 8) },
	{ config: portBConfig, names: names.slice(8, 14) },
	{ config: portCConfig, names: names.slice(14) },
];

/** The pins that a timer can drive: its control register, and the bit that connects it. */
const timers: Readonly<Record<string, readonly [register: number, bit: number]>> = {
	D3: [0xb0, 0x20],
	D5: [0x44, 0x20],
	D6: [0x44, 0x80],
	D9: [0x80, 0x80],
	D10: [0x80, 0x20],
	D11: [0xb0, 0x80],
};

interface Chip {
	readonly cpu: CPU;
	readonly adc: AVRADC;
	readonly ports: readonly UnoPort[];
	readonly traffic: Traffic;
	now(): number;
}

/** Whether the board has sent or received since the last sample. */
interface Traffic {
	sent: boolean;
	received: boolean;
}

export function createUnoPins({ cpu, adc, ports, traffic, now }: Chip) {
	const measured = noticeReads(adc, (input) =>
		input.type === ADCMuxInputType.SingleEnded ? input.channel : undefined,
	);
	const digitalPins = ports.flatMap((port) => portPins(cpu, port));
	const pins = digitalPins.map((pin): ChipPin => {
		const channel = analog.indexOf(pin.name);
		if (channel < 0) return pin;
		return {
			...pin,
			mode: () => (measured.has(channel) ? 'analog' : pin.mode()),
			volts: () => adc.channelValues[channel] ?? 0,
			drive(volts) {
				adc.channelValues[channel] = volts;
				pin.drive(volts);
			},
		};
	});
	return createChipPins({
		pins,
		now,
		leds(pins) {
			const leds = { ON: 1, L: pins.D13?.high ?? 0, TX: +traffic.sent, RX: +traffic.received };
			Object.assign(traffic, { sent: false, received: false });
			return leds;
		},
	});
}

type UnoPort = (typeof unoPorts)[number] & { readonly port: AVRIOPort };

function portPins(cpu: CPU, { port, config, names }: UnoPort): ChipPin[] {
	const driven = { pins: 0, high: 0 };
	let inputs = 0;
	// avr8js does not emulate pull-ups.
	const setInputs = () => {
		const pulled = (cpu.data[config.PORT] ?? 0) & ~(cpu.data[config.DDR] ?? 0);
		const wanted = (pulled & ~driven.pins) | driven.high;
		const changed = wanted ^ inputs;
		inputs = wanted;
		if (changed === 0) return;
		for (const index of names.keys()) {
			if (changed & (1 << index)) port.setPin(index, (wanted & (1 << index)) !== 0);
		}
	};
	port.addListener(setInputs);
	return names.map((name, index) => {
		const bit = 1 << index;
		const isHigh = () => ((cpu.data[config.PIN] ?? 0) & bit) !== 0;
		const [register = 0, connected = 0] = timers[name] ?? [];
		return {
			name,
			isHigh,
			mode() {
				const mode = modes[port.pinState(index)];
				return mode === 'out' && (cpu.data[register] ?? 0) & connected ? 'pwm' : mode;
			},
			follow(onLevel) {
				const listener = (value: number, before: number) => {
					if ((value ^ before) & bit) onLevel((value & bit) !== 0);
				};
				port.addListener(listener);
				return () => port.removeListener(listener);
			},
			drive(volts) {
				driven.pins = volts === undefined ? driven.pins & ~bit : driven.pins | bit;
				const isHigh = volts !== undefined && volts >= supply / 2;
				driven.high = isHigh ? driven.high | bit : driven.high & ~bit;
				setInputs();
			},
		};
	});
}

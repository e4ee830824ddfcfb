// The boards and base images of demo mode: a small lab as one might find it.
import type { NewBaseImage } from '../base-images/store.ts';
import type { BoardInput } from '../boards/import.ts';

function board(
	name: string,
	board_type: string,
	status: BoardInput['status'],
	description: string,
	tags: Record<string, string>,
): BoardInput {
	return {
		id: `brd_${name}`,
		name,
		board_type,
		status,
		description: `${description}. A sample: it can be reserved, but no agent drives it.`,
		tags,
	};
}

function emulated(
	name: string,
	board_type: EmulatedType,
	{ processor, credits = 0 }: { processor: string; credits?: number },
): BoardInput {
	return {
		id: `brd_${name}`,
		name,
		board_type,
		status: 'available',
		credits_per_minute: credits,
		description: `Emulated ${processor}, driven by the agent of the demo`,
		tags: { driver: 'emulated' },
	};
}

type EmulatedType = 'arduino-uno' | 'rp2040-pico';

/** The boards that the agent of the demo drives. */
export const emulatedBoards: readonly { id: string; type: EmulatedType }[] = [
	{ id: 'brd_arduino-uno-01', type: 'arduino-uno' },
	{ id: 'brd_arduino-uno-02', type: 'arduino-uno' },
	{ id: 'brd_rp2040-pico-01', type: 'rp2040-pico' },
];

export const sampleBoards: BoardInput[] = [
	emulated('arduino-uno-01', 'arduino-uno', { processor: 'Arduino Uno' }),
	emulated('arduino-uno-02', 'arduino-uno', { processor: 'Arduino Uno', credits: 2 }),
	board('esp32-s3-01', 'esp32-s3', 'available', 'ESP32-S3-DevKitC-1, 8 MB flash, 8 MB PSRAM', {
		arch: 'xtensa',
		location: 'rack-1',
	}),
	board('esp32-s3-02', 'esp32-s3', 'in_use', 'ESP32-S3-DevKitC-1, 8 MB flash, 8 MB PSRAM', {
		arch: 'xtensa',
		location: 'rack-1',
	}),
	board('esp32-s3-03', 'esp32-s3', 'available', 'ESP32-S3-BOX-3 with display and microphones', {
		arch: 'xtensa',
		display: 'yes',
		location: 'rack-1',
	}),
	board('esp32-c6-01', 'esp32-c6', 'available', 'ESP32-C6-DevKitC-1: Wi-Fi 6, Thread and Zigbee', {
		arch: 'riscv',
		radio: 'thread',
		location: 'rack-1',
	}),
	board(
		'esp32-c6-02',
		'esp32-c6',
		'maintenance',
		'ESP32-C6-DevKitC-1, USB connector being replaced',
		{ arch: 'riscv', radio: 'thread', location: 'bench' },
	),
	board('esp32-wroom-01', 'esp32', 'in_use', 'ESP32-DevKitC with WROOM-32E', {
		arch: 'xtensa',
		location: 'rack-1',
	}),
	board('nrf52840-dk-01', 'nrf52840-dk', 'available', 'Nordic nRF52840 DK, J-Link on board', {
		arch: 'cortex-m4',
		radio: 'ble',
		location: 'rack-2',
	}),
	board('nrf52840-dk-02', 'nrf52840-dk', 'in_use', 'Nordic nRF52840 DK with power profiler', {
		arch: 'cortex-m4',
		radio: 'ble',
		power: 'ppk2',
		location: 'rack-2',
	}),
	board('nrf5340-dk-01', 'nrf5340-dk', 'available', 'Nordic nRF5340 DK, two cores', {
		arch: 'cortex-m33',
		radio: 'ble',
		location: 'rack-2',
	}),
	board('nucleo-f446re-01', 'stm32-nucleo-f446re', 'available', 'STM32 Nucleo-64, ST-LINK/V2-1', {
		arch: 'cortex-m4',
		location: 'rack-2',
	}),
	board(
		'nucleo-f446re-02',
		'stm32-nucleo-f446re',
		'offline',
		'STM32 Nucleo-64, does not enumerate since Monday',
		{ arch: 'cortex-m4', location: 'rack-2' },
	),
	board('disco-l475-01', 'stm32-disco-l475', 'in_use', 'B-L475E-IOT01A with sensors', {
		arch: 'cortex-m4',
		sensors: 'yes',
		location: 'rack-2',
	}),
	emulated('rp2040-pico-01', 'rp2040-pico', { processor: 'Raspberry Pi Pico' }),
	board('rp2040-pico-02', 'rp2040-pico', 'available', 'Raspberry Pi Pico with debug probe', {
		arch: 'cortex-m0plus',
		location: 'rack-3',
	}),
	board('rpi-4-01', 'raspberry-pi-4', 'in_use', 'Raspberry Pi 4, 4 GB, boots from the network', {
		arch: 'arm64',
		network: 'ethernet',
		location: 'rack-3',
	}),
	board(
		'rpi-5-01',
		'raspberry-pi-5',
		'available',
		'Raspberry Pi 5, 8 GB, serial console attached',
		{ arch: 'arm64', network: 'ethernet', location: 'rack-3' },
	),
	board('beagleplay-01', 'beagleplay', 'maintenance', 'BeaglePlay, waiting for an SD multiplexer', {
		arch: 'arm64',
		location: 'bench',
	}),
	board('visionfive2-01', 'visionfive2', 'offline', 'StarFive VisionFive 2, 8 GB', {
		arch: 'riscv64',
		network: 'ethernet',
		location: 'rack-3',
	}),
];

const flash = { action: 'flash', enabled: true, description: '', flash_offset: '0x0' } as const;
const erase = { action: 'erase', enabled: true, url: '', flash_offset: '0x0' } as const;

/** The agent of the demo brings these files, so that nothing is downloaded. */
export const sampleImageUrls = {
	uno: 'https://images.example.com/arduino-uno/clock.hex',
	pico: 'https://images.example.com/rp2040-pico/sample.uf2',
} as const;

export const sampleBaseImages: NewBaseImage[] = [
	{
		...erase,
		board_type: 'esp32-s3',
		name: 'Erase all flash',
		description: 'Clears settings and firmware',
	},
	{
		...flash,
		board_type: 'esp32-s3',
		name: 'Bootloader',
		url: 'https://images.example.com/esp32-s3/bootloader.bin',
	},
	{
		...flash,
		board_type: 'esp32-s3',
		name: 'Partition table',
		url: 'https://images.example.com/esp32-s3/partitions.bin',
		flash_offset: '0x8000',
	},
	{
		...flash,
		board_type: 'esp32-s3',
		name: 'Factory application',
		url: 'https://images.example.com/esp32-s3/factory.bin',
		flash_offset: '0x10000',
	},
	{
		...erase,
		board_type: 'nrf52840-dk',
		name: 'Erase and unlock',
		description: 'Recovers a locked chip',
	},
	{
		...flash,
		board_type: 'nrf52840-dk',
		name: 'Zephyr hello world',
		url: 'https://images.example.com/nrf52840/hello.hex',
	},
	{
		...erase,
		board_type: 'arduino-uno',
		name: 'Erase all flash',
		description: 'Clears the firmware of the lease before',
	},
	{
		...flash,
		board_type: 'arduino-uno',
		name: 'Ticking clock',
		description: 'Prints a line each second',
		url: sampleImageUrls.uno,
	},
	{
		...flash,
		board_type: 'rp2040-pico',
		name: 'Sample firmware',
		description: 'Greets, and repeats each line in upper case',
		url: sampleImageUrls.pico,
	},
	{
		...flash,
		board_type: 'rp2040-pico',
		name: 'MicroPython 1.24',
		url: 'https://images.example.com/rp2040/micropython.uf2',
		enabled: false,
	},
];

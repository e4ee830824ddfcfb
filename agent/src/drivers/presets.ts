// Known flash tools. Placeholders in braces are filled in; no shell is involved.
import { elfMachines, type FirmwareFormat } from 'board-access-contract/firmware';
import type { LineReset } from '../consoles/line.ts';
import type { ControlLines } from '../consoles/reconnecting.ts';
import { devicePath, type PortPath } from '../consoles/usb.ts';

/** `flash_raw` is for raw files, where they need other arguments; `read_flash` reads the flash into a file. */
export const commandNames = [
	'flash',
	'flash_raw',
	'erase',
	'read_flash',
	'reset',
	'power_on',
	'power_off',
] as const;

export type BoardCommands = {
	readonly [Name in (typeof commandNames)[number]]?: readonly string[] | undefined;
};

/** Control lines that hold a board in reset, and release it. */
export type LinePulse = Readonly<Record<'hold' | 'release', ControlLines>>;

export interface Preset extends BoardCommands {
	/** The formats that the tool reads. Others are converted. */
	readonly formats: readonly FirmwareFormat[];
	/** Default values of placeholders. */
	readonly defaults?: Readonly<Record<string, string>>;
	/** Whether the tool needs the serial port of the console for itself. */
	readonly usesConsolePort?: true;
	/** How the control lines of that port reset the board. */
	readonly pulse?: LinePulse;
	/** How they do it when the tool of a user changes them. */
	readonly lineReset?: LineReset;
	readonly flashStart?: number;
	/** The processor of all boards of the tool. */
	readonly machine?: number;
	/** A server for GDB. `{port}` is a free port of this computer. */
	readonly debug?: readonly string[];
}

const words = (text: string) => text.split(' ');
const esptool = words('esptool --chip {chip} --port {port} --baud {baud}');
const openocd = words('openocd -f {interface} -f {target} -c');
const avrdude = words('avrdude -p {part} -c {programmer} -P {port} -b {baud}');
const probeRs = words('probe-rs download --chip {chip} --binary-format');

export const presets = {
	esptool: {
		flash: [...esptool, 'write_flash', '{offset}', '{file}'],
		erase: [...esptool, 'erase_flash'],
		reset: [...esptool, '--after', 'hard_reset', 'read_mac'],
		formats: ['raw'],
		defaults: { chip: 'auto', baud: '460800' },
		usesConsolePort: true,
		// RTS pulls EN low; DTR would pull GPIO 0 low, which starts the boot loader.
		pulse: { hold: { dtr: false, rts: true }, release: { dtr: false, rts: false } },
		lineReset: 'esp',
	},
	picotool: {
		flash: words('picotool load -v -x {file} -f'),
		flash_raw: words('picotool load -v -x {file} -t bin -o {address} -f'),
		erase: words('picotool erase -a -f'),
		reset: words('picotool reboot -f'),
		formats: ['uf2', 'elf', 'raw'],
		flashStart: 0x1000_0000,
	},
	openocd: {
		flash: [...openocd, 'program {{file}} verify reset exit'],
		flash_raw: [...openocd, 'program {{file}} verify reset exit {address}'],
		erase: [...openocd, 'init; reset halt; flash erase_sector 0 0 last; exit'],
		read_flash: [...openocd, 'init; reset halt; dump_image {{file}} {address} {size}; exit'],
		reset: [...openocd, 'init; reset run; exit'],
		debug: [
			...openocd,
			'bindto 127.0.0.1; gdb_port {port}; tcl_port disabled; telnet_port disabled',
		],
		formats: ['hex', 'elf', 'raw'],
	},
	avrdude: {
		flash: [...avrdude, '-D', '-U', 'flash:w:{file}:a'],
		// Boot loaders ignore `-e`, and erase what is written over. A programmer clears the EEPROM, too.
		erase: [...avrdude, '-e', '-A', '-V', '-U', 'flash:w:{blank}:r'],
		read_flash: [...avrdude, '-A', '-U', 'flash:r:{file}:r'],
		reset: avrdude,
		formats: ['hex', 'elf'],
		defaults: { programmer: 'arduino', part: 'm328p', baud: '115200' },
		usesConsolePort: true,
		// A capacitor turns the edge of DTR into a reset.
		pulse: { hold: { dtr: false, rts: false }, release: { dtr: true, rts: true } },
		lineReset: 'arduino',
		machine: elfMachines.avr,
	},
	'dfu-util': {
		flash: words('dfu-util -d {usb} -a {alt} -s {address}:leave -D {file}'),
		formats: ['raw'],
		defaults: { alt: '0' },
		flashStart: 0x0800_0000,
	},
	'st-flash': {
		flash: words('st-flash --reset write {file} {address}'),
		erase: words('st-flash erase'),
		read_flash: words('st-flash read {file} {address} {size}'),
		reset: words('st-flash reset'),
		formats: ['raw'],
		flashStart: 0x0800_0000,
	},
	west: {
		flash: words('west flash --skip-rebuild --build-dir {build_dir} --hex-file {file}'),
		formats: ['hex'],
	},
	'probe-rs': {
		flash: [...probeRs, '{format}', '{file}'],
		flash_raw: [...probeRs, 'bin', '--base-address', '{address}', '{file}'],
		erase: words('probe-rs erase --chip {chip}'),
		reset: words('probe-rs reset --chip {chip}'),
		debug: words('probe-rs gdb --gdb-connection-string 127.0.0.1:{port} --chip {chip}'),
		formats: ['elf', 'hex', 'uf2', 'raw'],
	},
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;

const flashPlaceholders = ['file', 'offset', 'address', 'format'];

/** What the agent fills in. */
export const placeholders: Readonly<Partial<Record<keyof BoardCommands, readonly string[]>>> = {
	flash: flashPlaceholders,
	flash_raw: flashPlaceholders,
	erase: ['blank'],
	read_flash: ['file', 'address', 'size'],
};

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;

export function placeholdersIn(argument: string): string[] {
	return [...argument.matchAll(placeholder)].map(([, name = '']) => name);
}

/** Some tools erase by writing the bytes of erased flash. */
export function needsBlank({ erase }: BoardCommands) {
	return erase?.some((part) => placeholdersIn(part).includes('blank'));
}

/** The arguments with the values inserted. Each stays one argument, whatever its value. */
export function fillIn(
	command: readonly string[],
	values: Readonly<Record<string, PortPath>>,
	pathOf = devicePath,
): string[] {
	return command.map((argument) =>
		argument.replaceAll(placeholder, (text, name: string) => pathOf(values[name] ?? text)),
	);
}

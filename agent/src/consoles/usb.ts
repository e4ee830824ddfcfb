// USB serial ports by their properties, which do not change with the number of the port. Linux lists them in /sys.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { BoardError, printable } from '../errors.ts';

/** `vendor_id`, `product_id`, `serial_number`, `usb_port` (such as `1-1.4`) and `interface`. */
export type UsbProperties = Readonly<Record<string, string | undefined>>;

/** The path of a port, or properties that only this port has. */
export type PortPath = string | UsbProperties;

export type UsbPort = ReturnType<typeof listUsbPorts>[number];

/** The path of the port now. */
export function devicePath(port: PortPath): string {
	if (typeof port === 'string') return port;
	const found = withProperties(port, listUsbPorts());
	const [first] = found;
	if (first && found.length === 1) return first.path;
	// The holder of the lease reads these messages, so they name no other port.
	if (first) throw new Error(`Several USB serial ports have ${textOf(port)}`);
	throw new BoardError('no_device', `No USB serial port has ${textOf(port)}`);
}

/** The path of the port, or its properties while it is not found. */
export function addressOf(port: PortPath): string {
	try {
		return devicePath(port);
	} catch {
		return textOf(port);
	}
}

/** The same name however the port is written: links in /dev/serial/by-id lead to it. */
export function nameOf(port: PortPath): string {
	const address = addressOf(port);
	try {
		return realpathSync(address);
	} catch {
		return resolve(address).toLowerCase(); // it is not plugged in, or on the network
	}
}

export function textOf(port: PortPath): string {
	if (typeof port === 'string') return port;
	return stringify(port, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}

export function withProperties(wanted: UsbProperties, ports: readonly UsbPort[]): UsbPort[] {
	const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
	return ports.filter(({ properties }) =>
		given.every(([name, value]) => properties[name]?.toLowerCase() === value?.toLowerCase()),
	);
}

export function listUsbPorts() {
	const root = process.env.HOST_ROOT ?? '/';
	const folder = join(root, 'sys/class/tty');
	if (!existsSync(folder)) throw new Error(`${folder} does not exist. It lists USB ports on Linux`);
	return readdirSync(folder).flatMap((name) => {
		const [, device, usb_port, part = ''] =
			/^(.+\/(\d+-[\d.]+))\/(\2:[\d.]+)\//.exec(realpathSync(join(folder, name))) ?? [];
		if (!device) return [];
		const read = (file: string) => {
			const path = join(device, file);
			const text = existsSync(path) ? printable(readFileSync(path, 'utf8')) : '';
			return text.replaceAll('\n', ' ') || undefined;
		};
		const properties: UsbProperties = {
			vendor_id: read('idVendor'),
			product_id: read('idProduct'),
			serial_number: read('serial'),
			usb_port,
			interface: read(join(part, 'bInterfaceNumber')),
		};
		return { path: join(root, 'dev', name), product: read('product') ?? 'USB device', properties };
	});
}

// A computer with USB serial ports that are plugged in and out: its /sys and /dev in a folder.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { atEnd, temporaryFolder } from './running.ts';

export interface Plugged {
	readonly name: string;
	readonly usbPort: string;
	/** Vendor and product, such as `2341:0043`. */
	readonly id: string;
	readonly serial?: string;
	readonly product?: string;
	readonly interface?: string;
	/** What the port leads to. */
	readonly target?: string;
}

export const uno: Plugged = {
	name: 'ttyACM0',
	usbPort: '1-1.4',
	id: '2341:0043',
	serial: '95735353535351E0D1C1',
	product: 'Arduino Uno',
};

/** An adapter of which many have the same serial number. */
export const adapter: Plugged = {
	name: 'ttyUSB0',
	usbPort: '1-1.1',
	id: '10c4:ea60',
	serial: '0001',
	product: 'CP2102 USB to UART Bridge Controller',
};

/** Two ports of one device. */
export const twin: Plugged = { ...adapter, name: 'ttyUSB4', usbPort: '3-2', id: '0403:6010' };

export async function fakeComputer(...plugged: Plugged[]) {
	const root = await temporaryFolder();
	vi.stubEnv('HOST_ROOT', root);
	atEnd(async () => void vi.unstubAllEnvs());
	const ttys = join(root, 'sys/class/tty');
	await mkdir(ttys, { recursive: true });
	await mkdir(join(root, 'dev'));
	const add = async (device: string, { name }: Pick<Plugged, 'name'>) => {
		await mkdir(join(device, 'tty', name), { recursive: true });
		await symlink(join(device, 'tty', name), join(ttys, name));
	};
	const plug = async (port: Plugged) => {
		const { name, usbPort, id, serial, product, interface: part = '00' } = port;
		const device = join(root, 'sys/devices/pci0000:00/usb1', usbPort);
		const [vendor = '', model = ''] = id.split(':');
		await add(join(device, `${usbPort}:1.${Number(part)}`), port);
		const facts = { idVendor: vendor, idProduct: model, serial, product };
		for (const [file, value] of Object.entries(facts))
			if (value !== undefined) await writeFile(join(device, file), `${value}\n`);
		const file = join(device, `${usbPort}:1.${Number(part)}`, 'bInterfaceNumber');
		await writeFile(file, `${part}\n`);
		const path = join(root, 'dev', name);
		await (port.target ? symlink(port.target, path) : writeFile(path, ''));
		return path;
	};
	await add(join(root, 'sys/devices/virtual'), { name: 'tty0' });
	for (const port of plugged) await plug(port);
	return {
		root,
		path: ({ name }: Plugged) => join(root, 'dev', name),
		plug,
		async unplug({ name, usbPort }: Plugged) {
			const device = join(root, 'sys/devices/pci0000:00/usb1', usbPort);
			for (const path of [join(ttys, name), join(root, 'dev', name), device])
				await rm(path, { recursive: true });
		},
	};
}

// Writes a configuration for the boards that are plugged in.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { checkConfig, parseFile, usesPort } from './config.ts';
import { listUsbPorts, textOf, type UsbPort, withProperties } from './consoles/usb.ts';
import known from './known-boards.json' with { type: 'json' };

const nothing =
	'No USB serial port is plugged in. Does the cable have data lines, and does `dmesg` show the board? A port that exists but does not open needs the group dialout';

const start = `service: https://boards.example.com # the address of yours
token_file: /run/credentials/board-access-agent.service/token
boards:
`;

export async function scan({ config: file, write }: { config: string; write?: string }) {
	const ports = listUsbPorts();
	if (ports.length === 0) throw new Error(nothing);
	const config = existsSync(file) ? checkConfig(await parseFile(file)) : undefined;
	const unused = ports.filter(({ path }) => !config || !usesPort(config, path));
	const boards = unused.map((port) => boardOf(port, ports));
	const text = `${config ? `# New ports, which ${file} does not have: ${boards.length}\n` : start}${boards.join('\n')}`;
	if (write) await writeFile(write, text, { flag: 'wx' });
	else process.stdout.write(text);
}

function boardOf(port: UsbPort, ports: readonly UsbPort[]): string {
	const { vendor_id, product_id } = port.properties;
	const { settings = [] } =
		known.find(({ ids }) => ids.includes(`${vendor_id}:${product_id}`)) ?? known.at(-1) ?? {};
	return `  # ${port.path}: ${port.product}
  - id: brd_ # its ID in the service
    driver: command
${settings.map((line) => `    ${line}\n`).join('')}    console:
      type: serial
      path: ${textOf(identifying(port, ports))}
`;
}

/** Serial numbers are missing or the same on many cheap adapters. */
function identifying({ properties }: UsbPort, ports: readonly UsbPort[]) {
	const { usb_port, interface: part, ...device } = properties;
	const choices = [device, { ...device, interface: part }, { ...device, usb_port }];
	const usable = choices.slice(device.serial_number ? 0 : 2);
	return usable.find((choice) => withProperties(choice, ports).length === 1) ?? properties;
}
